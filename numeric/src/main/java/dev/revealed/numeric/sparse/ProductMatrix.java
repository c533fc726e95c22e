package dev.revealed.numeric.sparse;

import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;

/**
 * A matrix whose rows are products of distributions of several variables, kept as its factors: row t has the entry
 *
 * <pre>  product over variables v of P_v[d_v(t)][x_v]      in the column of (x_1, ..., x_n), the last running fastest,</pre>
 *
 * d_v(t) being the distribution that moves variable v there. A product with a vector sums over one variable at a time, the
 * last first: two variables of 60 values that move by laws of their own cost 2 * 60^3 multiplications, their matrix 60^4.
 *
 * <p>Results do not depend on the number of threads.
 */
public final class ProductMatrix {
    /** Numbers written by one task, about. */
    private static final int GRAIN = 8192;

    /** Numbers of a factor written out with its zeros, at most. */
    private static final long MOST_DENSE = 1 << 22;

    private final Stage[] stages; // of the first variable, ..., of the last
    private final int columns;

    /** The distributions of one variable: sparse rows over its values. */
    public record Factor(int[] start, int[] column, double[] value) {

        boolean positive(int row, int place) {
            for (int e = start[row]; e < start[row + 1]; e++) {
                if (column[e] == place && value[e] > 0) {
                    return true;
                }
            }
            return false;
        }

        int draw(int row, RandomStream stream) {
            return column[start[row] + stream.nextIndex(value, start[row], start[row + 1])];
        }
    }

    /**
     * Which distributions meet in which rows: tuples (d_k, ..., d_n) of the variables from the k-th on are numbered, those
     * of the first being the rows. It does not depend on the probabilities.
     *
     * @param sizes the number of values of each variable
     * @param which {@code [k][tuple]}: d_k
     * @param rest {@code [k][tuple]}: the number of (d_(k+1), ..., d_n)
     */
    public record Structure(int[] sizes, int[][] which, int[][] rest) {
        public int rows() {
            return which[0].length;
        }

        /** How many values one product writes and adds up for distributions with so many entries each. */
        public double cost(int[][] entries) {
            double cost = 0;
            double prefix = 1;
            for (int k = 0; k < sizes.length; k++) {
                double own = 0;
                for (int d : which[k]) {
                    own += entries[k][d];
                }
                cost += prefix * own;
                prefix *= sizes[k];
            }
            return cost;
        }
    }

    /** One variable summed out. Tuples of the same distribution whose rests follow each other make a run. */
    private static final class Stage {
        private final int prefixes; // combinations of the variables before
        private final int size;
        private final int inner; // tuples of the variables after
        private final int tuples;
        private final int[] runWhich;
        private final int[] runRest;
        private final int[] runTuple;
        private final int[] runLength;
        private final int[] which;
        private final int[] rest;

        Stage(int prefixes, int size, int inner, int[] which, int[] rest) {
            this.prefixes = prefixes;
            this.size = size;
            this.inner = inner;
            this.which = which;
            this.rest = rest;
            tuples = which.length;
            int[] begin = new int[tuples + 1];
            int runs = 0;
            for (int t = 0; t < tuples; t++) {
                if (t == 0 || which[t] != which[t - 1] || rest[t] != rest[t - 1] + 1) {
                    begin[runs++] = t;
                }
            }
            begin[runs] = tuples;
            runTuple = Arrays.copyOf(begin, runs);
            runWhich = new int[runs];
            runRest = new int[runs];
            runLength = new int[runs];
            for (int r = 0; r < runs; r++) {
                runWhich[r] = which[begin[r]];
                runRest[r] = rest[begin[r]];
                runLength[r] = begin[r + 1] - begin[r];
            }
        }

        long inputs() {
            return (long) prefixes * size * inner;
        }

        long outputs() {
            return (long) prefixes * tuples;
        }

        /** What is done for the prefixes [from, to) and the rests [low, high): nothing else is read or written. */
        private interface Piece {
            void run(int from, int to, int low, int high);
        }

        private void pieces(Piece piece) {
            int chunk = Math.min(inner, GRAIN);
            int chunks = (inner + chunk - 1) / chunk;
            int batch = (int) Math.max(1, Math.min(prefixes, GRAIN / Math.max(1L, (long) size * chunk)));
            int batches = (prefixes + batch - 1) / batch;
            Parallel.tasks(batches * chunks, task -> {
                int b = task / chunks;
                int c = task % chunks;
                piece.run(b * batch, Math.min(prefixes, (b + 1) * batch), c * chunk, Math.min(inner, (c + 1) * chunk));
            });
        }

        /** Whether to write the factor out: the last variable, whose distributions have few zeros. */
        private boolean dense(Factor factor) {
            long entries = 0;
            for (int d : which) {
                entries += factor.start[d + 1] - factor.start[d];
            }
            return inner == 1 && 2 * entries > (long) tuples * size && (long) tuples * size <= MOST_DENSE;
        }

