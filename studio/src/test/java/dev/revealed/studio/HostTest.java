package dev.revealed.studio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
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

    /** A key and a certificate of the JDK's own tool, which the client trusts and no other. */
    @Test
    void withACertificateItIsEncrypted() throws Exception {
        Path file = top.resolve("certificate.p12");
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process made = new ProcessBuilder(
                        tool,
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "secret")
                .start();
        assertThat(made.waitFor()).isZero();
        SSLContext secure = Certificate.read(file, "secret".toCharArray());
        KeyStore own = KeyStore.getInstance(file.toFile(), "secret".toCharArray());
        KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
        known.load(null, null);
        known.setCertificateEntry("it", own.getCertificate(own.aliases().nextElement()));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(known);
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, trust.getTrustManagers(), null);
        try (Studio studio = Studio.start(
                        new Studio.Options(List.of(top), Studio.Options.HERE, 0, Optional.of(secure)),
                        new Folders.NoCommands(),
                        defect -> {
                            throw new AssertionError(defect);
                        });
                HttpClient http = HttpClient.newBuilder().sslContext(client).build()) {
            assertThat(studio.address().getScheme()).isEqualTo("https");
            HttpResponse<String> answer =
                    http.send(HttpRequest.newBuilder(studio.address()).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(303);
            assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow()).contains("; Secure");
        }
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Certificate.read(file, "wrong".toCharArray()))
                .withMessageContaining("certificate.p12");
    }
}
