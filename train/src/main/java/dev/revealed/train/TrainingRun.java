package dev.revealed.app;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Scores;
import dev.revealed.neural.Training;
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
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A training run and its folder. Every mark (a test, a checkpoint) falls on a step that the settings alone decide, so
 * that a run which goes on from a checkpoint does what it would have done anyway. Where a checkpoint and a test fall on
 * the same step, the checkpoint comes first and a resumed run begins with the test, so that learning need not wait for it.
 */
final class TrainingRun {
    static final String POLICY = "policy.safetensors";
    static final String BEST = "best.safetensors";
    static final String CHOSEN = "chosen.safetensors"; // by what may be known without the task's own reward
    private static final String BEST_TENSORS = "run.best."; // in checkpoints
    private static final String DEVICES = "devices"; // in checkpoints
    private static final String SEPARATOR = ", ";
    private static final String ONNX = "policy.onnx";
    private static final String SECONDS = "seconds.json"; // apart from the checkpoints, which hold no clocks

    /** Hears of a run. */
    @FunctionalInterface
    interface Listener extends ProgressListener {
        /** The last test came to this. */
        default void tested(double meanReturn) {}

        static Listener of(ProgressListener listener) {
            return new Listener() {
                @Override
                public void progress(String stage, long done, long total) {
                    listener.progress(stage, done, total);
                }

                @Override
                public void note(String words) {
                    listener.note(words);
                }
            };
        }
    }

    /** A test on the way. */
    record Point(long step, double meanReturn, double standardError) {}

    private record Spent(double seconds) {}

    private final TrainingPlan plan;
    private final RunFolder folder;
    private final Training training;
    private final Pupil pupil;
    private final List<Simulator> testers;
    private final ExecutorService tester; // on which tests run, in their order
    private final boolean testsBeside;
    private final RandomStream testStream;
    private final Checkpoints checkpoints;
    private final Metrics metrics;
    private final Events events;
    private final Listener listener;
    private final List<Point> curve = new ArrayList<>();
    private final Set<String> devices = new LinkedHashSet<>(); // that worked on it, in the order they came
    private Tensors best = new Tensors(); // the policy of the best test, nothing before the first
    private @Nullable Test pending;
    private @Nullable Scores last;
    private long savedRows;
    private double spentBefore;

    /** A test that was begun: of which policy, with what else its line of metrics says. */
    private record Test(long step, Actor policy, Map<String, Object> line, CompletableFuture<Scores> scores) {}

    private TrainingRun(
            TrainingPlan plan,
            RunFolder folder,
            Training training,
            Pupil pupil,
            List<Simulator> testers,
            ExecutorService tester,
            boolean testsBeside,
            RandomStream testStream,
            Checkpoints checkpoints,
            Metrics metrics,
            Events events,
            Listener listener) {
        this.plan = plan;
        this.folder = folder;
        this.training = training;
        this.pupil = pupil;
        this.testers = testers;
        this.tester = tester;
        this.testsBeside = testsBeside;
        this.testStream = testStream;
        this.checkpoints = checkpoints;
        this.metrics = metrics;
        this.events = events;
        this.listener = listener;
    }

    /**
     * A whole run in an empty folder. One that fails before its first step leaves nothing; later, what was measured stays
     * and can be resumed.
     *
     * @param writeSpec tells in the folder how to resume it, before anything else is written there
     */
    static Trained begin(
            TrainingPlan plan, RunFolder folder, Runnable writeSpec, Backend backend, int threads, Listener listener) {
        AtomicBoolean started = new AtomicBoolean();
        try (Metrics metrics = Metrics.create(folder)) { // from here on the folder is ours
            try {
                writeSpec.run();
                Checkpoints none = Checkpoints.in(folder);
                return run(
                        plan,
                        folder,
                        none,
                        Optional.empty(),
                        metrics,
                        backend,
                        threads,
                        () -> started.set(true),
                        listener);
            } catch (RuntimeException e) {
                if (!started.get()) {
                    folder.abandon();
                }
                throw e;
            }
        }
    }

    /** Goes on with the run that is in the folder, to its end; from its beginning where it has made no checkpoint. */
    static Trained resume(
            TrainingPlan plan,
            RunFolder folder,
            Backend backend,
            int threads,
            Consumer<String> warn,
            Listener listener) {
        Checkpoints checkpoints = Checkpoints.in(folder);
        Optional<Checkpoints.Restored> found = checkpoints.latest(warn);
        try (Metrics metrics = Metrics.resume(folder, lengthOf("metrics", found))) {
            return run(plan, folder, checkpoints, found, metrics, backend, threads, () -> {}, listener);
        }
    }

