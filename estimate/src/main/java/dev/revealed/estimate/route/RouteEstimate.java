package dev.revealed.estimate.route;

import dev.revealed.estimate.ParameterRange;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A model of route choice, estimated.
 *
 * @param model {@code rl}, {@code rl-ls}, {@code nrl} or {@code nrl-ls}
 * @param logLikelihood sum over trips
 * @param spectralRadius of the matrix of exponentiated rewards, link size left out; below 1 for recursive logit
 * @param robustCovariance the sandwich H^-1 B H^-1, trips being the independent observations
 * @param hessianCovariance the inverse of minus the Hessian
 * @param scores gradient of each trip's log-probability at the estimate, in the order of trips
 * @param converged whether the gradient vanishes at the estimate
 */
public record RouteEstimate(
        String model,
        double logLikelihood,
        double logLikelihoodAtStart,
        List<Parameter> parameters,
        double[][] robustCovariance,
        double[][] hessianCovariance,
        double[][] scores,
        double spectralRadius,
        int trips,
        long steps,
        int iterations,
        int evaluations,
        boolean converged,
        String status) {

    /**
     * One parameter with three standard errors.
     *
     * @param standardError from the Hessian
     * @param outerProductStandardError from the outer products of the scores of trips
     * @param robustStandardError from both, the one that published tables print
     */
    public record Parameter(
            String name,
            double value,
            double standardError,
            double outerProductStandardError,
            double robustStandardError,
            ParameterRange range) {}

    public RouteEstimate {
        parameters = List.copyOf(parameters);
    }

    public double[] theta() {
        return parameters.stream().mapToDouble(Parameter::value).toArray();
    }

    /** The inverse of the outer products of the scores of trips. */
    public double[][] outerProductCovariance() {
        return Dense.inverse(RouteEstimator.outerProducts(scores))
                .orElseThrow(() -> new BadInput(
                        "the outer products of the scores of %d trips are singular".formatted(trips),
                        "Use more trips, or other standard errors."));
    }

    /** The sandwich with scores summed within clusters of trips, such as the trips of one driver. */
    public double[][] clusteredCovariance(List<String> clusters) {
        Map<String, double[]> sums = new LinkedHashMap<>();
        for (int i = 0; i < scores.length; i++) {
            Vec.axpy(1, scores[i], sums.computeIfAbsent(clusters.get(i), _ -> new double[parameters.size()]));
        }
        double[][] products = RouteEstimator.outerProducts(sums.values().toArray(double[][]::new));
        return Dense.multiply(Dense.multiply(hessianCovariance, products), hessianCovariance);
    }

    /** The same with what was done before the search began. */
    RouteEstimate after(double atStart, int moreIterations, int moreEvaluations) {
        return new RouteEstimate(
                model,
                logLikelihood,
                atStart,
                parameters,
                robustCovariance,
                hessianCovariance,
                scores,
                spectralRadius,
                trips,
                steps,
                iterations + moreIterations,
                evaluations + moreEvaluations,
                converged,
                status);
    }
}
