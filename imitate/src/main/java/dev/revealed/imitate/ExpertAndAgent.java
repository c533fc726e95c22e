package dev.revealed.imitate;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Expert and agent side by side, for methods that compare them: the demonstrations as weighted rows, the agent's last
 * episodes, and how far the two are apart.
 */
public final class ExpertAndAgent {

    /** How often they are compared, and on which of the agent's episodes. */
    public record Settings(
            @Setting(about = "Environment steps per iteration.", atLeast = 1)
            int block,

            @Setting(
                    about =
                            "Episodes of the current policy that are played for each reward step, and count as environment "
                                    + "steps; 0 uses recent training episodes.",
                    atLeast = 0)
            int rollouts,

            @Setting(
                    about =
                            "Without `rollouts`: the agent's sample is the training episodes that ended within the last N "
                                    + "steps. A larger N is less noisy and less current.",
                    atLeast = 1)
            int recent) {
        public Settings {
            dev.revealed.settings.Settings.check(Settings.class, block, rollouts, recent);
        }
    }

    /**
     * How expert and agent compare.
     *
     * @param gap mean reward of the expert less that of the agent; NaN where the method has no reward
     * @param distance of the agent's inputs from the expert's, in standard deviations of the expert's: see {@link Features}
     * @param length of the agent's episodes relative to the expert's
     */
    public record Comparison(double gap, double expertReward, double agentReward, double distance, double length) {
        /** Before anything was seen of the agent. */
        public static final Comparison NONE =
                new Comparison(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        /** Whether nothing was seen of the agent. */
        public boolean isEmpty() {
            return Double.isNaN(length);
        }
    }

    private final Settings settings;
    private final boolean stateOnly;
    private final double discount;
    private final AfterEnd afterEnd;
    private final Training training;
    private final List<? extends Simulator> simulators;
    private final Simulator.Space space;
    private final Episodes demonstrations;
    private final boolean resampled;
    private final int horizon;
    private final Visits expert;
    private final Features features;
    private final Features shown; // of the demonstrations before resampling
    private final double expertLength;
    private List<Episode> kept = List.of(); // the agent's last sample that was not empty
    private long rolloutSteps;

    /**
     * @param stateOnly whether rows are states alone, rather than states and actions
     * @param discount weight of a step relative to the one before
     */
    public ExpertAndAgent(
            Settings settings,
            boolean stateOnly,
            double discount,
            AfterEnd afterEnd,
            Demonstrations demonstrations,
            Simulator.Space space,
            Agent agent) {
        demonstrations.check(space);
        this.settings = settings;
        this.stateOnly = stateOnly;
        this.discount = discount;
        this.afterEnd = afterEnd;
        this.space = space;
        this.demonstrations = demonstrations.episodes();
        training = agent.training();
        simulators = agent.rollouts();
        check(afterEnd, this.demonstrations);
        horizon = horizon(this.demonstrations, space.horizon());
        Visits seen = visits(this.demonstrations, false);
        Resample bootstrap = demonstrations.bootstrap();
        resampled = bootstrap != null;
        RandomStream draws = agent.stream().named("bootstrap");
        expert = bootstrap == null ? seen : seen.drawn(bootstrap, this.demonstrations, horizon, absorbs(), draws);
        features = Features.of(expert);
        shown = Features.of(seen);
        expertLength = meanLength(this.demonstrations);
    }

    private static void check(AfterEnd afterEnd, Episodes demonstrations) {
        if (afterEnd != AfterEnd.SIMULATE) {
            return;
        }
        for (int i = 0; i < demonstrations.size(); i++) {
            Episode one = demonstrations.all().get(i);
            BadInput.when(
                    one.ending() == Ending.TERMINATED,
                    "trajectory %d terminated after %d steps, and what the simulator would have done next is unknown"
                            .formatted(i, one.length()),
                    "Use whole trajectories, or absorb or mask for `after-end`.");
        }
    }

    /**
     * Steps that expert and agent are compared on: the task's horizon, or the longest demonstration where some were cut off
     * before it. Terminated demonstrations are complete: where all terminated, it is the task's horizon.
     */
    public static int horizon(Episodes demonstrations, int most) {
        boolean whole = demonstrations.all().stream().allMatch(episode -> episode.ending() == Ending.TERMINATED);
        int longest =
                demonstrations.all().stream().mapToInt(Episode::length).max().orElse(most);
        return whole ? most : Math.min(most, longest);
    }

    private boolean absorbs() {
        return afterEnd == AfterEnd.ABSORB;
    }

    /** Rows of all demonstrations, weighed as they are resampled. */
    public Visits expert() {
        return expert;
    }

    /** Where those rows lie. */
    public Features features() {
        return features;
    }

    /** Where the demonstrations lie before resampling. */
    public Features shown() {
        return shown;
    }

    /** One demonstration, sampled at random. */
    Visits one(RandomStream stream) {
        Episode drawn = demonstrations.all().get(stream.nextInt(demonstrations.size()));
        return visits(new Episodes(List.of(drawn)), false);
    }

    /** Rows of trajectories, weighed and cut as the expert's are. */
    public Visits visits(Episodes episodes, boolean shifted) {
        return Visits.of(episodes, stateOnly, discount, horizon, absorbs(), shifted);
    }

    /** How many of those rows an episode has. */
    public int rows(Episode episode) {
        return Visits.seen(episode, horizon, absorbs());
    }

    /** The demonstrations as they are. */
    public Episodes demonstrations() {
        return demonstrations;
    }

    /** Length of the agent's episodes relative to the expert's. */
    public double length(Episodes agent) {
        return meanLength(agent) / expertLength;
    }

