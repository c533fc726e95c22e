package dev.revealed.data;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.CsvWriter.CsvWriterRecord;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes CSV files: atomically, in UTF-8, with the same line ends everywhere, numbers so that they read back the same. */
final class CsvOut {
    private final CsvWriter csv;
    private @Nullable CsvWriterRecord row;

    private CsvOut(CsvWriter csv) {
        this.csv = csv;
    }

    static void write(Path file, List<String> columns, Consumer<CsvOut> body) {
        AtomicFile.write(file, out -> {
            CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out, StandardCharsets.UTF_8);
            csv.writeRecord(columns);
            body.accept(new CsvOut(csv));
            csv.flush();
        });
    }

    CsvOut cell(int value) {
        return cell(Integer.toString(value));
    }

    CsvOut cell(double value) {
        return cell(Double.toString(value));
    }

    CsvOut cell(String value) {
        if (row == null) {
            row = csv.writeRecord();
        }
        row.writeField(value);
        return this;
    }

    void end() {
        if (row != null) {
            row.endRecord();
            row = null;
        }
    }
}
