package dev.revealed.estimate;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.ValueDerivatives;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How sure we are. Trajectories are the independent observations, so the covariance is the sandwich H^-1 B H^-1 / N with B
 * the variance of the score over trajectories: right for the discounted surrogate, which is no density, and robust for the
 * panel likelihood. H is minus the Hessian of the surrogate where the reward is linear, its Gauss-Newton part where it is
 * not, and the expected information of the panel.
 */
public final class Inference {
    /** Below this share of the largest eigenvalue a direction of the reward leaves no trace in any choice. */
    private static final double FLAT = 1e-9;

    /** More parameters than this are not worth the passes, and more derivatives would not fit in memory. */
    private static final int MOST_PARAMETERS = 400;

    private static final long MOST_DERIVATIVES = 200_000_000;

    private final Problem problem;
    private final double[] theta;
    private final SoftPolicy policy;
    private final Likelihood likelihood;
    private final ValueDerivatives derivatives;
    private final double[][] scores;

    static boolean fits(Problem problem) {
        int parameters = problem.reward().parameters();
        return parameters <= MOST_PARAMETERS
                && (long) parameters * problem.mdp().rows() <= MOST_DERIVATIVES;
    }

    /** @param exact has just been evaluated at {@code theta}, its gradient included */
    Inference(Problem problem, ExactLikelihood exact, double[] theta) {
        this.problem = problem;
        this.theta = theta;
        policy = exact.policy();
        likelihood = exact.likelihood();
        derivatives = new ValueDerivatives(exact.process(), problem.reward());
        derivatives.solve(theta, policy.policy(), exact.process().solver());
        scores = scores();
    }

    /**
     * H^-1, and how much each trajectory moves the maximiser of the surrogate: H^-1 (score - mean) / N. For estimators that
     * add another step to it; empty when the information is singular.
     */
    public record Influence(double[][] inverse, double[][] ofTrajectory) {

        public static Optional<Influence> of(Problem problem, double[] theta) {
            ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
            exact.at(theta, new double[theta.length]);
            Inference inference = new Inference(problem, exact, theta);
            return inference.hessian().flatMap(Dense::inverse).map(inverse -> {
                double[] mean = inference.meanScore();
                double[][] moved = new double[inference.scores.length][];
                Arrays.setAll(moved, i -> {
                    double[] own = Dense.multiply(inverse, Vec.plus(inference.scores[i], -1, mean));
                    return Arrays.stream(own).map(x -> x / moved.length).toArray();
                });
                return new Influence(inverse, moved);
            });
        }
    }

    /** Minus the Hessian as the class comment has it. */
    private double[][] curvature() {
        double[][] hessian =
                derivatives.information(policy.policy(), likelihood.informationWeights(policy.occupancy()));
        for (int j = 0; j < theta.length; j++) {
            hessian[j][j] += problem.ridge();
        }
        return hessian;
    }

    /** How far the maximum is, given the gradient of the penalised likelihood. */
    Stationarity stationarity(double[] gradient) {
        // The surrogate is a mean over trajectories.
        double n = problem.objective() == Problem.Objective.SURROGATE ? scores.length : 1;
        double[][] information = curvature();
        for (double[] row : information) {
            Arrays.setAll(row, k -> n * row[k]);
        }
        return Stationarity.of(
                information, Arrays.stream(gradient).map(g -> n * g).toArray());
    }

    /** How far the maximum of a problem's penalised likelihood is from theta. */
    public static Stationarity stationarity(Problem problem, double[] theta) {
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double[] gradient = new double[theta.length];
        exact.at(theta, gradient);
        return new Inference(problem, exact, theta).stationarity(gradient);
    }

    /** Empty when it is singular. */
    private Optional<double[][]> hessian() {
        double[][] hessian = curvature();
        double[] spectrum = Dense.symmetricEigen(hessian).values();
        return spectrum[0] > FLAT * spectrum[spectrum.length - 1] ? Optional.of(hessian) : Optional.empty();
    }

    private double[] meanScore() {
        double[] mean = new double[theta.length];
        for (double[] score : scores) {
            Vec.axpy(1.0 / scores.length, score, mean);
        }
        return mean;
    }

    /** Empty when the information is singular: some direction of the reward is not identified. */
    Optional<double[][]> covariance() {
        int n = scores.length;
        double[] mean = meanScore();
        double[][] meat = new double[theta.length][theta.length];
        for (double[] score : scores) {
            double[] centred = Vec.plus(score, -1, mean);
            for (int j = 0; j < theta.length; j++) {
                Vec.axpy(centred[j] / (n - 1.0), centred, meat[j]);
            }
        }
        // The surrogate is a mean over trajectories and the panel likelihood a sum: the bread scales accordingly.
        double scale = problem.objective() == Problem.Objective.SURROGATE ? 1.0 / n : n;
        return hessian().flatMap(Dense::inverse).map(bread -> {
            double[][] sandwich = Dense.multiply(Dense.multiply(bread, meat), bread);
            for (double[] row : sandwich) {
                Arrays.setAll(row, k -> row[k] * scale);
            }
            return sandwich;
        });
    }

