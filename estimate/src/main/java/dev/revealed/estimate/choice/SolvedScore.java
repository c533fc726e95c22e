package dev.revealed.estimate.choice;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.stats.ChiSquared;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A test of an estimate that was found without solving the model. The model is solved at the estimate, and the score of the
 * choices there says how far the maximum of the likelihood is: one Newton step away. Where the estimator is consistent that
 * step is sampling error alone, and its covariance is known from what each individual adds to either estimate (Hausman
 * 1978). A step beyond it says that the estimate is biased, or that the transition law is not the one that made the data.
 *
 * <p>In large samples the test finds any bias, however small. The warning therefore rests on a second, conservative number,
 * which is no test statistic: the covariance of the step is first increased by that of the estimate, times a quarter squared.
 *
 * @param step from the estimate towards the maximum of the likelihood, by parameter
 * @param statistic Hausman's: the squared length of the step in its own standard errors; in large samples chi-squared with
 *     one degree of freedom for each parameter where the estimator is consistent. Empty where the covariance is singular
 * @param pValue probability of a larger statistic then
 * @param standardErrors the same as a number of standard errors of one normal variable: twice its upper tail is the p-value
 * @param conservative the like number after the allowance, which decides whether there is a warning
 */
public record SolvedScore(
        double[] step,
        OptionalDouble statistic,
        OptionalDouble pValue,
        OptionalDouble standardErrors,
        double conservative) {
    /** Conservative numbers of standard errors up to this are no reason for a warning. */
    public static final double LIMIT = 2;

    /** Share of the estimate's own standard error that is allowed for. */
    private static final double ALLOWANCE = 0.25;

    /** What the chi-squared tail does not reach. */
    private static final double LEAST = 1e-15;

    /** Of an estimate without simulation. */
    public static Optional<SolvedScore> of(
            ChoiceProblem problem, FirstStage first, double[] theta, double[][] influence) {
        return of(problem, first, theta, influence, new double[theta.length][theta.length]);
    }

    /**
     * @param influence how much each individual moves the estimate, {@code [individual][parameter]}
     * @param simulation covariance that simulation adds to the estimate's
     * @return empty where the model cannot be solved at theta, or the choices there do not tell the parameters apart
     */
    public static Optional<SolvedScore> of(
            ChoiceProblem problem, FirstStage first, double[] theta, double[][] influence, double[][] simulation) {
        Optional<Solved> found = Solved.at(problem, first, theta);
        if (found.isEmpty() || Arrays.stream(influence).anyMatch(own -> !Vec.isFinite(own))) {
            return Optional.empty();
        }
        Solved solved = found.get();
        double[][] moments = moments(problem, first, solved.rowScores, solved.cross);
        double[][] difference = new double[moments.length][];
        Arrays.setAll(difference, i -> Vec.plus(Dense.multiply(solved.inverse, moments[i]), -1, influence[i]));
        Clusters clusters = Clusters.of(problem.panel());
        double[] mean = clusters.mean(difference);
        double[][] centred = new double[moments.length][];
        Arrays.setAll(centred, i -> Vec.plus(difference[i], -1, mean));
        return of(solved.step, clusters.covariance(centred), clusters.covariance(influence), simulation);
    }

    /**
     * The model solved at an estimate.
     *
     * @param inverse of the information
     * @param rowScores {@code [parameter][row]}
     * @param cross how scores move with the law, {@code [parameter][parameter of the law]}
     */
    public record Solved(double[][] inverse, double[] step, double[][] rowScores, double[][] cross) {
        /** Empty where the model cannot be solved there, or the choices do not tell the parameters apart. */
        public static Optional<Solved> at(ChoiceProblem problem, FirstStage first, double[] theta) {
            RowScores solved = new RowScores(problem.model(), problem.choiceCounts(), first.phi(), false);
            try {
                solved.solve(theta);
            } catch (ArithmeticException unsolved) {
                return Optional.empty();
            }
            double[][] rowScores = solved.scores(theta);
            return Dense.inverse(solved.information())
                    .map(inverse -> new Solved(
                            inverse, Dense.multiply(inverse, solved.gradient()), rowScores, solved.crossInformation()));
        }
    }

    /**
     * @param difference covariance of the step, but for simulation
     * @param own covariance of the estimate, likewise
     */
    public static Optional<SolvedScore> of(
            double[] step, double[][] difference, double[][] own, double[][] simulation) {
        int p = step.length;
        double[][] covariance = new double[p][];
        for (int j = 0; j < p; j++) {
            covariance[j] = Vec.plus(difference[j], 1, simulation[j]);
        }
        OptionalDouble statistic = squaredLength(step, covariance);
        for (int j = 0; j < p; j++) {
            covariance[j] = Vec.plus(covariance[j], ALLOWANCE * ALLOWANCE, simulation[j]);
            covariance[j] = Vec.plus(covariance[j], ALLOWANCE * ALLOWANCE, own[j]);
        }
        OptionalDouble allowed = squaredLength(step, covariance);
        if (allowed.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new SolvedScore(
                step,
                statistic,
                statistic.isEmpty() ? statistic : OptionalDouble.of(ChiSquared.upperTail(statistic.getAsDouble(), p)),
                statistic.isEmpty() ? statistic : OptionalDouble.of(standardErrors(statistic.getAsDouble(), p)),
                standardErrors(allowed.getAsDouble(), p)));
    }

    private static OptionalDouble squaredLength(double[] step, double[][] covariance) {
        return Dense.solve(covariance, step).stream()
                .mapToDouble(weighted -> Math.max(0, Vec.dot(step, weighted)))
                .findFirst();
    }

    private static double standardErrors(double statistic, int parameters) {
        double tail = ChiSquared.upperTail(statistic, parameters);
        return tail > LEAST ? Normal.quantile(1 - tail / 2) : Math.sqrt(statistic);
    }

    /** What each unit adds to the equations of the two-step maximum: its score, and what it does to the law. */
    private static double[][] moments(ChoiceProblem problem, FirstStage first, double[][] rowScores, double[][] cross) {
        int[][] paths = problem.chosenRows();
        double[][] moments = new double[problem.panel().units()][rowScores.length];
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
        return conservative <= LIMIT;
    }

    /** For the status of an estimate. */
    public String describe() {
        String allowed =
                "%.1f with an allowance of a quarter of the estimate's own standard error, where more than 2 is a warning"
                        .formatted(conservative);
        return standardErrors.isEmpty()
                ? "the likelihood's maximum is so many standard errors of the difference away: " + allowed
                : "the likelihood's maximum is %.1f standard errors of the difference away, %s"
                        .formatted(standardErrors.getAsDouble(), allowed);
    }

    /** What to say where it is not passed. */
    public String warning() {
        return ("the score of the solved model says that the likelihood's maximum is %.1f standard errors of the difference"
                        + " away, even with an allowance of a quarter of the estimate's own: the estimate is biased, or the transition law is not that of the data; compare nfxp, or"
                        + " with td-ccp another `basis`")
                .formatted(conservative);
    }
}
