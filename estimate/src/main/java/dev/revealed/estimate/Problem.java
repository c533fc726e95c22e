package dev.revealed.estimate;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is to be estimated, from what.
 *
 * @param ridge penalty ridge/2 * |theta|^2 on the likelihood: a reward per state from a handful of demonstrations needs
 *     one, since the likelihood can grow without bound where the data contradict the kernel
 * @param observedStarts whether the start distribution is that of the demonstrations themselves; standard errors then hold
 *     given the starts
 * @param counts how often each row was chosen, where the demonstrations only show which were; else empty
 */
public record Problem(
        Mdp mdp,
        InformationCost cost,
        Reward reward,
        Demonstrations demonstrations,
        Objective objective,
        double ridge,
        boolean observedStarts,
        double[] counts) {

    /** Which likelihood is maximised. */
    public enum Objective {
        /** The paper's discounted surrogate: mean over trajectories. */
        SURROGATE,
        /** The conditional likelihood of every observed choice: sum over decisions. */
        PANEL
    }

    private static final int TRIALS = 12;

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
        demonstrations.check(mdp);
        demonstrations = untilEnd(mdp, demonstrations);
        checkAvailable(mdp, cost, demonstrations);
        demonstrations.checkMoves(mdp);
        if (objective == Objective.SURROGATE && counts.length > 0) {
            throw new IllegalArgumentException("the surrogate needs trajectories, not counts");
        }
        if (objective == Objective.SURROGATE) {
            checkStarts(mdp, demonstrations);
        }
        if (!demonstrations.hasActions() && !reward.stateOnly()) {
            throw new BadInput(
                    "the demonstrations hold no actions, but the reward depends on them",
                    "Use a state-only reward, or record the actions.");
        }
    }

    /** Without what was recorded after the end of a process without discount. */
    private static Demonstrations untilEnd(Mdp mdp, Demonstrations all) {
        int[] ends = mdp.ends();
        if (ends.length == 0) {
            return all;
        }
        for (int i = 0; i < all.size(); i++) {
            int first = all.trajectories().get(i).states()[0];
            BadInput.when(
                    Arrays.binarySearch(ends, first) >= 0,
                    "trajectory %d starts in state %d, where the process has ended".formatted(i, first),
                    "Leave it out: nothing is decided there.");
        }
        return new Demonstrations(
                all.trajectories().stream().map(one -> one.until(ends)).toList());
    }

    /** Where a search that may start anywhere starts: at the point given, or else at penalties for which values exist. */
    double[] feasibleStart(double[] from) {
        double[] theta = from;
        for (int k = 0; !exist(theta); k++) {
            if (k == TRIALS) {
                throw infeasible(from);
            }
            theta = penalties(1.5 * Math.pow(1.5, k));
        }
        return theta;
    }

    /** Refuses parameters for which there are no values. */
    void checkFeasible(double[] theta) {
        if (!exist(theta)) {
            throw infeasible(theta);
        }
    }

    /** Whether there are values. With a discount there always are. */
    private boolean exist(double[] theta) {
        return !mdp.undiscounted() || SoftSolver.ends(spectralRadius(theta));
    }

    private BadInput infeasible(double[] theta) {
        return new BadInput(
                "values do not exist at %s: the spectral radius is %.6f, and must be below 1 with a discount of 1"
                        .formatted(Arrays.toString(theta), spectralRadius(theta)),
                "Give every step a cost that can be estimated, such as a feature that is 1 everywhere: without one nobody"
                        + " need end. Or choose a discount below 1.");
    }

    /** The spectral radius of a process without discount: values exist where it is below 1. */
    public double spectralRadius(double[] theta) {
        double[] rows = new double[mdp.rows()];
        reward.values(theta, rows);
        return process().spectralRadius(rows);
    }

    /** Parameters that make what was observed cost something, whatever the sign of its features. */
    private double[] penalties(double size) {
        double[] theta = new double[reward.parameters()];
        double[] visits = new double[mdp.rows()];
        double[] tails = new double[mdp.states()];
        double decisions = Vec.sum(counts);
        for (int row = 0; row < counts.length; row++) {
            visits[row] = counts[row] / decisions;
        }
        for (Trajectory one : counts.length == 0 ? demonstrations.trajectories() : List.<Trajectory>of()) {
            Likelihood.Surrogate.count(mdp, cost, one, 1.0 / demonstrations.decisions(), visits, tails);
        }
        double[] mean = new double[theta.length];
        reward.accumulate(theta, visits, mean);
        Arrays.setAll(theta, j -> -Math.signum(mean[j]) * size / Math.max(1, Math.abs(mean[j])));
        return theta;
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
        this(mdp, cost, reward, demonstrations, objective, ridge, false, new double[0]);
    }

    /** The choices of a panel of which only their counts are known. */
    public static Problem counted(Mdp mdp, InformationCost cost, Reward reward, double[] counts) {
        List<Trajectory> chosen = new ArrayList<>();
        for (int row = 0; row < counts.length; row++) {
            if (counts[row] > 0) {
                chosen.add(new Trajectory(new int[] {row / mdp.actions()}, new int[] {row % mdp.actions()}));
            }
        }
        return new Problem(mdp, cost, reward, new Demonstrations(chosen), Objective.PANEL, 0, false, counts.clone());
    }

    public static Problem of(Mdp mdp, Reward reward, Demonstrations demonstrations) {
        return new Problem(mdp, InformationCost.STANDARD, reward, demonstrations, Objective.SURROGATE, 0);
    }

    public Problem withRidge(double other) {
        return new Problem(mdp, cost, reward, demonstrations, objective, other, observedStarts, counts);
    }

    public Problem withObjective(Objective other) {
        return new Problem(mdp, cost, reward, demonstrations, other, ridge, observedStarts, counts);
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
        return new Problem(mdp.withStart(start), cost, reward, demonstrations, objective, ridge, true, counts);
    }

    /** Fresh operators with a pass count of zero. */
    public SoftProcess process() {
        return new SoftProcess(mdp, cost);
    }

    public Likelihood likelihood(SoftProcess process) {
        return switch (objective) {
            case SURROGATE -> new Likelihood.Surrogate(process, demonstrations);
            case PANEL ->
                counts.length == 0
                        ? new Likelihood.Panel(process, demonstrations)
                        : new Likelihood.Panel(process, counts);
        };
    }
}
