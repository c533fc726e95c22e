package dev.revealed.estimate.choice;

import dev.revealed.estimate.Estimate;
import java.util.List;
import java.util.Optional;

/**
 * What a method found, before anyone has asked how sure it is.
 *
 * @param kind what was maximised, which decides where standard errors come from
 * @param phi parameters of the transition law: those of the first step, unless the method estimates them as well
 * @param status one line on how it ended, with what to try where it failed
 * @param influence for methods that are not maximum likelihood, how much each individual moves theta, both steps taken
 *     together: {@code [individual][parameter]}; the covariance is the sum of their outer products
 * @param simulation covariance that simulation adds, for simulated methods
 */
public record Fit(
        Kind kind,
        double[] theta,
        double[] phi,
        int iterations,
        boolean converged,
        String status,
        long kernelPasses,
        List<Estimate.TracePoint> trace,
        Optional<double[][]> influence,
        Optional<double[][]> simulation,
        List<String> warnings) {

    /** What was maximised. */
    public enum Kind {
        /** The likelihood of the choices, the law of motion being known. */
        LIKELIHOOD,
        /** The likelihood of choices and moves together. */
        FULL_LIKELIHOOD,
        /** Something else: how sure one may be is told by the influence of each individual, or not at all. */
        OTHER
    }

    /** A maximum of the likelihood, whose curvature tells how sure one may be. */
    public static Fit likelihood(
            double[] theta, double[] phi, int iterations, boolean converged, String status, long kernelPasses) {
        return new Fit(
                Kind.LIKELIHOOD,
                theta,
                phi,
                iterations,
                converged,
                status,
                kernelPasses,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    public Fit withTrace(List<Estimate.TracePoint> other) {
        return new Fit(
                kind, theta, phi, iterations, converged, status, kernelPasses, other, influence, simulation, warnings);
    }

    /** The whole likelihood, of which the law of motion is part. */
    Fit ofFullLikelihood() {
        return new Fit(
                Kind.FULL_LIKELIHOOD,
                theta,
                phi,
                iterations,
                converged,
                status,
                kernelPasses,
                trace,
                influence,
                simulation,
                warnings);
    }

    /** What is no likelihood, with the influence of each individual where that could be found. */
    public Fit withInfluence(Optional<double[][]> other) {
        return new Fit(
                Kind.OTHER,
                theta,
                phi,
                iterations,
                converged,
                status,
                kernelPasses,
                trace,
                other,
                simulation,
                warnings);
    }
}
