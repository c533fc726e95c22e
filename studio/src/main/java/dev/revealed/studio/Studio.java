package dev.revealed.studio;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** The server of the page. It answers on this machine alone, to those who have the token in its address. */
public final class Studio implements AutoCloseable {
    private static final int MOST_AT_ONCE = 128; // requests
    private static final Duration REST = Duration.ofSeconds(5);
    private static final long LARGE = 40L << 20; // bytes of heap
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    static { // read when the first server is made
        setting("sun.net.httpserver.nodelay", "true");
        setting("jdk.httpserver.maxConnections", "512");
        setting("sun.net.httpserver.maxReqTime", "60"); // seconds that a request may take to arrive
        setting("sun.net.httpserver.maxReqHeaders", "100");
        setting("sun.net.httpserver.drainAmount", "0"); // what was refused is not read to its end
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);
    private final Gate gate;
    private final Routes routes;
    private final URI address;
    private final Consumer<Throwable> defects;
    private volatile long lastAsked = System.nanoTime();
    private volatile boolean tidied;

    /**
     * What to serve, and where.
     *
     * @param folders with runs
     * @param host to listen at; a name of this machine
     * @param port 0 for any that is free
     * @param secure what encrypts what is sent; without it nothing is encrypted
     */
    public record Options(List<Path> folders, String host, int port, Optional<SSLContext> secure) {
        public static final String HERE = "127.0.0.1";

        public Options(List<Path> folders, String host, int port) {
            this(folders, host, port, Optional.empty());
        }
    }

    private Studio(HttpServer server, Options options, Commands commands, Consumer<Throwable> defects) {
        this.server = server;
        this.defects = defects;
        Set<String> names = new LinkedHashSet<>(LOOPBACK);
        String name = inAddresses(options.host);
        names.add(name.toLowerCase(Locale.ROOT));
        int port = server.getAddress().getPort();
        gate = Gate.make(port, names, options.secure.isPresent());
        routes = new Routes(options.folders, commands, defects);
        address = URI.create("%s://%s:%d/?token=%s"
                .formatted(options.secure.isPresent() ? "https" : "http", name, port, gate.token()));
        server.setExecutor(threads);
        server.createContext("/", this::answer);
    }

    /**
     * Starts it.
     *
     * @param defects hears of failures that are defects of ours
     */
    public static Studio start(Options options, Commands commands, Consumer<Throwable> defects) {
        try {
            InetAddress host = InetAddress.getByName(options.host);
            BadInput.when(
                    host.isAnyLocalAddress(),
                    "`host` is %s, which stands for all addresses and is none to open".formatted(options.host),
                    "Name the address that others use.");
            InetSocketAddress place = new InetSocketAddress(host, options.port);
            Studio studio = new Studio(server(place, options.secure), options, commands, defects);
            studio.server.start();
            studio.threads.execute(studio::tidy);
            return studio;
        } catch (BindException e) {
            if (options.port == 0) {
                throw elsewhere(options, e);
            }
            throw new BadInput(
                    "port %d of %s is taken (%s)".formatted(options.port, options.host, e.getMessage()),
                    "Choose another with `port`; 0 takes any that is free.");
        } catch (IOException e) {
            throw elsewhere(options, e);
        }
    }

    private static HttpServer server(InetSocketAddress place, Optional<SSLContext> secure) throws IOException {
        if (secure.isEmpty()) {
            return HttpServer.create(place, 0);
        }
        HttpsServer server = HttpsServer.create(place, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(secure.get()));
        return server;
    }

    /** A host as addresses have it: those of IPv6 in brackets. */
    static String inAddresses(String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    private static BadInput elsewhere(Options options, IOException e) {
        return new BadInput(
                "the server cannot listen at %s (%s)".formatted(options.host, BadInput.reason(e)),
                "Leave `host` out, for this machine alone.");
    }

    /** The address to open, with its token. */
    public URI address() {
        return address;
    }

    /** The address to open to look at one view. */
    public URI address(String view) {
        return URI.create(address + "#" + view);
    }

    /** The id of a run folder below those served. */
    public String id(Path folder) {
        return Catalogue.id(folder);
    }

    /** Who is not let in takes nobody's place. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            lastAsked = System.nanoTime();
            tidied = false;
            if (hasNoBody(exchange.getRequestHeaders())) {
                exchange.getRequestBody().read(); // to its end, without which the server closes the connection
            }
            Reply refused =
                    gate.refusal(exchange).or(() -> gate.welcome(exchange)).orElse(null);
            Request request = Request.of(exchange);
            if (refused != null) {
                refused.send(exchange);
            } else if (request.to(2).equals("GET /api/events")) {
                routes.events(exchange); // which has a limit of its own
            } else if (places.tryAcquire()) {
                try {
                    reply(request).send(exchange);
                } finally {
                    places.release();
                }
            } else {
                Reply.text(503, "Too many requests at once.\n").send(exchange);
            }
        }
    }

    /** Gives memory back that a large question took, once nobody has asked for a while. */
    private void tidy() {
        Runtime memory = Runtime.getRuntime();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(REST);
            } catch (InterruptedException e) {
                return;
            }
            if (memory.totalMemory() > LARGE && System.nanoTime() - lastAsked > REST.toNanos() && !tidied) {
                tidied = true;
                System.gc();
            }
        }
    }

    private static boolean hasNoBody(Headers headers) {
        return !headers.containsKey("Content-Length") && !headers.containsKey("Transfer-Encoding");
    }

    private Reply reply(Request request) throws IOException {
        try {
            return routes.reply(request);
        } catch (Request.TooLarge e) {
            return Reply.problem(413, "the request is too large", "Give a smaller file.")
                    .with("Connection", "close");
        } catch (BadInput e) {
            return Reply.problem(422, e);
        } catch (RuntimeException e) {
            defects.accept(e);
            return Reply.problem(500, "an internal failure, " + e, "This is a defect in Revealed.");
        }
    }

    @Override
    public void close() {
        routes.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private static void setting(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }
}
