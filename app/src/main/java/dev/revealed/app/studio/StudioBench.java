package dev.revealed.app.studio;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How quickly the local page answers and what it costs: its start, a long list of runs, lines of runs that train, and a
 * slider of a choice model. The server is a program of its own, as for users, and this one is its client.
 *
 * @param runs in the long list
 * @param live runs that grow at the same time
 * @param seconds for which they grow
 */
public record StudioBench(ServerProcess.Launcher launcher, int runs, int live, int seconds) {
    private static final int LINES_PER_SECOND = 10; // of each run that grows
    private static final int SLIDES = 60;
    private static final int TRAINING_STEPS = 400; // of each run that trains
    private static final double FIRST = 1000; // milliseconds until there is something to see

    /**
     * @param aim none where a row is shown for comparison only
     * @param reached whether the value is at most the aim
     */
    public record Row(String what, double value, String unit, Optional<Double> aim, Optional<Boolean> reached) {
        private static Row of(String what, double value, String unit) {
            return new Row(what, value, unit, Optional.empty(), Optional.empty());
        }

        private static Row of(String what, double value, String unit, double aim) {
            return new Row(what, value, unit, Optional.of(aim), Optional.of(value <= aim));
        }
    }

    /**
     * @param load jobs that wanted a core when it began, as the system counts them; negative where it does not
     * @param cores of this machine
     */
    public record Result(int runs, int live, int seconds, double load, int cores, List<Row> rows, List<String> notes) {}

    public StudioBench {
        BadInput.when(
                runs < 1 || live < 1 || seconds < 1,
                "%d runs, %d that grow, %d seconds".formatted(runs, live, seconds),
                "Measure at least one of each.");
    }

    /**
     * Measures everything.
     *
     * @param published a folder with runs to start on
     * @param training whether runs of Hopper are trained beside it, which takes some minutes
     */
    public Result run(Path published, boolean training, ProgressListener listener) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        List<Row> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        try {
            Path top = Files.createTempDirectory("revealed-bench-studio");
            try {
                int parts = training ? 5 : 4;
                listener.progress("start", 0, parts);
                start(published, rows, notes);
                listener.progress("list", 1, parts);
                list(top.resolve("many"), rows);
                listener.progress("live", 2, parts);
                live(top.resolve("live"), rows);
                listener.progress("slider", 3, parts);
                slider(top.resolve("fits"), rows);
                if (training) {
                    listener.progress("training", 4, parts);
                    training(top.resolve("training"), rows);
                }
            } finally {
                remove(top);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInput("the benchmark was interrupted", "Start it again.");
        }
        return new Result(
                runs, live, seconds, load, Runtime.getRuntime().availableProcessors(), List.copyOf(rows), notes);
    }

    private static double millis(long from) {
        return (System.nanoTime() - from) / 1e6;
    }

