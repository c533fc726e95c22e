package dev.revealed.bridge;

import dev.revealed.numeric.BadInput;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;

/** An environment of a process: its part of the shared memory, its commands and its replies. One thread at a time. */
final class WorldMemory {
    private static final char RESET = 'r'; // commands
    private static final char STEP = 's';
    private static final char GET_STATE = 'g';
    private static final char PUT_STATE = 'p';
    static final char RENDER = 'v';
    private static final char CLOSE = 'x';
    private static final char NEW = 'n';

    private static final int SEED = 0; // bytes from the start
    private static final int REWARD = 8;
    private static final int TERMINATED = 16;
    private static final int TRUNCATED = 20;
    private static final int COMMAND = 24;
    static final int OBSERVATION = 32;

    private final WorldProcess process;
    private final int number;
    boolean brief = true; // the last wait for it: looking is worth its time
    private @Nullable Mapped mapped;
    private char last = NEW;
    private long seed;
    private int steps;

    /** The memory by the kinds of its numbers. */
    private record Mapped(ByteBuffer bytes, FloatBuffer observation, FloatBuffer action, DoubleBuffer state) {}

    WorldMemory(WorldProcess process, int number) {
        this.process = process;
        this.number = number;
    }

    /** In its process, from 0. */
    int number() {
        return number;
    }

    long process() {
        return process.id();
    }

    WorldProcess.Hello hello() {
        return process.hello();
    }

    WorldProgram program() {
        return process.program();
    }

    /** What it does, or did last, for messages. */
    String doing() {
        return switch (last) {
            case NEW -> "while it was made";
            case RESET -> "in reset(seed=%d)".formatted(seed);
            case STEP -> "in step %d of the episode with seed %d".formatted(steps, seed);
            case GET_STATE -> "in get_state()";
            case PUT_STATE -> "in set_state()";
            case RENDER -> "in render()";
            default -> "in close()";
        };
    }

    private Mapped mapped() {
        Mapped known = mapped;
        if (known == null) {
            ByteBuffer bytes = process.part(number);
            WorldProcess.Hello hello = hello();
            known = new Mapped(
                    bytes,
                    bytes.slice(OBSERVATION, Float.BYTES * hello.space().observations())
                            .order(bytes.order())
                            .asFloatBuffer(),
                    bytes.slice(
                                    hello.action(),
                                    Float.BYTES * hello.space().actions().size())
                            .order(bytes.order())
                            .asFloatBuffer(),
                    bytes.slice(hello.stateAt(), Double.BYTES * hello.state())
                            .order(bytes.order())
                            .asDoubleBuffer());
            mapped = known;
            command(NEW);
        }
        return known;
    }

    /** Sends a command without waiting for its end. */
    void post(char command) {
        ByteBuffer bytes = mapped().bytes;
        last = command;
        WorldProcess.INTS.setVolatile(bytes, COMMAND, (int) command);
        process.call();
    }

    /** Sends a command and waits for its end. */
    private void command(char command) {
        post(command);
        process.await(this);
    }

    boolean done() {
        return (int) WorldProcess.INTS.getVolatile(mapped().bytes, COMMAND) == 0;
    }

    /** Begins an episode. */
    void reset(long by) {
        mapped().bytes.putLong(SEED, by);
        seed = by;
        steps = 0;
        command(RESET);
    }

    void step(float[] from, int offset, int count) {
        mapped().action.put(0, from, offset, count);
        steps++;
        command(STEP);
    }

    void observation(float[] into) {
        mapped().observation.get(0, into);
    }

    double reward() {
        return mapped().bytes.getDouble(REWARD);
    }

    boolean terminated() {
        return mapped().bytes.getInt(TERMINATED) != 0;
    }

    boolean truncated() {
        return mapped().bytes.getInt(TRUNCATED) != 0;
    }

    void state(double[] into) {
        command(GET_STATE);
        mapped().state.get(0, into);
    }

    void putState(double[] from, int offset, int count) {
        mapped().state.put(0, from, offset, count);
        command(PUT_STATE);
    }

    ProcessSimulator.Frame render() {
        return process.render(this);
    }

    /** The environment's own end, where it was ever made. */
    void end() {
        if (mapped != null) {
            try {
                command(CLOSE);
            } catch (BadInput e) {
                // it failed while it was closed, or before: nobody needs it any more
            }
        }
    }

    void close() {
        process.close(this);
    }
}
