package dev.revealed.data.panel;

import dev.revealed.data.Csv;
import dev.revealed.data.TableRows;
import dev.revealed.data.parquet.ParquetFile;
import dev.revealed.data.parquet.ParquetRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** Files that together hold one table: CSV, also packed by gzip, and Parquet. */
public final class TableFiles {
    private static final Pattern GLOB = Pattern.compile("[*?\\[{]");
    private static final List<String> ENDINGS = List.of(".csv", ".csv.gz", ".parquet");

    /** Rows that are read by one thread at a time, where a file has more. */
    private static final long PIECE = 1 << 19;

    private TableFiles() {}

    /** The files that a name stands for: a file, all of a folder, or those that a pattern such as 2019-*.parquet fits. */
    public static List<Path> named(String name) {
        Path path;
        try {
            path = Path.of(name);
        } catch (InvalidPathException e) {
            throw new BadInput("'%s' is not the name of a file".formatted(name), "Check the name.");
        }
        if (Files.isRegularFile(path)) {
            return List.of(path);
        }
        if (Files.isDirectory(path)) {
            return some(path, Optional.empty(), name);
        }
        var glob = GLOB.matcher(name);
        if (glob.find()) {
            int cut = name.lastIndexOf('/', glob.start());
            Path folder = cut < 0 ? Path.of("") : Path.of(name.substring(0, Math.max(1, cut)));
            try {
                return some(folder, Optional.of(FileSystems.getDefault().getPathMatcher("glob:" + name)), name);
            } catch (PatternSyntaxException e) {
                throw new BadInput(
                        "'%s' is not a pattern of file names (%s)".formatted(name, e.getDescription()),
                        "Write for example 'panel/*.parquet'.");
            }
        }
        throw new BadInput(name + ": there is no such file", "Check the name and the folder.");
    }

    private static List<Path> some(Path folder, Optional<PathMatcher> matcher, String name) {
        try (Stream<Path> all = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            List<Path> files = all.filter(Files::isRegularFile)
                    .filter(file -> matcher.isPresent() ? matcher.get().matches(file) : isTable(folder, file))
                    .sorted()
                    .toList();
            BadInput.when(
                    files.isEmpty(),
                    "%s: there is no file to read".formatted(name),
                    "Files of a panel end in %s.".formatted(String.join(", ", ENDINGS)));
            return files;
        } catch (IOException e) {
            throw Csv.unreadable(folder, e);
        } catch (UncheckedIOException e) {
            throw Csv.unreadable(folder, e.getCause() == null ? new IOException(e) : e.getCause());
        }
    }

    /**
     * Whether a file of a folder belongs to the table: other programs leave hidden files, such as _SUCCESS, and folders of
     * what was not finished, such as _temporary.
     */
    private static boolean isTable(Path folder, Path file) {
        for (Path part : folder.relativize(file)) {
            if (part.toString().startsWith(".") || part.toString().startsWith("_")) {
                return false;
            }
        }
        return ENDINGS.stream().anyMatch(file.toString()::endsWith);
    }

    /** The files cut into pieces that can be read at the same time. */
    public static List<TablePiece> pieces(List<Path> files) {
        List<TablePiece> pieces = new ArrayList<>();
        for (Path file : files) {
            if (ParquetFile.is(file)) {
                ParquetFile parquet = ParquetFile.read(file);
                int from = 0;
                long rows = 0;
                int groups = parquet.groups().size();
                for (int g = 0; g < groups; g++) {
                    rows += parquet.groups().get(g).rows();
                    if (rows >= PIECE || g == groups - 1) {
                        pieces.add(new RowGroups(parquet, from, g + 1, rows));
                        from = g + 1;
                        rows = 0;
                    }
                }
            } else {
                pieces.add(new CsvFile(file));
            }
        }
        BadInput.when(
                pieces.isEmpty(), "%s: there are no rows".formatted(files.getFirst()), "Give at least one decision.");
        return pieces;
    }

    private record RowGroups(ParquetFile file, int from, int to, long rows) implements TablePiece {
        private static final long BYTES = 32; // of a row, about

        @Override
        public TableRows open(List<String> required, List<String> optional, String hint) {
            return ParquetRows.open(file, from, to, required, optional, hint);
        }

        @Override
        public String name() {
            return file.file().toString();
        }

        @Override
        public String unit() {
            return "row";
        }

        @Override
        public long bytes() {
            return BYTES * rows;
        }
    }

    private record CsvFile(Path file) implements TablePiece {
        private static final int PACKED = 8; // times smaller, about

        @Override
        public TableRows open(List<String> required, List<String> optional, String hint) {
            return Csv.amongOthers(file, required, optional, hint, ProgressListener.NONE);
        }

        @Override
        public String name() {
            return file.toString();
        }

        @Override
        public String unit() {
            return "line";
        }

        @Override
        public long rows() {
            return 0;
        }

        @Override
        public long bytes() {
            try {
                return Files.size(file) * (file.toString().endsWith(".gz") ? PACKED : 1);
            } catch (IOException e) {
                throw Csv.unreadable(file, e);
            }
        }
    }
}