        /** The factor written out by (x, tuple), or by (tuple, x). */
        private double[] written(Factor factor, boolean byValue) {
            double[] written = new double[tuples * size];
            for (int t = 0; t < tuples; t++) {
                for (int e = factor.start[which[t]]; e < factor.start[which[t] + 1]; e++) {
                    int x = factor.column[e];
                    written[byValue ? x * tuples + t : t * size + x] += factor.value[e];
                }
            }
            return written;
        }

        /** out(p, i) = sum over j of in(p, j) matrix(j, i): along i, which processors like. */
        private void multiply(double[] in, int n, double[] matrix, double[] out, int m) {
            pieces((from, to, low, high) -> {
                for (int p = from; p < to; p++) {
                    Arrays.fill(out, p * m, (p + 1) * m, 0);
                    for (int j = 0; j < n; j++) {
                        axpy(in[p * n + j], matrix, j * m, out, p * m, m);
                    }
                }
            });
        }

        /** out(p, tuple) = sum over x of P[which][x] in(p, x, rest). */
        void apply(Factor factor, double[] in, double[] out) {
            if (dense(factor)) {
                multiply(in, size, written(factor, true), out, tuples);
                return;
            }
            pieces((from, to, low, high) -> {
                for (int p = from; p < to; p++) {
                    for (int r = 0; r < runTuple.length; r++) {
                        int first = Math.max(low, runRest[r]);
                        int length = Math.min(high, runRest[r] + runLength[r]) - first;
                        if (length > 0) {
                            int at = p * tuples + runTuple[r] + first - runRest[r];
                            gather(factor, runWhich[r], in, p * size * inner + first, out, at, length);
                        }
                    }
                }
            });
        }

        private void gather(Factor f, int row, double[] in, int from, double[] out, int at, int length) {
            int[] column = f.column;
            double[] value = f.value;
            int begin = f.start[row];
            int end = f.start[row + 1];
            if (length == 1) {
                double sum = 0;
                for (int e = begin; e < end; e++) {
                    sum = Math.fma(value[e], in[from + column[e] * inner], sum);
                }
                out[at] = sum;
                return;
            }
            Arrays.fill(out, at, at + length, 0);
            for (int e = begin; e < end; e++) {
                axpy(value[e], in, from + column[e] * inner, out, at, length);
            }
        }

        /** in(p, x, rest) += sum over tuples of P[which][x] out(p, tuple), in cleared. */
        void transpose(Factor factor, double[] out, double[] in) {
            if (dense(factor)) {
                multiply(out, tuples, written(factor, false), in, size);
                return;
            }
            pieces((from, to, low, high) -> {
                for (int p = from; p < to; p++) {
                    for (int x = 0; x < size; x++) {
                        Arrays.fill(in, (p * size + x) * inner + low, (p * size + x) * inner + high, 0);
                    }
                    for (int r = 0; r < runTuple.length; r++) {
                        int first = Math.max(low, runRest[r]);
                        int length = Math.min(high, runRest[r] + runLength[r]) - first;
                        if (length > 0) {
                            int at = p * tuples + runTuple[r] + first - runRest[r];
                            scatter(factor, runWhich[r], out, at, in, p * size * inner + first, length);
                        }
                    }
                }
            });
        }

        private void scatter(Factor f, int row, double[] out, int at, double[] in, int to, int length) {
            int end = f.start[row + 1];
            if (length == 1) {
                double x = out[at];
                for (int e = f.start[row]; x != 0 && e < end; e++) {
                    in[to + f.column[e] * inner] = Math.fma(f.value[e], x, in[to + f.column[e] * inner]);
                }
                return;
            }
            for (int e = f.start[row]; e < end; e++) {
                axpy(f.value[e], out, at, in, to + f.column[e] * inner, length);
            }
        }

        private static void axpy(double a, double[] x, int from, double[] y, int at, int length) {
            for (int i = 0; i < length; i++) {
                y[at + i] = Math.fma(a, x[from + i], y[at + i]);
            }
        }

        /** entries[e] = how sum of weight(p, tuple) out(p, tuple) changes with the number of entry e. */
        void gradient(Factor factor, double[] weight, double[] in, double[] entries) {
            for (int p = 0; p < prefixes; p++) {
                for (int r = 0; r < runTuple.length; r++) {
                    int at = p * tuples + runTuple[r];
                    for (int e = factor.start[runWhich[r]]; e < factor.start[runWhich[r] + 1]; e++) {
                        int from = (p * size + factor.column[e]) * inner + runRest[r];
                        double sum = 0;
                        for (int i = 0; i < runLength[r]; i++) {
                            sum += weight[at + i] * in[from + i];
                        }
                        entries[e] += sum;
                    }
                }
            }
        }
    }

