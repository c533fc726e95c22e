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
    private static final long FILE = 16L << 20;
    private static final int MOST_FILES = 512;
    private static final long ROW = 46; // bytes, about

    private final PanelPass pass;
    private final PanelCoding coding;
    private final List<? extends TablePiece> pieces;

    Regrouping(PanelPass pass, PanelCoding coding, List<? extends TablePiece> pieces) {
        this.pass = pass;
        this.coding = coding;
        this.pieces = pieces;
    }

    PanelCounts run(PanelPass.Receivers receivers, ProgressListener listener) {
        long bytes = 0;
        for (TablePiece piece : pieces) {
            bytes += piece.rows() > 0 ? ROW * piece.rows() : 2 * piece.bytes();
        }
        int count = Math.clamp(bytes / FILE + 1, 1, MOST_FILES);
        List<Part> parts = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                parts.add(new Part());
            }
            write(parts);
            PanelCounts counts = new PanelCounts(coding.structure().weight().isPresent());
            Parallel.tasks(count, "bringing individuals together", listener, i -> {
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
                            parts.get((int) Long.remainderUnsigned(mixed(key), parts.size()))
                                    .write(row);
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

    private static long mixed(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 31;
    }

    /** The rows of some individuals, in a file. */
    private final class Part {
        private final Path file = Scratch.file("rows");
        private final DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 15));

        Part() throws IOException {}

        synchronized void write(IndividualRows row) {
            try {
                out.writeLong(row.key());
                if (row.key() < 0) {
                    out.writeUTF(row.name());
                }
                out.writeInt(row.period(0));
                out.writeInt(row.code(0));
                out.writeDouble(row.raw(0));
                out.writeInt(row.said(0));
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

        /** Counts the individuals of this part, in the order in which their first rows were read. */
        void read(PanelCounts counts, PanelPass.Receiver receiver) {
            List<IndividualRows> rows = rows();
            Map<Long, Integer> numbers = new HashMap<>();
            int[] of = new int[rows.size()];
            for (int i = 0; i < of.length; i++) {
                Integer known = numbers.putIfAbsent(rows.get(i).key(), numbers.size());
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

        /** Each run of rows that the table has together. */
        private List<IndividualRows> rows() {
            List<IndividualRows> rows = new ArrayList<>();
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
                for (IndividualRows row = read(in); row != null; row = read(in)) {
                    if (!rows.isEmpty() && rows.getLast().key() == row.key()) {
                        rows.getLast().append(row);
                    } else {
                        rows.add(row);
                    }
                }
            } catch (IOException e) {
                throw Scratch.unwritable(e);
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
