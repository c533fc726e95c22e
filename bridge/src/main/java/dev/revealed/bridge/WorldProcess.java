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
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process that simulates one or more environments, and the memory shared with it. Commands are words in that memory, and a
 * byte through a pipe wakes a side that sleeps; docs/design/bridge.md has the protocol.
 */
final class WorldProcess implements AutoCloseable {
    static final int PROTOCOL = 2;
    static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int ASLEEP = 0; // bytes from the start of the shared memory: it reads its pipe
    private static final int LISTENING = 4; // we read ours, for the environment of this number, from 1
    private static final int PATIENCE = 8; // microseconds that it looks before it sleeps
    private static final int AT = 12; // it works for the environment of this number, from 1, or did last
    private static final int USED = 16; // the number of environments that it may look at
    private static final int PAGE = 64; // bytes before the first environment's, and a divisor of each environment's
    private static final char WAKE = 'k';
    private static final char PICTURE = 'v';
    private static final AtomicInteger LIVE = new AtomicInteger(); // processes
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final int LONG = 300; // microseconds to look before sleeping, while a core is free
    private static final int SHORT = 20; // the same, where others need it
    private static final int LAST_LINES = 30; // of its error output, for the message
    private static final String STARTING = "while it started";
    private static final long GRACE = 2; // seconds for it to end by itself

    /** Seconds after which a command is said to take long. */
    static final long SLOW = 60;

    /**
     * What it said of itself.
     *
     * @param environments that it can have at a time
     * @param state numbers of an environment's state; 0 where it offers none
     * @param about versions and the like, by name
     */
    record Hello(Simulator.Space space, int environments, int state, Map<String, String> about) {
        int action() {
            return aligned(WorldMemory.OBSERVATION + Float.BYTES * space.observations(), Double.BYTES);
        }

        int stateAt() {
            return aligned(action() + Float.BYTES * space.actions().size(), Double.BYTES);
        }

        int bytes() {
            return aligned(stateAt() + Double.BYTES * state, PAGE);
        }

        private static int aligned(int bytes, int to) {
            return Math.ceilDiv(bytes, to) * to;
        }
    }

    /** Something that it is asked for and has not done yet. */
    private record Wait(Supplier<String> doing, long since) {
        Wait(Supplier<String> doing) {
            this(doing, System.nanoTime());
        }
    }

    private final WorldProgram program;
    private final Process process;
    private final OutputStream commands;
    private final InputStream replies;
    private final Deque<String> errorLines = new ArrayDeque<>();
    private final Thread listening;
    private final ReentrantLock reading = new ReentrantLock(true);
    private final List<@Nullable WorldMemory> environments = new ArrayList<>(); // by number; null where one is free
    private @Nullable Hello hello;
    private ByteBuffer memory = ByteBuffer.allocate(0);
    private volatile @Nullable BadInput failure;
    private volatile @Nullable Wait wait;
    private boolean open = true;
    private int used; // environments that it ever had at a time

    /**
     * @param slow seconds after which the caution is that a command takes long
     * @param caution hears it, once
     */
    WorldProcess(WorldProgram program, long slow, Consumer<String> caution) {
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
        Thread.ofVirtual().start(() -> watch(slow, caution));
    }

    /** An environment that hangs would else be silent for ever. */
    private void watch(long slow, Consumer<String> caution) {
        try {
            while (!process.waitFor(Math.max(1, slow / 4), TimeUnit.SECONDS)) {
                Wait now = wait;
                if (now != null && System.nanoTime() - now.since >= TimeUnit.SECONDS.toNanos(slow)) {
                    caution.accept("%s has not answered for more than %d seconds, and is %s; it may hang"
                            .formatted(program.name(), slow, now.doing.get()));
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (errorLines) {
                    errorLines.addLast(line);
                    if (errorLines.size() > LAST_LINES) {
                        errorLines.removeFirst();
                    }
                }
            }
        } catch (IOException e) {
            // it ended
        }
    }

    long id() {
        return process.pid();
    }

    WorldProgram program() {
        return program;
    }

    /** Waits until it has said what it is, and shares memory with it. */
    synchronized Hello hello() {
        if (hello == null) {
            wait = new Wait(() -> STARTING);
            try {
                Hello said = greeting();
                share(said);
                hello = said;
            } catch (IOException e) {
                throw endedEarly(STARTING);
            } finally {
                wait = null;
            }
        }
        return hello;
    }

    private Hello greeting() throws IOException {
        Map<String, String> said = new LinkedHashMap<>();
        Map<String, String> about = new LinkedHashMap<>();
        for (String line = line(STARTING); !line.equals("ready"); line = line(STARTING)) {
            if (line.startsWith("e")) {
                throw new BadInput(
                        report("could not be made", line.substring(1) + "\n" + rest()),
                        "Mend it, or name another `task`.");
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
        return new Hello(space, said.containsKey("serves") ? number(said, "serves") : 1, number(said, "state"), about);
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
                throw endedEarly(when);
            }
            line.append((char) c);
        }
        return line.toString();
    }

    /** The file is gone as soon as both have it: nothing is left behind, whatever happens. */
    private void share(Hello said) throws IOException {
        int bytes = PAGE + said.environments * said.bytes();
        Path fast = Path.of("/dev/shm");
        Path file = Files.isWritable(fast)
                ? Files.createTempFile(fast, "revealed-", ".shared")
                : Files.createTempFile("revealed-", ".shared");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            memory = mapped.order(ByteOrder.LITTLE_ENDIAN);
            commands.write((file + "\n").getBytes(StandardCharsets.UTF_8));
            commands.flush();
            started();
        } finally {
            Files.delete(file);
        }
    }

