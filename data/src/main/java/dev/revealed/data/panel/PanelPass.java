package dev.revealed.data.panel;

import dev.revealed.data.Place;
import dev.revealed.data.TableRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the pieces of a table, several of them at once. Where all rows of an individual stand together it counts as
 * soon as its last row is read, also across the border of two pieces. Where they do not, a second pass first brings them
 * together on disk. Memory depends on the number of different rows and on the individuals, not on the number of rows.
 */
final class PanelPass {
    private static final int POSITION = 40; // binary digits of a row's number in its piece
    private static final int REPORT = 1 << 17;

    private final List<? extends TablePiece> pieces;
    private final PanelCoding coding;
    private final ProgressListener listener;
    private final AtomicLong rowsDone = new AtomicLong();
    private final long rowsInAll; // 0 where that is not known
    private final List<PanelCoding.Coder> coders = new ArrayList<>();
    private List<String> unused = List.of();
    private boolean apart; // whether rows of an individual are known to stand apart
    private boolean empty;

    /** Receives each individual, its rows and which of them count; called by several threads, one for each receiver. */
    @FunctionalInterface
    interface Receiver {
        void accept(IndividualRows rows, RowRules.Kept kept);

        /** Is told when no more will come. */
        default void end() {}
    }

    /** Receives nothing, where counts are enough. */
    private static final Receiver NOBODY = (rows, kept) -> {};

    /** Makes a receiver for one thread. */
    @FunctionalInterface
    interface Receivers {
        Receiver make();
    }

    PanelPass(List<? extends TablePiece> pieces, PanelCoding coding, ProgressListener listener) {
        this.pieces = pieces;
        this.coding = coding;
        this.listener = listener;
        rowsInAll = pieces.stream().allMatch(piece -> piece.rows() > 0)
                ? pieces.stream().mapToLong(TablePiece::rows).sum()
                : 0;
    }

    /** Thrown where the rows of an individual do not follow each other, or something is wrong with them. */
    private static final class Scattered extends RuntimeException {
        private static final long serialVersionUID = 1;

        Scattered() {
            super(null, null, false, false);
        }
    }

    /**
     * Counts all rows.
     *
     * <p>A receiver must not be given individuals of which some turn out to stand apart: this comes first.
     */
    PanelCounts count() {
        try {
            return together(() -> NOBODY);
        } catch (Scattered e) {
            return regrouped(() -> NOBODY);
        }
    }

    /** Goes through all rows once more after they were counted, and hands each individual on. */
    void run(Receivers receivers) {
        if (apart) {
            regrouped(receivers);
            return;
        }
        try {
            together(receivers);
        } catch (Scattered e) {
            throw changed();
        }
    }

    private PanelCounts regrouped(Receivers receivers) {
        apart = true;
        coders.clear();
        rowsDone.set(0);
        return new Regrouping(this, coding, pieces).run(receivers, listener);
    }

    /** The table is another than the one that was counted. */
    BadInput changed() {
        return new BadInput(
                pieces.getFirst().name() + ": the table changed while it was read",
                "Run the command again when nobody writes to it.");
    }

    /** Counts all rows, pieces of the table perhaps on other machines. */
    PanelCounts count(TaskRunner runner) {
        if (runner == TaskRunner.THREADS) {
            return count();
        }
        List<PieceCounts> all =
                runner.run(new TaskList<>("rows", inputs(), PieceCounts.class, pieces.size(), this::piece), listener);
        try {
            return put(all);
        } catch (Scattered e) {
            return regrouped(() -> NOBODY);
        }
    }

    /** What the counts of a piece depend on: where it is, and how it is read. */
    private String inputs() {
        StringBuilder text = new StringBuilder();
        text.append(coding.required()).append(coding.places()).append('/').append(coding.actions());
        pieces.forEach(
                piece -> text.append(' ').append(piece.name()).append(':').append(piece.bytes()));
        return text.toString();
    }

    /** Reads a piece alone. */
    private PieceCounts piece(int p) {
        Worker worker = new Worker(NOBODY);
        RunKeys.Piece keys = new RunKeys.Piece();
        PanelCoding.Coder coder = coding.coder();
        try {
            Edges edges = read(p, coder, worker, keys);
            List<PieceCounts.EdgeRows> packed = Stream.of(
                            Optional.ofNullable(edges.first), Optional.ofNullable(edges.last))
                    .flatMap(Optional::stream)
                    .map(IndividualRows::packed)
                    .toList();
            return new PieceCounts(
                    false,
                    edges.rows,
                    worker.counts.toArray(),
                    packed,
                    keys.ascending,
                    keys.size == 0 ? new long[0] : new long[] {keys.first, keys.last},
                    Arrays.copyOf(keys.all, Math.min(keys.all.length, keys.size)),
                    keys.size,
                    coder.notes());
        } catch (Scattered e) {
            return PieceCounts.scattered();
        }
    }

