package dev.revealed.app.studio;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real browser, driven over the DevTools protocol. Whatever a page complains of is collected in {@link #errors}. */
public final class Browser implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");

    public final List<String> errors = new CopyOnWriteArrayList<>();

    private final Process process;
    private final Path profile;
    private final WebSocket socket;
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger();

    /** The browser of this machine, where there is one. */
    public static Optional<Path> find() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private Browser(Process process, Path profile, URI page, HttpClient client) {
        this.process = process;
        this.profile = profile;
        socket = client.newWebSocketBuilder().buildAsync(page, new Listener()).join();
        List.of("Page.enable", "Runtime.enable", "Log.enable").forEach(each -> send(each, Map.of()));
    }

    public static Browser start(Path executable, String... more) throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory("revealed-browser");
        List<String> words = new ArrayList<>(List.of(
                executable.toString(),
                "--headless=new",
                "--enable-unsafe-swiftshader",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--window-size=1280,900",
                "--user-data-dir=" + profile,
                "--remote-debugging-port=0"));
        if ("root".equals(System.getProperty("user.name"))) {
            words.add("--no-sandbox");
        }
        words.addAll(List.of(more));
        words.add("about:blank");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("output").toFile())
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!Files.exists(port) || Files.readAllLines(port).size() < 2) {
            if (System.nanoTime() > end || !process.isAlive()) {
                process.destroyForcibly();
                throw new IOException("the browser does not start: " + Files.readString(profile.resolve("output")));
            }
            Thread.sleep(20);
        }
        HttpClient client = HttpClient.newHttpClient();
        URI pages = URI.create(
                "http://127.0.0.1:%s/json".formatted(Files.readAllLines(port).getFirst()));
        String list = client.send(HttpRequest.newBuilder(pages).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        for (JsonNode each : JSON.readTree(list)) {
            if (each.path("type").asString().equals("page")) {
                return new Browser(
                        process,
                        profile,
                        URI.create(each.path("webSocketDebuggerUrl").asString()),
                        client);
            }
        }
        throw new IOException("the browser has no page: " + list);
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                hear(JSON.readTree(text.toString()));
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    private void hear(JsonNode message) {
        if (message.has("id")) {
            CompletableFuture<JsonNode> answer =
                    waiting.remove(message.path("id").asInt());
            if (answer != null) {
                answer.complete(message);
            }
            return;
        }
        JsonNode params = message.path("params");
        switch (message.path("method").asString()) {
            case "Runtime.exceptionThrown" ->
                errors.add(params.path("exceptionDetails").toString());
            case "Log.entryAdded" -> {
                if (params.path("entry").path("level").asString().equals("error")) {
                    errors.add(params.path("entry").toString());
                }
            }
            case "Runtime.consoleAPICalled" -> {
                if (params.path("type").asString().equals("error")) {
                    errors.add(params.path("args").toString());
                }
            }
            default -> {}
        }
    }

    public JsonNode send(String method, Map<String, ?> params) {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        socket.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", params)), true)
                .join();
        JsonNode message = answer.orTimeout(30, TimeUnit.SECONDS).join();
        if (message.has("error")) {
            throw new IllegalStateException(method + ": " + message.path("error"));
        }
        return message.path("result");
    }

    /** Opens an address and waits until the page says that it is ready. */
    public void open(URI address) {
        send("Page.navigate", Map.of("url", address.toString()));
        until("document.body && document.body.dataset.ready && location.href.startsWith('http')");
    }

    /** Goes to another view of the page that is open. */
    public void view(String hash) {
        run("delete document.body.dataset.ready; location.hash = '%s'".formatted(hash));
        until("document.body.dataset.ready");
    }

    /** The value of an expression, waited for where it is a promise. */
    public JsonNode run(String expression) {
        JsonNode result =
                send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    public String text(String expression) {
        return run(expression).asString();
    }

    /** Waits until an expression is true. */
    public void until(String expression) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!holds(expression)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("never true: %s; the page says %s; %s"
                        .formatted(expression, text("document.body.innerText.slice(0, 1500)"), errors));
            }
            try {
                Thread.sleep(15);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private boolean holds(String expression) {
        try {
            return run("Boolean(%s)".formatted(expression)).asBoolean();
        } catch (IllegalStateException e) {
            return false; // the page is being loaded
        }
    }

    /** Clicks the middle of the first element that a selector finds, as a mouse would. */
    public void click(String selector) {
        JsonNode at = run("(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});"
                        .formatted(JSON.writeValueAsString(selector))
                + " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()");
        mouse("mousePressed", at.get(0).asDouble(), at.get(1).asDouble());
        mouse("mouseReleased", at.get(0).asDouble(), at.get(1).asDouble());
    }

    public void mouse(String type, double x, double y) {
        send("Input.dispatchMouseEvent", Map.of("type", type, "x", x, "y", y, "button", "left", "clickCount", 1));
    }

    public void key(String key) {
        send("Input.dispatchKeyEvent", Map.of("type", "keyDown", "key", key));
        send("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
    }

    public void size(int width, int height, boolean darkMode) {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        send(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", darkMode ? "dark" : "light"))));
    }

    public byte[] screenshot(String format) {
        JsonNode shot = send(
                "Page.captureScreenshot",
                format.equals("png") ? Map.of("format", "png") : Map.of("format", format, "quality", 50));
        return Base64.getDecoder().decode(shot.path("data").asString());
    }

    /** A picture of the first element that a selector finds. */
    public byte[] picture(String selector) {
        JsonNode box = run("(() => { const b = document.querySelector(%s).getBoundingClientRect();"
                        .formatted(JSON.writeValueAsString(selector))
                + " return {x: b.x, y: b.y, width: b.width, height: b.height, scale: 1}; })()");
        JsonNode shot = send("Page.captureScreenshot", Map.of("format", "png", "clip", box));
        return Base64.getDecoder().decode(shot.path("data").asString());
    }

    @Override
    public void close() {
        try {
            socket.abort();
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            try (Stream<Path> files = Files.walk(profile)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (InterruptedException | IOException e) {
            // it only leaves temporary files
        }
    }
}
