package dev.revealed.imitate;

import dev.revealed.imitate.RewardModel.Inputs;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.PolicyAverage;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * ML-IRL on a simulator. Its loop is Algorithm 1 ({@link SingleLoop}): a block of Soft Actor-Critic under the current
 * reward, a sample of the agent's trajectories, and one gradient step on the surrogate likelihood.
 */
public final class Imitation {

    /** Settings of ML-IRL, without those of Soft Actor-Critic. */
    public record Settings(
            RewardModel.Settings reward,
            Ascent.Settings ascent,

            @Setting(
                    name = "reward-roughness",
                    about = "Weight of a gradient penalty on the reward: its mean squared slope per unit of the "
                            + "inputs (after `reward-inputs`), times their number. With 0 the reward grows as long as "
                            + "expert and agent differ.",
                    atLeast = 0,
                    example = "0.005")
            double roughness,

            @Setting(
                    name = "reward-discount",
                    about = "Weight of a step in the reward gradient relative to the step before. 1 is undiscounted, "
                            + "as in the reference code.",
                    above = 0,
                    atMost = 1)
            double discount,

            Sampling sampling,

            @Setting(
                    about = "Share of each of the learner's batches that is taken from the demonstrations, labelled "
                            + "with the current reward like the rest. Not used with rewards of states, which need no "
                            + "actions.",
                    atLeast = 0,
                    below = 1,
                    example = "0.25")
            double expertRows,

            @Setting(
                    about = "Weight of behaviour cloning in the actor's loss, relative to the mean value of the "
                            + "batch: half the squared difference between its mean action and the expert's, in units of "
                            + "the actions' bound, on the expert's rows (`expert-rows`). Not for finite actions.",
                    atLeast = 0,
                    example = "0.1")
            double cloning,

            @Setting(
                    name = "after-end",
                    label = "WHAT",
                    about = "What follows a terminated episode, such as a fall. mask: nothing, and the learner earns "
                            + "nothing; `ground` then sets the constant in the reward. absorb: the last state repeats "
                            + "for expert, agent and learner, so that a constant in the reward has no effect; consider "
                            + "it where demonstrations terminated. simulate: rollouts continue in the simulator, while "
                            + "the learner earns nothing, as in the reference code; needs `rollouts`.")
            AfterEnd afterEnd,

            @Setting(
                    about = "With `after-end` mask, and where no demonstration terminated: after every reward step "
                            + "the constant in the reward is moved so that nearly all rewards (99 of 100 rows) are "
                            + "positive and early termination does not pay. off leaves the constant alone.")
            boolean ground,

            @Setting(
                    about = "Share of the way that `ground` moves the constant at a reward step. The first step goes "
                            + "all the way.",
                    above = 0,
                    atMost = 1,
                    example = "0.1")
            double groundPace,

            @Setting(
                    name = "average-policy",
                    label = "N",
                    about = "Iterations that the policy is averaged over, with exponential weights; 1 takes the last "
                            + "policy.",
                    atLeast = 1,
                    example = "10")
            double average) {
        /** Values for most tasks; presets and studies change some of them. */
        public static final Settings USUAL = new Settings(
                new RewardModel.Settings(
                        RewardModel.Of.STATE_ACTION, new int[] {64, 64}, Activation.RELU, 100, Inputs.SCALED),
                new Ascent.Settings(Ascent.Kind.ADAM_L2, 1e-3, 1e-3, 1000),
                0.005,
                1,
                Sampling.of(1000, 0, 5000),
                0,
                0,
                AfterEnd.MASK,
                true,
                0.1,
                10);

        /** The same with other values for some settings, by name. */
        public Settings with(Map<String, ?> values) {
            return dev.revealed.settings.Settings.of(Settings.class).with(this, values);
        }

        public Settings {
            dev.revealed.settings.Settings.check(
                    Settings.class, roughness, discount, expertRows, cloning, afterEnd, ground, groundPace, average);
            BadInput.when(
                    afterEnd == AfterEnd.SIMULATE && sampling.rollouts == 0,
                    "training ends its episodes where the agent falls, so there is nothing to see afterwards",
                    "Draw rollouts with `rollouts`, or choose absorb or mask for `after-end`.");
        }

        /** Of the demonstrations' steps, in the learner's batches. */
        Training.ExpertRows expertRows(Episodes demonstrations) {
            return expertRows == 0 || reward.stateOnly()
                    ? Training.ExpertRows.NONE
                    : new Training.ExpertRows(Math.toIntExact(demonstrations.steps()), expertRows, cloning);
        }

        boolean absorbs() {
            return afterEnd == AfterEnd.ABSORB;
        }

        /** Factor of the last state's reward that a learner with that discount earns with its last step. */
        public double forEver(double learnersDiscount) {
            return absorbs() ? learnersDiscount / (1 - learnersDiscount) : 0;
        }
    }

