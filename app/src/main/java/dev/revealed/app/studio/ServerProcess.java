package dev.revealed.app.studio;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page's server as a program of its own, and a client of it. */
public final class ServerProcess implements AutoCloseable {
    /** The words that start a command of ours in a program of its own. */
    @FunctionalInterface
    public interface Launcher {
        List<String> words(List<String> command);
    }

    private static final Pattern SENT = Pattern.compile("\"sent\":([0-9.eE+]+)");
    private static final Pattern RUN = Pattern.compile("\"id\":\"([0-9a-f]+)\"");

    private final Process process;
    private final URI address;
    private final double startMillis;
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    private ServerProcess(Process process, URI address, double startMillis) {
        this.process = process;
        this.address = address;
        this.startMillis = startMillis;
    }

    static ServerProcess start(Launcher launcher, Path folder) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(launcher.words(List.of("studio", folder.toString(), "--no-open")))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        while (line != null && !line.startsWith("http")) {
            line = lines.readLine();
        }
        if (line == null) {
            throw new BadInput("the page's server ended at once", "Try ./revealed studio " + folder);
        }
        ServerProcess server = new ServerProcess(process, URI.create(line.strip()), (System.nanoTime() - begin) / 1e6);
        server.send(HttpRequest.newBuilder(server.address));
        return server;
    }

    /** From its command to its address. */
    double startMillis() {
        return startMillis;
    }

    URI address() {
        return address;
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(address.resolve(path));
    }

    String get(String path) throws IOException, InterruptedException {
        return send(to(path));
    }

    String post(String path, Map<String, ?> fields) throws IOException, InterruptedException {
        return send(to(path).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.line(fields))));
    }

    /** The id of the one run that is served. */
    String onlyRun() throws IOException, InterruptedException {
        Matcher found = RUN.matcher(get("/api/runs"));
        if (!found.find()) {
            throw new BadInput("the server lists no run", "This is a defect of the benchmark.");
        }
        return found.group(1);
    }

    double cpuSeconds() {
        return seconds(process.info().totalCpuDuration().orElse(Duration.ZERO));
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    long residentBytes() throws IOException {
        Process ps = new ProcessBuilder("ps", "-o", "rss=", "-p", Long.toString(process.pid())).start();
        return 1024 * Long.parseLong(new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
    }

    /** Someone who reads the event stream. */
    final class Listener implements AutoCloseable {
        private final List<Double> delays = Collections.synchronizedList(new ArrayList<>());
        private final AtomicInteger rows = new AtomicInteger();
        private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::read);

        private void read() {
            try {
                client.send(to("/api/events").build(), HttpResponse.BodyHandlers.ofLines())
                        .body()
                        .forEach(line -> {
                            double now = System.nanoTime() / 1e6;
                            if (line.contains("\"rows\":[{")) {
                                rows.incrementAndGet();
                            }
                            Matcher sent = SENT.matcher(line);
                            while (sent.find()) {
                                delays.add(now - Double.parseDouble(sent.group(1)));
                            }
                        });
            } catch (IOException | java.io.UncheckedIOException e) {
                // the server has ended
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Milliseconds from writing a line until it was here. */
        double[] delays() {
            synchronized (delays) {
                return delays.stream().mapToDouble(each -> each).toArray();
            }
        }

        int rows() {
            return rows.get();
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }

    Listener listen() {
        Listener listener = new Listener();
        listener.thread.start();
        return listener;
    }

    /** Runs a command to its end: the processor time that it took. */
    static double run(Launcher launcher, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(launcher.words(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Duration took = Duration.ZERO;
        while (!process.waitFor(Duration.ofMillis(200))) {
            took = process.info().totalCpuDuration().orElse(took);
        }
        if (process.exitValue() != 0) {
            throw new BadInput(
                    "'%s' ended with %d".formatted(String.join(" ", command), process.exitValue()),
                    "Run it alone to see why.");
        }
        return seconds(took);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(Duration.ofSeconds(5))) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
    }
}
