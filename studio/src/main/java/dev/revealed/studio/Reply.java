package dev.revealed.studio;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * What is sent back.
 *
 * @param headers besides those that every answer has
 * @param zipped whether the body is compressed already
 */
record Reply(int status, String type, byte[] body, boolean zipped, Map<String, String> headers) {
    private static final int WORTH_IT = 1400; // bytes: less than a packet is not worth compressing

    /** Nothing but our own files, no scripts or styles inside pages, and nobody may frame us. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
                    + " connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** A file of a run: reports have styles of their own, and nothing in them may run. */
    private static final String FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox;"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

    static Reply text(int status, String text) {
        return new Reply(status, "text/plain; charset=utf-8", utf8(text), false, Map.of());
    }

    static Reply json(Object value) {
        return json(Json.line(value));
    }

    /** A document that is JSON already. */
    static Reply json(String document) {
        return new Reply(200, "application/json", utf8(document), false, Map.of());
    }

    static Reply bytes(String type, byte[] body) {
        return new Reply(200, type, body, false, Map.of());
    }

    /** A file that a command wrote. */
    static Reply file(String type, byte[] body) {
        return bytes(type, body).with("Content-Security-Policy", FILE_POLICY);
    }

    static Reply seeOther(String path) {
        return text(303, "").with("Location", path);
    }

    static Reply unknown() {
        return text(404, "There is no such thing here.\n");
    }

    private record Problem(String problem, String remedy) {}

    static Reply problem(int status, BadInput bad) {
        return problem(status, bad.problem(), bad.remedy());
    }

    static Reply problem(int status, String problem, String remedy) {
        return new Reply(status, "application/json", utf8(Json.line(new Problem(problem, remedy))), false, Map.of());
    }

    Reply with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Reply(status, type, body, zipped, more);
    }

    /** Sends it, compressed where the browser takes that and it pays. */
    void send(HttpExchange exchange) throws IOException {
        Headers out = headers(exchange, type);
        headers.forEach(out::set);
        boolean takes = String.valueOf(exchange.getRequestHeaders().getFirst("Accept-Encoding"))
                .contains("gzip");
        boolean zip = !zipped && takes && body.length > WORTH_IT && !type.startsWith("image/webp");
        byte[] sent = zip ? zip(body) : body;
        if (zip || zipped) {
            out.set("Content-Encoding", "gzip");
        }
        exchange.sendResponseHeaders(status, sent.length == 0 ? -1 : sent.length);
        if (sent.length > 0) {
            try (OutputStream stream = exchange.getResponseBody()) {
                stream.write(sent);
            }
        }
    }

    /** Sets what every answer has. */
    static Headers headers(HttpExchange exchange, String type) {
        Headers out = exchange.getResponseHeaders();
        out.set("Content-Type", type);
        out.set("Content-Security-Policy", POLICY);
        out.set("X-Content-Type-Options", "nosniff");
        out.set("Referrer-Policy", "no-referrer");
        out.set("Cross-Origin-Opener-Policy", "same-origin");
        out.set("Cross-Origin-Resource-Policy", "same-origin");
        out.set("Cache-Control", "no-store");
        return out;
    }

    static byte[] zip(byte[] bytes) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream(bytes.length / 3);
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return zipped.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
