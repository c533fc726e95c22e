package dev.revealed.train;

import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Learning;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Scores;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.Events;
import dev.revealed.runs.Json;
import dev.revealed.runs.Metrics;
import dev.revealed.runs.Onnx;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.RunSpec;
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
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * A training run and its folder. Every mark (an evaluation, a checkpoint) falls on a step that the settings alone decide, so
 * that a run which goes on from a checkpoint does what it would have done anyway. Where both fall on the
 * same step, the checkpoint comes first and a resumed run begins with the evaluation, so that learning need not wait.
 */
public final class TrainingRun {
    private static final String BEST_TENSORS = "run.best."; // in checkpoints
    private static final String DEVICES = "devices"; // in checkpoints
    private static final String SEPARATOR = ", ";
    private static final long LONGEST = 500; // steps between looks whether to stop, where iterations are no longer

    private record Spent(double seconds) {}

    /** An evaluation that was begun: of which policy, with the line of metrics that waits for it. */
    private record Pending(long step, Actor policy, Learning.Line line, CompletableFuture<Evaluation> evaluation) {}

    /** @param others mean returns of other policies, by name, where these are evaluated too */
    private record Evaluation(Scores scores, Map<String, Double> others) {}

    private final TrainingPlan plan;
    private final Place place;
    private final Training training;
    private final Learning learning;
    private final List<Simulator> testers;
    private final ExecutorService evaluator; // on which evaluations run, in their order
    private final boolean alongside;
    private final RandomStream evaluationStream;
    private final Diagnosis.@Nullable Measurements measurements;
    private final List<EvaluationPoint> curve = new ArrayList<>();
    private final Set<String> devices = new LinkedHashSet<>(); // that worked on it, in the order they came
    private Tensors best = new Tensors(); // the policy of the best evaluation, nothing before the first
    private @Nullable Pending pending;
    private @Nullable Scores last;
    private long savedRows;
    private double spentBefore;

    /** Where a run writes. */
    private record Place(
            RunFolder folder,
            NetworkFiles files,
            Checkpoints checkpoints,
            Metrics metrics,
            Events events,
            Optional<Diagnosis> diagnosis,
            RunListener listener) {
        static Place of(
                TrainingPlan plan,
                RunFolder folder,
                Checkpoints checkpoints,
                Metrics metrics,
                Events events,
                Watched watched,
                RunListener listener) {
            NetworkFiles files = new NetworkFiles(plan, folder);
            return new Place(folder, files, checkpoints, metrics, events, watched.diagnosis, listener);
        }
    }

    private TrainingRun(
            TrainingPlan plan,
            Place place,
            Training training,
            Learning learning,
            List<Simulator> testers,
            ExecutorService evaluator,
            boolean alongside) {
        this.plan = plan;
        this.place = place;
        this.training = training;
        this.learning = learning;
        this.testers = testers;
        this.evaluator = evaluator;
        this.alongside = alongside;
        this.evaluationStream = RandomStream.of(plan.seed()).named("evaluate");
        measurements = place.diagnosis
                .map(diagnosis -> diagnosis.new Measurements(testers.getFirst().space(), training, learning))
                .orElse(null);
    }

    /**
     * A whole run in an empty folder. One that fails before its first step leaves nothing; later, what was measured stays
     * and can be resumed.
     *
     * @param spec is written before anything else
     */
    public static TrainingResult begin(
            TrainingPlan plan, RunSpec spec, RunFolder folder, Backend backend, int threads, RunListener listener) {
        if (plan.fork().isPresent()) {
            return fork(plan, spec, folder, backend, threads, listener);
        }
        AtomicBoolean started = new AtomicBoolean();
        try (Metrics metrics = Metrics.create(folder)) { // from here on the folder is ours
            try {
                spec.write(folder);
                try (Events events = Events.create(folder, InstantSource.system());
                        Watched watched = Watched.of(plan, folder, Optional.empty())) {
                    Checkpoints checkpoints = checkpoints(plan, folder);
                    Place place = Place.of(plan, folder, checkpoints, metrics, events, watched, listener);
                    return run(plan, place, Optional.empty(), backend, threads, () -> started.set(true));
                }
            } catch (RuntimeException e) {
                if (!started.get()) {
                    folder.abandon();
                }
                throw e;
            }
        }
    }

    /** A fork is a run that was interrupted where it was forked. */
    private static TrainingResult fork(
            TrainingPlan plan, RunSpec spec, RunFolder folder, Backend backend, int threads, RunListener listener) {
        AtomicBoolean started = new AtomicBoolean();
        try {
            spec.write(folder);
            return resume(plan, folder, backend, threads, words -> {}, listener, () -> started.set(true));
        } catch (RuntimeException e) {
            if (!started.get()) {
                folder.discard();
            }
            throw e;
        }
    }

