package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BadInputTest {
    @Test
    void saysWhatAndWhatToDo() {
        var bad = new BadInput("the row is odd", "Make it even.");
        assertThat(bad).hasMessage("the row is odd\n  Make it even.");
        var placed = bad.in("line 3").in("data.csv");
        assertThat(placed.problem()).isEqualTo("data.csv: line 3: the row is odd");
        assertThat(placed.remedy()).isEqualTo("Make it even.");
        assertThat(placed).hasRootCause(bad);
    }

    @Test
    void indices() {
        assertThat(BadInput.index("state", 0, 5)).isZero();
        assertThat(BadInput.index("state", 4, 5)).isEqualTo(4);
        for (long wrong : new long[] {-1, 5, 1L << 32}) {
            assertThatThrownBy(() -> BadInput.index("state", wrong, 5))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("state " + wrong + " is outside 0..4");
        }
    }

    @Test
    void finiteNumbers() {
        assertThat(BadInput.finite("x", -1e308)).isEqualTo(-1e308);
        assertThatThrownBy(() -> BadInput.finite("x", Double.NaN)).hasMessageContaining("x is NaN");
        assertThatThrownBy(() -> BadInput.finite("x", Double.NEGATIVE_INFINITY)).hasMessageContaining("x is -Infinity");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
    void discountsOutsideTheHalfOpenIntervalAreRefused(double discount) {
        assertThatThrownBy(() -> BadInput.discount(discount))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the discount is " + discount);
        assertThat(BadInput.discount(0)).isZero();
        assertThat(BadInput.discount(0.9999)).isEqualTo(0.9999);
    }

    @Test
    void countsAndSizes() {
        assertThat(BadInput.count("threads", 1)).isEqualTo(1);
        assertThatThrownBy(() -> BadInput.count("threads", 0)).hasMessage("threads is 0\n  Give at least 1.");
        assertThat(BadInput.positive("x", 1e-300)).isEqualTo(1e-300);
        for (double wrong : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> BadInput.positive("x", wrong)).hasMessageContaining("x is " + wrong);
        }
        assertThat(BadInput.notNegative("x", 0)).isZero();
        assertThatThrownBy(() -> BadInput.notNegative("x", -0.1)).hasMessageContaining("x is -0.1");
    }

    /** What Java calls them is of no use to those who read it. */
    @Test
    void reasonsAreWords() {
        for (IOException e : List.of(
                new NoSuchFileException("a"),
                new AccessDeniedException("a"),
                new NotDirectoryException("a"),
                new FileSystemException("a"),
                new FileSystemException("a", null, "Is a directory"),
                new MalformedInputException(1),
                new EOFException(),
                new IOException(),
                new IOException("Input/output error"))) {
            assertThat(BadInput.reason(e)).isNotBlank().doesNotContain("Exception", "java.", "null");
            assertThat(BadInput.reason(new UncheckedIOException(e))).isEqualTo(BadInput.reason(e));
        }
    }
}
