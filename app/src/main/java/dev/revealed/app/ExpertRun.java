package dev.revealed.app;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Scores;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.Events;
import dev.revealed.runs.Json;
import dev.revealed.runs.Metrics;
import dev.revealed.runs.Onnx;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.Safetensors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A training run and its folder. Every mark (a test, a checkpoint) falls on a step that the settings alone decide, so
 * that a run which goes on from a checkpoint does what it would have done anyway.
 */
final class ExpertRun {
    static final String POLICY = "policy.safetensors";
    static final String BEST = "best.safetensors";
    private static final String ONNX = "policy.onnx";
    private static final double GIB = 1 << 30;
    private static final String SECONDS = "seconds.json"; // apart from the checkpoints, which hold no clocks

    /** What to do, all of it. */
    record Plan(
            Physics physics,
            Supplier<Simulator> simulators,
            Sac.Settings sac,
            Training.Schedule schedule,
            long steps,
            long evaluateEvery,
            int episodes,
            long checkpointEvery,
            long seed) {
        Plan {
            if (checkpointEvery > schedule.replay()) {
                throw new BadInput(
                        "--checkpoint-every is %d, and the replay keeps %d transitions"
                                .formatted(checkpointEvery, schedule.replay()),
                        "Make checkpoints at least that often: each adds the rows since the last one.");
            }
        }

        /** Steps before the first update. */
        long randomSteps() {
            return Math.min(steps, schedule.updateAfter());
        }

        /** The next step at which something is due. */
        long nextMark(long step) {
            long test = (step / evaluateEvery + 1) * evaluateEvery;
            long save = (step / checkpointEvery + 1) * checkpointEvery;
            return Math.min(steps, Math.min(test, save));
        }

        boolean testAt(long step) {
            return step % evaluateEvery == 0 || step == steps;
        }

        boolean saveAt(long step) {
            return step % checkpointEvery == 0 || step == steps;
        }
    }

    /** A test on the way. */
    record Point(long step, double meanReturn, double standardError) {}

    /**
     * What {@code result.json} says.
     *
     * @param meanReturn of the last policy's last test, deterministic
     * @param seconds over all commands that worked on it
     * @param updatesPerSecond over all of them, tests and checkpoints included
     */
    record Result(
            String task,
            long steps,
            long updates,
            double meanReturn,
            double standardError,
            double[] returns,
            int[] lengths,
            double bestReturn,
            long bestStep,
            double seconds,
            double updatesPerSecond,
            int threads,
            long seed,
            String version,
            String inertia,
            String contactForces,
            String mujoco,
            List<Point> curve) {}

    private record Spent(double seconds) {}

    private final Plan plan;
    private final RunFolder folder;
    private final Sac sac;
    private final Training training;
    private final List<Simulator> tests;
    private final RandomStream testStream;
    private final Checkpoints checkpoints;
    private final Metrics metrics;
    private final Events events;
    private final List<Point> curve = new ArrayList<>();
    private long savedRows;
    private double spentBefore;
    private String lastReturn = "";

    private ExpertRun(
            Plan plan,
            RunFolder folder,
            Sac sac,
            Training training,
            List<Simulator> tests,
            RandomStream testStream,
            Checkpoints checkpoints,
            Metrics metrics,
            Events events) {
        this.plan = plan;
        this.folder = folder;
        this.sac = sac;
        this.training = training;
        this.tests = tests;
        this.testStream = testStream;
        this.checkpoints = checkpoints;
        this.metrics = metrics;
        this.events = events;
    }

    /**
     * A whole run in an empty folder. One that fails before its first step leaves nothing; later, what was measured stays
     * and can be resumed.
     *
     * @param writeSpec tells in the folder how to resume it, before anything else is written there
     */
    static Result begin(Plan plan, RunFolder folder, Runnable writeSpec, int threads, ProgressListener listener) {
        AtomicBoolean started = new AtomicBoolean();
        try (Metrics metrics = Metrics.create(folder)) { // from here on the folder is ours
            try {
                writeSpec.run();
                Checkpoints none = Checkpoints.in(folder);
                return run(plan, folder, none, Optional.empty(), metrics, threads, () -> started.set(true), listener);
            } catch (RuntimeException e) {
                if (!started.get()) {
                    folder.abandon();
                }
                throw e;
            }
        }
    }

