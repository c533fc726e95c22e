package dev.revealed.app.route;

import dev.revealed.app.Outcome;
import dev.revealed.data.Csv;
import dev.revealed.data.route.PairTable;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

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
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String file : Stream.of(
                            Stream.of(source.network()),
                            source.links().stream(),
                            source.nodes().stream(),
                            source.destinations().stream(),
                            source.trips().stream())
                    .flatMap(name -> name)
                    .toList()) {
                digest.update(bytes(Path.of(file)));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw Csv.unreadable(file, e);
        }
    }
}