    /** A new environment in it; none where it has no room. */
    synchronized Optional<WorldMemory> open() {
        int free = environments.indexOf(null);
        int number = free < 0 ? environments.size() : free;
        if (number > 0 && number >= hello().environments) {
            return Optional.empty();
        }
        WorldMemory one = new WorldMemory(this, number);
        used = Math.max(used, number + 1);
        if (free < 0) {
            environments.add(one);
        } else {
            environments.set(free, one);
        }
        return Optional.of(one);
    }

    /** Whether all its environments were closed, or it failed. */
    synchronized boolean ended() {
        return failure != null || (!environments.isEmpty() && size() == 0);
    }

    /** How many environments it has. */
    synchronized int size() {
        return (int) environments.stream().filter(Objects::nonNull).count();
    }

    /** The part of the shared memory that is an environment's. */
    synchronized ByteBuffer part(int number) {
        int bytes = hello().bytes();
        memory.putInt(USED, used); // before it has a command
        return memory.slice(PAGE + number * bytes, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Microseconds to look before sleeping. A wake-up costs about as much; looking costs a core. */
    private static int patience() {
        return LIVE.get() < CORES ? LONG : SHORT;
    }

    /** It has a command, perhaps while it sleeps. */
    void call() {
        memory.putInt(PATIENCE, patience());
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
    void await(WorldMemory environment) {
        long limit = TimeUnit.MICROSECONDS.toNanos(patience());
        long began = System.nanoTime();
        while (environment.brief && System.nanoTime() - began < limit) {
            if (environment.done()) {
                return;
            }
            Thread.yield();
        }
        reading.lock(); // one at a time; those who wait here for other environments of the process look again then
        try {
            wait = new Wait(() -> doing(environment));
            INTS.setVolatile(memory, LISTENING, environment.number() + 1);
            while (!environment.done()) {
                call(); // it may have fallen asleep while the command was sent
                awaitReply(environment);
            }
            INTS.setVolatile(memory, LISTENING, 0);
        } finally {
            wait = null;
            reading.unlock();
        }
        environment.brief = System.nanoTime() - began < limit;
    }

    private void started() throws IOException {
        int reply = replies.read();
        if (reply != WAKE) {
            throw reply < 0 ? endedEarly(STARTING) : failed("failed " + STARTING, message(reply));
        }
    }

    /** Waits for a byte on the pipe. */
    private void awaitReply(WorldMemory environment) {
        BadInput known = failure;
        if (known != null) {
            throw known;
        }
        int reply;
        try {
            reply = replies.read();
        } catch (IOException e) {
            reply = -1;
        }
        if (reply != WAKE) {
            known = reply < 0 ? endedEarly(doing(environment)) : failed("failed " + doing(environment), message(reply));
            failure = known;
            throw known;
        }
    }

    /** What it does, or did when it failed; what somebody waits for where it does not say whom it works for. */
    private synchronized String doing(WorldMemory waiting) {
        int number = (int) INTS.getVolatile(memory, AT) - 1;
        WorldMemory which = number >= 0 && number < environments.size() ? environments.get(number) : waiting;
        return (which == null ? waiting : which).doing();
    }

    private String message(int first) {
        return first == 'e' ? rest() : (char) first + rest();
    }

    private String rest() {
        try {
            return new String(replies.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private String report(String how, String message) {
        String[] lines = message.strip().split("\n", -1);
        return "%s %s:\n    %s".formatted(program.name(), how, String.join("\n    ", lines));
    }

    private BadInput failed(String how, String message) {
        return new BadInput(
                report(how, message),
                "Mend the environment. A run then goes on with `resume`, from its last checkpoint or else from its start.");
    }

    /** It ended without a message on its pipe: a signal, or an exit from within. */
    private BadInput endedEarly(String when) {
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
        synchronized (errorLines) {
            String said = errorLines.isEmpty() ? "It wrote no error." : String.join("\n", errorLines);
            return failed("%s %s".formatted(how, when), said);
        }
    }

    /** The picture of the state it is in. */
    ProcessSimulator.Frame render(WorldMemory environment) {
        reading.lock();
        try {
            wait = new Wait(() -> doing(environment));
            environment.post(WorldMemory.RENDER);
            int reply = replies.read();
            while (reply == WAKE) {
                reply = replies.read();
            }
            if (reply != PICTURE) {
                throw reply < 0
                        ? endedEarly(doing(environment))
                        : failed("failed " + doing(environment), message(reply));
            }
            String[] said = line(environment.doing()).split(" ", 3);
            int width = Integer.parseInt(said[0]);
            int height = Integer.parseInt(said[1]);
            byte[] rgb = new byte[3 * width * height];
            new DataInputStream(replies).readFully(rgb);
            OptionalDouble perSecond =
                    said.length == 3 ? OptionalDouble.of(Double.parseDouble(said[2])) : OptionalDouble.empty();
            return new ProcessSimulator.Frame(width, height, rgb, perSecond);
        } catch (NumberFormatException e) {
            throw unexpected("a picture without its width and height");
        } catch (IOException e) {
            throw endedEarly(doing(environment));
        } finally {
            wait = null;
            reading.unlock();
        }
    }

    /** Closes an environment, and the process with the last one; harmless the second time. */
    void close(WorldMemory environment) {
        synchronized (this) {
            if (environments.get(environment.number()) != environment) {
                return;
            }
        }
        if (size() > 1 && failure == null) {
            environment.end(); // its place is free only then
        }
        boolean last;
        synchronized (this) {
            environments.set(environment.number(), null);
            last = size() == 0;
        }
        if (last) {
            close();
        }
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
