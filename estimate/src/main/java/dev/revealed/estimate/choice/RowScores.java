package dev.revealed.estimate.choice;

import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.shock.Shocks;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.Objects;

/**
 * The model solved at given parameters, with the score of every choice: d log pi(a|s) with respect to each parameter,
 * row by row. A panel's log-likelihood, gradient and outer products are sums of these over what was chosen.
 */
public final class RowScores {
    private static final double TOLERANCE = 1e-11;

    /** Scores that are smaller than this share of the values they are differences of are rounding. */
    private static final double ROUNDING = 1e-10;

    private final ChoiceModel model;
    private final double[] counts;
    private final double[] rows;
    private final double[] payoff;
    private final double[][] values; // derivatives of the soft values, kept as first guesses
    private final double[][] scores;
    private final boolean law;
    private final boolean logit;
    private SoftProcess process;
    private SoftPolicy policy;
    private double[] phi;
    private double[] actionValues = new double[0];
    private double[] followed = new double[0]; // the parameters of the last policy step
    private long passes;

    /** @param law whether the parameters of the transition law are estimated as well: theta, then phi */
    public RowScores(ChoiceModel model, double[] counts, double[] phi, boolean law) {
        this.model = model;
        this.counts = counts;
        this.phi = phi.clone();
        this.law = law;
        rows = new double[counts.length];
        payoff = new double[counts.length];
        int p = model.utility().parameters() + (law ? phi.length : 0);
        values = new double[p][model.states()];
        scores = new double[p][counts.length];
        process = new SoftProcess(model.mdp(phi), model.cost());
        policy = SoftPolicy.start(process);
        logit = model.isLogit();
    }

    /** Solves at theta, or at (theta, phi) where the law is estimated as well; returns the choice log-likelihood. */
    public double solve(double[] parameters) {
        moveTo(parameters);
        process.solver().solve(rows, policy, TOLERANCE).orThrow();
        return logLikelihood();
    }

    /**
     * One policy step in place of a solution: values follow the parameters to first order, by the derivatives that the last
     * scores left behind, and then make one step of Newton's method. That asks shocks for V and its gradient only.
     */
    public double follow(double[] parameters) {
        moveTo(parameters);
        if (process.mdp().layered()) { // one pass solves it
            process.solver().solve(rows, policy, TOLERANCE).orThrow();
        } else {
            for (int j = 0; j < followed.length; j++) {
                Vec.axpy(parameters[j] - followed[j], values[j], policy.values());
            }
            double[] improved = new double[policy.values().length];
            process.improve(rows, policy.values(), improved, policy);
            double[][] rise = {Vec.plus(improved, -1, policy.values())};
            double[][] step = {new double[improved.length]};
            double rounding = 8 * Math.ulp(1 + Vec.maxAbs(improved));
            process.solver().under(policy.policy()).values(rise, step, new double[] {rounding});
            Vec.axpy(1, step[0], policy.values());
            process.improve(rows, policy.values(), improved, policy);
        }
        followed = parameters.clone();
        return logLikelihood();
    }

    private double logLikelihood() {
        return Likelihood.weightedSum(counts, policy.logPolicy());
    }

    private void moveTo(double[] parameters) {
        Reward utility = model.utility();
        if (law) {
            double[] next = Arrays.copyOfRange(parameters, utility.parameters(), parameters.length);
            if (!Arrays.equals(next, phi)) {
                phi = next;
                passes += process.passes().count();
                process = new SoftProcess(model.mdp(phi), model.cost());
            }
        }
        if (!logit) {
            passes += process.passes().count();
            process = new SoftProcess(process.mdp(), model.cost(parameters));
        }
        utility.values(parameters, rows);
    }

    /** Scores of all rows at the parameters last solved for. */
    public double[][] scores(double[] parameters) {
        Reward utility = model.utility();
        double discount = model.discount();
        SoftSolver.Under under = process.solver().under(policy.policy());
        if (!logit) {
            actionValues = new double[counts.length];
            process.actionValues(rows, policy.values(), actionValues);
        }
        for (int j = 0; j < scores.length; j++) {
            if (j < utility.parameters()) {
                utility.derivative(parameters, j, payoff);
            } else {
                model.law().derivative(phi, j - utility.parameters(), policy.values(), payoff);
                Arrays.setAll(payoff, row -> payoff[row] * discount);
            }
            double[] ofShocks = j < utility.parameters() ? utility.shockSlope(j) : new double[0];
            score(under, ofShocks, values[j], scores[j]);
        }
        return scores;
    }

    /** The values of the actions of a state: minus infinity where one is not available. */
    private void at(int state, double[] q) {
        for (int a = 0; a < q.length; a++) {
            int row = state * q.length + a;
            q[a] = actionValues[row] + model.cost().logWeight(row);
        }
    }

