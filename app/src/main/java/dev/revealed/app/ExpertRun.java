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
import java.io.BufferedInputStream;
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
    private static final String SECONDS = "seconds.json"; // apart from the checkpoints, which hold no clocks

    /** What to do, all of it. */
    record Plan(
            String task,
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

    /** Begins a run in the folder, or goes on with the one that is there, to the end. */
    static Result run(
            Plan plan,
            RunFolder folder,
            boolean resume,
            int threads,
            Consumer<String> warn,
            ProgressListener listener) {
        Checkpoints checkpoints = Checkpoints.in(folder);
        Optional<Checkpoints.Restored> found = resume ? checkpoints.latest(warn) : Optional.empty();
        RandomStream stream = RandomStream.of(plan.seed);
        List<Simulator> tests = new ArrayList<>();
        try (Metrics metrics = Metrics.resume(folder, lengthOf("metrics", found));
                Events events = events(folder, found);
                Simulator simulator = plan.simulators.get();
                Sac sac = new Sac(simulator.space(), plan.sac, stream, threads)) {
            for (int i = 0; i < plan.episodes; i++) {
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
            found.ifPresent(run::restore);
            checkpoints.tidy();
            return run.go(threads, listener);
        } finally {
            tests.forEach(Simulator::close);
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
            try (InputStream in = new BufferedInputStream(block.open(), 1 << 16)) {
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
        String stage = "expert " + plan.task;
        long began = System.nanoTime();
        long updatesBefore = training.updates();
        while (training.steps() < plan.steps) {
            long from = training.steps();
            training.advance(
                    plan.nextMark(from) - from,
                    Batch.Rewards.STORED,
                    made -> listener.progress(stage, from + made, plan.steps));
            long step = training.steps();
            if (plan.testAt(step)) {
                test(listener);
            }
            if (plan.saveAt(step)) {
                save();
                folder.write(SECONDS, Json.write(new Spent(spentBefore + seconds(began))));
            }
        }
        return result(threads, spentBefore + seconds(began), (training.updates() - updatesBefore) / seconds(began));
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** Tests the policy on episodes that depend on the step alone, and writes a line of metrics. */
    private void test(ProgressListener listener) {
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
        listener.note(String.format(Locale.ROOT, "return %.0f", point.meanReturn));
    }

    private Scores score() {
        return Scores.of(Rollouts.of(sac.actor(), tests, true, testStream.at(training.steps())));
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
        Map<String, String> notes = new LinkedHashMap<>();
        notes.put("task", plan.task);
        notes.put("metrics", Long.toString(metrics.length()));
        notes.put("events", Long.toString(events.length()));
        long to = training.replay().added();
        long from = Math.max(savedRows, training.replay().oldest());
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
        folder.write(name, out -> Safetensors.write(out, policy, Map.of("task", plan.task)));
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

    private Result result(int threads, double seconds, double rate) {
        Scores scores = score(); // the last test again: its episodes depend on the step alone
        writePolicy(POLICY);
        writeOnnx();
        Point best = curve.stream()
                .reduce((a, b) -> b.meanReturn > a.meanReturn ? b : a)
                .orElseThrow();
        return new Result(
                plan.task,
                training.steps(),
                training.updates(),
                scores.meanReturn(),
                scores.standardError(),
                scores.returns(),
                scores.lengths(),
                best.meanReturn,
                best.step,
                seconds,
                rate,
                threads,
                plan.seed,
                Provenance.currentVersion(),
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
