package dev.revealed.cuda;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Losses;
import dev.revealed.neural.Network;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.neural.objective.Objective;
import dev.revealed.neural.softq.InverseSoftQ;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Soft Actor-Critic of many runs on one GPU, with their replays. Runs are of one task and one shape, take their updates
 * together and share nothing: each computes what it would compute alone. Step sizes, temperatures and the like may differ.
 *
 * <p>A run takes a place with {@link #join} and gives it back with {@link #leave}. In between its thread adds transitions
 * and calls {@link #turn}, which waits for the other runs, hands the work of all to the device and comes back. The policy
 * that {@link #actor} gives is then the one after the run's turn before, so that acting and learning overlap by a lag that
 * is always the same. See docs/design/cuda.md.
 */
public final class CudaSac implements AutoCloseable {
    private static final int DIVERGED = 2;
    private static final int DIVERGED_IN = 3;
    private final Gpu gpu;
    private final Driver driver;
    private final Layout layout;
    private final int stagedRows;
    private final Owned owned = new Owned();
    private final long stream;
    private final DeviceState state;
    private final DeviceMemory replay;
    private final DeviceReplay transitions;
    private final DeviceMemory work;
    private final DeviceMemory given;
    private final DeviceMemory staged;
    private final @Nullable DeviceMemory rewards;
    private final Stages stages;
    private long graph;
    private long withoutActors; // an update in which no actor learns

    private final Simulator.Space space;
    private final Sac.Settings settings;
    private final Sac.Settings[] own;
    private final Rounds rounds = new Rounds(this::launch);
    private final BlockingQueue<Integer> places = new LinkedBlockingQueue<>();
    private final GaussianActor[] actors;
    private final long[] added;
    private final int[] waiting;
    private final int[] due;
    private final long[] made; // updates, with those that were started
    private final int[] expertRows;

    /** What goes over the bus in a turn: memory of the host, and events before and after the device's work. */
    private record Slot(MemorySegment rows, MemorySegment actors, MemorySegment counts, long begun, long done) {}

    private final Slot[] slots = new Slot[2]; // the host fills or reads one while the device has the other
    private final boolean[] timed = new boolean[2];
    private int slot;
    private double busySeconds;

    /**
     * Places for runs.
     *
     * @param runs how many at a time
     * @param capacity transitions that each run remembers
     * @param stagedRows transitions that each run may add between two turns
     */
    public CudaSac(Gpu gpu, Simulator.Space space, Sac.Settings settings, int capacity, int stagedRows, int runs) {
        this(gpu, space, settings, Objective.STORED, Room.of(capacity, stagedRows), runs);
    }

    /**
     * What each run has room for.
     *
     * @param transitions that it remembers
     * @param staged transitions that it may add between two turns
     * @param expert transitions of an expert
     */
    public record Room(int transitions, int staged, int expert) {
        public static Room of(int transitions, int staged) {
            return new Room(transitions, staged, 0);
        }
    }

    public CudaSac(Gpu gpu, Simulator.Space space, Sac.Settings settings, Objective objective, Room room, int runs) {
        this(gpu, space, settings, objective, room, runs, 0);
    }

    /** @param tile as for {@link Stages} */
    CudaSac(Gpu gpu, Simulator.Space space, Sac.Settings settings, Objective objective, Room room, int runs, int tile) {
        this.gpu = gpu;
        this.space = space;
        this.settings = settings;
        this.stagedRows = room.staged;
        driver = gpu.driver();
        layout = new Layout(space, settings, objective, runs, room.transitions, room.expert);
        gpu.bind();
        long needed = layout.bytes(stagedRows);
        long free = driver.memory()[0];
        if (needed > free) {
            throw new BadInput(
                    "%s %.1f GiB of the GPU's memory, of which %.1f GiB are free"
                            .formatted(runs == 1 ? "a run needs" : runs + " runs need", needed / 0x1p30, free / 0x1p30),
                    runs == 1 ? "Use a smaller replay." : "Use fewer runs at a time or a smaller replay.");
        }
        actors = new GaussianActor[runs];
        added = new long[runs];
        waiting = new int[runs];
        due = new int[runs];
        made = new long[runs];
        expertRows = new int[runs];
        own = new Sac.Settings[runs];
        try {
            stream = driver.createStream();
            owned.add(() -> driver.destroyStream(stream));
            state = new DeviceState(layout, this::memory);
            replay = memory(runs * layout.replayStride() * Float.BYTES);
            transitions = new DeviceReplay(layout, replay);
            work = memory((long) runs * layout.workStride * Float.BYTES);
            given = memory((long) runs * layout.batch * Integer.BYTES);
            rewards = layout.rewardShape == null ? null : memory((long) runs * layout.rewardStride * Float.BYTES);
            staged = memory(layout.stagedBytes(stagedRows));
            for (int i = 0; i < 2; i++) {
                slots[i] = new Slot(
                        hostMemory(layout.stagedBytes(stagedRows)),
                        hostMemory((long) runs * layout.actorShape.parameters() * Float.BYTES),
                        hostMemory((long) runs * Layout.COUNTS * Long.BYTES),
                        event(),
                        event());
                slots[i].counts.fill((byte) 0);
            }
            long[] pointers = {
                state.theta.pointer(),
                state.first.pointer(),
                state.second.pointer(),
                replay.pointer(),
                work.pointer(),
                state.scalars.pointer(),
                state.sums.pointer(),
                state.counts.pointer(),
                state.seeds.pointer(),
                given.pointer(),
                staged.pointer() + layout.headBytes(),
                staged.pointer(),
                rewards == null ? 0 : rewards.pointer(),
                state.settings.pointer(),
                state.paces.pointer()
            };
            stages = new Stages(gpu, layout, stream, pointers, tile);
            owned.add(stages);
            stages.updateSlowly(
                    false); // on empty memory: loads every kernel, which a capture might not, and names a bad one
            for (int run = 0; run < runs; run++) {
                actors[run] = new GaussianActor(
                        new Network(layout.actorShape, new float[layout.actorShape.parameters()]), layout.bound);
                places.add(run);
            }
            graph = stages.capture(false, true);
            owned.add(() -> driver.destroyInstance(graph));
            withoutActors = stages.capture(false, false);
            owned.add(() -> driver.destroyInstance(withoutActors));
            owned.add(() -> driver.synchronize(stream)); // the first thing that close does
        } catch (RuntimeException | Error e) {
            try {
                close();
            } catch (RuntimeException also) {
                e.addSuppressed(also); // a device that failed once fails to be tidied too
            }
            throw e;
        }
    }

    private DeviceMemory memory(long bytes) {
        DeviceMemory memory = new DeviceMemory(gpu, stream, bytes);
        owned.add(memory);
        return memory;
    }

    private MemorySegment hostMemory(long bytes) {
        MemorySegment memory = driver.hostAlloc(bytes);
        owned.add(() -> driver.hostFree(memory));
        return memory;
    }

    private long event() {
        long event = driver.createEvent();
        owned.add(() -> driver.destroyEvent(event));
        return event;
    }

    /** Bytes of the device's memory that so many runs take. */
    public static long bytes(Simulator.Space space, Sac.Settings settings, Objective objective, Room room, int runs) {
        return new Layout(space, settings, objective, runs, room.transitions, room.expert).bytes(room.staged);
    }

    public int runs() {
        return layout.runs;
    }

    /** Places that no run has. */
    public int free() {
        return places.size();
    }

    /**
     * Those of the settings that runs must have in common to learn together. The others have the same values for all, so
     * that two runs can learn together if and only if these are equal.
     */
    public static Sac.Settings common(Sac.Settings settings) {
        return Layout.common(settings);
    }

    /**
     * A place for a run, from the initial networks that {@link Sac} would draw from the stream. Waits for a place where all
     * are taken. From now on the other runs wait for it in their turns.
     *
     * @param settings of this run, which have what is {@link #common}
     */
    public int join(RandomStream stream, Sac.Settings settings) {
        if (!common(settings).equals(common(this.settings))) {
            throw new IllegalArgumentException("there is no room for a run of such settings");
        }
        int run;
        try {
            run = places.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for a place on the GPU");
        }
        boolean joined = false;
        try {
            begin(run, stream, settings);
            rounds.join();
            joined = true;
        } finally {
            if (!joined) {
                places.add(run);
            }
        }
        return run;
    }

    /** Initialises all runs with consecutive seeds from this one on. */
    void beginAll(long seed) {
        for (int run = 0; run < layout.runs; run++) {
            begin(run, RandomStream.of(seed + run), settings);
        }
    }

    /** Sets a run to its beginning. */
    synchronized void begin(int run, RandomStream stream, Sac.Settings settings) {
        clear(run);
        own[run] = settings;
        gpu.bind();
        state.settings(run, settings, ExpertRows.NONE);
        state.paces(run, new float[0]);
        try (Sac sac = new Sac(space, settings, stream, 1)) {
            restore(run, Tensors.of(sac::save));
        }
    }

    /** Gives the place of a run back; the others go on without it. */
    public void leave(int run) {
        rounds.leave();
        clear(run);
        places.add(run);
    }

    private synchronized void clear(int run) {
        added[run] = 0;
        waiting[run] = 0;
        due[run] = 0;
        expertRows[run] = 0;
    }

    /** How many transitions a run was ever given. */
    public long added(int run) {
        return added[run] + waiting[run];
    }

    /** What the critics of all runs learn from. */
    Objective objective() {
        return layout.objective;
    }

    /** From now on a run's batches are labelled by this network, which is like those there is room for. */
    public synchronized void reward(int run, RewardNetwork network) {
        DeviceMemory memory = rewards;
        if (memory == null || !Objective.Labelled.by(network).equals(layout.objective)) {
            throw new IllegalArgumentException("there is no room for such a reward");
        }
        gpu.bind();
        float[] parameters = network.network().parameters();
        float[] all = Arrays.copyOf(parameters, parameters.length + 1);
        all[parameters.length] = network.penalty(); // the kernels find it behind the last bias
        memory.put((long) run * layout.rewardStride, all);
    }

    /** From now on a run's batches have a share of these transitions of an expert, as many as there is room for. */
    synchronized void expert(int run, Batch rows, ExpertRows expert) {
        if (expert.count() > layout.expertCount || rows.size() != expert.count()) {
            throw new IllegalArgumentException("there is no room for such an expert");
        }
        await();
        transitions.putExpert(run, rows);
        state.settings(run, own[run], expert);
        expertRows[run] = rows.size();
    }

    /** Lets a run begin and learn as though observations were multiplied by these numbers; as {@link Sac#scaleInputs}. */
    public synchronized void scaleInputs(int run, float[] scale) {
        Tensors saved = saved(run);
        try (Sac sac = new Sac(space, own[run], RandomStream.of(0), 1)) {
            sac.restore(saved);
            sac.scaleInputs(scale);
            restore(run, Tensors.of(sac::save));
        }
        state.paces(run, scale);
    }

    /** Rewards of the last batch. */
    float[] lastRewards(int run) {
        await();
        return work.floats((long) run * layout.workStride + layout.rewardPlace, layout.batch);
    }

    /** The policy of a run for acting on the host; it changes in {@link #turn} alone. */
    public GaussianActor actor(int run) {
        return actors[run];
    }

    /**
     * Puts a transition in a place among those that wait for the run's next turn. Threads may do so at the same time, each
     * with rows of its own.
     */
    void put(int run, int row, float[] state, float[] action, double reward, boolean terminated, float[] nextState) {
        if (row >= stagedRows) {
            throw new IllegalStateException("more than %d rows without a turn".formatted(stagedRows));
        }
        MemorySegment rows = slots[slot].rows;
        long at = placeOf(run, row);
        put(rows, at, 0, state);
        put(rows, at, layout.observations, action);
        rows.set(JAVA_FLOAT, at + (long) layout.row.reward() * Float.BYTES, (float) reward);
        rows.set(JAVA_FLOAT, at + (long) layout.row.live() * Float.BYTES, terminated ? 0 : 1);
        put(rows, at, layout.row.nextState(), nextState);
    }

    private static void put(MemorySegment rows, long at, int place, float[] values) {
        MemorySegment.copy(values, 0, rows, JAVA_FLOAT, at + (long) place * Float.BYTES, values.length);
    }

    /** Copies a transition that waits for the run's next turn. */
    void copyPut(int run, int row, float[] into, int to) {
        MemorySegment.copy(slots[slot].rows, JAVA_FLOAT, placeOf(run, row), into, to, layout.row.width());
    }

    private long placeOf(int run, int row) {
        return layout.headBytes() + ((long) row * layout.runs + run) * layout.rowPitch * Float.BYTES;
    }

    /** Adds a transition behind those that wait. */
    void add(int run, float[] state, float[] action, double reward, boolean terminated, float[] nextState) {
        put(run, waiting[run], state, action, reward, terminated, nextState);
        waiting[run]++;
    }

    /**
     * The run's turn: waits for the other runs, sends the rows that wait, starts the updates, and waits for those of the
     * run's turn before, whose policy then acts.
     *
     * @param rows transitions that were {@link #put} since the last turn
     * @param updates of this run; other runs may make more or fewer
     */
    void turn(int run, int rows, int updates) {
        waiting[run] = rows;
        due[run] = updates;
        rounds.arrive();
        takePolicy(run);
    }

    /** The same for all runs at once, by one thread that has all of them. */
    void update(int updates) {
        Arrays.fill(due, updates);
        launch();
        for (int run = 0; run < layout.runs; run++) {
            takePolicy(run);
        }
    }

    private synchronized void launch() {
        gpu.bind();
        driver.record(slots[slot].begun, stream);
        launchGraphs(send());
        long length = (long) layout.actorShape.parameters() * Float.BYTES;
        for (int run = 0; run < layout.runs; run++) {
            driver.toHost(
                    slots[slot].actors.asSlice(run * length, length),
                    state.theta.pointer() + (long) run * layout.thetaStride * Float.BYTES,
                    length,
                    stream);
        }
        driver.toHost(slots[slot].counts, state.counts.pointer(), slots[slot].counts.byteSize(), stream);
        driver.record(slots[slot].done, stream);
        timed[slot] = true;
        slot = 1 - slot;
        driver.await(slots[slot].done);
        if (timed[slot]) {
            busySeconds += 1e-3 * driver.milliseconds(slots[slot].begun, slots[slot].done);
        }
    }

    /** The policy after the turn before, unless its learning diverged. */
    private void takePolicy(int run) {
        requireSound(slots[slot].counts, (long) run * Layout.COUNTS);
        float[] parameters = actors[run].network().parameters();
        MemorySegment.copy(
                slots[slot].actors,
                JAVA_FLOAT,
                (long) run * parameters.length * Float.BYTES,
                parameters,
                0,
                parameters.length);
    }

    /** @param learning for each update, whether an actor learns in it */
    private void launchGraphs(boolean[] learning) {
        for (boolean actors : learning) {
            driver.launchGraph(actors ? graph : withoutActors, stream);
        }
    }

    /** Hands over the rows that wait and what is due; says of each update whether an actor learns in it. */
    private boolean[] send() {
        MemorySegment rows = slots[slot].rows;
        int mostRows = 0;
        boolean[] learning = new boolean[Arrays.stream(due).max().orElse(0)];
        for (int run = 0; run < layout.runs; run++) {
            long head = (long) Layout.HEAD * run;
            rows.setAtIndex(JAVA_LONG, head, added[run]);
            rows.setAtIndex(JAVA_LONG, head + 1, waiting[run]);
            rows.setAtIndex(JAVA_LONG, head + 2, due[run]);
            rows.setAtIndex(JAVA_LONG, head + 3, expertRows[run]);
            mostRows = Math.max(mostRows, waiting[run]);
            added[run] += waiting[run];
            waiting[run] = 0;
            if (added[run] > 0) {
                for (int i = 0; i < due[run]; i++) {
                    made[run]++;
                    learning[i] |= made[run] % own[run].actorEvery() == 0;
                }
            }
            due[run] = 0;
        }
        driver.toDevice(staged.pointer(), rows, layout.stagedBytes(mostRows), stream);
        stages.append(mostRows);
        return learning;
    }

    /** Seconds that the device worked for turns, all runs together. */
    public synchronized double busySeconds() {
        return busySeconds;
    }

    /** Waits until the device has finished all launches. */
    public synchronized void await() {
        gpu.bind();
        driver.synchronize(stream);
    }

    /** Means over the updates of a run since this was last asked; waits for those that were started. */
    public synchronized Losses losses(int run) {
        await();
        requireSound(MemorySegment.ofArray(state.counts(run)), 0);
        return state.takeLosses(run);
    }

    private static void requireSound(MemorySegment count, long at) {
        long update = count.getAtIndex(JAVA_LONG, at + DIVERGED);
        if (update != 0) {
            boolean critic = count.getAtIndex(JAVA_LONG, at + DIVERGED_IN) == 1;
            throw new DivergenceFailure(update, critic ? "critic loss" : "actor loss", Double.NaN);
        }
    }

    /** The policy of a run after all updates that were started. */
    public synchronized GaussianActor policy(int run) {
        await();
        return state.policy(run);
    }

    /** Everything that the next updates of a run depend on but the replay, under the names that {@link Sac} gives. */
    public synchronized void save(int run, Tensors into) {
        await();
        requireSound(MemorySegment.ofArray(state.counts(run)), 0); // a diverged state cannot be resumed
        state.save(run, into);
        if (layout.objective instanceof Objective.Inverse) {
            double temperature = own[run].temperature().after(into.longs("sac.updates")[0]);
            into.put(InverseSoftQ.TEMPERATURE, new double[] {temperature});
        }
        into.put("cuda.acting", actors[run].network().parameters().clone());
    }

    Tensors saved(int run) {
        return Tensors.of(into -> save(run, into));
    }

    /** Goes on from there, whichever backend saved it; a policy that lagged behind its run goes on lagging. */
    public synchronized void restore(int run, Tensors from) {
        await();
        float[] actor = state.restore(run, from);
        made[run] = from.longs("sac.updates")[0];
        for (int i = 0; i < 2; i++) {
            MemorySegment.copy(
                    actor, 0, slots[i].actors, JAVA_FLOAT, (long) run * actor.length * Float.BYTES, actor.length);
            slots[i].counts.setAtIndex(JAVA_LONG, (long) run * Layout.COUNTS + DIVERGED, 0);
        }
        float[] acting = actors[run].network().parameters();
        if (from.has("cuda.acting")) {
            from.into("cuda.acting", acting);
        } else {
            System.arraycopy(actor, 0, acting, 0, actor.length);
        }
    }

    /** Writes transitions of a run as {@link dev.revealed.neural.Replay} does. */
    public synchronized void writeRows(int run, long from, long to, OutputStream out) throws IOException {
        check(run, from, to);
        await();
        transitions.write(run, from, to, out);
    }

    /** Copies transitions of a run, one after the other. */
    synchronized void copyRows(int run, long from, long to, float[] into) {
        check(run, from, to);
        await();
        transitions.copy(run, from, to, into);
    }

    private void check(int run, long from, long to) {
        if (from < Math.max(0, added[run] - layout.capacity) || to > added[run]) {
            throw new IllegalArgumentException("rows %d to %d of %d".formatted(from, to, added[run]));
        }
    }

    /** Continues with transitions of a run that were written; blocks come in order. */
    public synchronized void readRows(int run, long from, long to, InputStream in) throws IOException {
        if (added[run] > 0 && from != added[run]) {
            throw new IllegalArgumentException("row %d after row %d".formatted(from, added[run]));
        }
        await();
        transitions.read(run, from, to, in);
        added[run] = to;
    }

    /** From now on rows and noise are those of {@link #give}, so that backends can be compared. */
    void takeGiven() {
        await();
        driver.destroyInstance(graph);
        graph = stages.capture(true, true);
        driver.destroyInstance(withoutActors);
        withoutActors = stages.capture(true, false);
    }

    /** @param noises those of next states, then those of states */
    void give(int run, int[] rows, float[] noises) {
        await();
        given.put((long) run * layout.batch, rows);
        work.put((long) run * layout.workStride + layout.noisePlace, noises);
    }

    /** Puts rows, padded as they lie there, into an empty replay at once. */
    void fill(int run, float[] rows) {
        await();
        replay.put(run * layout.replayStride(), rows);
        added[run] = rows.length / layout.rowPitch;
    }

    int rowPitch() {
        return layout.rowPitch;
    }

    /** Noise of the last update: of next states, then of states. */
    float[] noise(int run) {
        await();
        return work.floats((long) run * layout.workStride + layout.noisePlace, 2 * layout.batch * layout.actions);
    }

    /** One update with a wait after every kernel, to find the one that fails. */
    void updateSlowly(boolean fromGiven) {
        gpu.bind();
        Arrays.fill(due, 1);
        send();
        stages.updateSlowly(fromGiven);
    }

    /** Seconds that the device takes for so many updates of all runs. */
    double time(int count) {
        gpu.bind();
        Arrays.fill(due, count);
        boolean[] learning = send();
        return driver.seconds(stream, () -> launchGraphs(learning));
    }

    /** Seconds that each kernel takes, alone on the device, in the mean of so many updates of all runs. */
    Map<String, Double> stageSeconds(int updates) {
        gpu.bind();
        Arrays.fill(due, updates);
        send();
        return stages.seconds(updates);
    }

    @Override
    public void close() {
        gpu.bind();
        owned.close();
    }
}