    private final Structure structure;
    private final List<Factor> factors;

    /** @param factors the distributions of each variable */
    public ProductMatrix(Structure structure, List<Factor> factors) {
        this(structure, factors, stages(structure));
    }

    private ProductMatrix(Structure structure, List<Factor> factors, Stage[] stages) {
        this.structure = structure;
        this.factors = List.copyOf(factors);
        this.stages = stages;
        columns = (int) stages[stages.length - 1].inputs();
    }

    private static Stage[] stages(Structure structure) {
        Stage[] stages = new Stage[structure.sizes.length];
        int prefixes = 1;
        for (int k = 0; k < stages.length; k++) {
            int inner = k + 1 < stages.length ? structure.which[k + 1].length : 1;
            stages[k] = new Stage(prefixes, structure.sizes[k], inner, structure.which[k], structure.rest[k]);
            if (Math.max(stages[k].inputs(), stages[k].outputs()) > Integer.MAX_VALUE - 8) {
                throw new IllegalArgumentException("a product of factors passes more than 2^31 numbers");
            }
            prefixes = Math.multiplyExact(prefixes, structure.sizes[k]);
        }
        return stages;
    }

    /** The same structure with other distributions. */
    public ProductMatrix with(List<Factor> other) {
        return new ProductMatrix(structure, other, stages);
    }

    /** The same matrix with one factor replaced, by a derivative of it say. */
    public ProductMatrix with(int variable, Factor factor) {
        Factor[] other = factors.toArray(Factor[]::new);
        other[variable] = factor;
        return with(List.of(other));
    }

    public int rows() {
        return structure.rows();
    }

    /** The product with x; a new array. */
    public double[] times(double[] x) {
        double[] in = x;
        for (int k = stages.length - 1; k >= 0; k--) {
            double[] out = new double[(int) stages[k].outputs()];
            stages[k].apply(factors.get(k), in, out);
            in = out;
        }
        return in;
    }

    /** The product of the transposed matrix with y; a new array. */
    public double[] transposedTimes(double[] y) {
        return back(y, stages.length);
    }

    /** y taken back through the first so many variables. */
    private double[] back(double[] y, int variables) {
        double[] out = y;
        for (int k = 0; k < variables; k++) {
            double[] in = new double[(int) stages[k].inputs()];
            stages[k].transpose(factors.get(k), out, in);
            out = in;
        }
        return out;
    }

    /**
     * How weight' A x changes with entries of a factor.
     *
     * @param places which entries; its numbers do not matter
     */
    public double[] gradient(int variable, Factor places, double[] weight, double[] x) {
        double[] in = x;
        for (int k = stages.length - 1; k > variable; k--) {
            double[] out = new double[(int) stages[k].outputs()];
            stages[k].apply(factors.get(k), in, out);
            in = out;
        }
        double[] entries = new double[places.value.length];
        stages[variable].gradient(places, back(weight, variable), in, entries);
        return entries;
    }

    /** A column of a row, drawn by its probabilities, one variable after the other. */
    public int draw(int row, RandomStream stream) {
        int tuple = row;
        int column = 0;
        for (int k = 0; k < stages.length; k++) {
            column = column * stages[k].size + factors.get(k).draw(stages[k].which[tuple], stream);
            tuple = stages[k].rest[tuple];
        }
        return column;
    }

    /** Takes the entries of a row one after the other. */
    @FunctionalInterface
    public interface Entries {
        void add(int column, double value);
    }

    /** All entries of a row. */
    public void entries(int row, Entries entries) {
        spread(row, 0, 0, 1, entries);
    }

    private void spread(int tuple, int k, int column, double weight, Entries entries) {
        if (k == stages.length) {
            entries.add(column, weight);
            return;
        }
        Stage stage = stages[k];
        Factor factor = factors.get(k);
        int row = stage.which[tuple];
        int rest = stage.rest[tuple];
        for (int e = factor.start[row]; e < factor.start[row + 1]; e++) {
            spread(rest, k + 1, column * stage.size + factor.column[e], weight * factor.value[e], entries);
        }
    }

    /** Whether a row has a positive entry in a column. */
    public boolean positive(int row, int column) {
        int tuple = row;
        int width = columns;
        for (int k = 0; k < stages.length; k++) {
            width /= stages[k].size;
            int place = column / width % stages[k].size;
            if (!factors.get(k).positive(stages[k].which[tuple], place)) {
                return false;
            }
            tuple = stages[k].rest[tuple];
        }
        return true;
    }

    /** How many entries a row has. */
    public double entries(int row) {
        double count = 1;
        int tuple = row;
        for (int k = 0; k < stages.length; k++) {
            int d = stages[k].which[tuple];
            count *= factors.get(k).start[d + 1] - factors.get(k).start[d];
            tuple = stages[k].rest[tuple];
        }
        return count;
    }
}