    /** Goes on with the run that is in the folder, to its end; from its beginning where it has made no checkpoint. */
    static Result resume(Plan plan, RunFolder folder, int threads, Consumer<String> warn, ProgressListener listener) {
        Checkpoints checkpoints = Checkpoints.in(folder);
        Optional<Checkpoints.Restored> found = checkpoints.latest(warn);
        try (Metrics metrics = Metrics.resume(folder, lengthOf("metrics", found))) {
            return run(plan, folder, checkpoints, found, metrics, threads, () -> {}, listener);
        }
    }

    private static Result run(
            Plan plan,
            RunFolder folder,
            Checkpoints checkpoints,
            Optional<Checkpoints.Restored> found,
            Metrics metrics,
            int threads,
            Runnable started,
            ProgressListener listener) {
        RandomStream stream = RandomStream.of(plan.seed);
        List<Simulator> tests = new ArrayList<>();
        try (Events events = events(folder, found);
                Simulator simulator = plan.simulators.get();
                Sac sac = new Sac(simulator.space(), plan.sac, stream, threads)) {
            for (int i = 0; i < Math.min(threads, plan.episodes); i++) {
                tests.add(plan.simulators.get());
            }
            ExpertRun run = new ExpertRun(
                    plan,
                    folder,
                    sac,
                    new Training(simulator, sac, plan.schedule, stream),
                    tests,
                    stream.named("evaluate"),
                    checkpoints,
                    metrics,
                    events);
            run.checkMemory(Runtime.getRuntime().maxMemory());
            found.ifPresent(run::restore);
            folder.tidy();
            checkpoints.tidy();
            started.run();
            return run.go(threads, listener);
        } finally {
            tests.forEach(Simulator::close);
        }
    }

    /** A replay that will not fit is told at once, not hours later. */
    private void checkMemory(long heap) {
        double full = training.replay().bytesWhenFull();
        double bytes = full * Math.min(plan.steps, plan.schedule.replay()) / plan.schedule.replay();
        if (bytes > heap * 2.0 / 3) { // as much as the collector leaves to what lives long
            throw new BadInput(
                    "the replay comes to %.1f GiB, and of the memory of %.1f GiB two thirds are free for it"
                            .formatted(bytes / GIB, heap / GIB),
                    "Keep fewer transitions with --replay, or allow more: REVEALED_JAVA_OPTS=-Xmx%dg."
                            .formatted((long) Math.ceil(1.6 * bytes / GIB)));
        }
    }

    private static Events events(RunFolder folder, Optional<Checkpoints.Restored> found) {
        return found.isPresent()
                ? Events.resume(folder, lengthOf("events", found), InstantSource.system())
                : Events.create(folder, InstantSource.system());
    }

    /** How long a file was when the checkpoint was made; without one it begins anew. */
    private static long lengthOf(String file, Optional<Checkpoints.Restored> found) {
        return found.map(from -> Long.parseLong(from.notes().get(file))).orElse(0L);
    }

