package dev.revealed.studio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.runs.RunFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in, and what nobody gets. After each attempt the server still answers. */
class SecurityTest {
    private static final String SECRET = "nobody may read this";

    @TempDir
    static Path top;

    private static Studio studio;
    private static Client client;
    private static String run;

    @BeforeAll
    static void start() throws IOException {
        Path shown = Files.createDirectories(top.resolve("shown"));
        Path folder = Folders.run(shown.resolve("run"), "hopper", 1);
        Folders.line(folder, 1000, 5);
        Files.writeString(top.resolve("secret.txt"), SECRET);
        Files.createSymbolicLink(folder.resolve("link.txt"), top.resolve("secret.txt"));
        Folders.run(top.resolve("elsewhere/hidden"), "hopper", 1);
        Files.createSymbolicLink(shown.resolve("linked"), top.resolve("elsewhere"));
        studio = Studio.start(
                new Studio.Options(List.of(shown), Studio.Options.HERE, 0), new Folders.NoCommands(), defect -> {
                    throw new AssertionError(defect);
                });
        client = new Client(studio.address());
        run = studio.id(folder);
    }

    @AfterEach
    void stillAnswers() throws IOException {
        assertThat(client.get("/api/runs").status()).isEqualTo(200);
    }

    @AfterAll
    static void end() {
        studio.close();
    }

