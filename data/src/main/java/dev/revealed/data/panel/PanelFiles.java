package dev.revealed.data.panel;

import dev.revealed.data.AtomicFile;
import dev.revealed.data.ChoiceData;
import dev.revealed.data.Csv;
import dev.revealed.data.PanelColumns;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.parquet.ParquetFile;
import dev.revealed.data.parquet.ParquetWriter;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Panels in files of any size. One CSV file that is not large is read into memory, row by row. Parquet files, large files,
 * folders and patterns of names are counted.
 */
public final class PanelFiles {
    /** Bytes of a CSV file up to which its rows are held in memory. */
    private static final long SMALL = 64L << 20;

    private static final int PACKED = 8;

    private PanelFiles() {}

    /** Reads a panel of a model; where it is large, {@code readers} read its pieces. */
    public static ChoiceData read(
            Path name, PanelColumns columns, ChoiceModel model, TaskRunner readers, ProgressListener listener) {
        return inMemory(name) || (columns.structure().needsRows() && !isParquet(name))
                ? columns.read(name, model, listener)
                : counted(name, new ColumnCoding(columns, model), readers, listener);
    }

    /** Reads readings of buses. */
    public static ChoiceData buses(Path name, RustBusFiles.Settings settings, ProgressListener listener) {
        return buses(name, settings, TaskRunner.THREADS, listener);
    }

    /** The same; where there are many, {@code readers} read pieces of the table. */
    public static ChoiceData buses(
            Path name, RustBusFiles.Settings settings, TaskRunner readers, ProgressListener listener) {
        return inMemory(name)
                ? RustBusFiles.read(name, settings, listener)
                : counted(name, new BusCoding(settings), readers, listener);
    }

    /** Reads a panel of a model from the answer to a query. */
    public static ChoiceData read(
            QueryPiece query, PanelColumns columns, ChoiceModel model, ProgressListener listener) {
        return CountedPanel.read(List.of(query), new ColumnCoding(columns, model), listener);
    }

    /** Reads readings of buses from the answer to a query. */
    public static ChoiceData buses(QueryPiece query, RustBusFiles.Settings settings, ProgressListener listener) {
        return CountedPanel.read(List.of(query), new BusCoding(settings), listener);
    }

    private static ChoiceData counted(Path name, PanelCoding coding, TaskRunner readers, ProgressListener listener) {
        return CountedPanel.read(TableFiles.pieces(TableFiles.named(name.toString())), coding, readers, listener);
    }

    private static boolean isParquet(Path name) {
        return name.toString().endsWith(".parquet");
    }

    /** Whether a name is that of one file which is read as a whole. */
    public static boolean inMemory(Path name) {
        if (!Files.isRegularFile(name) || ParquetFile.is(name)) {
            return false;
        }
        try {
            return Files.size(name) <= (name.toString().endsWith(".gz") ? SMALL / PACKED : SMALL);
        } catch (IOException e) {
            throw Csv.unreadable(name, e);
        }
    }

    /** Writes a panel: as Parquet where the name ends so, else as CSV. */
    public static void write(Path file, PanelColumns columns, ChoiceModel model, Panel panel) {
        if (!isParquet(file)) {
            columns.write(file, model, panel);
            return;
        }
        List<String> header = columns.header();
        List<ParquetWriter.Column> types = new ArrayList<>();
        for (String name : header) {
            types.add(new ParquetWriter.Column(
                    name,
                    name.equals(columns.individual()) || name.equals(columns.action())
                            ? ParquetWriter.Kind.TEXT
                            : name.equals(columns.period()) ? ParquetWriter.Kind.WHOLE : ParquetWriter.Kind.REAL,
                    name.equals(columns.action())));
        }
        AtomicFile.write(file, out -> {
            ParquetWriter writer = new ParquetWriter(out, types);
            Block block = new Block(types);
            for (List<Object> cells : columns.rows(model, panel)) {
                block.add(cells);
                if (block.rows == ParquetWriter.GROUP) {
                    writer.write(block.encoded());
                }
            }
            if (block.rows > 0) {
                writer.write(block.encoded());
            }
            writer.end();
        });
    }

    /** Rows on their way to a row group. */
    private static final class Block {
        private final List<ParquetWriter.Column> types;
        private final long[][] whole;
        private final double[][] real;
        private final List<Map<String, Integer>> texts = new ArrayList<>();
        private int rows;

        Block(List<ParquetWriter.Column> types) {
            this.types = types;
            whole = new long[types.size()][ParquetWriter.GROUP];
            real = new double[types.size()][ParquetWriter.GROUP];
            types.forEach(type -> texts.add(new HashMap<>()));
        }

        void add(List<Object> cells) {
            for (int c = 0; c < cells.size(); c++) {
                String cell = String.valueOf(cells.get(c));
                switch (types.get(c).kind()) {
                    case WHOLE -> whole[c][rows] = Long.parseLong(cell);
                    case REAL -> real[c][rows] = Double.parseDouble(cell);
                    case TEXT -> {
                        Map<String, Integer> known = texts.get(c);
                        int next = known.size();
                        whole[c][rows] = cell.isEmpty() ? -1 : known.computeIfAbsent(cell, text -> next);
                    }
                }
            }
            rows++;
        }

        ParquetWriter.Group encoded() {
            List<ParquetWriter.Values> values = new ArrayList<>();
            for (int c = 0; c < types.size(); c++) {
                String[] names = new String[texts.get(c).size()];
                texts.get(c).forEach((text, i) -> names[i] = text);
                values.add(
                        switch (types.get(c).kind()) {
                            case WHOLE -> ParquetWriter.Values.of(whole[c]);
                            case REAL -> ParquetWriter.Values.of(real[c]);
                            case TEXT -> ParquetWriter.Values.of(whole[c], Arrays.asList(names));
                        });
                texts.get(c).clear();
            }
            ParquetWriter.Group group = ParquetWriter.encode(types, values, rows);
            rows = 0;
            return group;
        }
    }
}