    /** Puts together what was read of all pieces. */
    private PanelCounts put(List<PieceCounts> all) {
        Borders borders = new Borders(NOBODY);
        RunKeys keys = new RunKeys(pieces.size());
        rowsDone.set(0);
        for (int p = 0; p < all.size(); p++) {
            PieceCounts piece = all.get(p);
            if (piece.apart()) {
                throw new Scattered();
            }
            keys.of(p).set(piece);
            coder().remember(piece.notes());
            List<IndividualRows> edges =
                    piece.edges().stream().map(IndividualRows::of).toList();
            borders.add(
                    p,
                    PanelCounts.of(piece.counts()),
                    new Edges(
                            edges.size() < 2 ? null : edges.getFirst(),
                            edges.isEmpty() ? null : edges.getLast(),
                            piece.rows()));
            rowsDone.addAndGet(piece.rows());
        }
        borders.end();
        empty = keys.none();
        if (!keys.different()) {
            throw new Scattered();
        }
        open(0).close(); // which tells the columns that nobody asked for
        return borders.worker.counts;
    }

    private PanelCounts together(Receivers receivers) {
        Borders borders = new Borders(receivers.make());
        RunKeys keys = new RunKeys(pieces.size());
        rowsDone.set(0);
        Parallel.tasks(pieces.size(), p -> {
            Worker worker = new Worker(receivers.make());
            Edges edges = read(p, coder(), worker, keys.of(p));
            worker.receiver.end();
            borders.add(p, worker.counts, edges);
        });
        borders.end();
        empty = keys.none();
        if (!keys.different()) {
            throw new Scattered();
        }
        return borders.worker.counts;
    }

    /** Counts individuals, on one thread. */
    private final class Worker {
        private final PanelCounts counts =
                new PanelCounts(coding.structure().weight().isPresent());
        private final RowRules.Kept kept = new RowRules.Kept();
        private final RowRules rules = coding.rules();
        private final Receiver receiver;

        Worker(Receiver receiver) {
            this.receiver = receiver;
        }

        void count(IndividualRows rows) {
            if (!rules.count(rows, coding, kept, counts) || !coding.valid(rows)) {
                throw new Scattered();
            }
            if (kept.decisions > 0) {
                receiver.accept(rows, kept);
            }
        }
    }

    /** The first and the last individual of a piece, whose other rows may stand in the pieces around it. */
    private record Edges(
            @Nullable IndividualRows first, @Nullable IndividualRows last, long rows) {}

    /** Puts together what stands on both sides of the border of two pieces, in their order. */
    private final class Borders {
        private final Worker worker;
        private final @Nullable Edges[] edges = new @Nullable Edges[pieces.size()];
        private int next;
        private @Nullable IndividualRows open;

        Borders(Receiver receiver) {
            worker = new Worker(receiver);
        }

        synchronized void add(int piece, PanelCounts counts, Edges found) {
            worker.counts.merge(counts);
            edges[piece] = found;
            while (next < edges.length && edges[next] != null) {
                Edges own = edges[next];
                edges[next++] = null;
                if (own != null) {
                    take(own.first());
                    take(own.last());
                }
            }
        }

        private void take(@Nullable IndividualRows rows) {
            if (rows == null) {
                return;
            }
            IndividualRows before = open;
            if (before != null && before.key() == rows.key()) {
                before.append(rows);
                return;
            }
            if (before != null) {
                worker.count(before);
            }
            open = rows;
        }

        synchronized void end() {
            if (open != null) {
                worker.count(open);
            }
            worker.receiver.end();
        }
    }

    private Edges read(int piece, PanelCoding.Coder coder, Worker worker, RunKeys.Piece keys) {
        IndividualRows run = new IndividualRows();
        IndividualRows first = null;
        boolean any = false;
        int rows = 0;
        long all = 0;
        try (TableRows table = open(piece)) {
            while (table.next()) {
                long key = table.key(0);
                if (!any || key != run.key()) {
                    if (any) {
                        keys.add(run.key());
                        if (first == null) {
                            first = run.copy();
                        } else if (run.size() > 0) {
                            worker.count(run);
                        }
                    }
                    run.begin(key, key < 0 ? table.text(0) : null);
                    any = true;
                }
                add(table, coder, run, piece);
                all++;
                if (++rows == REPORT) {
                    report(rows);
                    rows = 0;
                }
            }
        }
        report(rows);
        if (!any) {
            return new Edges(null, null, 0);
        }
        keys.add(run.key());
        keys.end();
        return new Edges(first, run, all);
    }

    static void add(TableRows table, PanelCoding.Coder coder, IndividualRows run, int piece) {
        int code = coder.code(table);
        if (code >= 0) {
            run.add(
                    coder.period(table),
                    code,
                    coder.raw(table),
                    coder.said(table),
                    (long) piece << POSITION | table.position());
            run.describe(coder.weight(table), coder.cluster(table), coder.covariates(table));
        }
    }