    /**
     * Whether the demonstrations terminate more often per step than these episodes of the agent, in the steps that are
     * compared. What was truncated counts by its steps, since nobody knows when it would have terminated.
     */
    public boolean expertTerminatesSooner(Episodes agent) {
        return terminationsPerStep(demonstrations) > terminationsPerStep(agent);
    }

    private double terminationsPerStep(Episodes episodes) {
        long terminated = episodes.all().stream()
                .filter(one -> one.ending() == Ending.TERMINATED && one.length() <= horizon)
                .count();
        long steps = episodes.all().stream()
                .mapToLong(one -> Math.min(horizon, one.length()))
                .sum();
        return (double) terminated / steps;
    }

    private double meanLength(Episodes episodes) {
        return episodes.all().stream()
                .mapToInt(episode -> Math.min(horizon, episode.length()))
                .average()
                .orElseThrow();
    }

    /** Rollouts of the current policy, or recent training episodes, which several policies made; none before one has ended. */
    public List<Episode> agent(RandomStream stream) {
        if (settings.rollouts > 0) {
            RandomStream own = stream.at(training.steps());
            boolean through = afterEnd == AfterEnd.SIMULATE;
            Episodes played = Rollouts.unrewarded(training.policy(), simulators, settings.rollouts, through, own);
            rolloutSteps += played.steps();
            return played.all();
        }
        List<Episode> ended = training.episodes(settings.recent);
        if (!ended.isEmpty()) {
            kept = ended;
        }
        return kept;
    }

    /** Environment steps that were learnt from: training and rollouts. */
    public long countedSteps() {
        return training.steps() + rolloutSteps;
    }

    /**
     * Prepares the learner: how its networks take observations, and a share of the expert's transitions in every batch,
     * resampled as the demonstrations are.
     */
    public void prepare(RewardProblem.PolicySettings learner, Training.ExpertRows rows) {
        if (learner.inputs() == RewardProblem.PolicySettings.Inputs.SCALED) {
            float[] scale = new float[space.observations()];
            for (int i = 0; i < scale.length; i++) {
                scale[i] = (float) (1 / Math.max(1, shown.deviations()[i]));
            }
            training.scaleInputs(scale);
        }
        if (rows.count() > 0) {
            training.learnFrom(transitions(), rows);
        }
    }

    /** Every step of the expert, resampled as the demonstrations are; rewards are for the learner to give. */
    public Batch transitions() {
        Batch all = transitions(demonstrations);
        return resampled ? all.select(rowsDrawn()) : all;
    }

    /** Every step of these episodes likewise. */
    public Batch transitions(Episodes episodes) {
        Batch batch = Batch.of(Math.toIntExact(episodes.steps()), space);
        int states = space.observations();
        int actions = space.actions().size();
        int row = 0;
        for (Episode one : episodes.all()) {
            float[] acts = Objects.requireNonNull(one.actions(), "checked before");
            System.arraycopy(one.observations(), 0, batch.states(), row * states, one.length() * states);
            System.arraycopy(one.observations(), states, batch.nextStates(), row * states, one.length() * states);
            System.arraycopy(acts, 0, batch.actions(), row * actions, one.length() * actions);
            Arrays.fill(batch.live(), row, row + one.length(), 1);
            row += one.length();
            batch.live()[row - 1] = one.ending() == Ending.TERMINATED ? 0 : 1;
        }
        return batch;
    }

    /** Rows of the demonstrations, each as often as its weight in the bootstrap sample. */
    private int[] rowsDrawn() {
        int[] drawn = new int[Math.toIntExact(demonstrations.steps())];
        double[] weights = new double[drawn.length];
        int step = 0;
        int visit = 0;
        for (Episode one : demonstrations.all()) {
            int seen = Visits.seen(one, horizon, absorbs());
            for (int t = 0; t < Math.min(seen, one.length()); t++) {
                weights[step + t] = expert.weights()[visit + t];
            }
            step += one.length();
            visit += seen;
        }
        double whole = Arrays.stream(weights).sum();
        double passed = weights[0];
        int row = 0;
        for (int i = 0; i < drawn.length; i++) {
            while (passed < (i + 0.5) / drawn.length * whole && row < drawn.length - 1) {
                passed += weights[++row];
            }
            drawn[i] = row;
        }
        return drawn;
    }

    void saveRolloutSteps(Tensors into) {
        into.put("imitate.rolloutSteps", rolloutSteps);
    }

    void saveKept(Tensors into) {
        long[] lengths = new long[kept.size()];
        long[] ended = new long[kept.size()];
        for (int i = 0; i < lengths.length; i++) {
            Episode episode = kept.get(i);
            lengths[i] = episode.length();
            ended[i] = episode.ending() == Ending.TERMINATED ? 1 : 0;
            into.put("imitate.observations" + i, episode.observations());
            into.put("imitate.actions" + i, Objects.requireNonNull(episode.actions()));
        }
        into.put("imitate.lengths", lengths);
        into.put("imitate.ended", ended);
    }

    /** What later comparisons depend on. */
    public void save(Tensors into) {
        saveRolloutSteps(into);
        saveKept(into);
    }

    public void restore(Tensors from) {
        rolloutSteps = from.longs("imitate.rolloutSteps")[0];
        long[] lengths = from.longs("imitate.lengths");
        long[] ended = from.longs("imitate.ended");
        List<Episode> found = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            found.add(new Episode(
                    (int) lengths[i],
                    from.floats("imitate.observations" + i),
                    from.floats("imitate.actions" + i),
                    null,
                    ended[i] == 1 ? Ending.TERMINATED : Ending.TRUNCATED));
        }
        kept = found;
    }
}
