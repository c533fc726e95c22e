package dev.revealed.app.route;

import dev.revealed.app.Main;
import dev.revealed.data.Csv;
import dev.revealed.data.route.PairReader;
import dev.revealed.data.route.PairTable;
import dev.revealed.data.route.PairTable.Definition;
import dev.revealed.data.route.RouteColumns;
import dev.revealed.data.route.TripReader;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where a road network and its trips come from, as results keep it.
 *
 * @param folder where files without a whole path are looked for first: the current one at the time
 * @param network file, empty where it was not given
 * @param columns names by role, where they are not the usual ones
 * @param features names or name=formula
 * @param forbid formula of the pairs that are left out
 */
record RouteSource(
        Optional<String> folder,
        String network,
        Optional<String> links,
        Optional<String> nodes,
        Optional<String> destinations,
        Optional<String> trips,
        Map<String, String> columns,
        List<String> features,
        Optional<String> forbid,
        boolean dropImpossible) {

    RouteSource {
        columns = new LinkedHashMap<>(columns);
        features = List.copyOf(features);
    }

    /** The same with what was typed instead. */
    RouteSource with(RouteSource typed) {
        Map<String, String> both = new LinkedHashMap<>(columns);
        both.putAll(typed.columns);
        return new RouteSource(
                folder,
                typed.network.isEmpty() ? network : typed.network,
                typed.links.or(() -> links),
                typed.nodes.or(() -> nodes),
                typed.destinations.or(() -> destinations),
                typed.trips.or(() -> trips),
                both,
                typed.features.isEmpty() ? features : typed.features,
                typed.forbid.or(() -> forbid),
                typed.dropImpossible || dropImpossible);
    }

    /** The files where they are now: in the folder of that time, or else in the current one. */
    RouteSource located() {
        return new RouteSource(
                folder,
                network.isEmpty() ? network : located(network),
                links.map(this::located),
                nodes.map(this::located),
                destinations.map(this::located),
                trips.map(this::located),
                columns,
                features,
                forbid,
                dropImpossible);
    }

    private String located(String name) {
        Path there = path(folder.orElse("")).resolve(path(name));
        return Files.isRegularFile(there) ? there.toString() : name;
    }

    /** Refuses what a result names and nobody finds. */
    RouteSource checked(Path result) {
        Map<String, Optional<String>> files = new LinkedHashMap<>();
        files.put("--network", Optional.of(network).filter(name -> !name.isEmpty()));
        files.put("--links", links);
        files.put("--nodes", nodes);
        files.put("--destinations", destinations);
        files.put("--trips", trips);
        files.forEach((option, name) -> BadInput.when(
                name.isPresent() && !Files.isRegularFile(path(name.get())),
                "%s names the file %s, which is neither in %s nor in the current folder"
                        .formatted(result, name.orElse(""), folder.orElse("the folder of the estimate")),
                "Put it back, or say where it is: %s FILE.".formatted(option)));
        return this;
    }

    private static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new BadInput("'%s' is not the name of a file".formatted(name), "Name a file that exists.");
        }
    }

    /** The file of trips, where one is named. */
    Optional<Path> tripFile() {
        return file(trips);
    }

    RouteColumns roles() {
        return new RouteColumns(columns);
    }

    List<Definition> definitions() {
        return features.stream()
                .map(text -> Definition.parse("--feature", text))
                .toList();
    }

    /** All files that are named. */
    List<Path> files() {
        return Stream.of(Optional.of(network).filter(name -> !name.isEmpty()), links, nodes, destinations, trips)
                .flatMap(name -> file(name).stream())
                .toList();
    }

    /** SHA-256 of the files. */
    String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : files()) {
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        } catch (IOException e) {
            throw Csv.unreadable(path(network), e);
        }
    }

    /** Reads the network alone. */
    PairTable table(RouteColumns roles, ProgressListener listener) {
        BadInput.when(
                network.isEmpty(),
                "no network is given",
                "Name its file with --network; docs/guide/routes.md shows the format.");
        PairTable all = new PairReader(roles, listener).read(file(network), file(links), file(nodes));
        return forbid.map(formula -> all.without(formula, new LinkedHashSet<>()))
                .orElse(all);
    }

    private static Path file(String name) {
        return Main.existing(path(name));
    }

    private static Optional<Path> file(Optional<String> name) {
        return name.map(RouteSource::file);
    }

    /** Readers of trips and demand on a network, which know its destinations. */
    TripReader tripReader(PairTable table, RouteColumns roles, ProgressListener listener) {
        TripReader reader = new TripReader(table.network(), roles, listener);
        forbid.ifPresent(formula -> reader.forbidding(formula, table.whole()));
        return destinations.isEmpty() ? reader : reader.places(file(destinations.get()));
    }

    /** Reads network, features and trips. */
    RouteInput read(Optional<String> cluster, ProgressListener listener) {
        RouteColumns roles = roles();
        roles.check(files());
        PairTable table = table(roles, listener);
        Set<String> notes = new LinkedHashSet<>();
        PairFeatures values = table.features(definitions(), notes);
        BadInput.when(trips.isEmpty(), "no trips are given", "Name their file with --trips.");
        TripReader.Read read =
                tripReader(table, roles, listener).trips(file(trips.orElseThrow()), cluster, dropImpossible);
        leftOut(read, notes);
        return new RouteInput(this, table, values, read.trips(), read.clusters(), List.copyOf(notes));
    }

    /** Notes which trips the network does not allow, where they were left out. */
    static void leftOut(TripReader.Read read, Set<String> notes) {
        int count = read.left().size();
        if (count > 0) {
            notes.add("%,d %s that the network does not allow %s left out: %s."
                    .formatted(
                            count,
                            count == 1 ? "trip" : "trips",
                            count == 1 ? "was" : "were",
                            TripReader.listed(read.left())));
        }
    }
}
