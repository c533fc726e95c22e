package dev.revealed.studio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.runs.RunFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that cannot be read is shown with the reason, and the others as they are. */
class DamagedRunTest {
    @TempDir
    Path top;

    private final List<Throwable> defects = new CopyOnWriteArrayList<>();
    private Studio studio;
    private Client client;
    private Path good;
    private Path damaged;

    @BeforeEach
    void start() throws IOException {
        damaged = Folders.run(top.resolve("a-damaged"), "hopper", 1);
        Files.createDirectory(damaged.resolve(RunFiles.METRICS)); // not even root can read it as a file
        good = Folders.run(top.resolve("b-good"), "hopper", 2);
        Folders.line(good, 1000, 5);
        studio = Studio.start(
                new Studio.Options(List.of(top), Studio.Options.HERE, 0), new Folders.NoCommands(), defects::add);
        client = new Client(studio.address());
    }

    @AfterEach
    void end() {
        studio.close();
        assertThat(defects).isEmpty();
    }

    @Test
    void theListHasAllRuns() throws IOException {
        Client.Answer answer = client.get("/api/runs");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body())
                .contains(studio.id(good), studio.id(damaged))
                .contains(RunFiles.METRICS + " cannot be read");
        assertThat(client.get("/api/runs/" + studio.id(damaged)).status()).isEqualTo(200);
        assertThat(client.get("/api/runs/" + studio.id(damaged) + "/metrics").status())
                .isEqualTo(422);
        Files.delete(damaged.resolve(RunFiles.METRICS));
        assertThat(client.get("/api/runs").body()).doesNotContain("cannot be read");
    }

    @Test
    void theOthersGrow() throws IOException {
        client.get("/api/runs");
        try (Socket socket = client.connect()) {
            socket.getOutputStream()
                    .write("GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n\r\n"
                            .formatted(client.cookie())
                            .getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String line = in.readLine();
            while (line != null && !line.contains(studio.id(good))) {
                line = in.readLine();
            }
            assertThat(line).startsWith("data: ");
        }
    }
}
