package dev.revealed.data.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that DuckDB and parquet-java wrote, of which the README beside them says how: every codec, the encodings of both
 * versions of the format, and columns that are nested or repeated among the others.
 */
class OtherProgramsTest {
    private static final int ROWS = 400;
    private static final List<String> COLUMNS =
            List.of("id", "period", "x", "name", "big", "word", "flag", "holes", "money", "small");

    @TempDir
    Path folder;

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name + ".parquet");
        try (InputStream in =
                Objects.requireNonNull(OtherProgramsTest.class.getResourceAsStream("/parquet/" + name + ".parquet"))) {
            Files.copy(in, file);
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"duckdb-snappy-v1", "duckdb-zstd-v2", "duckdb-lz4_raw-v2", "parquet-java-v1", "parquet-java-v2"})
    void readsTheValuesOfTheQuery(String name) throws IOException {
        try (ParquetRows rows = ParquetRows.open(file(name), COLUMNS, List.of("absent"), "")) {
            assertThat(rows.has(10)).isFalse();
            for (int i = 0; i < ROWS; i++) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.index(0)).isEqualTo(i / 10);
                assertThat(rows.index(1)).isEqualTo(i % 10);
                assertThat(rows.number(2)).isEqualTo(i * i % 97 / 4.0);
                assertThat(rows.blank(3)).isEqualTo(i % 5 == 0);
                if (i % 5 != 0) {
                    assertThat(rows.text(3)).isEqualTo("n" + i % 7);
                    assertThat(rows.reads(3, "n" + i % 7)).isTrue();
                }
                assertThat(rows.key(4)).isEqualTo(i * 1000003L);
                assertThat(rows.text(5)).isEqualTo("k%05d".formatted(i * 7919 % 400));
                assertThat(rows.index(6)).isEqualTo(i % 3 == 0 ? 1 : 0);
                assertThat(rows.blank(7)).isEqualTo(i % 4 == 1);
                if (i % 4 != 1) {
                    assertThat(rows.index(7)).isEqualTo(i);
                }
                assertThat(rows.number(8)).isEqualTo(Math.rint(i % 50 * 25) / 100);
                assertThat(rows.number(9)).isEqualTo((float) (i / 8.0));
            }
            assertThat(rows.next()).isFalse();
        }
    }

    /** Whatever byte is wrong, either the values are read or the user hears that the file is damaged. */
    @ParameterizedTest
    @ValueSource(strings = {"duckdb-snappy-v1", "duckdb-zstd-v2", "parquet-java-v2"})
    void refusesDamagedFilesInWords(String name) throws IOException {
        byte[] whole = Files.readAllBytes(file(name));
        Random random = new Random(1);
        int refused = 0;
        for (int k = 0; k < 300; k++) {
            byte[] damaged = whole.clone();
            for (int n = 0; n < 3; n++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            int length = k % 3 == 0 ? random.nextInt(damaged.length) : damaged.length;
            Path spoilt = folder.resolve("spoilt.parquet");
            Files.write(spoilt, Arrays.copyOf(damaged, length));
            try (ParquetRows rows = ParquetRows.open(spoilt, COLUMNS, List.of(), "")) {
                while (rows.next()) {
                    rows.numberOrNaN(2);
                    rows.blank(3);
                    rows.blank(5);
                }
            } catch (BadInput e) {
                refused++;
                assertThat(e.problem()).contains("spoilt.parquet");
            }
        }
        assertThat(refused).isGreaterThan(100);
    }

    @Test
    void namesAColumnThatIsNotThere() throws IOException {
        Path file = file("duckdb-snappy-v1");
        assertThat(catchThrowableOfType(BadInput.class, () -> ParquetRows.open(file, List.of("periods"), List.of(), ""))
                        .getMessage())
                .contains("there is no column 'periods'")
                .contains("Rename 'period'?");
    }
}
