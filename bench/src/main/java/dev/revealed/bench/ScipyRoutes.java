package dev.revealed.bench;

import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The same recursive logit in Python with SciPy on one thread: sparse LU for all destinations at once, BFGS from -1.5.
 *
 * @param version of SciPy; empty where it was not measured
 * @param note why it was not measured; empty where it was
 */
record ScipyRoutes(
        String version,
        double likelihood,
        double withGradient,
        double estimate,
        int evaluations,
        double logLikelihood,
        String note) {

    static ScipyRoutes missing(String reason) {
        return new ScipyRoutes("", Double.NaN, Double.NaN, Double.NaN, 0, Double.NaN, reason);
    }

    boolean measured() {
        return !version.isEmpty();
    }

    static ScipyRoutes run(Trips trips, PairFeatures features, List<String> python, Duration limit) {
        try {
            Path folder = Files.createTempDirectory("revealed-scipy-");
            try {
                return run(trips, features, python, limit, folder);
            } finally {
                delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ScipyRoutes run(Trips trips, PairFeatures features, List<String> python, Duration limit, Path folder)
            throws IOException {
        write(trips, features, folder);
        Path script = folder.resolve("scipy_routes.py");
        try (InputStream own = Objects.requireNonNull(ScipyRoutes.class.getResourceAsStream("scipy_routes.py"))) {
            Files.copy(own, script);
        }
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(
                            Stream.concat(python.stream(), Stream.of(script.toString(), folder.toString()))
                                    .toList())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            for (String library : List.of("OMP", "OPENBLAS", "MKL")) {
                builder.environment().put(library + "_NUM_THREADS", "1");
            }
            process = builder.start();
        } catch (IOException e) {
            return missing("SciPy was NOT measured: %s cannot be started.".formatted(python.getFirst()));
        }
        if (!ended(process, limit)) {
            return missing("SciPy was NOT measured: it was stopped after %d seconds.".formatted(limit.toSeconds()));
        }
        if (process.exitValue() != 0) {
            List<String> said = lines(err);
            return missing("SciPy was NOT measured: Python said: "
                    + (said.isEmpty() ? "nothing" : said.getLast().strip()));
        }
        return read(lines(out));
    }

    static ScipyRoutes read(List<String> lines) {
        return lines.size() != 6
                ? missing("SciPy was NOT measured: its script printed %d lines instead of 6.".formatted(lines.size()))
                : new ScipyRoutes(
                        lines.get(0),
                        Double.parseDouble(lines.get(1)),
                        Double.parseDouble(lines.get(2)),
                        Double.parseDouble(lines.get(3)),
                        Integer.parseInt(lines.get(4)),
                        Double.parseDouble(lines.get(5)),
                        "");
    }

    private static boolean ended(Process process, Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }

    private static void write(Trips trips, PairFeatures features, Path folder) throws IOException {
        ints(folder.resolve("start"), Arrays.stream(trips.network().start()));
        ints(folder.resolve("to"), Arrays.stream(trips.network().to()));
        doubles(folder.resolve("features"), features.values());
        List<int[]> ends =
                trips.destinations().stream().map(Destination::lastLinks).toList();
        int[] endStart = new int[ends.size() + 1];
        for (int d = 0; d < ends.size(); d++) {
            endStart[d + 1] = endStart[d] + ends.get(d).length;
        }
        ints(folder.resolve("end_start"), Arrays.stream(endStart));
        ints(folder.resolve("ends"), ends.stream().flatMapToInt(Arrays::stream));
        ints(folder.resolve("origin"), trips.list().stream().mapToInt(Trip::origin));
        ints(folder.resolve("destination"), trips.list().stream().mapToInt(Trip::destination));
        doubles(
                folder.resolve("observed"),
                trips.list().stream()
                        .map(trip -> features.along(trips.network(), trip.links()))
                        .toArray(double[][]::new));
    }

    private static void ints(Path file, IntStream values) throws IOException {
        int[] all = values.toArray();
        ByteBuffer bytes = ByteBuffer.allocate(4 * all.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(all);
        Files.write(file, bytes.array());
    }

    private static void doubles(Path file, double[][] rows) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8 * rows.length * rows[0].length).order(ByteOrder.LITTLE_ENDIAN);
        for (double[] row : rows) {
            for (double value : row) {
                bytes.putDouble(value);
            }
        }
        Files.write(file, bytes.array());
    }

    private static List<String> lines(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            return; // what stays of a temporary folder is no reason to fail
        }
    }
}
