package dev.revealed.numeric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Products of small matrices in single precision, as networks need them. Matrices are row-major pieces of flat arrays,
 * given by where they start and how far apart their rows are.
 *
 * <p>Every element is one chain of fused multiply-adds over the inner index in order, from zero, whatever the tiling, the width of
 * the machine's vectors or the number of threads that share the rows; inner products are sixteen such chains. So results
 * are the same bits everywhere. {@link VectorGemm} does
 * the work where the JVM has the Vector API ({@code --add-modules jdk.incubator.vector}), plain loops do elsewhere.
 */
public final class Gemm {
    /** Whether products run on vector instructions. */
    public static final boolean VECTORS =
            ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

    private static final float[] ONE = {1};
    private static final int STRIP = 16; // floats in a cache line

    private Gemm() {}

    /** Y = X W + bias, optionally with negative results cut to 0: rows of X with {@code in} numbers become {@code out}. */
    public static void affine(
            int rows,
            int in,
            int out,
            float[] x,
            int xAt,
            int xRow,
            float[] w,
            int wAt,
            int biasAt,
            float[] y,
            int yAt,
            boolean relu) {
        if (out == 1) {
            for (int i = 0; i < rows; i++) {
                float value = dot(in, x, xAt + i * xRow, w, wAt) + w[biasAt];
                y[yAt + i] = relu && value < 0 ? 0 : value;
            }
        } else {
            run(rows, out, in, x, xAt, xRow, 1, w, wAt, out, y, yAt, out, w, biasAt, false, relu, null, 0);
        }
    }

    /** C = A B for A of rows x depth and B of depth x columns. */
    public static void product(
            int rows,
            int columns,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow) {
        run(rows, columns, depth, a, aAt, aRow, 1, b, bAt, bRow, c, cAt, cRow, null, 0, false, false, null, 0);
    }

    /** C = A B where {@code mask}, laid out like C, is positive, and 0 elsewhere. */
    public static void maskedProduct(
            int rows,
            int columns,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            float[] mask,
            int maskAt) {
        run(rows, columns, depth, a, aAt, aRow, 1, b, bAt, bRow, c, cAt, cRow, null, 0, false, false, mask, maskAt);
    }

    /** C = A' B, or C += A' B, for A of depth x rows and B of depth x columns. */
    public static void transposedProduct(
            int rows,
            int columns,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean add) {
        if (columns == 1 && cRow == 1 && bRow == 1) { // the same numbers with the long side along the vectors
            run(1, rows, depth, b, bAt, 0, 1, a, aAt, aRow, c, cAt, rows, null, 0, add, false, null, 0);
        } else {
            run(rows, columns, depth, a, aAt, 1, aRow, b, bAt, bRow, c, cAt, cRow, null, 0, add, false, null, 0);
        }
    }

    /** Sums of each of n columns of x over its rows, written from {@code into[at]} on or added to what is there. */
    public static void sumRows(int rows, int n, float[] x, float[] into, int at, boolean add) {
        run(1, n, rows, ONE, 0, 0, 0, x, 0, n, into, at, n, null, 0, add, false, null, 0);
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

    /** C(i,j) = sum over k of a[aAt + i aRow + k aStep] b[bAt + k bRow + j], plus C or the bias, cut at 0 (with a bias only), masked. */
    private static void run(
            int rows,
            int columns,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            float @Nullable [] bias,
            int biasAt,
            boolean add,
            boolean relu,
            float @Nullable [] mask,
            int maskAt) {
        if (VECTORS) {
            VectorGemm.run(
                    rows, columns, depth, a, aAt, aRow, aStep, b, bAt, bRow, c, cAt, cRow, bias, biasAt, add, relu,
                    mask, maskAt);
        } else {
            plain(
                    rows, columns, depth, a, aAt, aRow, aStep, b, bAt, bRow, c, cAt, cRow, bias, biasAt, add, relu,
                    mask, maskAt);
        }
    }

    static void plain(
            int rows,
            int columns,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            float @Nullable [] bias,
            int biasAt,
            boolean add,
            boolean relu,
            float @Nullable [] mask,
            int maskAt) {
        float[] sums = new float[columns];
        for (int i = 0; i < rows; i++) {
            Arrays.fill(sums, 0);
            for (int k = 0; k < depth; k++) {
                float x = a[aAt + i * aRow + k * aStep];
                int from = bAt + k * bRow;
                for (int j = 0; j < columns; j++) {
                    sums[j] = Math.fma(x, b[from + j], sums[j]);
                }
            }
            int row = cAt + i * cRow;
            for (int j = 0; j < columns; j++) {
                float sum = sums[j];
                if (add) {
                    sum += c[row + j];
                } else if (bias != null) {
                    sum += bias[biasAt + j];
                }
                sum = relu && sum < 0 ? 0 : sum;
                c[row + j] = mask == null || mask[maskAt + i * cRow + j] > 0 ? sum : 0;
            }
        }
    }
}
