package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Clusters;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Identification;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.Optional;

/**
 * What estimators share that start from choice probabilities P and a transition law estimated beforehand: both first
 * steps, and how their sampling error reaches theta.
 *
 * <p>With P given, what choosing is worth is linear in theta, Q = z' theta + e, and in a logit P can be inverted:
 *
 * <pre>  tau (log P(a|s) - w(a|s)) - Q(s,a) = the same for every action a.</pre>
 *
 * How theta is made to fit this is each estimator's affair; they all solve some equations m(theta) = 0.
 *
 * @param chance P at the visited rows
 * @param logarithm log P - w at the visited rows; zero where an action is not available
 */
public record TwoStep(
        ChoiceProblem problem,
        FirstStage first,
        SoftProcess process,
        ChoiceProbabilities probabilities,
        SoftPolicy policy,
        Visits visits,
        double[] chance,
        double[] logarithm) {

    public static final String NOT_IDENTIFIED = "the choices do not tell all parameters apart; fix or leave out some";

    /** A way to make theta fit; {@code q} holds z_1..z_p and e at the visited rows. */
    public interface Criterion {
        double[] theta(double[][] q);

        /** Whether theta fits best: the scaled gradient there is zero. */
        boolean fitsBest(double[][] q, double[] theta);

        Moments moments(double[][] q, double[] theta);
    }

    /**
     * How the equations m_j that theta solves move with everything they depend on, by visited row.
     *
     * @param curvature -dm/dtheta
     * @param direct {@code [j][row]}: what one more choice of that row adds to m_j
     * @param toChoices {@code [j][row]}: dm_j / dlog P
     * @param toValues {@code [j][row]}: dm_j / dQ, theta held fixed
     * @param toDesign dm_j / dz_j, the same for all j and besides what z does to Q
     */
    public record Moments(
            double[][] curvature, double[][] direct, double[][] toChoices, double[][] toValues, double[] toDesign) {}

    public TwoStep(ChoiceProblem problem, FirstStage first, ChoiceProbabilities.Method method) {
        if (method instanceof ChoiceProbabilities.Uniform) {
            throw new BadInput(
                    "choice probabilities that are all alike tell nothing about theta",
                    "Estimate them from the data: by logit, or by frequency where every state was visited often.");
        }
        ChoiceModel model = problem.model();
        model.needLogit("A method that inverts choice probabilities");
        SoftProcess process = new SoftProcess(model.mdp(first.phi()), model.cost());
        ChoiceProbabilities probabilities = method.of(problem);
        SoftPolicy policy = probabilities.policy(process);
        Visits visits = Visits.of(problem);
        double[] chance = visits.gather(policy.policy());
        double[] logarithm = visits.gather(policy.logPolicy());
        for (int own = 0; own < logarithm.length; own++) {
            logarithm[own] =
                    chance[own] == 0 ? 0 : logarithm[own] - model.cost().logWeight(visits.row(own));
        }
        this(problem, first, process, probabilities, policy, visits, chance, logarithm);
    }

    public ChoiceModel model() {
        return problem.model();
    }

    public double temperature() {
        return model().cost().temperature();
    }

    /** x less its mean over the actions of each visited state, weighted by given choice probabilities. */
    public double[] centred(double[] x, double[] weight) {
        int actions = visits.actions();
        double[] centred = new double[x.length];
        for (int begin = 0; begin < x.length; begin += actions) {
            double mean = 0;
            for (int own = begin; own < begin + actions; own++) {
                mean += weight[own] == 0 ? 0 : weight[own] * x[own];
            }
            for (int own = begin; own < begin + actions; own++) {
                centred[own] = weight[own] == 0 ? 0 : x[own] - mean;
            }
        }
        return centred;
    }

    /**
     * How much each individual moves theta, through its choices and its moves; empty where the choices do not tell all
     * parameters apart. P and the law act on the equations also through the values of everything to come: the adjoint of the
     * value equation gives that exactly, one linear system for each parameter.
     */
    public Optional<double[][]> influence(Moments moments, double[] theta) {
        if (!Identification.of(moments.curvature, model().utility().names()).complete()) {
            return Optional.empty();
        }
        int p = theta.length;
        int rows = policy.policy().length;
        SoftSolver.Under under = process.solver().under(policy.policy());
        double[] utility = new double[rows];
        double[] payoff = new double[rows];
        model().utility().values(theta, utility);
        process.payoff(utility, policy, payoff);
        Future whole = new Future(under, payoff);
        double[] residual = visits.scatter(moments.toDesign, rows);
        double[] residualVisits = RowScores.toCome(process, under, residual);
        int[][] paths = problem.chosenRows();
        double[][] ofMoments = new double[problem.panel().units()][p];
        for (int j = 0; j < p; j++) {
            double[] toChoices = visits.scatter(moments.toChoices[j], rows);
            double[] toPhi = new double[first.phi().length];
            double[] toValues = visits.scatter(moments.toValues[j], rows);
            whole.add(toValues, RowScores.toCome(process, under, toValues), toChoices, toPhi);
            model().utility().derivative(theta, j, payoff);
            new Future(under, payoff).add(residual, residualVisits, toChoices, toPhi);
            double[] byChoice = probabilities.influence(probabilities.gradient(toChoices));
            Vec.axpy(1, visits.scatter(moments.direct[j], rows), byChoice);
            for (int i = 0; i < paths.length; i++) {
                ofMoments[i][j] = ChoiceProblem.sum(byChoice, paths[i]);
            }
            first.addInfluence(problem, toPhi, j, ofMoments);
        }
        double ratio = Clusters.correction(problem.panel());
        double correction = ratio > 0 ? Math.sqrt(ratio) : 1;
        return Dense.inverse(moments.curvature).map(inverse -> {
            double[][] influence = new double[ofMoments.length][];
            Arrays.setAll(influence, i -> Vec.plus(new double[p], correction, Dense.multiply(inverse, ofMoments[i])));
            return influence;
        });
    }

    /** Values of a payoff under P, and how they move with P and the law. */
    private final class Future {
        private final double[] values = new double[model().states()];
        private final double[] rows;

        Future(SoftSolver.Under under, double[] payoff) {
            rows = new double[payoff.length];
            under.values(payoff, values);
            process.actionValues(payoff, values, rows);
        }

        /** Adds the derivatives of the sum of weight times the value of a row, by log P and by phi. */
        void add(double[] weight, double[] visited, double[] toChoices, double[] toPhi) {
            double[] flow = new double[rows.length];
            for (int row = 0; row < rows.length; row++) {
                flow[row] = visited[row / visits.actions()] * policy.policy()[row];
                toChoices[row] += flow[row] == 0 ? 0 : flow[row] * rows[row];
                flow[row] = model().discount() * (weight[row] + flow[row]);
            }
            Vec.axpy(1, model().law().gradient(first.phi(), flow, values), toPhi);
        }
    }
}