    /** The files of a diagnosis, where there is to be one. */
    private record Watched(Optional<Diagnosis> diagnosis) implements AutoCloseable {
        static Watched of(TrainingPlan plan, RunFolder folder, Optional<Checkpoints.Restored> found) {
            Map<String, String> notes = found.map(Checkpoints.Restored::notes).orElse(Map.of());
            return new Watched(
                    plan.timetable().diagnoses() ? Optional.of(new Diagnosis(plan, folder, notes)) : Optional.empty());
        }

        @Override
        public void close() {
            diagnosis.ifPresent(Diagnosis::close);
        }
    }

    /** Goes on with the run that is in the folder, to its end; from its beginning where it has made no checkpoint. */
    public static TrainingResult resume(
            TrainingPlan plan,
            RunFolder folder,
            Backend backend,
            int threads,
            Consumer<String> warn,
            RunListener listener) {
        return resume(plan, folder, backend, threads, warn, listener, () -> {});
    }

    private static TrainingResult resume(
            TrainingPlan plan,
            RunFolder folder,
            Backend backend,
            int threads,
            Consumer<String> warn,
            RunListener listener,
            Runnable started) {
        Checkpoints checkpoints = checkpoints(plan, folder);
        if (plan.fork().isPresent() && Checkpoints.latestStep(folder.path()) == 0) {
            plan.fork().get().begin(plan, folder, threads);
        }
        Optional<Checkpoints.Restored> found = checkpoints.latest(warn);
        if (found.isEmpty()) {
            warn.accept(
                    "the run in %s has no checkpoint yet, so it starts from the beginning".formatted(folder.path()));
        }
        try (Metrics metrics = Metrics.resume(folder, lengthOf("metrics", found));
                Events events = events(folder, found);
                Watched watched = Watched.of(plan, folder, found)) {
            Place place = Place.of(plan, folder, checkpoints, metrics, events, watched, listener);
            return run(plan, place, found, backend, threads, started);
        }
    }

    private static Checkpoints checkpoints(TrainingPlan plan, RunFolder folder) {
        return Checkpoints.in(folder, plan.timetable().keep());
    }

