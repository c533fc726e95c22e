package dev.revealed.app.route;

import dev.revealed.runs.Provenance;
import dev.revealed.settings.Part;

/**
 * What {@code result.json} has of every fit to trips; documents of one model or another add what is their own.
 *
 * @param method nfxp: the maximum of the likelihood, values solved at every step; ml-irl: Algorithm 1
 * @param choiceLogLikelihood the same as the log-likelihood, since links are entered for sure
 * @param seconds of the search
 */
@Part
record RouteFit(
        String method,
        String model,
        double logLikelihood,
        double choiceLogLikelihood,
        double logLikelihoodPerTrip,
        double logLikelihoodPerStep,
        double spectralRadius,
        int iterations,
        boolean converged,
        String status,
        double seconds,
        long seed,
        String dataHash,
        String version) {

    /** Where a search ended. */
    record Search(
            String method, double spectralRadius, int iterations, boolean converged, String status, double seconds) {}

    static RouteFit of(String model, double logLikelihood, RouteInput input, Search search, long seed) {
        RouteSize size = RouteSize.of(input.trips());
        return new RouteFit(
                search.method,
                model,
                logLikelihood,
                logLikelihood,
                logLikelihood / size.trips(),
                logLikelihood / Math.max(1, size.steps()),
                search.spectralRadius,
                search.iterations,
                search.converged,
                search.status,
                search.seconds,
                seed,
                input.hash(),
                Provenance.currentVersion());
    }
}