    private void restore(Checkpoints.Restored from) {
        training.restore(from.state());
        for (Checkpoints.StoredBlock block : from.blocks()) {
            try (InputStream in = block.open()) {
                training.replay().read(block.from(), block.to(), in);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        savedRows = training.replay().added();
        double[] points = from.state().doubles("run.curve");
        for (int i = 0; i < points.length; i += 3) {
            curve.add(new Point((long) points[i], points[i + 1], points[i + 2]));
        }
        spentBefore = spent();
    }

    private Result go(int threads, ProgressListener listener) {
        Pace pace = new Pace(listener);
        long began = System.nanoTime();
        while (training.steps() < plan.steps) {
            long from = training.steps();
            training.advance(plan.nextMark(from) - from, Batch.Rewards.STORED, made -> pace.tell(from + made));
            long step = training.steps();
            if (plan.testAt(step)) {
                test();
            }
            if (plan.saveAt(step)) {
                save();
                folder.write(SECONDS, Json.write(new Spent(spentBefore + seconds(began))));
            }
        }
        return result(threads, spentBefore + seconds(began));
    }

    /**
     * How fast it goes. Random steps without updates are a stage of their own, since they tell nothing of how long the rest
     * will take.
     */
    private final class Pace {
        private static final int STEPS_PER_NOTE = 500;

        private final ProgressListener listener;
        private final String stage = "expert " + plan.physics.task();
        private long since;
        private long updates = -1; // when learning began in this command; not yet

        Pace(ProgressListener listener) {
            this.listener = listener;
        }

        void tell(long step) {
            if (step <= plan.randomSteps()) {
                listener.progress(stage + ", random actions", step, plan.randomSteps());
                return;
            }
            if (updates < 0) {
                since = System.nanoTime();
                updates = training.updates();
            } else if (step % STEPS_PER_NOTE == 0) {
                double rate = (training.updates() - updates) / seconds(since);
                listener.note(String.format(Locale.ROOT, "%.0f updates/s%s", rate, lastReturn));
            }
            listener.progress(stage, step, plan.steps);
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** Tests the policy on episodes that depend on the step alone, and writes a line of metrics. */
    private void test() {
        long step = training.steps();
        Scores scores = score();
        Point point = new Point(step, scores.meanReturn(), scores.standardError());
        boolean best = curve.stream().allMatch(other -> point.meanReturn > other.meanReturn);
        curve.add(point);
        if (best) {
            writePolicy(BEST);
        }
        Training.Episodes lived = training.takeEpisodes();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("step", step);
        line.put("updates", training.updates());
        line.put("testReturn", point.meanReturn);
        line.put("testStandardError", point.standardError);
        line.put("testLength", scores.meanLength());
        line.put("episodes", lived.count());
        line.put("episodeReturn", lived.meanReturn());
        line.put("episodeLength", lived.meanLength());
        line.putAll(sac.diagnostics());
        metrics.add(line);
        line.forEach((name, value) -> {
            if (value instanceof Double number && Double.isFinite(number)) {
                events.scalar(name, step, number);
            }
        });
        lastReturn = String.format(Locale.ROOT, ", return %.0f", point.meanReturn);
    }

    private Scores score() {
        return Scores.of(Rollouts.of(sac.actor(), tests, 0, plan.episodes, true, testStream.at(training.steps())));
    }

    private void save() {
        Tensors state = new Tensors();
        training.save(state);
        double[] points = new double[3 * curve.size()];
        for (int i = 0; i < curve.size(); i++) {
            points[3 * i] = curve.get(i).step;
            points[3 * i + 1] = curve.get(i).meanReturn;
            points[3 * i + 2] = curve.get(i).standardError;
        }
        state.put("run.curve", points);
        Map<String, String> notes = plan.physics.notes();
        notes.put("metrics", Long.toString(metrics.length()));
        notes.put("events", Long.toString(events.length()));
        long to = training.replay().added();
        long from = savedRows;
        checkpoints.write(
                training.steps(),
                state,
                notes,
                new Checkpoints.Block(from, to, out -> training.replay().write(from, to, out)),
                training.replay().oldest());
        savedRows = to;
    }

    private void writePolicy(String name) {
        Tensors policy = new Tensors();
        sac.actor().save(policy);
        folder.write(name, out -> Safetensors.write(out, policy, plan.physics.notes()));
    }

    /** The policy for other programs. */
    private void writeOnnx() {
        Tensors policy = new Tensors();
        sac.actor().save(policy);
        folder.write(
                ONNX,
                Onnx.actor(
                        Onnx.layers(policy, "actor", Onnx.Activation.RELU),
                        sac.actor().bound(),
                        (float) GaussianActor.LOG_STD_MIN,
                        (float) GaussianActor.LOG_STD_MAX));
    }

    private Result result(int threads, double seconds) {
        Scores scores = score(); // the last test again: its episodes depend on the step alone
        writePolicy(POLICY);
        writeOnnx();
        Point best = curve.stream()
                .reduce((a, b) -> b.meanReturn > a.meanReturn ? b : a)
                .orElseThrow();
        return new Result(
                plan.physics.task(),
                training.steps(),
                training.updates(),
                scores.meanReturn(),
                scores.standardError(),
                scores.returns(),
                scores.lengths(),
                best.meanReturn,
                best.step,
                seconds,
                training.updates() / seconds,
                threads,
                plan.seed,
                Provenance.currentVersion(),
                plan.physics.inertia(),
                plan.physics.contactForces(),
                plan.physics.mujoco(),
                List.copyOf(curve));
    }

    private double spent() {
        Path file = folder.path().resolve(SECONDS);
        try {
            return Files.exists(file) ? Json.read(Files.readString(file), Spent.class).seconds : 0;
        } catch (IOException e) {
            return 0; // a clock that cannot be read must not cost anybody a run
        }
    }
}