    /** How the agent's states and actions are paired in a reward step. */
    public enum Pairing {
        ALIGNED,
        SHIFTED
    }

    /** Which trajectories of the expert a reward step sees. */
    public enum ExpertSample {
        ALL,
        ONE
    }

    /** What a reward step sees of agent and expert. */
    public record Sampling(
            @Setting(about = "Environment steps per iteration.", atLeast = 1)
            int block,

            @Setting(
                    about = "Episodes of the current policy that are played for each reward step, and counted; 0 uses "
                            + "recent training episodes.",
                    atLeast = 0)
            int rollouts,

            @Setting(
                    about = "Without `rollouts`: the agent's sample is the training episodes that ended within this "
                            + "many last steps. More is less noisy and less current.",
                    atLeast = 1)
            int recent,

            @Setting(
                    label = "WHAT",
                    about = "The agent's pairs in the reward gradient: aligned, each action with its state, or "
                            + "shifted, with the state after it, as in the reference code.")
            Pairing pairing,

            @Setting(label = "WHAT", about = "Demonstrations used by a reward step: all, or one, sampled at random.")
            ExpertSample expertSample) {
        public Sampling {
            dev.revealed.settings.Settings.check(Sampling.class, block, rollouts, recent, pairing, expertSample);
        }

        /** As the text of the paper has it, but for all trajectories of the expert. */
        public static Sampling of(int block, int rollouts, int recent) {
            return new Sampling(block, rollouts, recent, Pairing.ALIGNED, ExpertSample.ALL);
        }

        boolean shifted() {
            return pairing == Pairing.SHIFTED;
        }

        boolean oneExpert() {
            return expertSample == ExpertSample.ONE;
        }
    }

    private static final double MARGIN =
            0.1; // of the lowest reward above 0, as a share of the expert's mean above the lowest
    private static final String AVERAGE = "imitate.average."; // in checkpoints
    private static final String STREAM = "imitate.stream"; // likewise

    private final Settings settings;
    private final int horizon;
    private final Training training;
    private final List<? extends Simulator> simulators;
    private final Episodes demonstrations;
    private final Visits expert;
    private final Features features;
    private final Features shown; // of the demonstrations before resampling
    private final double expertLength;
    private final boolean grounded;
    private final RewardModel reward;
    private final Ascent ascent;
    private final double learnersDiscount;
    private final Intervention intervention;
    private RandomStream stream;
    private List<Episode> kept = List.of(); // the agent's last sample that was not empty
    private final PolicyAverage average;
    private final RewardAverage estimate;
    private final Roughness roughness;
    private boolean met; // whether a reward step has seen the agent
    private long rolloutSteps;

    /** @param agent whose training has not begun, or is restored together with this */
    public Imitation(Settings settings, Demonstrations demonstrations, Simulator.Space space, Agent agent) {
        this(settings, demonstrations, space, agent, Intervention.NONE);
    }

