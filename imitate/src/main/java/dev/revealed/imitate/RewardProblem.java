package dev.revealed.imitate;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Training;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Item;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The learning problem of methods that learn a reward from demonstrations, and a policy for it by Soft Actor-Critic.
 */
public interface RewardProblem extends LearningProblem {

    /** How a policy learns under such a reward: the expert's rows in its batches, what comes after the end, averaging. */
    record PolicySettings(
            @Setting(
                    about = "Share of each of the learner's batches that is taken from the demonstrations. ml-irl, "
                            + "gail and f-irl do not use it with rewards of states.",
                    atLeast = 0,
                    below = 1,
                    example = "0.25")
            double expertRows,

            @Setting(
                    about = "Weight of behaviour cloning in the actor's loss, on the expert's rows (`expert-rows`). "
                            + "Not for finite actions.",
                    atLeast = 0,
                    example = "0.1")
            double cloning,

            @Setting(
                    name = "after-end",
                    label = "WHAT",
                    about = "What follows a terminated episode, such as a fall. mask: nothing. absorb: the last state "
                            + "repeats. simulate: rollouts continue in the simulator, as in the reference code; needs "
                            + "`rollouts`.")
            AfterEnd afterEnd,

            @Setting(
                    name = "average-policy",
                    label = "N",
                    about = "Iterations that the policy is averaged over, with exponential weights; 1 takes the last "
                            + "policy.",
                    atLeast = 1,
                    example = "10")
            double average,

            @Setting(
                    name = "policy-inputs",
                    label = "WHAT",
                    about =
                            "How observations are given to actor and critics. plain: unchanged; scaled: divided by their "
                                    + "standard deviation in the demonstrations where that is above 1.")
            Inputs inputs) {
        /** How observations come to actor and critics. */
        public enum Inputs {
            PLAIN,
            SCALED
        }

        public PolicySettings {
            dev.revealed.settings.Settings.check(PolicySettings.class, expertRows, cloning, afterEnd, average, inputs);
        }

        /** Refuses to look at what training does not make. */
        public void check(ExpertAndAgent.Settings sampling) {
            BadInput.when(
                    afterEnd == AfterEnd.SIMULATE && sampling.rollouts() == 0,
                    "training episodes end at termination, so there are no steps after it",
                    "Draw rollouts with `rollouts`, or choose absorb or mask for `after-end`.");
        }

        /** Refuses settings that were given by name and have no effect. */
        public void check(Set<String> named, boolean stateOnly) {
            boolean rows = expertRows > 0 && !stateOnly;
            for (String name : List.of("expert-rows", "cloning")) {
                double wanted = name.equals("cloning") ? cloning : expertRows;
                BadInput.when(
                        named.contains(name) && wanted > 0 && !rows,
                        "`%s` has no effect without rows of the expert in batches".formatted(name),
                        "Leave it out, or choose `reward` state-action and `expert-rows` above 0.");
            }
        }

        /** Of the demonstrations' steps, in the learner's batches. */
        public ExpertRows expertRows(Episodes demonstrations, boolean stateOnly) {
            return expertRows == 0 || stateOnly
                    ? ExpertRows.NONE
                    : new ExpertRows(Math.toIntExact(demonstrations.steps()), expertRows, cloning);
        }

        public boolean absorbs() {
            return afterEnd == AfterEnd.ABSORB;
        }

        /** Factor of the last state's reward that a learner with that discount earns with its last step. */
        public double forEver(double learnersDiscount) {
            return absorbs() ? learnersDiscount / (1 - learnersDiscount) : 0;
        }
    }

    /** Whether a constant in the reward is chosen, and how fast it moves. */
    record Ground(
            @Setting(
                    about =
                            "With `after-end` mask: sets a constant in the reward so that about 99 % of the rewards are "
                                    + "positive, and terminating early seldom pays; or negative, where demonstrations "
                                    + "terminate more often per step than the first episodes of the agent.")
            boolean ground,

            @Setting(
                    about =
                            "Share of the distance to its target that `ground` moves the constant at a reward step. The "
                                    + "first step goes all the way.",
                    above = 0,
                    atMost = 1,
                    example = "0.1")
            double groundPace) {
        public Ground {
            dev.revealed.settings.Settings.check(Ground.class, ground, groundPace);
        }

        /** Refuses settings that were given by name and have no effect. */
        public void check(Set<String> named, AfterEnd afterEnd) {
            BadInput.when(
                    named.contains("ground") && ground && afterEnd != AfterEnd.MASK,
                    "`ground` has no effect with %s after the end".formatted(Item.text(afterEnd)),
                    "Leave it out: it belongs to mask, a value of `after-end`.");
        }
    }

