package dev.revealed.imitate;

import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Scores;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Item;
import dev.revealed.settings.Label;
import dev.revealed.settings.Part;
import dev.revealed.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;

/**
 * A method in training that learns in iterations: a block of policy steps, then a comparison of expert and agent.
 * Nothing it does depends on the task's own reward, which is measured by evaluations alone.
 */
public final class IteratedLearning implements Learning {

    /** What iterates. */
    public interface Loop {
        /**
         * Goes on for a number of iterations.
         *
         * @param after receives the number of steps made
         * @param watch sees how expert and agent compare in each
         */
        void run(long iterations, IntConsumer after, Consumer<Comparison> watch);

        /** Iterations that were made. */
        long iterations();

        /** Every step of a simulator that was learnt from. */
        long countedSteps();

        /** The policy that is learnt. */
        Actor policy();

        /** The rewards that the policy learns from now. */
        Batch.Rewards rewards();

        /** The network behind these rewards; nothing where there is none. */
        Optional<RewardModel> currentReward();

        /** The reward that is recovered; nothing where the method recovers none. */
        Optional<RewardModel> recoveredReward();

        /** What is to be seen of the method besides, by name: means since this was last asked. */
        default Map<String, Double> diagnostics() {
            return Map.of();
        }

        /** Everything that later iterations depend on, but the training and its replay. */
        void save(Tensors into);

        void restore(Tensors from);
    }

    /** Blocks of a training, each with a reward step after it: Algorithm 1 as methods on simulators run it. */
    public record Blocks<G>(
            Training training,
            int block,
            SingleLoop.Score<RewardModel, Training, G> score,
            SingleLoop.Step<RewardModel, G> step) {
        /** Iterations that were made. */
        public long iterations() {
            return training.steps() / block;
        }

        /**
         * Goes on for a number of iterations, each to the end of its reward step.
         *
         * @param labels what a reward gives the learner
         */
        public void run(
                RewardModel reward,
                Function<RewardModel, Batch.Rewards> labels,
                RandomStream stream,
                long iterations,
                IntConsumer after,
                Consumer<G> watch) {
            long begun = training.steps();
            int first = Math.toIntExact(iterations());
            List<G> last = new ArrayList<>();
            SingleLoop<RewardModel, Training, G> loop = new SingleLoop<>(
                    (policy, current) -> {
                        long before = policy.steps() - begun;
                        policy.advance(
                                block, labels.apply(current), made -> after.accept(Math.toIntExact(before + made)));
                        return policy;
                    },
                    score,
                    step);
            loop.run(new SingleLoop.Iterate<>(first, reward, training, stream), (k, current, policy, found) -> {
                last.clear();
                last.add(found);
                watch.accept(found);
                return k - first + 1 < iterations;
            });
            step.next(reward, last.getFirst(), first + (int) iterations - 1); // the loop ends before it
        }
    }

    /** Episodes of training that ended since the last line of metrics. */
    @Part
    public record TrainingEpisodes(long episodes, double episodeTrueReturn, double episodeLength) {
        static TrainingEpisodes of(Training.Episodes ended) {
            return new TrainingEpisodes(ended.count(), ended.meanReturn(), ended.meanLength());
        }
    }

    private static final String DEMONSTRATIONS = "imitator.demonstrations"; // in checkpoints
    private static final String REFERENCE = "imitator.reference"; // likewise
    private static final int WINDOW = 3; // lines that are looked at together when a policy is chosen
    private static final int FIELDS = 6; // of a mark, in checkpoints

    /**
     * How it stood at a line of metrics. What has to do with the agent are means over the iterations since the last one.
     *
     * @param unlikeness the distance of the agent's inputs from the expert's, plus the share of an episode that its own are
     *     shorter or longer: a mean over the last lines. The smallest is the best policy that can be chosen without the
     *     task's reward
     */
    public record Mark(
            long step,
            @Label("counted steps") long countedSteps,

            @Label(value = "likelihood gap", digits = 5, drawn = true)
            double gap,

            @Label(value = "feature distance", digits = 4, drawn = true)
            double distance,

            @Label(value = "entropy", digits = 3) double entropy,
            double unlikeness) {}

