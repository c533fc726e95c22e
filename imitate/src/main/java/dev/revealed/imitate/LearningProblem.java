package dev.revealed.imitate;

import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Learner;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.Optional;

/** A learning problem: a policy for the task's own reward, for a recovered reward, or for imitating demonstrations. */
public interface LearningProblem {
    /** The word for it in results, such as {@code expert} or the name of a method. */
    String kind();

    /** What one run of it is called in titles, such as {@code Imitation}. */
    String title();

    /** Whether what is learnt is the task's own reward; else that is only measured, and called the true return. */
    default boolean learnsTaskReward() {
        return false;
    }

    /** Whether the best policy is the one with the highest return; else the problem chooses by what it may know. */
    default boolean choosesByReturn() {
        return false;
    }

    /** Whether transitions are kept to learn from. */
    default boolean usesReplay() {
        return true;
    }

    /** What the critics of an agent with that discount learn from. */
    default Objective objective(Simulator.Space space, double discount) {
        return Objective.STORED;
    }

    /** Transitions of an expert that every batch has some of. */
    default ExpertRows expertRows() {
        return ExpertRows.NONE;
    }

    /** Number of simulators it needs in addition to those for interaction and evaluation. */
    default int rollouts(int threads) {
        return 0;
    }

    /**
     * Simulators to learn in, as many as are asked for, then those for rollouts, where these are not the task's: learnt
     * worlds. None where the task's own serve.
     *
     * @param space of the task
     */
    default List<Simulator> worlds(Simulator.Space space, int environments, int threads) {
        return List.of();
    }

    /** A training of its own kind; nothing where it is Soft Actor-Critic, which the caller makes. */
    default Optional<Training> training(Simulator.Space space, RandomStream stream) {
        return Optional.empty();
    }

    /** What learns to act on the processor: Soft Actor-Critic, unless the problem has another. The caller closes it. */
    default Learner learner(Simulator.Space space, Sac.Settings settings, RandomStream stream, int threads) {
        return new Sac(space, settings, stream, threads);
    }

    /** The same with an intervention, for continuations of a checkpoint. */
    default LearningProblem under(Intervention intervention) {
        BadInput.when(
                intervention != Intervention.NONE,
                "`intervene` has no effect on %s".formatted(kind()),
                "Leave it out: interventions are for runs that learn a reward.");
        return this;
    }

    /** The same with a log of others to learn from besides. */
    default LearningProblem with(Episodes log) {
        throw new BadInput("`data` has no effect on " + kind(), "Leave it out, add `offline`, or choose `method` bc.");
    }

    /** The same with a reference policy, the divergence from which takes the place of entropy. */
    default LearningProblem relativeTo(GaussianActor reference) {
        throw new BadInput(
                "`reference` has no effect on " + kind(), "Leave it out: it is for runs that learn a reward.");
    }

    /** The beginning; a run that was interrupted is restored from there. */
    Learning begin(Simulator.Space space, Agent agent);

    default Optional<Demonstrations> demonstrations() {
        return Optional.empty();
    }

    /** Refuses what cannot work with so many environments and transitions kept. */
    default void check(Simulator.Space space, int environments, int replay) {}

    /** What a person should know before it begins. */
    default List<String> cautions(Simulator.Space space) {
        return List.of();
    }

    /** The same, where how the policy learns is known too. */
    default List<String> cautions(Simulator.Space space, Sac.Settings sac) {
        return cautions(space);
    }
}
