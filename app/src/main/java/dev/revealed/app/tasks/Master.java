package dev.revealed.app.tasks;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a Spark master, tried before Spark itself is asked, which takes a minute to give up. */
final class Master {
    private static final Pattern HOST = Pattern.compile("([^:,/]+|\\[[^]]+])(?::(\\d{1,5}))?");
    private static final String STANDALONE = "spark://";
    private static final List<String> OTHERS = List.of("local", "yarn", "k8s://");
    private static final int USUAL_PORT = 7077;
    private static final int PATIENCE = 5000; // milliseconds

    private Master() {}

    /** Refuses an address of no known kind, and one where nobody answers. */
    static void check(String url) {
        if (OTHERS.stream().anyMatch(url::startsWith)) {
            return;
        }
        BadInput.when(
                !url.startsWith(STANDALONE),
                "`master` is %s, which is no address of a Spark master".formatted(url),
                "Give local[N], spark://HOST:PORT, yarn or k8s://ADDRESS.");
        List<String> hosts =
                Arrays.asList(url.substring(STANDALONE.length()).split(",", -1)); // several, where one stands by
        BadInput.when(
                hosts.stream().noneMatch(Master::answers),
                "no Spark master answers at %s".formatted(url),
                "Start it, or correct `master`: host, port, and whether this machine may reach them.");
    }

    private static boolean answers(String host) {
        Matcher parts = HOST.matcher(host);
        if (!parts.matches()) {
            return false;
        }
        int port = parts.group(2) == null ? USUAL_PORT : Integer.parseInt(parts.group(2));
        if (port > 65_535) {
            return false;
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(parts.group(1), port), PATIENCE);
            return true;
        } catch (IOException unreachable) {
            return false;
        }
    }
}
