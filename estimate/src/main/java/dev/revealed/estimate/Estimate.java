package dev.revealed.estimate;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The outcome of a fit; immutable, and complete enough to be printed, compared and reproduced.
 *
 * @param logLikelihood the maximised likelihood, without any ridge penalty
 * @param choiceLogLikelihood sum of log pi(a|s) over all observed decisions; absent without actions
 * @param transitionLogLikelihood log-likelihood of the observed moves, where the transition law was estimated
 * @param standardErrors what the standard errors are made of, in words
 * @param spectrum eigenvalues, ascending, of the information brought to one scale: one near zero is a direction the data
 *     leave open; empty where it was not looked at
 * @param gradientNorm Euclidean norm of the exact gradient of the penalised likelihood at the estimate
 * @param kernelPasses passes over the kernel the method itself made
 * @param stopped parameters at the best held-out likelihood, where part of the data was held out
 */
public record Estimate(
        String method,
        List<Parameter> parameters,
        double[][] covariance,
        double logLikelihood,
        OptionalDouble choiceLogLikelihood,
        OptionalDouble transitionLogLikelihood,
        String standardErrors,
        double[] spectrum,
        double gradientNorm,
        int iterations,
        boolean converged,
        String status,
        long kernelPasses,
        double cpuSeconds,
        double seconds,
        List<String> warnings,
        List<TracePoint> trace,
        java.util.Optional<double[]> stopped,
        String dataHash) {

    /** One parameter; the standard error is absent where it could not be found. */
    public record Parameter(String name, double value, OptionalDouble standardError) {}

    /**
     * How a run stood at one iteration; both quantities of Theorem 1 among it.
     *
     * @param gradientNorm norm of the exact gradient at theta_k
     * @param policyError largest |log pi_(k+1) - log pi_theta_k|
     */
    public record TracePoint(
            int iteration,
            long kernelPasses,
            double cpuSeconds,
            double logLikelihood,
            double gradientNorm,
            double policyError,
            OptionalDouble heldOutLogLikelihood) {}

    public double[] theta() {
        return parameters.stream().mapToDouble(Parameter::value).toArray();
    }

    /** The estimate for scripts that want to fail when the fit did. */
    public Estimate orThrow() {
        if (!converged) {
            throw new IllegalStateException(method + " did not converge: " + status);
        }
        return this;
    }
}
