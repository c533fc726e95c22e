package dev.revealed.studio;

import com.sun.net.httpserver.HttpExchange;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.MetricsReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The event stream: lines that are added to metrics, and changes of the list of runs. One thread looks at the sizes of all
 * files that may grow, ten times a second, and only while somebody listens: training is not disturbed, and disks of other
 * machines, whose changes are not reported here, are seen as well.
 */
final class LiveRows implements AutoCloseable {
    private static final int PERIOD = 100; // milliseconds
    private static final int PERIODS_PER_LIST = 20; // of looking for new, ended or failed runs
    private static final int ALIVE = 15; // seconds
    private static final int MOST_LISTENERS = 32;
    private static final int MOST_WAITING = 10_000; // events for a listener who does not read them

    private final Catalogue catalogue;
    private final Consumer<Throwable> defects;
    private final Set<String> told = new HashSet<>(); // defects, each once
    private final Map<String, Long> read = new HashMap<>(); // bytes of metrics that were told, by run
    private final Set<BlockingQueue<String>> listeners = ConcurrentHashMap.newKeySet();
    private final Semaphore places = new Semaphore(MOST_LISTENERS);
    private final Thread thread;
    private int lastListing;

    LiveRows(Catalogue catalogue, Consumer<Throwable> defects) {
        this.catalogue = catalogue;
        this.defects = defects;
        thread = Thread.ofPlatform().daemon().name("revealed-studio-watch").start(this::watch);
    }

    /** Lines of a run's metrics from one byte to another. */
    private record Added(String run, long from, long to, List<Map<String, Double>> rows) {}

    private record Reset(String run) {}

    private void watch() {
        for (int round = 0; !Thread.currentThread().isInterrupted(); round++) {
            try {
                Thread.sleep(PERIOD);
            } catch (InterruptedException e) {
                return;
            }
            if (listeners.isEmpty()) {
                read.clear(); // those who come later read the files first
                continue;
            }
            try {
                look(round);
            } catch (BadInput e) {
                // a folder that cannot be read now may be readable later
            } catch (RuntimeException e) {
                if (told.add(e.toString())) {
                    defects.accept(e);
                }
            }
        }
    }

    private void look(int round) {
        if (round % PERIODS_PER_LIST == 0) {
            int listing = catalogue.list().runs().hashCode();
            if (listing != lastListing) {
                lastListing = listing;
                tell("runs", Map.of());
            }
        }
        for (Catalogue.Run run : catalogue.unfinished()) {
            try {
                look(run);
            } catch (BadInput e) {
                // the others can be read
            }
        }
    }

    private void look(Catalogue.Run run) {
        Long before = read.get(run.id());
        if (before != null && before == MetricsReader.size(run.folder())) {
            return;
        }
        MetricsReader.Rows rows = MetricsReader.read(run.folder(), before == null ? 0 : before);
        if (before != null && rows.from() != before) {
            tell("reset", new Reset(run.id()));
        }
        read.put(run.id(), rows.to());
        if (before == null) {
            tell("rows", new Added(run.id(), rows.to(), rows.to(), List.of())); // who has read less reads again
        } else if (!rows.rows().isEmpty()) {
            tell("rows", new Added(run.id(), rows.from(), rows.to(), Curves.named(rows.rows())));
        }
    }

    private void tell(String event, Object data) {
        String text = "event: %s\ndata: %s\n\n".formatted(event, Json.line(data));
        listeners.removeIf(queue -> !queue.offer(text)); // one that is full is given up
    }

    /** Sends events until the other side goes away. */
    void stream(HttpExchange exchange) throws IOException {
        if (!places.tryAcquire()) {
            Reply.text(503, "Too many pages are open.\n").send(exchange);
            return;
        }
        BlockingQueue<String> queue = new LinkedBlockingQueue<>(MOST_WAITING);
        try {
            Reply.headers(exchange, "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                listeners.add(queue);
                send(out, "event: hello\ndata: {}\n\n");
                while (listeners.contains(queue)) {
                    @Nullable String text = queue.poll(ALIVE, TimeUnit.SECONDS);
                    send(out, text == null ? ": alive\n\n" : text);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            listeners.remove(queue);
            places.release();
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() {
        thread.interrupt();
        listeners.clear();
    }
}
