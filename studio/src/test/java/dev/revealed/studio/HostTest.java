package dev.revealed.studio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the server listens, and the address that it prints. */
class HostTest {
    @TempDir
    Path top;

    private Studio start(String host) {
        return Studio.start(new Studio.Options(List.of(top), host, 0), new Folders.NoCommands(), defect -> {
            throw new AssertionError(defect);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "[::]", "0"})
    void anAddressThatStandsForAllIsRefused(String host) {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> start(host).close())
                .withMessageContaining("`host` is " + host);
    }

    @Test
    void addressesOfIpv6HaveBrackets() {
        assertThat(Studio.inAddresses("::1")).isEqualTo("[::1]");
        assertThat(Studio.inAddresses("[::1]")).isEqualTo("[::1]");
        assertThat(Studio.inAddresses("localhost")).isEqualTo("localhost");
    }

    @Test
    void theAddressThatIsPrintedOpens() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getAllByName("::1")[0])) {
            assertThat(free.isBound()).isTrue();
        } catch (IOException e) {
            abort("this machine has no IPv6");
        }
        try (Studio studio = start("::1")) {
            assertThat(studio.address().getHost()).isEqualTo("[::1]");
            Client client = new Client(studio.address());
            String host = "[::1]:" + studio.address().getPort();
            assertThat(client.send("GET", "/api/runs", Map.of("Host", host, "Cookie", client.cookie()), "")
                            .status())
                    .isEqualTo(200);
        }
    }
}
