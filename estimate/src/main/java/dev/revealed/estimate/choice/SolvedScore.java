package dev.revealed.estimate.choice;

import dev.revealed.numeric.ChiSquared;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.Optional;

/**
 * A test of an estimate that was found without solving the model. The model is solved at the estimate, and the score of the
 * choices there says how far the maximum of the likelihood is: one Newton step away. Where the estimator is consistent that
 * step is sampling error alone, and its covariance is known from what each individual adds to either estimate (Hausman
 * 1978). A step beyond it says that the estimate is biased, or that the transition law is not the one that made the data.
 *
 * @param step from the estimate towards the maximum of the likelihood, by parameter
 * @param statistic the squared length of the step in its own standard errors, chi-squared where the estimator is consistent
 * @param pValue how likely a longer step would be then
 * @param standardErrors the length of the step as the number of standard errors of a single normal variable that is as
 *     unlikely
 */
public record SolvedScore(double[] step, double statistic, double pValue, double standardErrors) {
    /** Steps of fewer standard errors are no reason for a warning. */
    public static final double LIMIT = 2;

    /**
     * A step as small as this share of the estimate's own standard error does no harm, whatever its own: it is added to the
     * step's standard error.
     */
    private static final double HARMLESS = 0.25;

    /** What the chi-squared tail does not reach. */
    private static final double LEAST = 1e-15;

    /**
     * @param influence how much each individual moves the estimate, {@code [individual][parameter]}
     * @return empty where the model cannot be solved at theta, or the choices there do not tell the parameters apart
     */
    public static Optional<SolvedScore> of(
            ChoiceProblem problem, FirstStage first, double[] theta, double[][] influence) {
        RowScores solved = new RowScores(problem.model(), problem.choiceCounts(), first.phi(), false);
        try {
            solved.solve(theta);
        } catch (ArithmeticException unsolved) {
            return Optional.empty();
        }
        double[][] rowScores = solved.scores(theta);
        Optional<double[][]> inverse = Dense.inverse(solved.information());
        if (inverse.isEmpty() || Arrays.stream(influence).anyMatch(own -> !Vec.isFinite(own))) {
            return Optional.empty();
        }
        double[] step = Dense.multiply(inverse.get(), solved.gradient());
        double[][] moments = moments(problem, first, rowScores, solved.crossInformation());
        int n = moments.length;
        int p = theta.length;
        double[][] difference = new double[n][];
        Arrays.setAll(difference, i -> Vec.plus(Dense.multiply(inverse.get(), moments[i]), -1, influence[i]));
        double[] mean = Observations.sum(1.0 / n, difference);
        double[][] covariance = new double[p][p];
        for (int i = 0; i < n; i++) {
            Observations.addOuter(1, Vec.plus(difference[i], -1, mean), covariance);
            Observations.addOuter(HARMLESS * HARMLESS, influence[i], covariance);
        }
        Optional<double[]> weighted = Dense.solve(covariance, step);
        if (weighted.isEmpty()) {
            return Optional.empty();
        }
        double statistic = Math.max(0, Vec.dot(step, weighted.get()));
        double pValue = ChiSquared.upperTail(statistic, p);
        double size = pValue > LEAST ? Normal.quantile(1 - pValue / 2) : Math.sqrt(statistic);
        return Optional.of(new SolvedScore(step, statistic, pValue, size));
    }

    /** What each individual adds to the equations of the two-step maximum: its score, and what it does to the law. */
    private static double[][] moments(ChoiceProblem problem, FirstStage first, double[][] rowScores, double[][] cross) {
        int[][] paths = problem.chosenRows();
        double[][] moments = new double[paths.length][rowScores.length];
        for (int j = 0; j < rowScores.length; j++) {
            double[] direction = Arrays.stream(cross[j]).map(x -> -x).toArray();
            first.addInfluence(problem, direction, j, moments);
            for (int i = 0; i < paths.length; i++) {
                moments[i][j] += ChoiceProblem.sum(rowScores[j], paths[i]);
            }
        }
        return moments;
    }

    public boolean passed() {
        return standardErrors <= LIMIT;
    }

    /** For the status of an estimate. */
    public String describe() {
        return "the likelihood's maximum is %.1f standard errors away".formatted(standardErrors);
    }

    /** What to say where it is not passed. */
    public String warning() {
        return ("the score of the solved model says that the likelihood's maximum is %.1f standard errors of the difference"
                        + " away: the estimate is biased, or the transition law is not that of the data; compare nfxp, or"
                        + " another `basis`")
                .formatted(standardErrors);
    }
}
