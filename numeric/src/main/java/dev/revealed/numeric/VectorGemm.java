package dev.revealed.numeric;

import dev.revealed.numeric.Gemm.Finish;
import dev.revealed.numeric.Gemm.Matrix;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products on vector instructions: a tile of four rows by four vectors stays in registers while the inner index runs.
 * Eight loads then feed sixteen multiply-adds, which comes within a few percent of what the processor can do at the sizes
 * of our networks, without first copying anything into another layout. What is left over at the edges goes one row or one
 * masked vector at a time. Arguments are those of {@link Gemm}.
 *
 * <p>Tiles only multiply. What is added to the products and what is done to the sums are loops of their own over a tile
 * that is still in the first cache: a branch between vectors inside a tile costs a sixth of its speed.
 */
final class VectorGemm {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final int PANEL = 4 * LANES;

    /** Whether a vector holds all partial sums of {@link #dot}. */
    static final boolean SIXTEEN_LANES = LANES == 16;

    private static final VectorShuffle<Float> BY_8 = VectorShuffle.iota(SPECIES, LANES / 2, 1, true);
    private static final VectorShuffle<Float> BY_4 = VectorShuffle.iota(SPECIES, LANES / 4, 1, true);
    private static final VectorShuffle<Float> BY_2 = VectorShuffle.iota(SPECIES, LANES / 8, 1, true);
    private static final VectorShuffle<Float> BY_1 = VectorShuffle.iota(SPECIES, LANES / 16, 1, true);

    private VectorGemm() {}

    static void run(int rows, int columns, int depth, Matrix a, Matrix b, Matrix c, Finish finish) {
        boolean add = finish.add();
        Matrix bias = finish.bias();
        Matrix mask = finish.mask();
        float[] held = new float[add ? 4 * PANEL : 0];
        for (int j = 0; j < columns; j += PANEL) {
            int width = Math.min(PANEL, columns - j);
            for (int i = 0; i < rows; i += 4) {
                int height = Math.min(4, rows - i);
                int to = c.at() + i * c.row() + j;
                if (add) {
                    hold(height, width, c, to, held);
                }
                multiply(height, width, depth, a, a.at() + i * a.row(), b, b.at() + j, c, to);
                if (add) {
                    addTo(height, width, held, 0, PANEL, c, to);
                } else if (bias != null && finish.relu()) {
                    addAndRectify(height, width, bias.values(), bias.at() + j, c, to);
                } else if (bias != null) {
                    addTo(height, width, bias.values(), bias.at() + j, 0, c, to);
                }
                if (mask != null) {
                    mask(height, width, mask.values(), mask.at() + i * c.row() + j, c.values(), to, c.row());
                }
            }
        }
    }

    /** Up to four rows by four vectors of the product. */
    private static void multiply(
            int rows, int columns, int depth, Matrix a, int aAt, Matrix b, int bAt, Matrix c, int cAt) {
        if (columns == PANEL) {
            if (rows == 4) {
                tile4x4(depth, a, aAt, b, bAt, c, cAt);
            } else {
                for (int i = 0; i < rows; i++) {
                    tile1x4(depth, a, aAt + i * a.row(), b, bAt, c, cAt + i * c.row());
                }
            }
            return;
        }
        for (int j = 0; j < columns; j += LANES) {
            VectorMask<Float> lanes = SPECIES.indexInRange(j, columns);
            if (rows == 4) {
                tile4x1(depth, a, aAt, b, bAt + j, c, cAt + j, lanes);
            } else {
                for (int i = 0; i < rows; i++) {
                    tile1x1(depth, a, aAt + i * a.row(), b, bAt + j, c, cAt + i * c.row() + j, lanes);
                }
            }
        }
    }

