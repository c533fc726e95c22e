package dev.revealed.estimate;

import dev.revealed.mdp.Likelihood;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Turns parameters into an estimate: scores them exactly, finds how sure we are, and says what is wrong. */
record Report(Problem problem, String method, String dataHash) {
    /** In standard errors: first-order methods stop at a small gradient, not at a maximum to the last digit. */
    private static final double NEAR = 0.1;

    private static final int FEW = 10; // trajectories that standard errors are clustered by

    static String status(boolean converged, int iterations, double gradientNorm) {
        return "%s %s: gradient norm %.2g"
                .formatted(converged ? "converged" : "not converged", Search.after(iterations), gradientNorm);
    }

    /** @param found how the search went; the status is made here, of the exact gradient */
    Estimate estimate(double[] theta, Search found, Clock clock, Optional<double[]> stopped) {
        double cpuSeconds = clock.cpuSeconds();
        double seconds = clock.wallSeconds();
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double[] gradient = new double[theta.length];
        exact.at(theta, gradient);
        double logLikelihood = exact.logLikelihood(theta);
        OptionalDouble choice = problem.demonstrations().hasActions()
                ? OptionalDouble.of(Likelihood.weightedSum(
                        Likelihood.choiceCounts(problem.mdp(), problem.demonstrations()),
                        exact.policy().logPolicy()))
                : OptionalDouble.empty();
        List<String> warnings = new ArrayList<>();
        double[][] covariance = new double[0][];
        boolean converged = found.converged();
        if (Inference.fits(problem)) {
            Inference inference = new Inference(problem, exact, theta);
            warnings.addAll(inference.unidentified());
            Stationarity stationarity = inference.stationarity(gradient);
            if (converged && !stationarity.within(NEAR)) {
                converged = false;
                warnings.add("by gradient and information the maximum is %.2g standard errors away"
                        .formatted(stationarity.distance()));
            }
            if (!converged) {
                warnings.add("no standard errors, since the search has not converged");
            } else if (problem.demonstrations().size() <= theta.length) {
                warnings.add("no standard errors: %d trajectories cannot tell how %d parameters vary"
                        .formatted(problem.demonstrations().size(), theta.length));
            } else if (inference.noVariation()) {
                warnings.add(
                        "no standard errors: all trajectories say the same of the parameters. Perhaps the decisions do not"
                                + " vary; the likelihood may then have no maximum, and the estimate only shows where the search ended");
            } else {
                covariance = inference.covariance().orElse(covariance);
                if (problem.demonstrations().size() < FEW) {
                    warnings.add(
                            "there are only %d trajectories: standard errors clustered by trajectory are too small with so few"
                                    .formatted(problem.demonstrations().size()));
                }
            }
        } else {
            warnings.add(Inference.unexamined(problem));
        }
        double norm = Vec.norm(gradient);
        String status = status(converged, found.iterations(), norm);
        if (!converged) {
            warnings.addFirst(status + "; allow more iterations, take another form or method, or add a ridge");
        }
        return new Estimate(
                method,
                Estimate.parameters(problem.reward().names(), theta, covariance),
                covariance,
                logLikelihood,
                choice,
                OptionalDouble.empty(),
                "sandwich, clustered by trajectory",
                new double[0],
                norm,
                new Search(found.iterations(), converged, status, found.kernelPasses(), found.trace()),
                cpuSeconds,
                seconds,
                warnings,
                stopped,
                dataHash);
    }
}