    Imitation(
            Settings settings,
            Demonstrations demonstrations,
            Simulator.Space space,
            Agent agent,
            Intervention intervention) {
        Resample bootstrap = demonstrations.bootstrap();
        if (bootstrap != null && settings.sampling.oneExpert()) {
            throw new BadInput(
                    "demonstrations are resampled twice: for the run, and one of them for each reward step",
                    "Leave out `bootstrap`, or choose `expert-sample` all.");
        }
        demonstrations.check(space);
        this.settings = settings;
        this.demonstrations = demonstrations.episodes();
        this.training = agent.training();
        this.simulators = agent.rollouts();
        this.stream = agent.stream().named("imitate");
        this.learnersDiscount = agent.discount();
        this.intervention = intervention;
        check(settings, this.demonstrations);
        horizon = horizon(this.demonstrations, space.horizon());
        Visits seen = visits(this.demonstrations, false);
        RandomStream draws = agent.stream().named("bootstrap");
        expert = bootstrap == null
                ? seen
                : seen.drawn(bootstrap, this.demonstrations, horizon, settings.absorbs(), draws);
        features = Features.of(expert);
        shown = Features.of(seen);
        expertLength = length(this.demonstrations);
        grounded = settings.ground
                && settings.afterEnd == AfterEnd.MASK
                && this.demonstrations.all().stream().noneMatch(one -> one.ending() == Ending.TERMINATED);
        reward = RewardModel.random(
                settings.reward.shape(space),
                space,
                settings.forEver(agent.discount()),
                settings.reward.inputs() == Inputs.STANDARDISED ? expert : Visits.none(expert.width()),
                agent.stream().named("networks").named("reward"));
        ascent = new Ascent(
                settings.ascent, reward.learnt().parameters().length, agent.steps() / settings.sampling.block);
        average = new PolicyAverage(settings.average);
        estimate = new RewardAverage(reward.learnt().parameters().length);
        roughness = new Roughness(settings.roughness, reward);
        Training.ExpertRows rows = settings.expertRows(this.demonstrations);
        if (rows.count() > 0) {
            Batch all = transitions(this.demonstrations, space);
            training.learnFrom(bootstrap == null ? all : all.select(rowsDrawn()), rows);
        }
    }