    Demonstrations shown();

    /** The name of what the settings started from. */
    String preset();

    /** Every setting of the method. */
    Record settings();

    /** What the reward is of, in a word; none where the method recovers no reward. */
    String rewardOf();

    ExpertAndAgent.Settings sampling();

    PolicySettings learner();

    /** The policy that the learnt one is relative to; null where it is paid for its entropy. */
    default @Nullable GaussianActor reference() {
        return null;
    }

    @Override
    default String title() {
        return "Imitation";
    }

    /** The method's iterations, before the first. */
    IteratedLearning.Loop algorithm(Simulator.Space space, Agent agent);

    @Override
    default Learning begin(Simulator.Space space, Agent agent) {
        return new IteratedLearning(this, agent.training(), algorithm(space, agent));
    }

    @Override
    default int rollouts(int threads) {
        return Math.min(threads, sampling().rollouts());
    }

    @Override
    default Optional<Demonstrations> demonstrations() {
        return Optional.of(shown());
    }

    /** Refuses to read more of training than was kept, or than can be read at once. */
    @Override
    default void check(Simulator.Space space, int environments, int replay) {
        int recent = sampling().recent();
        if (sampling().rollouts() > 0) {
            return; // then nothing is read
        }
        BadInput.when(
                recent > replay,
                "`recent` is %d, and the replay keeps %d transitions".formatted(recent, replay),
                "Give at most as many with `recent`, or keep more with `replay`.");
        long whole = (long) space.horizon() * environments; // while one ends, others go on in turn
        BadInput.when(
                whole > replay,
                "the replay keeps %d transitions, and a whole episode lies within %d".formatted(replay, whole),
                "Keep as many with `replay`, or draw `rollouts`.");
        long least = Math.min(sampling().block(), whole);
        BadInput.when(
                recent < least,
                "`recent` is %d: most episodes would end unseen, and the reward would learn nothing from them"
                        .formatted(recent),
                ("Give at least %d, the steps of an iteration (`block`) or those that a whole episode lies within; or"
                                + " draw `rollouts`.")
                        .formatted(least));
        long most = Training.mostSteps(space, environments);
        BadInput.when(
                recent > most,
                "`recent` is %d, and at most %d steps of this task can be read at once".formatted(recent, most),
                "Give fewer: the preset's are usually enough.");
    }

    /** Trajectories that differ in length, or end before the task would end them, are compared with care. */
    @Override
    default List<String> cautions(Simulator.Space space) {
        List<Episode> all = shown().episodes().all();
        List<String> cautions = new ArrayList<>();
        IntSummaryStatistics lengths = all.stream().mapToInt(Episode::length).summaryStatistics();
        long ended = all.stream()
                .filter(episode -> episode.ending() == Ending.TERMINATED)
                .count();
        int compared = ExpertAndAgent.horizon(shown().episodes(), space.horizon());
        if (lengths.getMin() < lengths.getMax()) {
            String known = ended == 0
                    ? "none is known to have terminated, and all"
                    : "%d of them terminated, which `after-end` %s treats, and the others"
                            .formatted(ended, Item.text(learner().afterEnd()));
            cautions.add(
                    "the demonstrations have from %d to %d steps; %s are taken to be truncated: they count by the steps they have"
                            .formatted(lengths.getMin(), lengths.getMax(), known));
        }
        if (compared < space.horizon()) {
            cautions.add(
                    "the demonstrations have at most %d steps, and episodes of this task %d: expert and agent are compared on the first %d"
                            .formatted(lengths.getMax(), space.horizon(), compared));
        }
        return cautions;
    }
}
