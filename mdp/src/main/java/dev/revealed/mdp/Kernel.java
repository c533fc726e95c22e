package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Sweeps;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The transition law P(s'|s,a) as a sparse matrix in compressed rows, row {@code s*A + a}. Checked once, immutable after;
 * the arrays behind it are shared with the sweeps that read them and must not be written.
 *
 * <p>Where the law has a structure that makes products cheaper than its entries are, the kernel is an {@link Operator}: the
 * sweeps use that, and the entries are written down only for those who ask for them.
 */
public final class Kernel {
    /** How far a row may be from summing to one. */
    public static final double ROW_SUM_TOLERANCE = 1e-9;

    /** What is written down of an operator at most: about a gigabyte. */
    private static final double MOST_ENTRIES = 1e8;

    private final int states;
    private final int actions;
    private final @Nullable Operator operator;
    private volatile @Nullable Entries entries;
    private volatile Sweeps.@Nullable Rows identity;
    private volatile @Nullable Incoming incoming;
    private volatile int @Nullable [] absorbing;

    /** Compressed rows. */
    private record Entries(int[] rowStart, int[] successor, double[] probability) {}

    /**
     * A transition law that is known by its products. States may come in layers, one for each period of a finite horizon: from
     * a layer one always moves to the next, and from the last nowhere.
     */
    public interface Operator {
        /** How many layers of equally many states there are; 1 where there is no horizon. */
        default int layers() {
            return 1;
        }

        /** rows(s,a) = expected values after (s,a), for the rows of a layer. */
        void expect(int layer, double[] values, double[] rows);

        /** next(s') = sum of P(s'|row) flow(row) over the rows of a layer: writes the states they lead to. */
        void push(int layer, double[] flow, double[] next);

        /** A successor of a row, drawn by its probabilities. */
        int draw(int row, RandomStream stream);

        /** The successors of a row one by one; of the last layer's the state itself. */
        void entries(int row, Row out);

        /** Whether a row may lead to a state. */
        boolean leads(int row, int successor);

        /** How many entries the rows would have written down. */
        double size();
    }

    /** The same entries ordered by successor: for state s', the rows that lead to it and with what probability. */
    public record Incoming(int[] start, int[] row, double[] probability) {}

    /** Receives the successors of one row; probabilities of the same successor add up. */
    @FunctionalInterface
    public interface Row {
        void add(int successor, double probability);
    }

    /** Writes the successors of (state, action). */
    @FunctionalInterface
    public interface RowWriter {
        void write(int state, int action, Row row);
    }

    private Kernel(int states, int actions, @Nullable Operator operator, @Nullable Entries entries) {
        this.states = states;
        this.actions = actions;
        this.operator = operator;
        this.entries = entries;
    }

    /** A kernel that is known by its products. */
    public static Kernel of(int states, int actions, Operator operator) {
        rows(states, actions);
        return new Kernel(states, actions, operator, null);
    }

    /** Builds a kernel row by row; the way to make large ones, since no list of entries is made besides. */
    public static Kernel of(int states, int actions, RowWriter writer) {
        return new Kernel(states, actions, null, write(states, actions, writer));
    }

    private static Entries write(int states, int actions, RowWriter writer) {
        int rows = rows(states, actions);
        Growing growing = new Growing(states, Math.max(16, (int) Math.min(4L * rows, Integer.MAX_VALUE - 8)));
        int[] rowStart = new int[rows + 1];
        for (int s = 0; s < states; s++) {
            for (int a = 0; a < actions; a++) {
                try {
                    writer.write(s, a, growing);
                } catch (BadInput e) {
                    throw e.in("state %d, action %d".formatted(s, a));
                }
                growing.endRow(s, a);
                rowStart[s * actions + a + 1] = growing.size;
            }
        }
        int[] successor = Arrays.copyOf(growing.successor, growing.size);
        return new Entries(rowStart, successor, Arrays.copyOf(growing.probability, growing.size));
    }

    /** Builds a kernel from entries in any order; entries of the same (state, action, successor) add up. */
    public static Kernel ofTriplets(
            int states, int actions, int[] state, int[] action, int[] successor, double[] probability) {
        int rows = rows(states, actions);
        int[] start = new int[rows + 1];
        for (int i = 0; i < state.length; i++) {
            BadInput.index("state", state[i], states);
            BadInput.index("action", action[i], actions);
            start[state[i] * actions + action[i] + 1]++;
        }
        Arrays.parallelPrefix(start, Integer::sum);
        int[] position = Arrays.copyOf(start, rows);
        int[] entry = new int[state.length];
        for (int i = 0; i < state.length; i++) {
            entry[position[state[i] * actions + action[i]]++] = i;
        }
        return of(states, actions, (s, a, row) -> {
            for (int k = start[s * actions + a]; k < start[s * actions + a + 1]; k++) {
                row.add(successor[entry[k]], probability[entry[k]]);
            }
        });
    }

    private static int rows(int states, int actions) {
        if (states < 1 || actions < 1 || (long) states * actions >= Integer.MAX_VALUE) {
            throw new BadInput(
                    "a kernel of %d states and %d actions".formatted(states, actions),
                    "Both must be at least 1 and their product below 2^31.");
        }
        return states * actions;
    }

    public int states() {
        return states;
    }

    public int actions() {
        return actions;
    }

    public int rows() {
        return states * actions;
    }

    public int nonzeros() {
        return entries().successor.length;
    }

    /** How many entries there are, written down or not. */
    public double size() {
        return operator == null ? nonzeros() : operator.size();
    }

    /** The products of a law with structure; null where the entries are all there is. */
    public @Nullable Operator operator() {
        return operator;
    }

    /** Layers of states, one for each period of a finite horizon; 1 without one. */
    public int layers() {
        return operator == null ? 1 : operator.layers();
    }

    /** What the columns of {@link #sweepRows} refer to: the values, or expected values by row where there is an operator. */
    double[] ahead(double[] values) {
        if (operator == null) {
            return values;
        }
        double[] rows = new double[rows()];
        expect(values, rows);
        return rows;
    }

    /** The rows that sweeps run over, together with {@link #ahead}. */
    Sweeps.Rows sweepRows() {
        if (operator == null) {
            return new Sweeps.Rows(rowStart(), successor(), probability());
        }
        Sweeps.Rows known = identity;
        if (known == null) {
            double[] ones = new double[rows()];
            Arrays.fill(ones, 1);
            int[] numbers = IntStream.rangeClosed(0, rows()).toArray();
            known = new Sweeps.Rows(numbers, numbers, ones);
            identity = known;
        }
        return known;
    }

    /** The successors of a row one by one, whether they are written down or not. */
    public void successors(int row, Row out) {
        if (operator != null) {
            operator.entries(row, out);
            return;
        }
        Entries all = entries();
        for (int k = all.rowStart[row]; k < all.rowStart[row + 1]; k++) {
            out.add(all.successor[k], all.probability[k]);
        }
    }

    /** The same kernel by its entries alone. */
    Kernel writtenDown() {
        return operator == null ? this : new Kernel(states, actions, null, entries());
    }

    /** Writes down the entries of an operator, once. */
    private Entries entries() {
        Entries known = entries;
        Operator products = operator;
        if (known == null && products != null) {
            BadInput.when(
                    products.size() > MOST_ENTRIES,
                    "this needs the transition matrix of %d states and %d actions entry by entry, and it has %.2g entries"
                            .formatted(states, actions, products.size()),
                    "Use coarser grids, or what works without them: nfxp, ml-irl, npl and ccp, their standard errors and"
                            + " `simulate`.");
            known = write(states, actions, (s, a, row) -> products.entries(s * actions + a, row));
            entries = known;
        }
        return Objects.requireNonNull(known);
    }

    /** States that no action leaves, ascending; do not modify. */
    public int[] absorbing() {
        int[] known = absorbing;
        if (known == null) {
            int[] rowStart = rowStart();
            int[] successor = successor();
            double[] probability = probability();
            known = IntStream.range(0, states)
                    .filter(s -> IntStream.range(rowStart[s * actions], rowStart[(s + 1) * actions])
                            .allMatch(k -> successor[k] == s || probability[k] == 0))
                    .toArray();
            absorbing = known;
        }
        return known;
    }

    /** Where each row begins; do not modify. */
    public int[] rowStart() {
        return entries().rowStart;
    }

    /** Successor of each entry; do not modify. */
    public int[] successor() {
        return entries().successor;
    }

    /** Probability of each entry; do not modify. */
    public double[] probability() {
        return entries().probability;
    }

    /** rows(s,a) = expected values after (s,a). */
    public void expect(double[] values, double[] into) {
        if (operator != null) {
            for (int layer = 0; layer < operator.layers(); layer++) {
                operator.expect(layer, values, into);
            }
            return;
        }
        Sweeps.Rows all = sweepRows();
        double[] nothing = new double[rows()];
        Parallel.range(rows(), (from, to) -> Sweeps.affine(from, to, all, nothing, 1, values, into));
    }

    /** next(s') = sum over rows of P(s'|row) flow(row). */
    public void push(double[] flow, double[] next) {
        if (operator != null) {
            Arrays.fill(next, 0);
            for (int layer = 0; layer < operator.layers(); layer++) {
                operator.push(layer, flow, next);
            }
            return;
        }
        Incoming all = incoming();
        Sweeps.Rows into = new Sweeps.Rows(all.start, all.row, all.probability);
        double[] nothing = new double[states];
        Parallel.range(states, (from, to) -> Sweeps.affine(from, to, into, nothing, 1, flow, next));
    }

    /** Whether a row may lead to a state. */
    public boolean leads(int row, int next) {
        if (operator != null) {
            return operator.leads(row, next);
        }
        Entries all = entries();
        return IntStream.range(all.rowStart[row], all.rowStart[row + 1])
                .anyMatch(k -> all.successor[k] == next && all.probability[k] > 0);
    }

    /** A successor of a row, drawn by its probabilities. */
    public int draw(int row, RandomStream stream) {
        if (operator != null) {
            return operator.draw(row, stream);
        }
        int[] rowStart = rowStart();
        double[] probability = probability();
        return successor()[rowStart[row] + stream.nextIndex(probability, rowStart[row], rowStart[row + 1])];
    }

    /** The transposed order, made on first use: occupancies gather along it, so that threads never write the same cell. */
    public Incoming incoming() {
        Incoming made = incoming;
        if (made == null) {
            made = transpose();
            incoming = made;
        }
        return made;
    }

    private Incoming transpose() {
        int[] rowStart = rowStart();
        int[] successor = successor();
        double[] probability = probability();
        int[] start = new int[states + 1];
        for (int next : successor) {
            start[next + 1]++;
        }
        Arrays.parallelPrefix(start, Integer::sum);
        int[] position = Arrays.copyOf(start, states);
        int[] row = new int[successor.length];
        double[] p = new double[successor.length];
        for (int r = 0; r < rows(); r++) {
            for (int k = rowStart[r]; k < rowStart[r + 1]; k++) {
                int at = position[successor[k]]++;
                row[at] = r;
                p[at] = probability[k];
            }
        }
        return new Incoming(start, row, p);
    }

    /** Entries of the rows so far, with the last row still open. */
    private static final class Growing implements Row {
        private final int states;
        private int[] successor;
        private double[] probability;
        private final int[] entryOf; // where a successor was last written; stale outside the open row
        private int size;
        private int rowBegin;

        Growing(int states, int capacity) {
            this.states = states;
            successor = new int[capacity];
            probability = new double[capacity];
            entryOf = new int[states];
        }

        @Override
        public void add(int next, double p) {
            BadInput.index("successor", next, states);
            if (!(p >= 0 && p <= 1 + ROW_SUM_TOLERANCE)) {
                throw new BadInput(
                        "the probability of successor %d is %s".formatted(next, p), "Probabilities lie in [0, 1].");
            }
            if (p == 0) {
                return;
            }
            int known = entryOf[next];
            if (known >= rowBegin && known < size && successor[known] == next) {
                probability[known] += p;
                return;
            }
            entryOf[next] = size;
            if (size == successor.length) {
                int capacity = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * size);
                if (capacity == size) {
                    throw new BadInput(
                            "the kernel has more than %d entries".formatted(size), "Use a coarser or sparser model.");
                }
                successor = Arrays.copyOf(successor, capacity);
                probability = Arrays.copyOf(probability, capacity);
            }
            successor[size] = next;
            probability[size++] = p;
        }

        void endRow(int state, int action) {
            double sum = 0;
            for (int k = rowBegin; k < size; k++) {
                sum += probability[k];
            }
            if (Math.abs(sum - 1) > ROW_SUM_TOLERANCE) {
                String hint = size == rowBegin
                        ? "It has no successor at all; a terminal state needs a self-loop with probability 1."
                        : "Probabilities of each (state, action) must sum to 1; perhaps a successor is missing.";
                throw new BadInput(
                        "the kernel row of state %d, action %d sums to %s".formatted(state, action, sum), hint);
            }
            for (int k = rowBegin; k < size && sum != 1; k++) {
                probability[k] /= sum; // what builds on this counts on rows that sum to one to rounding
            }
            rowBegin = size;
        }
    }
}
