package dev.revealed.bridge;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A process that simulates, and the memory shared with it. Commands and replies are single bytes through its pipes;
 * docs/design/bridge.md has the protocol.
 */
final class WorldProcess implements AutoCloseable {
    static final int PROTOCOL = 1;
    private static final int REWARD = 8; // bytes from the start of the shared memory
    private static final int TERMINATED = 16;
    private static final int TRUNCATED = 20;
    private static final int COMMAND = 24;
    private static final int ASLEEP = 28; // it reads its pipe
    private static final int LISTENING = 32; // we read ours
    private static final int PATIENCE = 36; // how often it looks before it sleeps
    private static final int OBSERVATION = 48;
    private static final char WAKE = 'k';
    private static final char PICTURE = 'v';
    private static final int LOOKS = 100; // at the memory before sleeping
    private static final AtomicInteger LIVE = new AtomicInteger(); // processes
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int LAST_LINES = 30; // of its error output, for the message of its end
    private static final long GRACE = 2; // seconds for it to end by itself

    /** Commands. */
    static final char RESET = 'r';

    static final char STEP = 's';
    static final char GET_STATE = 'g';
    static final char PUT_STATE = 'p';
    static final char RENDER = 'v';

    /**
     * What it said of itself.
     *
     * @param state numbers of its state; 0 where it offers none
     * @param about versions and the like, by name
     */
    record Hello(Simulator.Space space, int state, Map<String, String> about) {}

    private final WorldProgram program;
    private final Process process;
    private final OutputStream commands;
    private final InputStream replies;
    private final Deque<String> lastWords = new ArrayDeque<>();
    private final Thread listening;
    private @Nullable Hello hello;
    private ByteBuffer memory = ByteBuffer.allocate(0);
    private int actionAt;
    private int stateAt;
    private int looks; // at the memory before sleeping: none where processes outnumber the cores
    private boolean open = true;