    private void start(Path published, List<Row> rows, List<String> notes) throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start(launcher, published)) {
            rows.add(Row.of("start of the server", server.startMillis(), "ms", FIRST));
            Optional<Path> found = Browser.find();
            if (found.isEmpty()) {
                notes.add("There is no Chromium here, so nothing was painted.");
            } else {
                paint(server, found.get(), "published runs", rows);
            }
        }
    }

    /** Until the browser shows something, and until the list and its first curves are drawn. */
    private static void paint(ServerProcess server, Path browser, String of, List<Row> rows)
            throws IOException, InterruptedException {
        try (Browser shown = Browser.start(browser)) {
            shown.open(server.address());
            rows.add(Row.of(
                    "first paint, " + of,
                    shown.run("performance.getEntriesByName('first-contentful-paint')[0].startTime")
                            .asDouble(),
                    "ms",
                    FIRST));
            rows.add(Row.of(
                    "list and curves drawn, " + of,
                    shown.run("performance.now()").asDouble(),
                    "ms"));
            rows.add(Row.of("errors in the browser's console, " + of, shown.errors.size(), "", 0));
        }
    }

    private void list(Path folder, List<Row> rows) throws IOException, InterruptedException {
        for (int i = 0; i < runs; i++) {
            Path run = small(folder.resolve("run-" + i), i);
            for (int step = 1; step <= 10; step++) {
                line(run, step, Map.of("testReturn", 100.0 * step + i));
            }
            Files.writeString(run.resolve(RunFiles.RESULT), Json.write(Map.of("task", "hopper", "meanReturn", i)));
        }
        try (ServerProcess server = ServerProcess.start(launcher, folder)) {
            String of = runs + " runs";
            long begin = System.nanoTime();
            server.get("/api/runs");
            rows.add(Row.of("list of %s, at first".formatted(of), millis(begin), "ms", FIRST));
            begin = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                server.get("/api/runs");
            }
            rows.add(Row.of("list of %s, again".formatted(of), millis(begin) / 10, "ms"));
            Optional<Path> browser = Browser.find();
            if (browser.isPresent()) {
                paint(server, browser.get(), of, rows);
            }
        }
    }

    /** A run of which only the seed differs from others, eight to a setting. */
    private static Path small(Path folder, int number) throws IOException {
        Files.createDirectories(folder);
        List<String> command = List.of("expert", "--task", "hopper", "--seed", Integer.toString(number % 8));
        Map<String, Object> settings = Map.of("task", "hopper", "learning-rate", 1e-4 * (1 + number / 8));
        Files.writeString(
                folder.resolve(RunFiles.SPEC), Json.write(RunSpec.of(Provenance.of(number % 8, command), settings)));
        return folder;
    }

    private static void line(Path run, long step, Map<String, ?> more) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>(more);
        fields.put("step", 1000 * step);
        Files.writeString(
                run.resolve(RunFiles.METRICS),
                Json.line(fields) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** Lines carry the time at which they were written. */
    private void live(Path folder, List<Row> rows) throws IOException, InterruptedException {
        List<Path> growing = new ArrayList<>();
        for (int i = 0; i < live; i++) {
            growing.add(small(folder.resolve("run-" + i), i));
            line(growing.getLast(), 0, Map.of("testReturn", 0));
        }
        try (ServerProcess server = ServerProcess.start(launcher, folder);
                ServerProcess.Listener heard = server.listen();
                ScheduledExecutorService writers = Executors.newScheduledThreadPool(1)) {
            server.get("/api/runs");
            Thread.sleep(1000); // until it has looked once
            double before = server.cpuSeconds();
            List<Future<?>> started = new ArrayList<>();
            for (int i = 0; i < live; i++) {
                Path run = growing.get(i);
                int[] step = {0};
                long period = TimeUnit.SECONDS.toMicros(1) / LINES_PER_SECOND;
                started.add(writers.scheduleAtFixedRate(
                        () -> {
                            try {
                                line(run, ++step[0], Map.of("testReturn", 1, "sent", System.nanoTime() / 1e6));
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        i * period / live,
                        period,
                        TimeUnit.MICROSECONDS));
            }
            long peak = 0;
            for (int i = 0; i < seconds; i++) {
                Thread.sleep(1000);
                peak = Math.max(peak, server.residentBytes());
            }
            started.forEach(each -> each.cancel(false));
            double share = (server.cpuSeconds() - before) / seconds;
            double[] late = heard.delays();
            String of = "%d runs of %d lines a second".formatted(live, LINES_PER_SECOND);
            rows.add(Row.of("a line until the client has it, median, " + of, quantile(late, 0.5), "ms"));
            rows.add(Row.of("a line until the client has it, 95 %, " + of, quantile(late, 0.95), "ms", 250));
            rows.add(Row.of("lines that came", 100.0 * late.length / (live * LINES_PER_SECOND * seconds), "%"));
            rows.add(Row.of("memory of the server, most, " + of, peak / 1e6, "MB", 100));
            rows.add(Row.of("one core's time that the server takes, " + of, 100 * share, "%"));
        }
    }

    private static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
    }

    /** A slider of a fitted bus engine model, with a demand curve of 25 values. */
    private void slider(Path folder, List<Row> rows) throws IOException, InterruptedException {
        Path panel = folder.resolve("panel");
        Path fit = folder.resolve("fit");
        ServerProcess.run(launcher, List.of("simulate", "--model=rust-bus", "--out=" + panel));
        ServerProcess.run(
                launcher,
                List.of(
                        "estimate",
                        "--model=rust-bus",
                        "--method=nfxp",
                        "--data=" + panel.resolve("panel.csv"),
                        "--out=" + fit));
        try (ServerProcess server = ServerProcess.start(launcher, fit)) {
            String id = server.onlyRun();
            for (String intervals : List.of("none", "delta")) {
                double[] took = new double[SLIDES];
                double before = server.cpuSeconds();
                for (int i = 0; i < SLIDES; i++) {
                    if (i == SLIDES / 2) {
                        before = server.cpuSeconds();
                    }
                    long begin = System.nanoTime();
                    server.post(
                            "/api/runs/%s/counterfactual".formatted(id),
                            Map.of(
                                    "set",
                                    List.of("RC=" + (5 + 0.01 * i)),
                                    "demand",
                                    "RC=3:20:25",
                                    "intervals",
                                    intervals));
                    took[i] = millis(begin);
                }
                double[] later = Arrays.copyOfRange(took, SLIDES / 2, SLIDES);
                String of = intervals.equals("none") ? "without intervals" : "with delta intervals";
                rows.add(Row.of("a slider's answer, %s, the first".formatted(of), took[0], "ms"));
                rows.add(
                        intervals.equals("none")
                                ? Row.of("a slider's answer, %s, median".formatted(of), quantile(later, 0.5), "ms", 30)
                                : Row.of("a slider's answer, %s, median".formatted(of), quantile(later, 0.5), "ms"));
                rows.add(Row.of("processor time of it", 1000 * (server.cpuSeconds() - before) / later.length, "ms"));
            }
        }
    }

    /**
     * The share of all cores' time that the server takes while runs train: by so much runs are slower that use all cores.
     * Comparing two trainings would need a machine that does nothing else.
     */
    private void training(Path folder, List<Row> rows) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        try (ServerProcess server = ServerProcess.start(launcher, folder);
                ServerProcess.Listener heard = server.listen()) {
            server.get("/api/runs");
            double before = server.cpuSeconds();
            long begin = System.nanoTime();
            double trained = ServerProcess.run(
                    launcher,
                    List.of(
                            "expert",
                            "--task=hopper",
                            "--seeds=1-" + live,
                            "--at-once=" + live,
                            "--steps=" + TRAINING_STEPS,
                            "--random-steps=" + TRAINING_STEPS / 4,
                            "--replay=" + TRAINING_STEPS,
                            "--checkpoint-every=" + TRAINING_STEPS,
                            "--evaluate-every=" + TRAINING_STEPS / 10,
                            "--episodes=1",
                            "--out=" + folder.resolve("runs")));
            double watched = server.cpuSeconds() - before;
            rows.add(Row.of("lines of %d runs that train, which came".formatted(live), heard.rows(), ""));
            rows.add(Row.of("processor time of their training", trained, "s"));
            double all = millis(begin) / 1000 * Runtime.getRuntime().availableProcessors();
            rows.add(Row.of("all cores' time that the server takes meanwhile", 100 * watched / all, "%", 2));
            rows.add(Row.of("memory of the server then", server.residentBytes() / 1e6, "MB", 100));
        }
    }

    private static void remove(Path top) throws IOException {
        try (Stream<Path> files = Files.walk(top)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