    /** Whether the score is the same for all trajectories, to rounding: then it tells nothing of how sure we are. */
    boolean noVariation() {
        double largest = 0;
        double spread = 0;
        for (double[] score : scores) {
            largest = Math.max(largest, Vec.maxAbs(score));
            spread = Math.max(spread, Vec.maxAbs(Vec.plus(score, -1, scores[0])));
        }
        return spread <= 1e-9 * Math.max(1, largest);
    }

    /** The score of each trajectory. */
    private double[][] scores() {
        Mdp mdp = problem.mdp();
        double tau = problem.cost().temperature(); // of the surrogate, whatever the scales of single states
        Demonstrations data = problem.demonstrations();
        double[][] scores = new double[data.size()][theta.length];
        double[] rewardDerivative = new double[mdp.rows()];
        for (int j = 0; j < theta.length; j++) {
            problem.reward().derivative(theta, j, rewardDerivative);
            double[] dv = derivatives.ofValues(j);
            double[] dq = derivatives.ofActionValues(j);
            double[] expert = new double[mdp.rows()];
            double[] tail = new double[mdp.states()];
            for (int i = 0; i < scores.length; i++) {
                Trajectory trajectory = data.trajectories().get(i);
                scores[i][j] = switch (problem.objective()) {
                    case SURROGATE -> {
                        Likelihood.Surrogate.count(mdp, problem.cost(), trajectory, 1, expert, tail);
                        double first = problem.observedStarts() ? dv[trajectory.states()[0]] : 0;
                        yield (drain(expert, rewardDerivative) - drain(tail, dv) - first) / tau;
                    }
                    case PANEL -> choiceScore(trajectory, dq, dv);
                };
            }
        }
        return scores;
    }

    /** x . y, leaving x zero for the next trajectory. */
    private static double drain(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            if (x[i] != 0) {
                sum += x[i] * y[i];
                x[i] = 0;
            }
        }
        return sum;
    }

    private double choiceScore(Trajectory trajectory, double[] dq, double[] dv) {
        int[] actions = trajectory.actions();
        double sum = 0;
        for (int t = 0; actions != null && t < actions.length; t++) {
            int s = trajectory.states()[t];
            sum += (dq[s * problem.mdp().actions() + actions[t]] - dv[s])
                    / problem.cost().temperature(s);
        }
        return sum;
    }

    /**
     * Directions of the reward that no data could reveal, in words: those with no effect on any choice in any state. A
     * constant, or shaping by a potential, is such a direction unless a reference action's reward is known (Corollary 1).
     */
    List<String> unidentified() {
        double[] everywhere = new double[problem.mdp().states()];
        Arrays.fill(everywhere, 1.0 / everywhere.length);
        Dense.Eigen eigen = Dense.symmetricEigen(derivatives.information(policy.policy(), everywhere));
        double largest = eigen.values()[eigen.values().length - 1];
        List<String> directions = new ArrayList<>();
        for (int i = 0; i < eigen.values().length && eigen.values()[i] <= FLAT * largest; i++) {
            directions.add(
                    Directions.describe(eigen.vectors()[i], problem.reward().names()));
        }
        if (directions.isEmpty()) {
            return List.of();
        }
        int shown = Math.min(3, directions.size());
        return List.of(
                ("%d of %d directions of the reward are not identified: rewards that differ along them explain every choice"
                                + " equally well. They are %s%s. %s")
                        .formatted(
                                directions.size(),
                                theta.length,
                                String.join("; ", directions.subList(0, shown)),
                                shown < directions.size() ? "; and others" : "",
                                problem.ridge() > 0
                                        ? "The ridge picks the smallest reward among them."
                                        : "Fix the reward of a reference action (`reference-action`), or add a ridge."));
    }

    /** What can be said without looking at derivatives, of which there would be too many. */
    static String unexamined(Problem problem) {
        int states = problem.mdp().states();
        boolean table = problem.reward() instanceof LinearReward linear && linear.isTable();
        if (!table) {
            return "which directions of the reward are identified was not examined: there are too many parameters";
        }
        return problem.reward().stateOnly()
                ? "1 of %d directions of the reward is not identified: the same amount added to every parameter"
                        .formatted(states)
                : ("%d of %d directions of the reward are not identified: for any potential h, h(s) - gamma E h(s') may be"
                                + " added to r(s, a). Fix the reward of a reference action (`reference-action`)")
                        .formatted(states, problem.mdp().rows());
    }
}