    /**
     * Results of ML-IRL, in addition to those of every training run.
     *
     * @param chosenStep of the policy that was chosen without the task's reward
     * @param likelihoodGap and {@code featureDistance} as in the last line of metrics
     */
    public record Result(
            ImitationSummary imitated,
            @Label("reward of") String reward,
            @Label("preset") String preset,
            String afterEnd,
            @Label("iterations") long iterations,

            @Label(value = "return of the policy most similar to the expert", digits = 5)
            double chosenReturn,

            @Label(value = "its standard error", digits = 2) double chosenStandardError,

            @Label("step of the policy most similar to the expert")
            long chosenStep,

            @Label(value = "likelihood gap, since the evaluation before", digits = 3)
            double likelihoodGap,

            @Label(value = "feature distance, likewise", digits = 3)
            double featureDistance,

            @Label(value = "entropy, likewise", digits = 3) double entropy,

            @Label(value = "seconds per iteration", digits = 3)
            double secondsPerIteration,

            List<Mark> marks)
            implements Details {
        @Override
        public String title(String task) {
            return "Imitation on " + task;
        }

        @Override
        public Optional<ImitationSummary> imitation() {
            return Optional.of(imitated);
        }

        @Override
        public List<Long> countedSteps() {
            return marks.stream().map(Mark::countedSteps).toList();
        }
    }

    /** A line of metrics. */
    public record Metrics(
            long iteration,
            long steps,
            long countedSteps,
            long evaluationSteps,
            long updates,
            double likelihoodGap,
            double expertReward,
            double agentReward,
            double featureDistance,
            double agentLength,
            double unlikeness,
            TrueReturn trueReturn,
            TrainingEpisodes played) {}

    private final RewardProblem problem;
    private final Training training;
    private final Loop loop;
    private final List<Mark> marks = new ArrayList<>(); // of lines whose evaluations have ended
    private final List<Double> recent = new ArrayList<>(); // unlikeness of the last lines, each alone
    private double[] sums = new double[6]; // over the iterations since the last line: how many, and of what
    private long evaluationSteps;
    private long chosenStep;
    private Comparison last = Comparison.NONE;

    public IteratedLearning(RewardProblem problem, Training training, Loop loop) {
        this.problem = problem;
        this.training = training;
        this.loop = loop;
    }

    @Override
    public void advance(long steps, IntConsumer after) {
        loop.run(steps / problem.sampling().block(), after, this::see);
    }

    @Override
    public long unit() {
        return problem.sampling().block();
    }

    private void see(Comparison found) {
        last = found;
        if (!found.isEmpty()) {
            sums[0]++;
            sums[1] += found.gap();
            sums[2] += found.expertReward();
            sums[3] += found.agentReward();
            sums[4] += found.distance();
            sums[5] += found.length();
        }
    }

    @Override
    public Actor policy() {
        return loop.policy();
    }

    @Override
    public Line line() {
        TrainingEpisodes played = TrainingEpisodes.of(training.takeEpisodes());
        double[] seen = sums;
        sums = new double[seen.length];
        double n = seen[0] == 0 ? Double.NaN : seen[0];
        double distance = seen[4] / n;
        double length = seen[5] / n;
        recent.add(distance + Math.abs(1 - length));
        if (recent.size() > WINDOW) {
            recent.removeFirst();
        }
        double unlikeness = recent.stream().mapToDouble(each -> each).average().orElse(Double.NaN);
        Map<String, Double> learner = new LinkedHashMap<>(training.diagnostics());
        learner.putAll(loop.diagnostics());
        double entropy = learner.getOrDefault("entropy", Double.NaN);
        Mark mark = new Mark(training.steps(), loop.countedSteps(), seen[1] / n, distance, entropy, unlikeness);
        long iteration = loop.iterations();
        long updates = training.updates();
        return (scores, before) -> {
            evaluationSteps += scores.steps();
            return new EvaluatedMetrics(
                    add(mark),
                    new Metrics(
                            iteration,
                            mark.step,
                            mark.countedSteps,
                            evaluationSteps,
                            updates,
                            mark.gap,
                            seen[2] / n,
                            seen[3] / n,
                            distance,
                            length,
                            unlikeness,
                            TrueReturn.of(scores),
                            played),
                    learner);
        };
    }

    /**
     * Whether it is the best so far. Unlikeness is unknown where nothing was seen of the agent, or learning diverged; where it
     * was never known, the last is the best.
     */
    boolean add(Mark mark) {
        boolean better = Double.isNaN(mark.unlikeness)
                ? marks.stream().allMatch(other -> Double.isNaN(other.unlikeness))
                : marks.stream().noneMatch(other -> other.unlikeness < mark.unlikeness);
        marks.add(mark);
        if (better) {
            chosenStep = mark.step;
        }
        return better;
    }

    @Override
    public String progress(double lastReturn) {
        List<String> words = new ArrayList<>();
        known(words, "distance %.2f", last.distance());
        known(words, "true return %.0f (hidden)", lastReturn);
        known(words, "gap %.3f", last.gap());
        known(words, "entropy %.2f", marks.isEmpty() ? Double.NaN : marks.getLast().entropy);
        return String.join(", ", words);
    }

