package dev.revealed.numeric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Products of small matrices in single precision, as networks need them. Matrices are row-major pieces of flat arrays.
 *
 * <p>Every element is one chain of fused multiply-adds over the inner index in order, from zero, whatever the tiling, the width of
 * the machine's vectors or the number of threads that share the rows; inner products are sixteen such chains. So results
 * are the same bits everywhere. {@link VectorGemm} does the work where the JVM has the Vector API ({@code --add-modules
 * jdk.incubator.vector}), plain loops do elsewhere.
 */
public final class Gemm {
    /** Whether products run on vector instructions. */
    public static final boolean VECTORS =
            ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

    private static final Matrix ONE = new Matrix(new float[] {1}, 0, 0, 0);
    private static final int STRIP = 16; // floats in a cache line

    private Gemm() {}

    /**
     * A matrix in an array.
     *
     * @param at place of its first element
     * @param row how far apart its rows are
     * @param step how far apart its columns are
     */
    public record Matrix(float[] values, int at, int row, int step) {
        public static Matrix of(float[] values, int at, int row) {
            return new Matrix(values, at, row, 1);
        }

        Matrix transposed() {
            return new Matrix(values, at, step, row);
        }
    }

    /** What is done to sums: C or a bias added, results cut at 0 (with a bias only), those set to 0 whose mask is not positive. */
    record Finish(
            @Nullable Matrix bias,
            boolean add,
            boolean relu,
            @Nullable Matrix mask) {
        static final Finish NONE = new Finish(null, false, false, null);
        static final Finish ADD = new Finish(null, true, false, null);
    }

    /**
     * Y = X W + bias, optionally with negative results cut to 0: rows of X with {@code in} numbers become {@code out}. W and the
     * bias lie in {@code w}; rows of Y follow each other.
     */
    public static void affine(
            int rows, int in, int out, Matrix x, float[] w, int wAt, int biasAt, Matrix y, boolean relu) {
        if (out == 1) {
            for (int i = 0; i < rows; i++) {
                float value = dot(in, x.values, x.at + i * x.row, w, wAt) + w[biasAt];
                y.values[y.at + i] = relu && value < 0 ? 0 : value;
            }
        } else {
            Finish finish = new Finish(Matrix.of(w, biasAt, 0), false, relu, null);
            run(rows, out, in, x, Matrix.of(w, wAt, out), y, finish);
        }
    }

    /** C = A B for A of rows x depth and B of depth x columns. */
    public static void product(int rows, int columns, int depth, Matrix a, Matrix b, Matrix c) {
        run(rows, columns, depth, a, b, c, Finish.NONE);
    }

    /** C = A B where {@code mask}, whose rows lie as those of C, is positive, and 0 elsewhere. */
    public static void maskedProduct(int rows, int columns, int depth, Matrix a, Matrix b, Matrix c, Matrix mask) {
        run(rows, columns, depth, a, b, c, new Finish(null, false, false, mask));
    }

    /** C = A' B, or C += A' B, for A of depth x rows and B of depth x columns. */
    public static void transposedProduct(int rows, int columns, int depth, Matrix a, Matrix b, Matrix c, boolean add) {
        Finish finish = add ? Finish.ADD : Finish.NONE;
        if (columns == 1 && c.row == 1 && b.row == 1) { // the same numbers with the long side along the vectors
            run(1, rows, depth, Matrix.of(b.values, b.at, 0), a, Matrix.of(c.values, c.at, rows), finish);
        } else {
            run(rows, columns, depth, a.transposed(), b, c, finish);
        }
    }

    /** Sums of each of n columns of x over its rows, written from {@code into[at]} on or added to what is there. */
    public static void sumRows(int rows, int n, float[] x, float[] into, int at, boolean add) {
        run(1, n, rows, ONE, Matrix.of(x, 0, n), Matrix.of(into, at, n), add ? Finish.ADD : Finish.NONE);
    }

