package dev.revealed.estimate;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;

/**
 * What is to be estimated, from what.
 *
 * @param ridge penalty ridge/2 * |theta|^2 on the likelihood: a reward per state from a handful of demonstrations needs
 *     one, since the likelihood can grow without bound where the data contradict the kernel
 * @param observedStarts whether the start distribution is that of the demonstrations themselves; standard errors then hold
 *     given the starts
 */
public record Problem(
        Mdp mdp,
        InformationCost cost,
        Reward reward,
        Demonstrations demonstrations,
        Objective objective,
        double ridge,
        boolean observedStarts) {

    /** Which likelihood is maximised. */
    public enum Objective {
        /** The paper's discounted surrogate: mean over trajectories. */
        SURROGATE,
        /** The conditional likelihood of every observed choice: sum over decisions. */
        PANEL
    }

    public Problem {
        if (!(ridge >= 0 && ridge < Double.POSITIVE_INFINITY)) {
            throw new BadInput("the ridge is " + ridge, "Give 0 or a positive number.");
        }
        if (reward.rows() != mdp.rows()) {
            throw new BadInput(
                    "the reward has %d rows, the process %d: %d states with %d actions each"
                            .formatted(reward.rows(), mdp.rows(), mdp.states(), mdp.actions()),
                    reward.rows() == mdp.states() * (long) mdp.states()
                            ? "The reward was made for %d actions, which is the number of states: give the number of actions, %d."
                                    .formatted(mdp.states(), mdp.actions())
                            : "Define the reward on every state and action of the process, and on no other.");
        }
        checkAvailable(mdp, cost, demonstrations);
        demonstrations.checkMoves(mdp);
        if (objective == Objective.SURROGATE) {
            checkStarts(mdp, demonstrations);
        }
        if (!demonstrations.hasActions() && !reward.stateOnly()) {
            throw new BadInput(
                    "the demonstrations hold no actions, but the reward depends on them",
                    "Use a state-only reward, or record the actions.");
        }
    }

    /** Refuses choices that the reference policy rules out: their likelihood would be zero whatever the reward. */
    private static void checkAvailable(Mdp mdp, InformationCost cost, Demonstrations demonstrations) {
        demonstrations.check(mdp);
        for (int i = 0; i < demonstrations.size(); i++) {
            Trajectory trajectory = demonstrations.trajectories().get(i);
            int[] actions = trajectory.actions();
            for (int t = 0; actions != null && t < actions.length; t++) {
                int state = trajectory.states()[t];
                if (cost.logWeight(state * mdp.actions() + actions[t]) == Double.NEGATIVE_INFINITY) {
                    throw new BadInput(
                            "trajectory %d takes action %d in state %d, which the reference policy rules out"
                                    .formatted(i, actions[t], state),
                            "Give that action a positive reference probability, or correct the data.");
                }
            }
        }
    }

    /** Refuses trajectories that start where the process never does: its value is what the surrogate compares with. */
    private static void checkStarts(Mdp mdp, Demonstrations demonstrations) {
        for (int i = 0; i < demonstrations.size(); i++) {
            int first = demonstrations.trajectories().get(i).states()[0];
            if (mdp.start()[first] == 0) {
                throw new BadInput(
                        "trajectory %d starts in state %d, where the start distribution has probability 0"
                                .formatted(i, first),
                        "Correct the start distribution, or leave it out: the observed starts then stand for it.");
            }
        }
    }

    public Problem(
            Mdp mdp,
            InformationCost cost,
            Reward reward,
            Demonstrations demonstrations,
            Objective objective,
            double ridge) {
        this(mdp, cost, reward, demonstrations, objective, ridge, false);
    }

    public static Problem of(Mdp mdp, Reward reward, Demonstrations demonstrations) {
        return new Problem(mdp, InformationCost.STANDARD, reward, demonstrations, Objective.SURROGATE, 0);
    }

    public Problem withRidge(double other) {
        return new Problem(mdp, cost, reward, demonstrations, objective, other, observedStarts);
    }

    public Problem withObjective(Objective other) {
        return new Problem(mdp, cost, reward, demonstrations, other, ridge, observedStarts);
    }

    public Problem withDemonstrations(Demonstrations other) {
        Problem problem = new Problem(mdp, cost, reward, other, objective, ridge);
        return observedStarts ? problem.withObservedStarts() : problem;
    }

    /** With the observed starts in place of a start distribution, for when none is known. */
    public Problem withObservedStarts() {
        double[] start = new double[mdp.states()];
        for (Trajectory trajectory : demonstrations.trajectories()) {
            start[trajectory.states()[0]] += 1.0 / demonstrations.size();
        }
        return new Problem(mdp.withStart(start), cost, reward, demonstrations, objective, ridge, true);
    }

    /** Fresh operators with a pass count of zero. */
    public SoftProcess process() {
        return new SoftProcess(mdp, cost);
    }

    public Likelihood likelihood(SoftProcess process) {
        return switch (objective) {
            case SURROGATE -> new Likelihood.Surrogate(process, demonstrations);
            case PANEL -> new Likelihood.Panel(process, demonstrations);
        };
    }
}
