package dev.revealed.numeric;

import org.jspecify.annotations.Nullable;

/**
 * Products of small matrices in single precision, as networks need them. Matrices are row-major pieces of flat arrays,
 * given by where they start and how far apart their rows are.
 *
 * <p>Every element is one chain of fused multiply-adds over the inner index in order, whatever the tiling, the width of
 * the machine's vectors or the number of threads that share the rows: the same bits everywhere. {@link VectorGemm} does
 * the work where the JVM has the Vector API ({@code --add-modules jdk.incubator.vector}), plain loops do elsewhere.
 */
public final class Gemm {
    /** Whether products run on vector instructions. */
    public static final boolean VECTORS =
            ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

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
                y[yAt + i] = relu ? Math.max(value, 0) : value;
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

    /** B = A' for A of rows x columns; both without gaps between rows. */
    public static void transpose(int rows, int columns, float[] a, int aAt, float[] b, int bAt) {
        int block = 16;
        for (int i0 = 0; i0 < rows; i0 += block) {
            int i1 = Math.min(rows, i0 + block);
            for (int j = 0; j < columns; j++) {
                int to = bAt + j * rows;
                for (int i = i0; i < i1; i++) {
                    b[to + i] = a[aAt + i * columns + j];
                }
            }
        }
    }

    /** Inner product of {@code n} numbers: eight partial sums, then their sum by halves. */
    public static float dot(int n, float[] a, int aAt, float[] b, int bAt) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        float s4 = 0;
        float s5 = 0;
        float s6 = 0;
        float s7 = 0;
        int k = 0;
        for (; k + 8 <= n; k += 8) {
            s0 = Math.fma(a[aAt + k], b[bAt + k], s0);
            s1 = Math.fma(a[aAt + k + 1], b[bAt + k + 1], s1);
            s2 = Math.fma(a[aAt + k + 2], b[bAt + k + 2], s2);
            s3 = Math.fma(a[aAt + k + 3], b[bAt + k + 3], s3);
            s4 = Math.fma(a[aAt + k + 4], b[bAt + k + 4], s4);
            s5 = Math.fma(a[aAt + k + 5], b[bAt + k + 5], s5);
            s6 = Math.fma(a[aAt + k + 6], b[bAt + k + 6], s6);
            s7 = Math.fma(a[aAt + k + 7], b[bAt + k + 7], s7);
        }
        for (; k < n; k++) {
            s0 = Math.fma(a[aAt + k], b[bAt + k], s0);
        }
        return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7));
    }

    /** C(i,j) = start + sum over k of a[aAt + i aRow + k aStep] b[bAt + k bRow + j], then what is fused to it. */
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
        for (int i = 0; i < rows; i++) {
            int row = cAt + i * cRow;
            for (int j = 0; j < columns && !add; j++) {
                c[row + j] = bias == null ? 0 : bias[biasAt + j];
            }
            for (int k = 0; k < depth; k++) {
                float x = a[aAt + i * aRow + k * aStep];
                int from = bAt + k * bRow;
                for (int j = 0; j < columns; j++) {
                    c[row + j] = Math.fma(x, b[from + j], c[row + j]);
                }
            }
            for (int j = 0; j < columns; j++) {
                boolean negative = c[row + j] <= 0; // not a number is not hidden
                if ((relu && negative) || (mask != null && !(mask[maskAt + i * cRow + j] > 0))) {
                    c[row + j] = 0;
                }
            }
        }
    }
}
