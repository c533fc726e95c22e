package dev.revealed.app.tasks;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @Test
    void aMasterThatListensIsTaken() throws IOException {
        try (ServerSocket master = new ServerSocket(0, 1, HERE)) {
            String there = HERE.getHostAddress() + ":" + master.getLocalPort();
            assertThatCode(() -> Master.check("spark://" + there)).doesNotThrowAnyException();
            assertThatCode(() -> Master.check("spark://%s:1,%s".formatted(HERE.getHostAddress(), there)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void whereNobodyAnswersThatIsSaid() throws IOException {
        int free;
        try (ServerSocket closed = new ServerSocket(0, 1, HERE)) {
            free = closed.getLocalPort();
        }
        String url = "spark://%s:%d".formatted(HERE.getHostAddress(), free);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Master.check(url))
                .withMessageContaining("no Spark master answers at " + url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "local[2]", "yarn", "k8s://https://host:6443"})
    void othersAreLeftToSpark(String url) {
        assertThatCode(() -> Master.check(url)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sprak://host:7077", "host:7077", ""})
    void otherWordsAreRefused(String url) {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Master.check(url))
                .withMessageContaining("no address of a Spark master");
    }
}