    private static Trained run(
            TrainingPlan plan,
            RunFolder folder,
            Checkpoints checkpoints,
            Optional<Checkpoints.Restored> found,
            Metrics metrics,
            Backend backend,
            int threads,
            Runnable started,
            Listener listener) {
        RandomStream stream = RandomStream.of(plan.seed());
        List<Simulator> simulators = new ArrayList<>(); // those to learn in, those to test in, and what else is needed
        try (Events events = events(folder, found)) {
            int learning = plan.copies();
            int all = learning + Math.min(threads, Math.max(plan.episodes(), plan.lastEpisodes()));
            for (int i = 0; i < all + plan.lesson().simulators(threads); i++) {
                simulators.add(plan.simulators().get());
            }
            try (Training training =
                            plan.lesson().training(backend, plan, simulators.subList(0, learning), stream, threads);
                    ExecutorService tester = Executors.newSingleThreadExecutor(
                            Thread.ofPlatform().daemon().name("revealed-test").factory())) {
                TrainingRun run = new TrainingRun(
                        plan,
                        folder,
                        training,
                        plan.lesson().pupil(plan, training, simulators.subList(all, simulators.size()), stream),
                        simulators.subList(learning, all),
                        tester,
                        backend.testsBeside(),
                        stream.named("evaluate"),
                        checkpoints,
                        metrics,
                        events,
                        listener);
                found.ifPresentOrElse(run::restore, () -> run.restoreBest(new Tensors()));
                folder.tidy();
                checkpoints.tidy();
                started.run();
                return run.go(threads, backend.device(), found.isPresent());
            }
        } finally {
            simulators.forEach(Simulator::close);
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
                training.readRows(block.from(), block.to(), in);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        savedRows = training.remembered();
        pupil.restore(from.state());
        double[] points = from.state().doubles("run.curve");
        for (int i = 0; i < points.length; i += 3) {
            curve.add(new Point((long) points[i], points[i + 1], points[i + 2]));
        }
        restoreBest(from.state());
        String worked = from.notes().getOrDefault(DEVICES, "");
        if (!worked.isEmpty()) {
            Collections.addAll(devices, worked.split(SEPARATOR, -1));
        }
        spentBefore = spent();
        if (!curve.isEmpty()) {
            listener.tested(lastReturn());
            listener.note(words());
        }
    }

    private double lastReturn() {
        return curve.isEmpty() ? Double.NaN : curve.getLast().meanReturn;
    }

    private String words() {
        return pupil.words(lastReturn());
    }

    /**
     * The best policy as it was at that state. The file may be of a later test, in a future that is given up: on another
     * device it need not come again.
     */
    private void restoreBest(Tensors state) {
        best = state.under(BEST_TENSORS);
        if (!best.names().isEmpty()) {
            write(pupil.bestFile(), best);
        } else if (curve.isEmpty()) {
            folder.delete(pupil.bestFile());
        }
    }

    private Trained go(int threads, String device, boolean restored) {
        Pace pace = new Pace();
        long began = System.nanoTime();
        if (training.steps() < plan.steps() || devices.isEmpty()) {
            devices.add(device);
        }
        if (restored && plan.testAt(training.steps())) {
            beginTest();
        }
        while (training.steps() < plan.steps()) {
            long from = training.steps();
            pupil.advance(plan.nextMark(from) - from, made -> pace.tell(from + made));
            endTest();
            if (plan.saveAt(training.steps())) {
                save();
                folder.write(SECONDS, Json.write(new Spent(spentBefore + seconds(began))));
            }
            if (plan.testAt(training.steps())) {
                beginTest();
            }
        }
        endTest();
        pace.end();
        double seconds = seconds(began);
        Map<String, Double> shares = new TreeMap<>();
        training.seconds().forEach((name, part) -> shares.put(name, part / seconds));
        return result(threads, spentBefore + seconds, shares);
    }

    /**
     * How fast it goes. Random steps without updates are a stage of their own, since they tell nothing of how long the rest
     * will take.
     */
    private final class Pace {
        private static final int STEPS_PER_NOTE = 500;

        private final String stage =
                plan.lesson().stage() + " " + plan.physics().task();
        private long since;
        private long updates = -1; // when learning began in this command; not yet

        void tell(long step) {
            if (step <= plan.randomSteps()) {
                listener.progress(stage + ", random actions", step, plan.randomSteps());
                return;
            }
            if (updates < 0) {
                since = System.nanoTime();
                updates = training.updates();
            } else if (step % STEPS_PER_NOTE == 0) {
                note();
            }
            listener.progress(stage, step, plan.steps());
        }

        private void note() {
            double rate = (training.updates() - updates) / seconds(since);
            String words = words();
            listener.note(String.format(Locale.ROOT, "%.0f updates/s%s", rate, words.isEmpty() ? "" : ", " + words));
        }

        /** Once more, with the return of the last test, which may have ended after the last step. */
        void end() {
            if (updates < 0) {
                listener.note(words());
            } else {
                note();
            }
            listener.progress(stage, plan.steps(), plan.steps());
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** Tests the policy of this step on episodes that depend on the step alone. */
    private void beginTest() {
        long step = training.steps();
        Actor policy = pupil.policy();
        Map<String, Object> line = pupil.line();
        Supplier<Scores> play = () -> play(policy, step);
        if (testsBeside) {
            pending = new Test(step, policy, line, CompletableFuture.supplyAsync(play, tester));
        } else {
            pending = new Test(step, policy, line, CompletableFuture.completedFuture(play.get()));
            endTest();
        }
    }

    private Scores play(Actor policy, long step) {
        return Scores.of(Rollouts.of(policy, testers, 0, plan.episodesAt(step), true, testStream.at(step)));
    }

    /** Waits for the test that was begun, if any, and writes its line of metrics. */
    private void endTest() {
        Test test = pending;
        if (test == null) {
            return;
        }
        pending = null;
        Scores scores = scores(test);
        Point point = new Point(test.step, scores.meanReturn(), scores.standardError());
        boolean better = pupil.tested(test.line, scores, curve);
        curve.add(point);
        if (better) {
            best = tensors(test.policy);
            write(pupil.bestFile(), best);
        }
        listener.tested(point.meanReturn);
        metrics.add(test.line);
        test.line.forEach((name, value) -> {
            if (value instanceof Double number && Double.isFinite(number)) {
                events.scalar(name, test.step, number);
            }
        });
        last = scores;
    }

    private static Scores scores(Test test) {
        try {
            return test.scores.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException known -> throw known;
                case Error grave -> throw grave; // memory that ran out, say
                case null, default -> throw e;
            }
        }
    }

    private void save() {
        Tensors state = new Tensors();
        training.save(state);
        pupil.save(state);
        double[] points = new double[3 * curve.size()];
        for (int i = 0; i < curve.size(); i++) {
            points[3 * i] = curve.get(i).step;
            points[3 * i + 1] = curve.get(i).meanReturn;
            points[3 * i + 2] = curve.get(i).standardError;
        }
        state.put("run.curve", points);
        best.names().forEach(name -> state.put(BEST_TENSORS + name, best.get(name)));
        Map<String, String> notes = plan.physics().notes();
        notes.put(DEVICES, String.join(SEPARATOR, devices));
        notes.put("metrics", Long.toString(metrics.length()));
        notes.put("events", Long.toString(events.length()));
        long to = training.remembered();
        long from = savedRows;
        checkpoints.write(
                training.steps(),
                state,
                notes,
                new Checkpoints.Block(from, to, out -> training.writeRows(from, to, out)),
                training.oldest());
        savedRows = to;
    }

    private static Tensors tensors(Actor actor) {
        Tensors policy = new Tensors();
        actor.save(policy);
        return policy;
    }

    private void write(String name, Tensors policy) {
        folder.write(name, out -> Safetensors.write(out, policy, plan.physics().notes()));
    }

    /** The policy for other programs. */
    private void writeOnnx(Tensors policy) {
        folder.write(
                ONNX,
                Onnx.actor(
                        Onnx.layers(policy, "actor", Onnx.Activation.RELU),
                        policy.floats("actor.bound")[0],
                        (float) GaussianActor.LOG_STD_MIN,
                        (float) GaussianActor.LOG_STD_MAX));
    }

    private Trained result(int threads, double seconds, Map<String, Double> timeShares) {
        Scores scores = Objects.requireNonNull(last, "the last step has a test");
        Tensors policy = tensors(pupil.policy());
        write(POLICY, policy);
        writeOnnx(policy);
        pupil.products().forEach((name, product) -> {
            folder.write(name, out -> Safetensors.write(out, product.tensors(), product.notes()));
            if (name.equals(RewardFile.NAME)) {
                folder.write(RewardFile.ONNX, Onnx.reward(product.tensors()));
            }
        });
        Point highest = curve.stream()
                .reduce((a, b) -> b.meanReturn > a.meanReturn ? b : a)
                .orElseThrow();
        ExpertResult run = new ExpertResult(
                plan.physics().task(),
                training.steps(),
                training.updates(),
                scores.meanReturn(),
                scores.standardError(),
                scores.returns(),
                scores.lengths(),
                highest.meanReturn,
                highest.step,
                seconds,
                training.updates() / seconds,
                timeShares,
                threads,
                String.join(SEPARATOR, devices),
                plan.seed(),
                Provenance.currentVersion(),
                plan.physics().inertia(),
                plan.physics().contactForces(),
                plan.physics().mujoco(),
                List.copyOf(curve),
                Optional.empty());
        return pupil.result(run, () -> play(Actor.load(best), plan.steps()));
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