    /**
     * Scores under other shocks than Gumbel ones, from the derivative of the payoffs: the shocks' own parameters move values
     * by what they do to the expected maximum, and choices directly as well.
     *
     * @param slope of the parameters of the shocks
     */
    private void shockScores(SoftSolver.Under under, double[] slope, double[] moved, double[] score) {
        int actions = model.actions().size();
        Shocks shocks = Objects.requireNonNull(process.cost().shocks());
        double[] q = new double[actions];
        double[] log = new double[actions];
        double[] dq = new double[actions];
        double[] move = new double[actions];
        double[] utilities = payoff.clone();
        for (int s = 0; s < model.states(); s++) {
            at(s, q);
            System.arraycopy(policy.logPolicy(), s * actions, log, 0, actions);
            for (int k = 0; k < slope.length; k++) {
                if (slope[k] != 0) {
                    double direct = slope[k] * shocks.parameterSlope(k, q, log, move);
                    for (int a = 0; a < actions; a++) {
                        payoff[s * actions + a] += direct;
                    }
                }
            }
        }
        under.values(payoff, moved);
        process.actionValues(utilities, moved, score);
        for (int s = 0; s < model.states(); s++) {
            at(s, q);
            System.arraycopy(policy.logPolicy(), s * actions, log, 0, actions);
            System.arraycopy(score, s * actions, dq, 0, actions);
            shocks.slope(q, log, dq, move);
            System.arraycopy(move, 0, score, s * actions, actions);
            for (int k = 0; k < slope.length; k++) {
                if (slope[k] != 0) {
                    shocks.parameterSlope(k, q, log, move);
                    for (int a = 0; a < actions; a++) {
                        score[s * actions + a] += slope[k] * move[a];
                    }
                }
            }
        }
    }

    /** weight(row) = sum over the state's choices of y d log pi / dQ(row): for Gumbel shocks simply y / tau. */
    private void toActionValues(double[] y) {
        if (logit) {
            double tau = model.cost().temperature();
            Arrays.setAll(y, row -> y[row] / tau);
            return;
        }
        int actions = model.actions().size();
        Shocks shocks = Objects.requireNonNull(process.cost().shocks());
        double[] q = new double[actions];
        double[] own = new double[actions];
        double[] into = new double[actions];
        double[] log = new double[actions];
        for (int s = 0; s < model.states(); s++) {
            at(s, q);
            System.arraycopy(policy.logPolicy(), s * actions, log, 0, actions);
            System.arraycopy(y, s * actions, own, 0, actions);
            shocks.transposedSlope(q, log, own, into);
            System.arraycopy(into, 0, y, s * actions, actions);
        }
    }

    /** score[row] = d log pi(row), where the payoff of each row moves as {@code payoff} says, and shocks as their slope. */
    private void score(SoftSolver.Under under, double[] ofShocks, double[] moved, double[] score) {
        if (!logit) {
            shockScores(under, ofShocks, moved, score);
            return;
        }
        int actions = model.actions().size();
        double tau = model.cost().temperature();
        under.values(payoff, moved);
        process.actionValues(payoff, moved, score);
        for (int row = 0; row < score.length; row++) {
            score[row] = (score[row] - moved[row / actions]) / tau;
        }
        if (Vec.maxAbs(score) * tau <= ROUNDING * Vec.maxAbs(moved)) { // a constant in every action's utility
            Arrays.fill(score, 0);
        }
    }

    /** Scores of all rows with respect to the discount, after those of the parameters: more of it is worth E V. */
    public double[] discountScores() {
        double[] score = new double[counts.length];
        process.actionValues(score, policy.values(), payoff);
        double discount = model.discount();
        Arrays.setAll(payoff, row -> payoff[row] / discount);
        score(process.solver().under(policy.policy()), new double[0], new double[model.states()], score);
        return score;
    }

    /** Gradient of the choice log-likelihood from the scores. */
    public double[] gradient() {
        return Dense.multiply(scores, counts);
    }

    /** Expected information of the choices, given the states they were made in. */
    public double[][] information() {
        int p = scores.length;
        int actions = model.actions().size();
        double[][] information = new double[p][p];
        for (int s = 0; s < model.states(); s++) {
            double visits = 0;
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                visits += counts[row];
            }
            for (int row = s * actions; visits > 0 && row < (s + 1) * actions; row++) {
                if (policy.policy()[row] > 0) {
                    Observations.addOuter(visits * policy.policy()[row], Observations.at(scores, row), information);
                }
            }
        }
        return information;
    }

    /**
     * Expected product of the scores of each utility parameter and of those of the law in the observed choices,
     * {@code [utility parameter][law's parameter]}, at the parameters the scores were last computed for.
     */
    public double[][] crossInformation() {
        int actions = model.actions().size();
        double[] visits = ChoiceProblem.visits(counts, actions);
        double[][] cross = new double[model.utility().parameters()][];
        double[] weight = new double[counts.length];
        for (int j = 0; j < cross.length; j++) {
            for (int row = 0; row < weight.length; row++) {
                weight[row] =
                        policy.policy()[row] == 0 ? 0 : visits[row / actions] * policy.policy()[row] * scores[j][row];
            }
            toActionValues(weight);
            double[] occupancy = toCome(process, process.solver().under(policy.policy()), weight);
            for (int row = 0; row < weight.length; row++) {
                weight[row] = model.discount() * (weight[row] + policy.policy()[row] * occupancy[row / actions]);
            }
            cross[j] =
                    model.law().parameters() == 0 ? new double[0] : model.law().gradient(phi, weight, policy.values());
        }
        return cross;
    }

    /** Discounted visits of every state in all periods to come under a policy, after rows taken with given weights. */
    public static double[] toCome(SoftProcess process, SoftSolver.Under under, double[] weight) {
        double[] start = new double[process.mdp().states()];
        process.push(weight, start);
        double discount = process.mdp().discount();
        Arrays.setAll(start, s -> start[s] * discount);
        double[] occupancy = new double[start.length];
        under.occupancy(start, occupancy);
        return occupancy;
    }

    public SoftPolicy policy() {
        return policy;
    }

    public SoftProcess process() {
        return process;
    }

    public double[] phi() {
        return phi;
    }

    public long passes() {
        return passes + process.passes().count();
    }
}
