package dev.revealed.data.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.data.AtomicFile;
import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetWriterTest {
    private static final List<ParquetWriter.Column> COLUMNS = List.of(
            new ParquetWriter.Column("id", ParquetWriter.Kind.WHOLE, false),
            new ParquetWriter.Column("many", ParquetWriter.Kind.WHOLE, false),
            new ParquetWriter.Column("x", ParquetWriter.Kind.REAL, false),
            new ParquetWriter.Column("action", ParquetWriter.Kind.TEXT, true));

    @TempDir
    Path folder;

    /** What is written reads back, in runs and without, over several pages and groups, with blanks. */
    @Test
    void readsBackWhatItWrote() throws IOException {
        Random random = new Random(1);
        int n = 150_000;
        long[] id = new long[n];
        long[] many = new long[n];
        double[] x = new double[n];
        long[] action = new long[n];
        List<String> texts = List.of("keep", "réplace");
        for (int i = 0; i < n; i++) {
            id[i] = i / 37;
            many[i] = random.nextLong();
            x[i] = random.nextInt(5) == 0 ? random.nextInt(90) / 4.0 : 3;
            action[i] = random.nextInt(10) == 0 ? -1 : random.nextInt(2);
        }
        List<ParquetWriter.Values> values = List.of(
                ParquetWriter.Values.of(id),
                ParquetWriter.Values.of(many),
                ParquetWriter.Values.of(x),
                ParquetWriter.Values.of(action, texts));
        Path file = folder.resolve("table.parquet");
        AtomicFile.write(file, out -> {
            ParquetWriter writer = new ParquetWriter(out, COLUMNS);
            writer.write(ParquetWriter.encode(COLUMNS, values, n));
            writer.write(ParquetWriter.encode(COLUMNS, values, 17));
            writer.end();
        });
        try (ParquetRows rows = ParquetRows.open(file, List.of("id", "many", "x", "action"), List.of(), "")) {
            for (int k = 0; k < n + 17; k++) {
                int i = k < n ? k : k - n;
                assertThat(rows.next()).isTrue();
                assertThat(rows.position()).isEqualTo(k + 1);
                assertThat(rows.key(0)).isEqualTo(id[i]);
                assertThat(rows.index(0)).isEqualTo((int) id[i]);
                assertThat(rows.text(1)).isEqualTo(Long.toString(many[i]));
                assertThat(rows.number(2)).isEqualTo(x[i]);
                assertThat(rows.blank(3)).isEqualTo(action[i] < 0);
                if (action[i] >= 0) {
                    assertThat(rows.reads(3, texts.get((int) action[i]))).isTrue();
                    assertThat(rows.reads(3, texts.get(1 - (int) action[i]))).isFalse();
                }
            }
            assertThat(rows.next()).isFalse();
        }
    }

    /** Pages have checksums: a number is read as it was written, or the file is refused. */
    @Test
    void noticesASingleBitThatIsWrong() throws IOException {
        Random random = new Random(2);
        long[] many = random.longs(500).toArray();
        List<ParquetWriter.Column> columns = List.of(new ParquetWriter.Column("many", ParquetWriter.Kind.WHOLE, false));
        Path file = folder.resolve("table.parquet");
        AtomicFile.write(file, out -> {
            ParquetWriter writer = new ParquetWriter(out, columns);
            writer.write(ParquetWriter.encode(columns, List.of(ParquetWriter.Values.of(many)), many.length));
            writer.end();
        });
        byte[] whole = Files.readAllBytes(file);
        Path spoilt = folder.resolve("spoilt.parquet");
        int refused = 0;
        for (int k = 0; k < 200; k++) {
            byte[] damaged = whole.clone();
            damaged[4 + random.nextInt(8 * many.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(spoilt, damaged);
            try (ParquetRows rows = ParquetRows.open(spoilt, List.of("many"), List.of(), "")) {
                for (int i = 0; rows.next(); i++) {
                    assertThat(rows.text(0)).isEqualTo(Long.toString(many[i]));
                }
            } catch (BadInput e) {
                refused++;
                assertThat(e.problem()).contains("spoilt.parquet");
            }
        }
        assertThat(refused).isGreaterThan(180);
    }
}
