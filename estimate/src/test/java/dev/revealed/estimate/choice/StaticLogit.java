package dev.revealed.estimate.choice;

import dev.revealed.estimate.Search;
import dev.revealed.mdp.Reward;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;

/** Maximum likelihood where the future does not count, by Newton's method: quick, and small enough to be checked by eye. */
public final class StaticLogit implements PanelMethod {
    @Override
    public String name() {
        return "logit";
    }

    @Override
    public boolean maximisesLikelihood() {
        return true;
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        double[] theta = new double[problem.model().utility().parameters()];
        for (int k = 1; k <= 100; k++) {
            double[] gradient = new double[theta.length];
            double[][] information = information(problem, theta, gradient);
            double[] step = Dense.solve(information, gradient).orElseThrow(() -> new ArithmeticException("singular"));
            theta = Vec.plus(theta, 1, step);
            if (Math.abs(Vec.dot(step, gradient)) < 1e-18) {
                return Fit.likelihood(theta, first.phi(), new Search(k, true, "converged", 0));
            }
        }
        return Fit.likelihood(theta, first.phi(), new Search(100, false, "not converged", 0));
    }

    /** Sum over decisions of the variance of the features; also adds the gradient. */
    public static double[][] information(ChoiceProblem problem, double[] theta, double[] gradient) {
        if (problem.model().discount() != 0) {
            throw new IllegalArgumentException("the future counts");
        }
        Reward utility = problem.model().utility();
        int p = theta.length;
        int actions = problem.model().actions().size();
        double[] counts = problem.choiceCounts();
        double[] value = new double[utility.rows()];
        utility.values(theta, value);
        double[][] feature = new double[p][utility.rows()];
        for (int j = 0; j < p; j++) {
            utility.derivative(theta, j, feature[j]);
        }
        double[][] information = new double[p][p];
        for (int first = 0; first < value.length; first += actions) {
            double sum = 0;
            double visits = 0;
            for (int row = first; row < first + actions; row++) {
                sum += Math.exp(value[row]);
                visits += counts[row];
            }
            for (int j = 0; j < p; j++) {
                double mean = 0;
                for (int row = first; row < first + actions; row++) {
                    mean += Math.exp(value[row]) / sum * feature[j][row];
                }
                for (int row = first; row < first + actions; row++) {
                    gradient[j] += counts[row] * (feature[j][row] - mean);
                    for (int l = 0; l < p; l++) {
                        information[j][l] +=
                                visits * Math.exp(value[row]) / sum * (feature[j][row] - mean) * feature[l][row];
                    }
                }
            }
        }
        return information;
    }
}