    /** All transitions of the demonstrations; batches label them with the current reward. */
    private static Batch transitions(Episodes episodes, Simulator.Space space) {
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
            int seen = Visits.seen(one, horizon, settings.absorbs());
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

    private static void check(Settings settings, Episodes demonstrations) {
        if (settings.afterEnd != AfterEnd.SIMULATE) {
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

    /** The most steps of training that episodes can be read off at once: what an array has room for. */
    public static long mostRecent(Simulator.Space space, int simulators) {
        return Training.mostSteps(space, simulators);
    }

    private Visits visits(Episodes episodes, boolean shifted) {
        return Visits.of(
                episodes, settings.reward.stateOnly(), settings.discount, horizon, settings.absorbs(), shifted);
    }

    private double length(Episodes episodes) {
        return episodes.all().stream()
                .mapToInt(episode -> Math.min(horizon, episode.length()))
                .average()
                .orElseThrow();
    }

    /**
     * Goes on for a number of iterations, each to the end of its reward step.
     *
     * @param after receives the number of steps made so far
     * @param watch sees the score of each
     */
    public void advance(long iterations, IntConsumer after, Consumer<Score> watch) {
        long begun = training.steps();
        int first = Math.toIntExact(iterations());
        Score[] last = {Score.NONE};
        SingleLoop<RewardModel, Training, Score> loop = new SingleLoop<>(
                (policy, current) -> {
                    long before = policy.steps() - begun;
                    policy.advance(
                            settings.sampling.block,
                            current.labels(),
                            made -> after.accept(Math.toIntExact(before + made)));
                    return policy;
                },
                (current, policy, random) -> score(current, random),
                this::step);
        loop.run(new SingleLoop.Iterate<>(first, reward, training, stream), (k, current, policy, score) -> {
            last[0] = score;
            watch.accept(score);
            return k - first + 1 < iterations;
        });
        step(reward, last[0], first + (int) iterations - 1); // the loop ends before it
    }

    /** Iterations that were made. */
    public long iterations() {
        return training.steps() / settings.sampling.block;
    }

    /** Data sampling I and II, and the gradient. */
    private Score score(RewardModel current, RandomStream random) {
        List<Episode> agent = agent(random);
        if (agent.isEmpty()) {
            return Score.NONE;
        }
        Episodes episodes = new Episodes(agent);
        Visits visits = visits(episodes, settings.sampling.shifted());
        if (!met && settings.reward.inputs() == Inputs.SCALED) {
            current.scale(shown, Features.of(visits));
        }
        Score score = Score.of(
                current,
                settings.sampling.oneExpert() ? one(random.named("expert").at(training.steps())) : expert,
                features,
                visits,
                length(episodes) / expertLength);
        roughness.subtract(score, random.named("roughness").at(training.steps()));
        return score;
    }

    /** One demonstration, sampled at random. */
    private Visits one(RandomStream random) {
        Episode drawn = demonstrations.all().get(random.nextInt(demonstrations.size()));
        return visits(new Episodes(List.of(drawn)), false);
    }

    /** One gradient step on the likelihood; none without a sample of the agent. */
    private RewardModel step(RewardModel current, Score score, int k) {
        if (!score.isEmpty()) {
            intervention.step(new LikelihoodStep(current, score, k + 1L));
            met = true;
            estimate.add(current.learnt().parameters());
        }
        average.add(training.policy());
        intervention.act(training, average::policy);
        return current;
    }

    /** One gradient step on the likelihood, then one of the constant. */
    private final class LikelihoodStep implements Intervention.RewardStep {
        private final RewardModel current;
        private final Score score;
        private final long number;

        LikelihoodStep(RewardModel current, Score score, long number) {
            this.current = current;
            this.score = score;
            this.number = number;
        }

        @Override
        public void ascend() {
            ascent.step(current, score, number);
            for (float parameter : current.learnt().parameters()) {
                if (!Float.isFinite(parameter)) {
                    throw new DivergenceFailure(training.updates(), "reward's parameter", parameter);
                }
            }
        }

        @Override
        public void ground() {
            if (grounded) {
                Imitation.ground(current, score, met ? settings.groundPace : 1);
            }
        }

        @Override
        public RewardModel reward() {
            return current;
        }

        @Override
        public Training training() {
            return training;
        }

        @Override
        public double discount() {
            return learnersDiscount;
        }
    }

    /**
     * Moves the constant in the reward towards the value where the lowest reward is slightly positive. Where nothing follows
     * termination, negative rewards make early termination pay, which an expert that never terminated cannot have wanted.
     * The likelihood does not determine the constant, because rows of expert and agent have the same total weight. The
     * lowest one in a hundred rows is ignored and the constant moves gradually, so single rewards may still be negative;
     * values, which include entropy, may have any sign.
     */
    private static void ground(RewardModel current, Score score, double pace) {
        double worst = Math.min(score.expert().low(), score.agent().low());
        double wanted = MARGIN * Math.max(0, score.expertReward() - worst);
        current.raise(pace * (wanted - worst));
    }

    /** Rollouts of the current policy, or recent training episodes, which several policies made; none before one has ended. */
    private List<Episode> agent(RandomStream random) {
        if (settings.sampling.rollouts > 0) {
            RandomStream own = random.at(training.steps());
            boolean through = settings.afterEnd == AfterEnd.SIMULATE;
            Episodes played =
                    Rollouts.unrewarded(training.policy(), simulators, settings.sampling.rollouts, through, own);
            rolloutSteps += played.steps();
            return played.all();
        }
        List<Episode> ended = training.episodes(settings.sampling.recent);
        if (!ended.isEmpty()) {
            kept = ended;
        }
        return kept;
    }

    /** The estimated reward: the mean over all reward steps, see {@link RewardAverage}. */
    public RewardModel reward() {
        return estimate.isEmpty() ? reward : reward.with(estimate.parameters());
    }

    /** The current reward, which the policy learns from. */
    RewardModel current() {
        return reward;
    }

    /** The learnt policy: an average over recent iterations, see {@link PolicyAverage}. */
    public Actor policy() {
        return average.isEmpty() ? training.policy() : average.policy();
    }

    /** Environment steps that were learnt from: training and rollouts. */
    public long countedSteps() {
        return training.steps() + rolloutSteps;
    }

    /** The tensors of the policy in a checkpoint: those of the average, where there is one. */
    public static Tensors policyIn(Tensors checkpoint) {
        Tensors policy = checkpoint.under(AVERAGE);
        return policy.names().isEmpty() ? checkpoint : policy;
    }

    /** Everything that later iterations depend on, but the training and its replay. */
    public void save(Tensors into) {
        reward.save(into);
        ascent.save(into);
        average.save(AVERAGE, into);
        estimate.save(into);
        into.put(STREAM, stream.checkpoint());
        into.put("imitate.rolloutSteps", rolloutSteps);
        into.put("imitate.met", met ? 1L : 0L);
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

    public void restore(Tensors from) {
        reward.restore(from);
        ascent.restore(from);
        average.restore(AVERAGE, from);
        estimate.restore(from);
        rolloutSteps = from.longs("imitate.rolloutSteps")[0];
        met = from.longs("imitate.met")[0] == 1;
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
        if (from.has(STREAM)) { // checkpoints of before have the one of the seed
            stream = RandomStream.resume(from.longs(STREAM));
        }
        intervention.act(training, this::policy);
    }
}
