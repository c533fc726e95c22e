package dev.revealed.studio;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/** The files of the page: a fixed table, read and compressed once. No request ever names a file on disk. */
final class Assets {
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";

    /** Every file, and its type. */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("page/index.html", "text/html; charset=utf-8"),
            Map.entry("page/style.css", STYLE),
            Map.entry("page/main.js", SCRIPT),
            Map.entry("page/common.js", SCRIPT),
            Map.entry("page/chart.js", SCRIPT),
            Map.entry("page/runs.js", SCRIPT),
            Map.entry("page/robots.js", SCRIPT),
            Map.entry("page/scene.js", SCRIPT),
            Map.entry("page/rewards.js", SCRIPT),
            Map.entry("page/economics.js", SCRIPT),
            Map.entry("page/start.js", SCRIPT),
            Map.entry("page/maps.js", SCRIPT),
            Map.entry("page/film.js", SCRIPT),
            Map.entry("page/columns.json", "application/json"),
            Map.entry("page/icon.svg", "image/svg+xml"),
            Map.entry("page/uplot.js", SCRIPT),
            Map.entry("page/uplot.css", STYLE),
            Map.entry("page/uplot-license.txt", "text/plain; charset=utf-8"),
            Map.entry("three/three.module.min.js", SCRIPT),
            Map.entry("three/three.core.min.js", SCRIPT),
            Map.entry("three/LICENSE", "text/plain; charset=utf-8"));

    private final Map<String, Asset> loaded = new HashMap<>();

    private record Asset(Reply zipped, String tag) {}

    /** The answer to a request for a file of the page, by its path; the page itself is the empty one. */
    synchronized Optional<Reply> get(String path, HttpExchange exchange) {
        String name = path.isEmpty() ? "page/index.html" : path;
        String type = TYPES.get(name);
        if (type == null) {
            return Optional.empty();
        }
        Asset asset = loaded.computeIfAbsent(name, missing -> load(missing, type));
        return Optional.of(
                asset.tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))
                        ? new Reply(304, type, new byte[0], false, asset.zipped.headers())
                        : asset.zipped);
    }

    private static Asset load(String name, String type) {
        byte[] bytes;
        try (InputStream in = Assets.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the page's file %s is missing".formatted(name));
            }
            bytes = in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        String tag = "\"%s\"".formatted(HexFormat.of().toHexDigits((int) sum.getValue()));
        Map<String, String> headers = Map.of("ETag", tag, "Cache-Control", "no-cache");
        return new Asset(new Reply(200, type, Reply.zip(bytes), true, headers), tag);
    }
}