    WorldProcess(WorldProgram program) {
        this.program = program;
        ProcessBuilder builder = new ProcessBuilder(program.command());
        builder.environment().putIfAbsent("OMP_NUM_THREADS", "1"); // there are many of them
        try {
            process = builder.start();
        } catch (IOException e) {
            throw program.cannotStart(e);
        }
        LIVE.incrementAndGet();
        commands = process.getOutputStream();
        replies = process.getInputStream();
        listening =
                Thread.ofPlatform().daemon().name("revealed-" + program.name()).start(this::listen);
    }

    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (lastWords) {
                    lastWords.addLast(line);
                    if (lastWords.size() > LAST_LINES) {
                        lastWords.removeFirst();
                    }
                }
            }
        } catch (IOException e) {
            // it ended
        }
    }

    WorldProgram program() {
        return program;
    }

    /** Waits until it has said what it is, and shares memory with it. */
    Hello hello() {
        if (hello == null) {
            try {
                Hello said = greeting();
                share(said);
                hello = said;
            } catch (IOException e) {
                throw gone("while it started");
            }
        }
        return hello;
    }

    private Hello greeting() throws IOException {
        Map<String, String> said = new LinkedHashMap<>();
        Map<String, String> about = new LinkedHashMap<>();
        for (String line = line("while it started"); !line.equals("ready"); line = line("while it started")) {
            if (line.startsWith("e")) {
                throw failed("could not be made", line.substring(1) + rest());
            }
            String[] words = line.split(" ", 2);
            if (words[0].equals("about") && words.length == 2) {
                String[] fact = words[1].split(" ", 2);
                about.put(fact[0], fact.length == 2 ? fact[1] : "");
            } else {
                said.put(words[0], words.length == 2 ? words[1] : "");
            }
        }
        BadInput.when(
                number(said, "revealed") != PROTOCOL,
                "%s speaks version %s of the protocol".formatted(program.name(), said.get("revealed")),
                "This Revealed speaks version %d: docs/design/bridge.md.".formatted(PROTOCOL));
        float bound;
        try {
            bound = Float.parseFloat(said.getOrDefault("bound", ""));
        } catch (NumberFormatException e) {
            throw unexpected("bound " + said.get("bound"));
        }
        Simulator.Space space = new Simulator.Space(
                program.name(),
                number(said, "observations"),
                new Simulator.Actions.Box(number(said, "actions"), bound),
                number(said, "horizon"));
        return new Hello(space, number(said, "state"), about);
    }

    private int number(Map<String, String> said, String name) {
        try {
            return Integer.parseInt(said.getOrDefault(name, ""));
        } catch (NumberFormatException e) {
            throw unexpected("%s %s".formatted(name, said.get(name)));
        }
    }

    private BadInput unexpected(String said) {
        return new BadInput(
                "%s said '%s', which is not in the protocol".formatted(program.name(), said),
                "A line has a name and a number: docs/design/bridge.md. Nothing else may write to its standard output.");
    }

    private String line(String when) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = replies.read(); c != '\n'; c = replies.read()) {
            if (c < 0) {
                throw gone(when);
            }
            line.append((char) c);
        }
        return line.toString();
    }

    /** The file is gone as soon as both have it: nothing is left behind, whatever happens. */
    private void share(Hello said) throws IOException {
        actionAt = aligned(OBSERVATION + Float.BYTES * said.space.observations());
        stateAt = aligned(actionAt + Float.BYTES * said.space.actions().size());
        int bytes = stateAt + Double.BYTES * Math.max(1, said.state);
        Path fast = Path.of("/dev/shm");
        Path file = Files.isWritable(fast)
                ? Files.createTempFile(fast, "revealed-", ".shared")
                : Files.createTempFile("revealed-", ".shared");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            memory = mapped.order(ByteOrder.LITTLE_ENDIAN);
            looks = LIVE.get() < Runtime.getRuntime().availableProcessors() ? LOOKS : 0;
            memory.putInt(PATIENCE, looks);
            commands.write((file + "\n").getBytes(StandardCharsets.UTF_8));
            commands.flush();
            heard("while it started");
        } finally {
            Files.delete(file);
        }
    }

    private static int aligned(int bytes) {
        return Math.ceilDiv(bytes, Double.BYTES) * Double.BYTES;
    }

    /** Sends a command; {@link #await} waits for its end. */
    void post(char command) {
        INTS.setVolatile(memory, COMMAND, (int) command);
        if ((int) INTS.getVolatile(memory, ASLEEP) != 0) {
            wake();
        }
    }

    private void wake() {
        try {
            commands.write(WAKE);
            commands.flush();
        } catch (IOException e) {
            // it is gone, and await says why
        }
    }

    /** Waits for the end of a command: a while by looking, giving way to others, then asleep until a byte comes. */
    @SuppressWarnings("ThreadPriorityCheck") // giving way is only for speed
    void await(String when) {
        for (int i = 0; i < looks; i++) {
            if (done()) {
                return;
            }
            Thread.yield();
        }
        INTS.setVolatile(memory, LISTENING, 1);
        while (!done()) {
            if ((int) INTS.getVolatile(memory, ASLEEP) != 0) {
                wake(); // it fell asleep while the command was sent
            }
            heard(when);
        }
        INTS.setVolatile(memory, LISTENING, 0);
    }

    private boolean done() {
        return (int) INTS.getVolatile(memory, COMMAND) == 0;
    }

    /** Waits for a byte on the pipe. */
    private void heard(String when) {
        int reply;
        try {
            reply = replies.read();
        } catch (IOException e) {
            throw gone(when);
        }
        if (reply != WAKE) {
            throw reply < 0 ? gone(when) : failed("failed " + when, reply == 'e' ? rest() : (char) reply + rest());
        }
    }

    private String rest() {
        try {
            return new String(replies.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private BadInput failed(String how, String message) {
        String[] lines = message.strip().split("\n", -1);
        String all = String.join("\n    ", lines);
        return new BadInput(
                "%s %s:\n    %s".formatted(program.name(), how, all),
                "The message is %s's own. After mending it, an interrupted run goes on with `resume`."
                        .formatted(program.language()));
    }

    /** It ended without a word on its pipe: a signal, or an exit from within. */
    private BadInput gone(String when) {
        String how = "ended";
        try {
            if (process.waitFor(GRACE, TimeUnit.SECONDS)) {
                int code = process.exitValue();
                how = code > 128 ? "was killed by signal %d".formatted(code - 128) : "ended with exit code " + code;
            }
            listening.join(TimeUnit.SECONDS.toMillis(GRACE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (lastWords) {
            String said = lastWords.isEmpty() ? "It wrote no error." : String.join("\n", lastWords);
            return failed("%s %s".formatted(how, when), said);
        }
    }

    /** The picture of the state it is in. */
    ProcessSimulator.Frame render() {
        post(RENDER);
        try {
            int reply = replies.read();
            while (reply == WAKE) {
                reply = replies.read();
            }
            if (reply != PICTURE) {
                throw reply < 0 ? gone("while drawing") : failed("failed while drawing", rest());
            }
            String[] size = line("while drawing").split(" ", 2);
            int width = Integer.parseInt(size[0]);
            int height = Integer.parseInt(size[1]);
            byte[] rgb = new byte[3 * width * height];
            new DataInputStream(replies).readFully(rgb);
            return new ProcessSimulator.Frame(width, height, rgb);
        } catch (IOException e) {
            throw gone("while drawing");
        }
    }

    void seed(long seed) {
        memory.putLong(0, seed);
    }

    void action(float[] from, int offset, int count) {
        memory.asFloatBuffer().put(actionAt / Float.BYTES, from, offset, count);
    }

    void observation(float[] into) {
        memory.asFloatBuffer().get(OBSERVATION / Float.BYTES, into, 0, into.length);
    }

    double reward() {
        return memory.getDouble(REWARD);
    }

    boolean terminated() {
        return memory.getInt(TERMINATED) != 0;
    }

    boolean truncated() {
        return memory.getInt(TRUNCATED) != 0;
    }

    void state(double[] into) {
        memory.asDoubleBuffer().get(stateAt / Double.BYTES, into);
    }

    void putState(double[] from, int offset, int count) {
        memory.asDoubleBuffer().put(stateAt / Double.BYTES, from, offset, count);
    }

    /** It ends when its pipe does; one that does not is killed. */
    @Override
    public void close() {
        if (open) {
            open = false;
            LIVE.decrementAndGet();
        }
        try {
            commands.close();
        } catch (IOException e) {
            // it has ended already
        }
        try {
            if (!process.waitFor(GRACE, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
