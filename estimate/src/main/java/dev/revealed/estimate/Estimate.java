package dev.revealed.estimate;

import dev.revealed.numeric.Interval;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

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
        Search search,
        double cpuSeconds,
        double seconds,
        List<String> warnings,
        Optional<double[]> stopped,
        String dataHash)
        implements Search.Found {

    public Estimate {
        warnings = List.copyOf(warnings);
    }

    /** One parameter; the standard error is absent where it could not be found. */
    public record Parameter(String name, double value, OptionalDouble standardError, ParameterRange range) {
        /** A parameter that may be any number. */
        public Parameter(String name, double value, OptionalDouble standardError) {
            this(name, value, standardError, ParameterRange.REAL);
        }

        public Interval interval(double level) {
            return range.interval(value, standardError.orElse(Double.NaN), level);
        }
    }

    /** Parameters that may be any number, with the standard errors that a covariance of the first of them gives. */
    public static List<Parameter> parameters(List<String> names, double[] values, double[][] covariance) {
        return parameters(names, values, covariance, j -> false);
    }

    /** The same, some of which are between 0 and 1. */
    public static List<Parameter> parameters(
            List<String> names, double[] values, double[][] covariance, IntPredicate share) {
        return IntStream.range(0, values.length)
                .mapToObj(j -> {
                    double variance = j < covariance.length ? covariance[j][j] : Double.NaN;
                    return new Parameter(
                            names.get(j),
                            values[j],
                            variance >= 0 ? OptionalDouble.of(Math.sqrt(variance)) : OptionalDouble.empty(),
                            share.test(j) ? ParameterRange.SHARE : ParameterRange.REAL);
                })
                .toList();
    }

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
        if (!converged()) {
            throw new IllegalStateException(method + " did not converge: " + status());
        }
        return this;
    }

    /** How the search ended, the table, and the warnings: what a person wants to see first. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("%s: %s; log-likelihood %s\n"
                .formatted(method, status(), String.format(Locale.ROOT, "%.3f", logLikelihood)));
        text.append(EstimateText.table(parameters));
        warnings.forEach(warning -> text.append("warning: ").append(warning).append('\n'));
        return text.toString();
    }
}
