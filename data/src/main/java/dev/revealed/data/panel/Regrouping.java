package dev.revealed.data.panel;

import dev.revealed.data.TableRows;
import dev.revealed.numeric.Buckets;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings the rows of individuals together that stand apart in a table: rows go to files by the key of their individual, and
 * each file is small enough to be held in memory.
 */
final class Regrouping {
    private static final long ROW = 46; // bytes, about
    private static final int LEVELS = 4;

    /**
     * How much is held in memory.
     *
     * @param bytes of a file that is not cut into smaller ones
     * @param files that are written at the same time
     */
    record Limits(long bytes, int files) {
        static final Limits STANDARD = new Limits(16L << 20, 512);
    }

    private final PanelPass pass;
    private final PanelCoding coding;
    private final List<? extends TablePiece> pieces;
    private final Limits limits;

    Regrouping(PanelPass pass, PanelCoding coding, List<? extends TablePiece> pieces, Limits limits) {
        this.limits = limits;
        this.pass = pass;
        this.coding = coding;
        this.pieces = pieces;
    }

    PanelCounts run(PanelPass.Receivers receivers, ProgressListener listener) {
        long bytes = 0;
        for (TablePiece piece : pieces) {
            bytes += piece.rows() > 0 ? ROW * piece.rows() : 2 * piece.bytes();
        }
        List<Part> parts = new ArrayList<>();
        try {
            add(parts, bytes, 0);
            write(parts);
            PanelCounts counts = new PanelCounts(coding.structure().weight().isPresent());
            Parallel.tasks(parts.size(), "bringing individuals together", listener, i -> {
                PanelCounts own = new PanelCounts(counts.weighted());
                PanelPass.Receiver receiver = receivers.make();
                parts.get(i).read(own, receiver);
                receiver.end();
                synchronized (counts) {
                    counts.merge(own);
                }
            });
            return counts;
        } catch (IOException e) {
            throw Scratch.unwritable(e);
        } finally {
            parts.forEach(part -> Scratch.delete(part.file));
        }
    }

    /** Adds files for about so many bytes. */
    private void add(List<Part> parts, long bytes, int level) throws IOException {
        int count = Math.clamp(bytes / limits.bytes + 1, 1, limits.files);
        while (parts.size() < count) {
            parts.add(new Part(level));
        }
    }

    private void write(List<Part> parts) throws IOException {
        try {
            Parallel.tasks(pieces.size(), p -> {
                IndividualRows row = new IndividualRows();
                PanelCoding.Coder coder = pass.coder();
                int rows = 0;
                try (TableRows table = pass.open(p)) {
                    while (table.next()) {
                        long key = table.key(0);
                        row.begin(key, key < 0 ? table.text(0) : null);
                        PanelPass.add(table, coder, row, p);
                        if (row.size() > 0) {
                            of(key, parts).write(row);
                        }
                        if (++rows == 1 << 17) {
                            pass.report(rows);
                            rows = 0;
                        }
                    }
                }
                pass.report(rows);
            });
        } finally {
            for (Part part : parts) {
                part.out.close();
            }
        }
    }

    /** The file of an individual; files of another level share individuals out in another way. */
    private static Part of(long key, List<Part> parts) {
        long mixed = (key + parts.getFirst().level) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 31) * 0xBF58476D1CE4E5B9L;
        return parts.get((int) Long.remainderUnsigned(mixed ^ mixed >>> 29, parts.size()));
    }

    /** The rows of some individuals, in a file. */
    private final class Part {
        private final Path file = Scratch.file("rows");
        private final DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 15));

        private final int level;

        Part(int level) throws IOException {
            this.level = level;
        }

        synchronized void write(IndividualRows row) {
            try {
                out.writeLong(row.key());
                if (row.key() < 0) {
                    out.writeUTF(row.name());
                }
                out.writeInt(row.period(0));
                out.writeInt(row.code(0));
                out.writeDouble(row.raw(0));
                out.writeInt(row.reported(0));
                out.writeLong(row.where(0));
                out.writeDouble(row.weight());
                out.writeUTF(row.cluster());
                for (double covariate : row.covariates()) {
                    out.writeDouble(covariate);
                }
            } catch (IOException e) {
                throw Scratch.unwritable(e);
            }
        }

        /** Counts the individuals of this part; one that is too large for memory is cut into smaller ones first. */
        void read(PanelCounts counts, PanelPass.Receiver receiver) {
            List<Part> smaller = new ArrayList<>();
            try {
                long bytes = Files.size(file);
                if (bytes <= 2 * limits.bytes || level == LEVELS) {
                    count(counts, receiver);
                    return;
                }
                add(smaller, bytes, level + 1);
                try (DataInputStream in = open()) {
                    for (IndividualRows row = read(in); row != null; row = read(in)) {
                        of(row.key(), smaller).write(row);
                    }
                } finally {
                    for (Part part : smaller) {
                        part.out.close();
                    }
                }
                Scratch.delete(file);
                for (Part part : smaller) {
                    part.read(counts, receiver);
                    Scratch.delete(part.file);
                }
            } catch (IOException e) {
                throw Scratch.unwritable(e);
            } finally {
                smaller.forEach(part -> Scratch.delete(part.file));
            }
        }

        /** In the order in which their first rows were read. */
        private void count(PanelCounts counts, PanelPass.Receiver receiver) throws IOException {
            List<IndividualRows> rows = rows();
            Map<Object, Integer> numbers = new HashMap<>();
            int[] of = new int[rows.size()];
            for (int i = 0; i < of.length; i++) {
                Integer known = numbers.putIfAbsent(rows.get(i).identity(), numbers.size());
                of[i] = known == null ? numbers.size() - 1 : known;
            }
            Buckets individuals = Buckets.of(of, numbers.size());
            RowRules.Kept kept = new RowRules.Kept();
            for (int k = 0; k < numbers.size(); k++) {
                IndividualRows one = rows.get(individuals.row()[individuals.start()[k]]);
                for (int i = individuals.start()[k] + 1; i < individuals.start()[k + 1]; i++) {
                    one.append(rows.get(individuals.row()[i]));
                }
                if (!coding.rules().count(one, coding, kept, counts) || !coding.valid(one)) {
                    throw coding.wrong(pass.place(one), one);
                }
                if (kept.decisions > 0) {
                    receiver.accept(one, kept);
                }
            }
        }

        private DataInputStream open() throws IOException {
            return new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16));
        }

        /** Each run of rows that the table has together. */
        private List<IndividualRows> rows() throws IOException {
            List<IndividualRows> rows = new ArrayList<>();
            try (DataInputStream in = open()) {
                for (IndividualRows row = read(in); row != null; row = read(in)) {
                    if (!rows.isEmpty() && rows.getLast().identity().equals(row.identity())) {
                        rows.getLast().append(row);
                    } else {
                        rows.add(row);
                    }
                }
            }
            return rows;
        }

        private @Nullable IndividualRows read(DataInputStream in) throws IOException {
            long key;
            try {
                key = in.readLong();
            } catch (EOFException e) {
                return null;
            }
            IndividualRows row = new IndividualRows(1);
            row.begin(key, key < 0 ? in.readUTF() : null);
            row.add(in.readInt(), in.readInt(), in.readDouble(), in.readInt(), in.readLong());
            double weight = in.readDouble();
            String cluster = in.readUTF();
            double[] covariates = new double[coding.structure().covariates().size()];
            for (int c = 0; c < covariates.length; c++) {
                covariates[c] = in.readDouble();
            }
            row.describe(weight, cluster, covariates);
            return row;
        }
    }
}
