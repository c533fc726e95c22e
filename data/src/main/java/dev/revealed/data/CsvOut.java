package dev.revealed.data;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Writes CSV files: atomically, in UTF-8, with the same line ends everywhere, numbers so that they read back the same. */
record CsvOut(CsvWriter csv) {
    static void write(Path file, List<String> columns, Consumer<CsvOut> body) {
        AtomicFile.write(file, out -> {
            CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out, StandardCharsets.UTF_8);
            csv.writeRecord(columns);
            body.accept(new CsvOut(csv));
            csv.flush();
        });
    }

    void row(List<?> cells) {
        csv.writeRecord(cells.stream().map(String::valueOf).toList());
    }
}