    PanelCoding.Coder coder() {
        PanelCoding.Coder coder = coding.coder();
        synchronized (coders) {
            coders.add(coder);
        }
        return coder;
    }

    TableRows open(int piece) {
        TableRows table = pieces.get(piece).open(coding.required(), coding.optional(), coding.hint());
        if (piece == 0) {
            unused = table.others();
        }
        return table;
    }

    /** Says how many rows are read; who shows it tells how many in a second. */
    void report(int rows) {
        listener.progress("reading rows", rowsDone.addAndGet(rows), rowsInAll);
    }

    /** Whether there are no rows, those that do not belong to the panel included. */
    boolean empty() {
        return empty;
    }

    /** Where the rows of an individual stand, for messages. */
    Place place(IndividualRows rows) {
        TablePiece piece = pieces.get((int) (rows.where(0) >>> POSITION));
        return new Place(piece.name(), piece.unit(), i -> {
            TablePiece own = pieces.get((int) (rows.where(i) >>> POSITION));
            String number = Long.toString(rows.where(i) & (1L << POSITION) - 1);
            return own.name().equals(piece.name()) ? number : number + " of " + own.name();
        });
    }

    /** Columns that nobody asked for. */
    List<String> unused() {
        return unused;
    }

    List<PanelCoding.Coder> coders() {
        return coders;
    }

    /** Refuses the rows of the first individual that has a given pair of rows. */
    BadInput accuse(int before, int code) {
        IndividualRows[] found = new IndividualRows[1];
        run(() -> (rows, kept) -> {
            for (int t = 0; t < kept.size(); t++) {
                if (kept.before(t) == before && kept.code(t) == code) {
                    synchronized (found) {
                        if (found[0] == null || rows.where(0) < found[0].where(0)) {
                            found[0] = rows.copy();
                        }
                    }
                }
            }
        });
        IndividualRows rows = found[0];
        if (rows == null) {
            return changed();
        }
        return coding.wrong(place(rows), rows);
    }

    /** The keys of the individuals of each piece, in the order of their rows. */
    private static final class RunKeys {
        private static final int FEW = 1000;

        private final Piece[] pieces;

        RunKeys(int count) {
            pieces = new Piece[count];
            Arrays.setAll(pieces, i -> new Piece());
        }

        Piece of(int piece) {
            return pieces[piece];
        }

        /** Keys in ascending order are known by the first and the last of them. */
        static final class Piece {
            private boolean ascending = true;
            private long first;
            private long last;
            private long[] all = new long[16];
            private int size;

            void add(long key) {
                if (size == 0) {
                    first = key;
                } else {
                    ascending &= key > last;
                }
                last = key;
                if (size == all.length) {
                    all = Arrays.copyOf(all, 2 * size);
                }
                all[size++] = key;
            }

            /** As another machine has found it. */
            void set(PieceCounts piece) {
                ascending = piece.ascending();
                size = piece.individuals();
                first = size == 0 ? 0 : piece.ends()[0];
                last = size == 0 ? 0 : piece.ends()[1];
                all = piece.keys();
            }

            /** Forgets what need not be known. */
            void end() {
                if (ascending && size > FEW) {
                    all = new long[0];
                }
            }
        }

        boolean none() {
            return Arrays.stream(pieces).allMatch(piece -> piece.size == 0);
        }

        /** Whether no individual has rows in two places; at the border of two pieces they may go on. */
        boolean different() {
            List<Piece> some =
                    Arrays.stream(pieces).filter(piece -> piece.size > 0).toList();
            return some.stream().allMatch(piece -> piece.ascending) ? disjoint(some) : eachOnce(some);
        }

        private static boolean disjoint(List<Piece> some) {
            List<Piece> sorted = some.stream()
                    .sorted((a, b) -> Long.compare(a.first, b.first))
                    .toList();
            for (int i = 1; i < sorted.size(); i++) {
                Piece before = sorted.get(i - 1);
                Piece piece = sorted.get(i);
                boolean next = some.indexOf(piece) == some.indexOf(before) + 1;
                if (piece.first < before.last || (piece.first == before.last && !next)) {
                    return false;
                }
            }
            return true;
        }

        private static boolean eachOnce(List<Piece> some) {
            if (some.stream().anyMatch(piece -> piece.all.length == 0)) {
                return false; // not known, so they are brought together
            }
            long[] all = new long[some.stream().mapToInt(piece -> piece.size).sum()];
            int n = 0;
            for (Piece piece : some) {
                for (int i = 0; i < piece.size; i++) {
                    if (i > 0 || n == 0 || all[n - 1] != piece.all[0]) {
                        all[n++] = piece.all[i];
                    }
                }
            }
            Arrays.sort(all, 0, n);
            for (int i = 1; i < n; i++) {
                if (all[i] == all[i - 1]) {
                    return false;
                }
            }
            return true;
        }
    }
}
