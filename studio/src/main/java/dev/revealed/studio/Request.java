package dev.revealed.studio;

import com.sun.net.httpserver.HttpExchange;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for.
 *
 * @param path its parts, each decoded once: they are looked up in tables and never become paths of files
 */
record Request(HttpExchange exchange, String method, List<String> path) {
    private static final int MOST_BODY = 8 << 20; // bytes

    /** A request whose body is larger than the server takes. */
    static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static Request of(HttpExchange exchange) {
        List<String> parts = Arrays.stream(exchange.getRequestURI().getRawPath().split("/", -1))
                .filter(part -> !part.isEmpty())
                .map(Request::decoded)
                .toList();
        return new Request(exchange, exchange.getRequestMethod(), parts);
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return part;
        }
    }

    /** The method and the first parts, for a switch. */
    String to(int parts) {
        return method + " /" + String.join("/", path.subList(0, Math.min(parts, path.size())));
    }

    String part(int index) {
        return index < path.size() ? path.get(index) : "";
    }

    String body() throws IOException {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        if (length != null && length.length() > 9) {
            throw new TooLarge();
        }
        byte[] bytes = exchange.getRequestBody().readNBytes(MOST_BODY + 1);
        if (bytes.length > MOST_BODY) {
            throw new TooLarge();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The body's fields, which must be a JSON object. */
    Map<?, ?> fields() throws IOException {
        try {
            return Json.read(body(), Map.class);
        } catch (BadInput e) {
            throw new BadInput("the request is no JSON object", "Reload the page.");
        }
    }

    static String text(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }

    static @Nullable Double number(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Number number ? (Double) number.doubleValue() : null;
    }
}
