package dev.revealed.data.panel;

import dev.revealed.data.Place;
import dev.revealed.data.TableRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
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
    private final Regrouping.Limits limits;
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
        this(pieces, coding, listener, Regrouping.Limits.STANDARD);
    }

    PanelPass(
            List<? extends TablePiece> pieces,
            PanelCoding coding,
            ProgressListener listener,
            Regrouping.Limits limits) {
        this.limits = limits;
        this.pieces = pieces;
        this.coding = coding;
        this.listener = listener;
        rowsInAll = pieces.stream().allMatch(piece -> piece.rows() > 0)
                ? pieces.stream().mapToLong(TablePiece::rows).sum()
                : 0;
    }

    /** Thrown where the rows of an individual do not follow each other. */
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
        return new Regrouping(this, coding, pieces, limits).run(receivers, listener);
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
    String inputs() {
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
            return new PieceCounts(
                    false,
                    edges.rows,
                    worker.counts.toArray(),
                    edges.packed(),
                    Optional.ofNullable(worker.wrong).map(IndividualRows::packed),
                    keys.ascending(),
                    keys.ends(),
                    keys.all(),
                    keys.size(),
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
            piece.wrong().map(IndividualRows::of).ifPresent(borders.worker::suspect);
            borders.add(p, PanelCounts.of(piece.counts()), Edges.of(piece.edges(), piece.rows()));
            rowsDone.addAndGet(piece.rows());
        }
        PanelCounts counts = borders.end(keys);
        open(0).close(); // which tells the columns that nobody asked for
        return counts;
    }

    /**
     * Adds up what individuals contribute, those inside of a piece where the piece is read, perhaps on other machines. Empty
     * where rows of an individual stand apart, so that pieces cannot be read on their own.
     *
     * @param inputs what the sums depend on besides the pieces
     * @param none makes sums of no individuals
     */
    Optional<PathSums> sums(TaskRunner runner, String inputs, Supplier<PathSums> none) {
        if (apart) {
            return Optional.empty();
        }
        List<PieceSums> all = runner.run(
                new TaskList<>("scores", inputs() + ' ' + inputs, PieceSums.class, pieces.size(), p -> {
                    PathSums own = none.get();
                    return own.packed(inside(p, own));
                }),
                listener);
        PathSums sums = none.get();
        all.forEach(sums::merge);
        between(all.stream().map(PieceSums::edges).toList(), sums, piece -> {});
        return Optional.of(sums);
    }

    /** Hands on the individuals inside of a piece that was counted before; gives those at its edges. */
    List<PieceCounts.EdgeRows> inside(int piece, Receiver receiver) {
        Worker worker = new Worker(receiver);
        try {
            Edges edges = read(piece, coding.coder(), worker, new RunKeys.Piece());
            worker.receiver.end();
            worker.needUnchanged();
            return edges.packed();
        } catch (Scattered e) { // rows stood together when they were counted
            throw changed();
        }
    }

    /**
     * Hands on the individuals at the edges of pieces, put together.
     *
     * @param reached hears of each piece when all individuals before those inside of it were handed on
     */
    void between(List<List<PieceCounts.EdgeRows>> edges, Receiver receiver, IntConsumer reached) {
        Borders borders = new Borders(receiver);
        for (int p = 0; p < edges.size(); p++) {
            borders.add(p, borders.worker.nothing(), Edges.of(edges.get(p), 0));
            reached.accept(p);
        }
        borders.close();
        borders.worker.needUnchanged();
    }

    /** Whether rows of an individual stand apart, so that pieces cannot be read on their own. */
    boolean apart() {
        return apart;
    }

    int pieces() {
        return pieces.size();
    }

    ProgressListener listener() {
        return listener;
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
            Optional.ofNullable(worker.wrong).ifPresent(borders::suspect);
        });
        return borders.end(keys);
    }

    /** Counts individuals, on one thread. */
    private final class Worker {
        private final PanelCounts counts = nothing();
        private final RowRules.Kept kept = new RowRules.Kept();
        private final RowRules rules = coding.rules();
        private final Receiver receiver;
        private @Nullable IndividualRows wrong; // the first that is, unless its other rows stand elsewhere

        Worker(Receiver receiver) {
            this.receiver = receiver;
        }

        PanelCounts nothing() {
            return new PanelCounts(coding.structure().weight().isPresent());
        }

        void count(IndividualRows rows) {
            if (!rules.count(rows, coding, kept, counts) || !coding.valid(rows)) {
                suspect(rows);
            } else if (kept.decisions > 0) {
                receiver.accept(rows, kept);
            }
        }

        /** Rows that were right when they were counted must be so again. */
        void needUnchanged() {
            if (wrong != null) {
                throw changed();
            }
        }

        void suspect(IndividualRows rows) {
            if (wrong == null || rows.firstWhere() < wrong.firstWhere()) {
                wrong = rows.copy();
            }
        }
    }

    /** The first and the last individual of a piece, whose other rows may stand in the pieces around it. */
    private record Edges(
            @Nullable IndividualRows first, @Nullable IndividualRows last, long rows) {
        static Edges of(List<PieceCounts.EdgeRows> packed, long rows) {
            List<IndividualRows> all = packed.stream().map(IndividualRows::of).toList();
            return new Edges(all.size() < 2 ? null : all.getFirst(), all.isEmpty() ? null : all.getLast(), rows);
        }

        /** In a form that can travel. */
        List<PieceCounts.EdgeRows> packed() {
            return Stream.of(Optional.ofNullable(first), Optional.ofNullable(last))
                    .flatMap(Optional::stream)
                    .map(IndividualRows::packed)
                    .toList();
        }
    }

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

        synchronized void suspect(IndividualRows rows) {
            worker.suspect(rows);
        }

        synchronized void close() {
            if (open != null) {
                worker.count(open);
            }
            worker.receiver.end();
        }

        /** The counts of all pieces, where every individual has its rows together and nothing is wrong with them. */
        PanelCounts end(RunKeys keys) {
            close();
            empty = keys.none();
            if (!keys.different()) {
                throw new Scattered();
            }
            IndividualRows wrong = worker.wrong;
            if (wrong != null) {
                throw coding.wrong(place(wrong), wrong);
            }
            return worker.counts;
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
                        refuseApart(keys);
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
        refuseApart(keys);
        return new Edges(first, run, all);
    }

    private static void refuseApart(RunKeys.Piece keys) {
        if (keys.apart()) {
            throw new Scattered();
        }
    }

    static void add(TableRows table, PanelCoding.Coder coder, IndividualRows run, int piece) {
        int code = coder.code(table);
        if (code >= 0) {
            run.add(
                    coder.period(table),
                    code,
                    coder.raw(table),
                    coder.reported(table),
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

    /** What is wrong with the first individual that has a given pair of rows. */
    BadInput refusal(int before, int code) {
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
}