    private static TrainingResult run(
            TrainingPlan plan,
            Place place,
            Optional<Checkpoints.Restored> found,
            Backend backend,
            int threads,
            Runnable started) {
        BadInput.count("`threads`", threads);
        RandomStream stream = RandomStream.of(plan.seed());
        Timetable timetable = plan.timetable();
        List<Simulator> simulators = new ArrayList<>(); // those to evaluate in, to learn in, and for rollouts
        try {
            int testing = Math.min(threads, Math.max(timetable.episodes(), timetable.lastEpisodes()));
            for (int i = 0; i < testing; i++) {
                simulators.add(plan.environment().simulators().get());
            }
            Simulator.Space space = simulators.getLast().space();
            int learning = plan.environments();
            List<Simulator> others = plan.problem().worlds(space, learning, threads);
            if (others.isEmpty()) {
                for (int i = 0; i < learning + plan.problem().rollouts(threads); i++) {
                    simulators.add(plan.environment().simulators().get());
                }
            } else {
                simulators.addAll(others);
            }
            List<Simulator> worlds = simulators.subList(testing, testing + learning);
            try (Training training = plan.problem()
                            .training(space, stream)
                            .orElseGet(() -> backend.training(plan, worlds, stream, threads));
                    ExecutorService evaluator = Executors.newSingleThreadExecutor(Thread.ofPlatform()
                            .daemon()
                            .name("revealed-evaluate")
                            .factory())) {
                List<Simulator> rollouts = simulators.subList(testing + learning, simulators.size());
                Agent agent = new Agent(
                        training, plan.sac().discount(), plan.sac().temperature(), rollouts, stream, plan.steps());
                TrainingRun run = new TrainingRun(
                        plan,
                        place,
                        training,
                        plan.problem().begin(space, agent),
                        simulators.subList(0, testing),
                        evaluator,
                        backend.evaluatesAlongside());
                found.ifPresentOrElse(run::restore, () -> run.restoreBest(new Tensors()));
                place.folder.tidy();
                place.checkpoints.tidy();
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

    /** How long a file was when the checkpoint was made; 0 without a checkpoint. */
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
        learning.restore(from.state());
        double[] points = from.state().doubles("run.curve");
        for (int i = 0; i < points.length; i += 3) {
            curve.add(new EvaluationPoint((long) points[i], points[i + 1], points[i + 2]));
        }
        restoreBest(from.state());
        String worked = from.notes().getOrDefault(DEVICES, "");
        if (!worked.isEmpty()) {
            Collections.addAll(devices, worked.split(SEPARATOR, -1));
        }
        spentBefore = spent();
        if (!curve.isEmpty()) {
            place.listener.evaluated(lastReturn());
            place.listener.note(words());
        }
    }

    private double lastReturn() {
        return curve.isEmpty() ? Double.NaN : curve.getLast().meanReturn();
    }

    private String words() {
        return learning.progress(lastReturn());
    }

    /**
     * The best policy as it was at that state. The file may be of a later evaluation, which a resumed run makes again: on another
     * device it need not come again.
     */
    private void restoreBest(Tensors state) {
        best = state.under(BEST_TENSORS);
        if (!best.names().isEmpty()) {
            place.files.write(bestFile(), best);
        } else if (curve.isEmpty()) {
            place.folder.delete(bestFile());
        }
    }

    private TrainingResult go(int threads, String device, boolean restored) {
        Pace pace = new Pace(plan, training, place.listener, this::words);
        long began = System.nanoTime();
        if (training.steps() < plan.steps() || devices.isEmpty()) {
            devices.add(device);
        }
        if (restored && plan.timetable().evaluatesAt(training.steps())) {
            beginEvaluation();
        }
        if (measurements != null && plan.fork().filter(this::begunHere).isPresent()) {
            measurements.add();
        }
        while (training.steps() < plan.steps()) {
            long from = training.steps();
            advance(plan.timetable().nextMark(from), pace);
            if (measurements != null && plan.timetable().diagnosesAt(training.steps())) {
                measurements.add();
            }
            if (plan.timetable().evaluatesAt(training.steps())) {
                endEvaluation();
            }
            if (plan.timetable().savesAt(training.steps())) {
                endEvaluation();
                save();
                place.folder.write(RunFiles.SECONDS, Json.write(new Spent(spentBefore + Pace.seconds(began))));
                if (place.listener.stops() && training.steps() < plan.steps()) {
                    throw new RunStopped(training.steps(), plan.steps());
                }
            }
            if (plan.timetable().evaluatesAt(training.steps())) {
                beginEvaluation();
            }
        }
        endEvaluation();
        pace.end();
        double seconds = Pace.seconds(began);
        Map<String, Double> shares = new TreeMap<>();
        training.seconds().forEach((name, part) -> shares.put(name, part / seconds));
        return result(threads, spentBefore + seconds, shares.isEmpty() ? Optional.empty() : Optional.of(shares));
    }

    /** Goes on up to a mark, or throws where the run is to stop before it, after a checkpoint of where it is. */
    private void advance(long mark, Pace pace) {
        long unit = learning.unit();
        long piece = alongside ? mark : unit * Math.max(1, LONGEST / unit); // a device works in rounds of its own
        while (training.steps() < mark) {
            long from = training.steps();
            learning.advance(Math.min(piece, mark - from), made -> pace.report(from + made));
            if (place.listener.stops() && training.steps() < mark) {
                save();
                throw new RunStopped(training.steps(), plan.steps());
            }
        }
    }

    private boolean begunHere(Fork fork) {
        return fork.step() == training.steps();
    }

    /** The file of the best policy. */
    private String bestFile() {
        return plan.problem().choosesByReturn() ? RunFiles.BEST : RunFiles.CHOSEN;
    }

    /** Evaluates the policy of this step on episodes that depend on the step alone. */
    private void beginEvaluation() {
        long step = training.steps();
        Actor policy = learning.policy();
        Learning.Line line = learning.line();
        Supplier<Evaluation> play = evaluation(policy, step);
        if (alongside) {
            pending = new Pending(step, policy, line, CompletableFuture.supplyAsync(play, evaluator));
        } else {
            pending = new Pending(step, policy, line, CompletableFuture.completedFuture(play.get()));
            endEvaluation();
        }
    }

    private Supplier<Evaluation> evaluation(Actor policy, long step) {
        if (measurements == null) {
            return () -> new Evaluation(play(policy, step), Map.of());
        }
        Actor acting = training.policy();
        return () -> {
            Scores scores = play(policy, step);
            return new Evaluation(
                    scores,
                    Diagnosis.four(
                            scores.meanReturn(),
                            policy,
                            acting,
                            (other, calm) -> play(other, step, calm).meanReturn()));
        };
    }

    private Scores play(Actor policy, long step) {
        return play(policy, step, true);
    }

    private Scores play(Actor policy, long step, boolean deterministic) {
        if (!plan.environment().evaluates()) {
            return Scores.NONE;
        }
        int episodes = plan.timetable().episodesAt(step);
        return Scores.of(Rollouts.of(policy, testers, 0, episodes, deterministic, evaluationStream.at(step)));
    }

    /** Waits for the evaluation that was begun, if any, and writes its line of metrics. */
    private void endEvaluation() {
        Pending begun = pending;
        if (begun == null) {
            return;
        }
        pending = null;
        Evaluation evaluation = evaluation(begun);
        Scores scores = evaluation.scores;
        if (!evaluation.others.isEmpty()) {
            place.diagnosis.ifPresent(diagnosis -> diagnosis.add(begun.step, evaluation.others));
        }
        Learning.EvaluatedMetrics evaluated = begun.line.evaluated(
                scores, curve.stream().map(EvaluationPoint::meanReturn).toList());
        curve.add(EvaluationPoint.of(begun.step, scores));
        if (evaluated.best()) {
            best = Tensors.of(begun.policy::save);
            place.files.write(bestFile(), best);
        }
        place.listener.evaluated(scores.meanReturn());
        Map<String, Object> line = Json.fields(evaluated.metrics());
        line.putAll(evaluated.learner());
        place.metrics.add(line);
        line.forEach((name, value) -> {
            if (value instanceof Double number && Double.isFinite(number)) {
                place.events.scalar(name, begun.step, number);
            }
        });
        last = scores;
    }

    private static Evaluation evaluation(Pending begun) {
        try {
            return begun.evaluation.join();
        } catch (CompletionException e) {
            Parallel.rethrow(e.getCause()); // memory that ran out, say
            throw e;
        }
    }

    private void save() {
        Tensors state = new Tensors();
        training.save(state);
        learning.save(state);
        DoubleStream points = curve.stream()
                .flatMapToDouble(at -> DoubleStream.of((double) at.step(), at.meanReturn(), at.standardError()));
        state.put("run.curve", points.toArray());
        best.names().forEach(name -> state.put(BEST_TENSORS + name, best.get(name)));
        Map<String, String> notes = plan.environment().notes();
        notes.put(DEVICES, String.join(SEPARATOR, devices));
        notes.put("metrics", Long.toString(place.metrics.length()));
        notes.put("events", Long.toString(place.events.length()));
        place.diagnosis.ifPresent(diagnosis -> diagnosis.note(notes));
        long to = training.remembered();
        long from = Math.max(savedRows, training.oldest());
        Checkpoints.Block rows = new Checkpoints.Block(from, to, out -> training.writeRows(from, to, out));
        place.checkpoints.write(training.steps(), state, notes, rows, training.oldest());
        savedRows = to;
    }

    private TrainingResult result(int threads, double seconds, Optional<Map<String, Double>> timeShares) {
        Scores scores = Objects.requireNonNull(last, "the last step has an evaluation");
        Tensors policy = Tensors.of(learning.policy()::save);
        place.files.write(RunFiles.POLICY, policy);
        place.files.writeOnnx(policy);
        learning.reward().ifPresent(reward -> {
            place.files.write(RunFiles.REWARD, reward);
            place.folder.write(RunFiles.REWARD_ONNX, Onnx.reward(reward.tensors()));
        });
        learning.lastReward().ifPresent(reward -> place.files.write(RunFiles.LAST_REWARD, reward));
        long updates = training.updates()
                - plan.fork().map(fork -> fork.updatesBefore(plan)).orElse(0L);
        double own = plan.fork()
                .map(fork -> (double) (plan.steps() - fork.step()) / plan.steps())
                .orElse(1.0);
        EvaluationPoint highest = curve.stream()
                .reduce((a, b) -> b.meanReturn() > a.meanReturn() ? b : a)
                .orElseThrow();
        return new TrainingResult(
                TrainingResult.SCHEMA,
                plan.problem().kind(),
                plan.environment().task(),
                plan.environment().flavour(),
                plan.seed(),
                new TrainingResult.Work(
                        plan.problem().usesReplay() ? training.steps() : 0,
                        training.updates(),
                        seconds,
                        updates / seconds,
                        timeShares,
                        threads,
                        String.join(SEPARATOR, devices)),
                TrainingResult.Last.of(scores),
                new TrainingResult.Best(highest.meanReturn(), highest.step()),
                Provenance.currentVersion(),
                List.copyOf(curve),
                learning.details(scores.meanReturn(), seconds / own, () -> play(Actor.load(best), plan.steps())));
    }

    private double spent() {
        Path file = place.folder.path().resolve(RunFiles.SECONDS);
        try {
            return Files.exists(file) ? Json.read(Files.readString(file), Spent.class).seconds : 0;
        } catch (IOException | BadInput e) {
            return 0; // a clock that cannot be read must not cost anybody a run
        }
    }
}
