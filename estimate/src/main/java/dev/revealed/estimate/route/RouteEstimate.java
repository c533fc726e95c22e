package dev.revealed.estimate.route;

import java.util.List;

/**
 * A model of route choice, estimated.
 *
 * @param model {@code rl}, {@code rl-ls}, {@code nrl} or {@code nrl-ls}
 * @param logLikelihood sum over trips
 * @param spectralRadius of the matrix of exponentiated rewards, link size left out; below 1 for recursive logit
 * @param robustCovariance the sandwich H^-1 B H^-1, trips being the independent observations
 * @param converged whether the gradient vanishes at the estimate
 */
public record RouteEstimate(
        String model,
        double logLikelihood,
        double logLikelihoodAtStart,
        List<Parameter> parameters,
        double[][] robustCovariance,
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
            double robustStandardError) {}

    public RouteEstimate {
        parameters = List.copyOf(parameters);
    }

    public double[] theta() {
        return parameters.stream().mapToDouble(Parameter::value).toArray();
    }
}