    @Test
    void theAddressOpensThePageOnceAndThenTheCookieDoes() throws IOException {
        Client.Answer first = client.send("GET", "/?token=" + client.token(), Map.of(), "");
        assertThat(first.status()).isEqualTo(303);
        assertThat(first.head())
                .contains("Set-cookie: " + client.cookie())
                .contains("HttpOnly")
                .contains("SameSite=Strict");
        Client.Answer page = client.get("/");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.head())
                .contains("default-src 'none'")
                .contains("script-src 'self'")
                .contains("frame-ancestors 'none'")
                .doesNotContain("unsafe");
    }

    @Test
    void oneConnectionServesManyRequests() throws IOException {
        String request = "GET /api/runs HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n".formatted(client.cookie());
        try (Socket socket = client.connect()) {
            String all = (request + "\r\n").repeat(3) + request + "Connection: close\r\n\r\n";
            socket.getOutputStream().write(all.getBytes(StandardCharsets.UTF_8));
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers.split("HTTP/1.1 200", -1)).hasSize(5);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/?token=",
                "/?token=0123",
                "/api/runs",
                "/api/events",
                "/page/main.js",
                "/api/runs/x/files/y"
            })
    void withoutTheTokenNothingIsShown(String path) throws IOException {
        assertThat(client.send("GET", path, Map.of(), "").status()).isEqualTo(403);
        String wrong = client.cookie().replaceFirst(".$", "x");
        assertThat(client.send("GET", path, Map.of("Cookie", wrong), "").status())
                .isEqualTo(403);
    }

    @Test
    void theTokenOpensNothingButThePage() throws IOException {
        assertThat(client.send("GET", "/api/runs?token=" + client.token(), Map.of(), "")
                        .status())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:80",
                "127.0.0.1.evil.example",
                "",
                "localhost.evil.example:1",
                "[::2]"
            })
    void otherHostsAreRefused(String host) throws IOException {
        assertThat(client.send("GET", "/api/runs", Map.of("Host", host, "Cookie", client.cookie()), "")
                        .status())
                .isIn(400, 421);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1:7", "[::1]:99", "LOCALHOST:1"})
    void thisHostIsAnsweredAtAnyPortForTunnels(String host) throws IOException {
        assertThat(client.send("GET", "/api/runs", Map.of("Host", host, "Cookie", client.cookie()), "")
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site"})
    void otherSitesAreRefused(String site) throws IOException {
        assertThat(client.send("GET", "/api/runs", Map.of("Sec-Fetch-Site", site, "Cookie", client.cookie()), "")
                        .status())
                .isEqualTo(403);
        assertThat(client.send(
                                "POST",
                                "/api/uploads",
                                Map.of(
                                        "Origin",
                                        "http://evil.example",
                                        "Cookie",
                                        client.cookie(),
                                        "Content-Type",
                                        "application/json"),
                                "{}")
                        .status())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"})
    void whatFormsOfOtherPagesCanSendIsRefused(String type) throws IOException {
        assertThat(client.send("POST", "/api/uploads", Map.of("Cookie", client.cookie(), "Content-Type", type), "{}")
                        .status())
                .isEqualTo(415);
        assertThat(client.send("PUT", "/api/uploads", Map.of("Cookie", client.cookie()), "")
                        .status())
                .isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../secret.txt",
                "..%2fsecret.txt",
                "..%2Fsecret.txt",
                "%2e%2e/secret.txt",
                "%2e%2e%2fsecret.txt",
                "..%252fsecret.txt",
                "..\\secret.txt",
                "..%5csecret.txt",
                "..%c0%afsecret.txt",
                "..%00/secret.txt",
                "../../secret.txt",
                "..%2f..%2fsecret.txt",
                "....//secret.txt",
                "link.txt",
                "%6cink.txt",
                "/etc/passwd",
                "%2fetc%2fpasswd",
                "..;/secret.txt",
                "spec.json%00.txt",
                "checkpoint",
                "."
            })
    void noPathLeadsOutOfARun(String name) throws IOException {
        for (String path :
                List.of("/api/runs/" + run + "/files/" + name, "/" + name, "/page/" + name, "/api/runs/" + name)) {
            Client.Answer answer = client.get(path);
            assertThat(answer.status()).as(path).isIn(400, 404);
            assertThat(answer.body()).as(path).doesNotContain(SECRET).doesNotContain("root:");
        }
    }

    @Test
    void filesOfARunAreServedWithoutTheRightToRun() throws IOException {
        Client.Answer answer = client.get("/api/runs/" + run + "/files/" + RunFiles.SPEC);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.head()).contains("sandbox").contains("nosniff");
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        assertThat(client.get("/api/runs").body()).contains("\"run\"").doesNotContain("hidden");
        assertThat(client.get("/api/runs/" + run).body())
                .contains(RunFiles.SPEC)
                .doesNotContain("link.txt");
    }

    @Test
    void aLargeUploadIsRefusedWithoutReadingIt() throws IOException {
        Map<String, String> headers =
                Map.of("Cookie", client.cookie(), "Content-Type", "application/json", "Content-Length", "1073741824");
        assertThat(client.send("POST", "/api/uploads", headers, "{").status()).isEqualTo(413);
    }

    @Test
    void aLargeUploadOfUnknownLengthIsCutOff() throws IOException {
        try (Socket socket = client.connect()) {
            OutputStream out = socket.getOutputStream();
            String head = String.join(
                    "\r\n",
                    "POST /api/uploads HTTP/1.1",
                    "Host: localhost",
                    "Cookie: " + client.cookie(),
                    "Content-Type: application/json",
                    "Transfer-Encoding: chunked",
                    "",
                    "");
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = ("100000\r\n" + "x".repeat(0x100000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            int sent = 0;
            try {
                while (sent < 200) {
                    out.write(chunk);
                    sent++;
                }
            } catch (SocketException e) {
                // the other side hung up
            }
            assertThat(sent).as("megabytes that were taken").isLessThan(100);
        }
    }

    @Test
    void theServerRecoversFromAThousandConnections() throws IOException {
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < 1000; i++) {
                Socket socket = client.connect();
                held.add(socket);
                if (i % 2 == 0) {
                    try {
                        socket.getOutputStream().write("GET /api/ru".getBytes(StandardCharsets.US_ASCII));
                    } catch (SocketException e) {
                        // refused
                    }
                }
            }
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
        assertThat(client.get("/api/runs").status()).isEqualTo(200);
    }
}
