package dev.revealed.app.route;

import dev.revealed.app.Outcome;
import dev.revealed.data.route.PairTable;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import java.util.List;

/**
 * A road network with features and trips, as read.
 *
 * @param clusters of each trip; empty where none were asked for
 * @param notes what a reader of results should know
 */
record RouteInput(
        RouteSource source,
        PairTable table,
        PairFeatures features,
        Trips trips,
        List<String> clusters,
        List<String> notes) {

    /** Names the files on the page of a report. */
    Outcome provenance(Outcome outcome) {
        return outcome.report(page -> page.provenance("network", source.network())
                .provenance("trips", source.trips().orElse(""))
                .provenance("SHA-256 of the files", hash()));
    }

    /** SHA-256 of the files. */
    String hash() {
        return source.hash();
    }
}