    private static void known(List<String> words, String form, double value) {
        if (!Double.isNaN(value)) {
            words.add(String.format(Locale.ROOT, form, value));
        }
    }

    @Override
    public Batch.Rewards rewards() {
        return loop.rewards();
    }

    @Override
    public Map<String, Double> measures() {
        Map<String, Double> found = new LinkedHashMap<>();
        loop.currentReward().ifPresent(reward -> {
            double squares = 0;
            for (float parameter : reward.learnt().parameters()) {
                squares += (double) parameter * parameter;
            }
            found.put("constant", (double) reward.constant());
            found.put("rewardNorm", Math.sqrt(squares));
        });
        found.put("likelihoodGap", last.gap());
        found.put("featureDistance", last.distance());
        return found;
    }

    @Override
    public void save(Tensors into) {
        loop.save(into);
        into.put(
                "imitator.marks",
                marks.stream().flatMapToDouble(IteratedLearning::numbers).toArray());
        into.put("imitator.recent", recent.stream().mapToDouble(each -> each).toArray());
        into.put("imitator.sums", sums.clone());
        into.put("imitator.counts", evaluationSteps, chosenStep);
        problem.shown().save(DEMONSTRATIONS, into);
        GaussianActor reference = problem.reference();
        if (reference != null) {
            into.put(REFERENCE, checksum(reference));
        }
    }

    /** By which another reference policy is detected on resume. */
    private static long checksum(GaussianActor policy) {
        long sum = 17;
        for (float parameter : policy.network().parameters()) {
            sum = 31 * sum + Float.floatToIntBits(parameter);
        }
        return sum;
    }

    private static DoubleStream numbers(Mark mark) {
        return DoubleStream.of(
                (double) mark.step, (double) mark.countedSteps, mark.gap, mark.distance, mark.entropy, mark.unlikeness);
    }

    @Override
    public void restore(Tensors from) {
        problem.shown().check(DEMONSTRATIONS, from);
        GaussianActor reference = problem.reference();
        BadInput.when(
                reference != null
                        && from.names().contains(REFERENCE)
                        && from.longs(REFERENCE)[0] != checksum(reference),
                "the reference policy is another than when the run was started",
                "Restore the original one, or begin another run in another folder.");
        loop.restore(from);
        double[] all = from.doubles("imitator.marks");
        for (int at = 0; at < all.length; at += FIELDS) {
            marks.add(new Mark((long) all[at], (long) all[at + 1], all[at + 2], all[at + 3], all[at + 4], all[at + 5]));
        }
        for (double each : from.doubles("imitator.recent")) {
            recent.add(each);
        }
        sums = from.doubles("imitator.sums").clone();
        evaluationSteps = from.longs("imitator.counts")[0];
        chosenStep = from.longs("imitator.counts")[1];
    }

    @Override
    public Optional<SavedReward> reward() {
        return loop.recoveredReward().map(this::saved);
    }

    @Override
    public Optional<SavedReward> lastReward() {
        Optional<float[]> recovered =
                loop.recoveredReward().map(reward -> reward.learnt().parameters());
        return loop.currentReward()
                .filter(last ->
                        recovered.isPresent() && !Arrays.equals(last.learnt().parameters(), recovered.get()))
                .map(this::saved);
    }

    private SavedReward saved(RewardModel reward) {
        Map<String, String> notes = new TreeMap<>();
        Settings.values(problem.settings()).forEach((name, value) -> notes.put(name, Item.text(value)));
        notes.put("preset", problem.preset());
        notes.put("demonstrations", problem.shown().episodes().hash());
        if (problem.shown().bootstrap() != null) {
            notes.put("bootstrap", problem.shown().bootstrap().describe());
        }
        return new SavedReward(Tensors.of(reward::save), notes);
    }

    @Override
    public Details details(double meanReturn, double seconds, Supplier<Scores> best) {
        Scores chosen = best.get();
        Mark end = marks.getLast();
        long evaluated = evaluationSteps + chosen.steps();
        return new Result(
                Details.ImitationSummary.of(
                        problem.kind(), problem.shown(), loop.countedSteps(), evaluated, meanReturn),
                problem.rewardOf(),
                problem.preset(),
                Item.text(problem.learner().afterEnd()),
                loop.iterations(),
                chosen.meanReturn(),
                chosen.standardError(),
                chosenStep,
                end.gap,
                end.distance,
                end.entropy,
                seconds / loop.iterations(),
                List.copyOf(marks));
    }
}
