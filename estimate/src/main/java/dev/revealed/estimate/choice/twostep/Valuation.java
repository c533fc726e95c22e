package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ConditionalLogit;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Parallel;

/**
 * What choosing is worth to somebody who goes on by given choice probabilities P: with those held fixed it is linear in
 * theta (Hotz and Miller 1993),
 *
 * <pre>  Q = z~' theta + e~,     z~ = z + gamma F v_z,     v_z = (I - gamma F_P)^-1 sum_a P z</pre>
 *
 * and likewise e~ from the part of utility without theta and the expected shocks, -tau (log P - w).
 */
public final class Valuation {
    private final ChoiceModel model;
    private final SoftProcess process;
    private final Visits visits;
    private final double[] payoff;
    private final double[] rows;
    private final double[][] values; // of z_1..z_p and of e; also the first guesses of the next valuation
    private final double[][] visited;

    public Valuation(ChoiceModel model, SoftProcess process, Visits visits) {
        this.model = model;
        this.process = process;
        this.visits = visits;
        payoff = new double[model.utility().rows()];
        rows = new double[payoff.length];
        int p = model.utility().parameters();
        values = new double[p + 1][model.states()];
        visited = new double[p + 1][];
    }

    /** Values under the choice probabilities of a policy. */
    public void under(SoftPolicy policy) {
        Reward utility = model.utility();
        double[] zero = new double[utility.parameters()];
        SoftSolver.Under under = process.solver().under(policy.policy());
        for (int j = 0; j < zero.length; j++) {
            utility.derivative(zero, j, payoff);
            under.values(payoff, values[j]);
            process.actionValues(payoff, values[j], rows);
            visited[j] = visits.gather(rows);
        }
        utility.values(zero, rows);
        process.payoff(rows, policy, payoff);
        double[] last = values[zero.length];
        under.values(payoff, last);
        process.actionValues(rows, last, payoff);
        visited[zero.length] = visits.gather(payoff);
    }

    /** z~_1..z~_p and e~ at the visited rows. */
    public double[][] rows() {
        return visited;
    }

    /** The choices observed, as a logit in theta. */
    public ConditionalLogit logit() {
        return PseudoLikelihood.logit(visits, model.cost(), visited, visits.counts());
    }

    /** values = theta' v_z + v_e. */
    public void values(double[] theta, double[] to) {
        Parallel.range(to.length, (from, end) -> {
            for (int s = from; s < end; s++) {
                double sum = values[theta.length][s];
                for (int j = 0; j < theta.length; j++) {
                    sum += theta[j] * values[j][s];
                }
                to[s] = sum;
            }
        });
    }

    /** Replaces a policy by the one that is best given these values: a step of policy iteration. */
    public void improve(double[] theta, SoftPolicy policy) {
        values(theta, policy.values());
        model.utility().values(theta, rows);
        process.improve(rows, policy.values(), new double[policy.values().length], policy);
    }
}
