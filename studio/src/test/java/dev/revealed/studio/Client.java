package dev.revealed.studio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Sends bytes as they are, which clients that know better would not. */
record Client(URI address) {
    /** What came back: status, headers and body as text. */
    record Answer(int status, String head, String body) {}

    String token() {
        return address.getQuery().substring("token=".length());
    }

    String cookie() {
        return "revealed-%d=%s".formatted(address.getPort(), token());
    }

    Answer get(String path) throws IOException {
        return send("GET", path, Map.of("Cookie", cookie()), "");
    }

    Answer post(String path, String body) throws IOException {
        return send("POST", path, Map.of("Cookie", cookie(), "Content-Type", "application/json"), body);
    }

    /** A request with these headers; Host is the right one unless it is among them. */
    Answer send(String method, String path, Map<String, String> headers, String body) throws IOException {
        try (Socket socket = connect()) {
            StringBuilder text = new StringBuilder("%s %s HTTP/1.1\r\nConnection: close\r\n".formatted(method, path));
            if (!headers.containsKey("Host")) {
                text.append("Host: 127.0.0.1:%d\r\n".formatted(address.getPort()));
            }
            headers.forEach((name, value) -> text.append("%s: %s\r\n".formatted(name, value)));
            if (!headers.containsKey("Content-Length") && method.equals("POST")) {
                text.append("Content-Length: %d\r\n".formatted(body.getBytes(StandardCharsets.UTF_8).length));
            }
            OutputStream out = socket.getOutputStream();
            out.write((text + "\r\n" + body).getBytes(StandardCharsets.UTF_8));
            out.flush();
            return answer(socket.getInputStream());
        }
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(address.getHost(), address.getPort());
        socket.setSoTimeout(10_000);
        return socket;
    }

    static Answer answer(InputStream in) throws IOException {
        String all;
        try {
            all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketTimeoutException e) {
            throw new IOException("no answer", e);
        }
        int end = all.indexOf("\r\n\r\n");
        if (end < 0) {
            return new Answer(0, all, "");
        }
        List<String> first = List.of(all.substring(0, all.indexOf("\r\n")).split(" ", -1));
        return new Answer(Integer.parseInt(first.get(1)), all.substring(0, end), all.substring(end + 4));
    }
}