    /**
     * B = A' for A of rows x columns; both without gaps between rows. Goes by strips of a cache line's width: rows of 256
     * numbers all fall on the same few lines of the first cache, which hold no more than a strip.
     */
    public static void transpose(int rows, int columns, float[] a, int aAt, float[] b, int bAt) {
        for (int strip = 0; strip < columns; strip += STRIP) {
            int end = Math.min(columns, strip + STRIP);
            int i = 0;
            for (; i + 8 <= rows; i += 8) { // eight rows at a time, so that eight neighbours are written at once
                for (int j = strip; j < end; j++) {
                    int from = aAt + i * columns + j;
                    int to = bAt + j * rows + i;
                    b[to] = a[from];
                    b[to + 1] = a[from + columns];
                    b[to + 2] = a[from + 2 * columns];
                    b[to + 3] = a[from + 3 * columns];
                    b[to + 4] = a[from + 4 * columns];
                    b[to + 5] = a[from + 5 * columns];
                    b[to + 6] = a[from + 6 * columns];
                    b[to + 7] = a[from + 7 * columns];
                }
            }
            for (; i < rows; i++) {
                for (int j = strip; j < end; j++) {
                    b[bAt + j * rows + i] = a[aAt + i * columns + j];
                }
            }
        }
    }

    /** Inner product of {@code n} numbers: sixteen partial sums, whatever the machine, then their sum by halves. */
    public static float dot(int n, float[] a, int aAt, float[] b, int bAt) {
        return VECTORS && VectorGemm.SIXTEEN_LANES ? VectorGemm.dot(n, a, aAt, b, bAt) : plainDot(n, a, aAt, b, bAt);
    }

    static float plainDot(int n, float[] a, int aAt, float[] b, int bAt) {
        float[] sums = new float[16];
        for (int k = 0; k < n; k++) {
            sums[k & 15] = Math.fma(a[aAt + k], b[bAt + k], sums[k & 15]);
        }
        for (int half = 8; half > 0; half /= 2) {
            for (int i = 0; i < half; i++) {
                sums[i] += sums[i + half];
            }
        }
        return sums[0];
    }

    /** Sets to 0 those of {@code n} numbers of c whose counterpart in {@code mask} is not positive. */
    public static void mask(int n, float[] mask, int maskAt, float[] c, int cAt) {
        if (VECTORS) {
            VectorGemm.mask(1, n, mask, maskAt, c, cAt, n);
        } else {
            for (int j = 0; j < n; j++) {
                c[cAt + j] = mask[maskAt + j] > 0 ? c[cAt + j] : 0;
            }
        }
    }

    /** C(i,j) = sum over k of A(i,k) B(k,j), finished. */
    private static void run(int rows, int columns, int depth, Matrix a, Matrix b, Matrix c, Finish finish) {
        if (VECTORS) {
            VectorGemm.run(rows, columns, depth, a, b, c, finish);
        } else {
            plain(rows, columns, depth, a, b, c, finish);
        }
    }

    static void plain(int rows, int columns, int depth, Matrix a, Matrix b, Matrix c, Finish finish) {
        Matrix bias = finish.bias;
        Matrix mask = finish.mask;
        float[] sums = new float[columns];
        for (int i = 0; i < rows; i++) {
            Arrays.fill(sums, 0);
            for (int k = 0; k < depth; k++) {
                float x = a.values[a.at + i * a.row + k * a.step];
                int from = b.at + k * b.row;
                for (int j = 0; j < columns; j++) {
                    sums[j] = Math.fma(x, b.values[from + j], sums[j]);
                }
            }
            int row = c.at + i * c.row;
            for (int j = 0; j < columns; j++) {
                float sum = sums[j];
                if (finish.add) {
                    sum += c.values[row + j];
                } else if (bias != null) {
                    sum += bias.values[bias.at + j];
                }
                sum = finish.relu && sum < 0 ? 0 : sum;
                c.values[row + j] = mask == null || mask.values[mask.at + i * c.row + j] > 0 ? sum : 0;
            }
        }
    }
}