    private static void tile4x4(int depth, Matrix p, int aAt, Matrix q, int bAt, Matrix r, int cAt) {
        float[] a = p.values();
        float[] b = q.values();
        float[] c = r.values();
        int aStep = p.step();
        int bRow = q.row();
        int aRow = p.row();
        int cRow = r.row();
        FloatVector c00 = FloatVector.zero(SPECIES);
        FloatVector c01 = FloatVector.zero(SPECIES);
        FloatVector c02 = FloatVector.zero(SPECIES);
        FloatVector c03 = FloatVector.zero(SPECIES);
        FloatVector c10 = FloatVector.zero(SPECIES);
        FloatVector c11 = FloatVector.zero(SPECIES);
        FloatVector c12 = FloatVector.zero(SPECIES);
        FloatVector c13 = FloatVector.zero(SPECIES);
        FloatVector c20 = FloatVector.zero(SPECIES);
        FloatVector c21 = FloatVector.zero(SPECIES);
        FloatVector c22 = FloatVector.zero(SPECIES);
        FloatVector c23 = FloatVector.zero(SPECIES);
        FloatVector c30 = FloatVector.zero(SPECIES);
        FloatVector c31 = FloatVector.zero(SPECIES);
        FloatVector c32 = FloatVector.zero(SPECIES);
        FloatVector c33 = FloatVector.zero(SPECIES);
        for (int k = 0; k < depth; k++) {
            int x = aAt + k * aStep;
            int y = bAt + k * bRow;
            FloatVector b0 = FloatVector.fromArray(SPECIES, b, y);
            FloatVector b1 = FloatVector.fromArray(SPECIES, b, y + LANES);
            FloatVector b2 = FloatVector.fromArray(SPECIES, b, y + 2 * LANES);
            FloatVector b3 = FloatVector.fromArray(SPECIES, b, y + 3 * LANES);
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[x]);
            c00 = a0.fma(b0, c00);
            c01 = a0.fma(b1, c01);
            c02 = a0.fma(b2, c02);
            c03 = a0.fma(b3, c03);
            FloatVector a1 = FloatVector.broadcast(SPECIES, a[x + aRow]);
            c10 = a1.fma(b0, c10);
            c11 = a1.fma(b1, c11);
            c12 = a1.fma(b2, c12);
            c13 = a1.fma(b3, c13);
            FloatVector a2 = FloatVector.broadcast(SPECIES, a[x + 2 * aRow]);
            c20 = a2.fma(b0, c20);
            c21 = a2.fma(b1, c21);
            c22 = a2.fma(b2, c22);
            c23 = a2.fma(b3, c23);
            FloatVector a3 = FloatVector.broadcast(SPECIES, a[x + 3 * aRow]);
            c30 = a3.fma(b0, c30);
            c31 = a3.fma(b1, c31);
            c32 = a3.fma(b2, c32);
            c33 = a3.fma(b3, c33);
        }
        c00.intoArray(c, cAt);
        c01.intoArray(c, cAt + LANES);
        c02.intoArray(c, cAt + 2 * LANES);
        c03.intoArray(c, cAt + 3 * LANES);
        c10.intoArray(c, cAt + cRow);
        c11.intoArray(c, cAt + cRow + LANES);
        c12.intoArray(c, cAt + cRow + 2 * LANES);
        c13.intoArray(c, cAt + cRow + 3 * LANES);
        c20.intoArray(c, cAt + 2 * cRow);
        c21.intoArray(c, cAt + 2 * cRow + LANES);
        c22.intoArray(c, cAt + 2 * cRow + 2 * LANES);
        c23.intoArray(c, cAt + 2 * cRow + 3 * LANES);
        c30.intoArray(c, cAt + 3 * cRow);
        c31.intoArray(c, cAt + 3 * cRow + LANES);
        c32.intoArray(c, cAt + 3 * cRow + 2 * LANES);
        c33.intoArray(c, cAt + 3 * cRow + 3 * LANES);
    }

    private static void tile1x4(int depth, Matrix p, int aAt, Matrix q, int bAt, Matrix r, int cAt) {
        float[] a = p.values();
        float[] b = q.values();
        float[] c = r.values();
        int aStep = p.step();
        int bRow = q.row();
        FloatVector c00 = FloatVector.zero(SPECIES);
        FloatVector c01 = FloatVector.zero(SPECIES);
        FloatVector c02 = FloatVector.zero(SPECIES);
        FloatVector c03 = FloatVector.zero(SPECIES);
        for (int k = 0; k < depth; k++) {
            int x = aAt + k * aStep;
            int y = bAt + k * bRow;
            FloatVector b0 = FloatVector.fromArray(SPECIES, b, y);
            FloatVector b1 = FloatVector.fromArray(SPECIES, b, y + LANES);
            FloatVector b2 = FloatVector.fromArray(SPECIES, b, y + 2 * LANES);
            FloatVector b3 = FloatVector.fromArray(SPECIES, b, y + 3 * LANES);
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[x]);
            c00 = a0.fma(b0, c00);
            c01 = a0.fma(b1, c01);
            c02 = a0.fma(b2, c02);
            c03 = a0.fma(b3, c03);
        }
        c00.intoArray(c, cAt);
        c01.intoArray(c, cAt + LANES);
        c02.intoArray(c, cAt + 2 * LANES);
        c03.intoArray(c, cAt + 3 * LANES);
    }

    private static void tile4x1(
            int depth, Matrix p, int aAt, Matrix q, int bAt, Matrix r, int cAt, VectorMask<Float> lanes) {
        float[] a = p.values();
        float[] b = q.values();
        float[] c = r.values();
        int aStep = p.step();
        int bRow = q.row();
        int aRow = p.row();
        int cRow = r.row();
        FloatVector c00 = FloatVector.zero(SPECIES);
        FloatVector c10 = FloatVector.zero(SPECIES);
        FloatVector c20 = FloatVector.zero(SPECIES);
        FloatVector c30 = FloatVector.zero(SPECIES);
        for (int k = 0; k < depth; k++) {
            int x = aAt + k * aStep;
            int y = bAt + k * bRow;
            FloatVector b0 = FloatVector.fromArray(SPECIES, b, y, lanes);
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[x]);
            c00 = a0.fma(b0, c00);
            FloatVector a1 = FloatVector.broadcast(SPECIES, a[x + aRow]);
            c10 = a1.fma(b0, c10);
            FloatVector a2 = FloatVector.broadcast(SPECIES, a[x + 2 * aRow]);
            c20 = a2.fma(b0, c20);
            FloatVector a3 = FloatVector.broadcast(SPECIES, a[x + 3 * aRow]);
            c30 = a3.fma(b0, c30);
        }
        c00.intoArray(c, cAt, lanes);
        c10.intoArray(c, cAt + cRow, lanes);
        c20.intoArray(c, cAt + 2 * cRow, lanes);
        c30.intoArray(c, cAt + 3 * cRow, lanes);
    }

    private static void tile1x1(
            int depth, Matrix p, int aAt, Matrix q, int bAt, Matrix r, int cAt, VectorMask<Float> lanes) {
        float[] a = p.values();
        float[] b = q.values();
        float[] c = r.values();
        int aStep = p.step();
        int bRow = q.row();
        FloatVector c00 = FloatVector.zero(SPECIES);
        for (int k = 0; k < depth; k++) {
            int x = aAt + k * aStep;
            int y = bAt + k * bRow;
            FloatVector b0 = FloatVector.fromArray(SPECIES, b, y, lanes);
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[x]);
            c00 = a0.fma(b0, c00);
        }
        c00.intoArray(c, cAt, lanes);
    }

    /** For vectors of sixteen numbers alone. */
    static float dot(int n, float[] a, int aAt, float[] b, int bAt) {
        FloatVector sums = FloatVector.zero(SPECIES);
        int k = 0;
        for (; k + LANES <= n; k += LANES) {
            sums = FloatVector.fromArray(SPECIES, a, aAt + k).fma(FloatVector.fromArray(SPECIES, b, bAt + k), sums);
        }
        if (k < n) {
            VectorMask<Float> lanes = SPECIES.indexInRange(k, n);
            sums = FloatVector.fromArray(SPECIES, a, aAt + k, lanes)
                    .fma(FloatVector.fromArray(SPECIES, b, bAt + k, lanes), sums);
        }
        sums = sums.add(sums.rearrange(BY_8));
        sums = sums.add(sums.rearrange(BY_4));
        sums = sums.add(sums.rearrange(BY_2));
        sums = sums.add(sums.rearrange(BY_1));
        return sums.lane(0);
    }

    private static void hold(int rows, int columns, Matrix c, int cAt, float[] held) {
        for (int i = 0; i < rows; i++) {
            System.arraycopy(c.values(), cAt + i * c.row(), held, i * PANEL, columns);
        }
    }

    private static void addTo(int rows, int columns, float[] x, int xAt, int xRow, Matrix to, int cAt) {
        float[] c = to.values();
        int cRow = to.row();
        for (int i = 0; i < rows; i++) {
            int j = 0;
            for (; j + LANES <= columns; j += LANES) {
                int at = cAt + i * cRow + j;
                FloatVector.fromArray(SPECIES, c, at)
                        .add(FloatVector.fromArray(SPECIES, x, xAt + i * xRow + j))
                        .intoArray(c, at);
            }
            for (; j < columns; j++) {
                c[cAt + i * cRow + j] += x[xAt + i * xRow + j];
            }
        }
    }

    /** Comparing and choosing is cheaper than a maximum that knows of NaN and minus zero; NaN stays NaN this way too. */
    private static void addAndRectify(int rows, int columns, float[] bias, int biasAt, Matrix to, int cAt) {
        float[] c = to.values();
        int cRow = to.row();
        for (int i = 0; i < rows; i++) {
            int j = 0;
            for (; j + LANES <= columns; j += LANES) {
                int at = cAt + i * cRow + j;
                FloatVector sum =
                        FloatVector.fromArray(SPECIES, c, at).add(FloatVector.fromArray(SPECIES, bias, biasAt + j));
                sum.blend(0, sum.compare(VectorOperators.LT, 0)).intoArray(c, at);
            }
            for (; j < columns; j++) {
                float sum = c[cAt + i * cRow + j] + bias[biasAt + j];
                c[cAt + i * cRow + j] = sum < 0 ? 0 : sum;
            }
        }
    }

    static void mask(int rows, int columns, float[] mask, int maskAt, float[] c, int cAt, int cRow) {
        FloatVector zero = FloatVector.zero(SPECIES);
        for (int i = 0; i < rows; i++) {
            int j = 0;
            for (; j + LANES <= columns; j += LANES) {
                int at = cAt + i * cRow + j;
                VectorMask<Float> positive = FloatVector.fromArray(SPECIES, mask, maskAt + i * cRow + j)
                        .compare(VectorOperators.GT, 0);
                zero.blend(FloatVector.fromArray(SPECIES, c, at), positive).intoArray(c, at);
            }
            for (; j < columns; j++) {
                if (!(mask[maskAt + i * cRow + j] > 0)) {
                    c[cAt + i * cRow + j] = 0;
                }
            }
        }
    }
}
