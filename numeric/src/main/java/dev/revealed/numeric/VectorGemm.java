package dev.revealed.numeric;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Products on vector instructions: a tile of four rows by four vectors stays in registers while the inner index runs.
 * Eight loads then feed sixteen multiply-adds, which comes within a few percent of what the processor can do at the sizes
 * of our networks, without first copying anything into another layout. What is left over at the edges goes one row or one
 * masked vector at a time. Arguments are those of {@link Gemm}.
 */
final class VectorGemm {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private VectorGemm() {}

    static void run(
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
        int j = 0;
        for (; j + 4 * LANES <= columns; j += 4 * LANES) {
            int i = 0;
            for (; i + 4 <= rows; i += 4) {
                tile4x4(
                        depth,
                        a,
                        aAt + i * aRow,
                        aRow,
                        aStep,
                        b,
                        bAt + j,
                        bRow,
                        c,
                        cAt + i * cRow + j,
                        cRow,
                        bias,
                        biasAt + j,
                        add,
                        relu,
                        mask,
                        maskAt + i * cRow + j);
            }
            for (; i < rows; i++) {
                tile1x4(
                        depth,
                        a,
                        aAt + i * aRow,
                        aStep,
                        b,
                        bAt + j,
                        bRow,
                        c,
                        cAt + i * cRow + j,
                        bias,
                        biasAt + j,
                        add,
                        relu,
                        mask,
                        maskAt + i * cRow + j);
            }
        }
        for (; j < columns; j += LANES) {
            VectorMask<Float> lanes = SPECIES.indexInRange(j, columns);
            int i = 0;
            for (; i + 4 <= rows; i += 4) {
                tile4x1(
                        depth,
                        a,
                        aAt + i * aRow,
                        aRow,
                        aStep,
                        b,
                        bAt + j,
                        bRow,
                        c,
                        cAt + i * cRow + j,
                        cRow,
                        bias,
                        biasAt + j,
                        add,
                        relu,
                        mask,
                        maskAt + i * cRow + j,
                        lanes);
            }
            for (; i < rows; i++) {
                tile1x1(
                        depth,
                        a,
                        aAt + i * aRow,
                        aStep,
                        b,
                        bAt + j,
                        bRow,
                        c,
                        cAt + i * cRow + j,
                        bias,
                        biasAt + j,
                        add,
                        relu,
                        mask,
                        maskAt + i * cRow + j,
                        lanes);
            }
        }
    }

    private static void tile4x4(
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
        FloatVector c00 = start(add, c, cAt, bias, biasAt);
        FloatVector c01 = start(add, c, cAt + LANES, bias, biasAt + LANES);
        FloatVector c02 = start(add, c, cAt + 2 * LANES, bias, biasAt + 2 * LANES);
        FloatVector c03 = start(add, c, cAt + 3 * LANES, bias, biasAt + 3 * LANES);
        FloatVector c10 = start(add, c, cAt + cRow, bias, biasAt);
        FloatVector c11 = start(add, c, cAt + cRow + LANES, bias, biasAt + LANES);
        FloatVector c12 = start(add, c, cAt + cRow + 2 * LANES, bias, biasAt + 2 * LANES);
        FloatVector c13 = start(add, c, cAt + cRow + 3 * LANES, bias, biasAt + 3 * LANES);
        FloatVector c20 = start(add, c, cAt + 2 * cRow, bias, biasAt);
        FloatVector c21 = start(add, c, cAt + 2 * cRow + LANES, bias, biasAt + LANES);
        FloatVector c22 = start(add, c, cAt + 2 * cRow + 2 * LANES, bias, biasAt + 2 * LANES);
        FloatVector c23 = start(add, c, cAt + 2 * cRow + 3 * LANES, bias, biasAt + 3 * LANES);
        FloatVector c30 = start(add, c, cAt + 3 * cRow, bias, biasAt);
        FloatVector c31 = start(add, c, cAt + 3 * cRow + LANES, bias, biasAt + LANES);
        FloatVector c32 = start(add, c, cAt + 3 * cRow + 2 * LANES, bias, biasAt + 2 * LANES);
        FloatVector c33 = start(add, c, cAt + 3 * cRow + 3 * LANES, bias, biasAt + 3 * LANES);
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
        store(c00, c, cAt, relu, mask, maskAt);
        store(c01, c, cAt + LANES, relu, mask, maskAt + LANES);
        store(c02, c, cAt + 2 * LANES, relu, mask, maskAt + 2 * LANES);
        store(c03, c, cAt + 3 * LANES, relu, mask, maskAt + 3 * LANES);
        store(c10, c, cAt + cRow, relu, mask, maskAt + cRow);
        store(c11, c, cAt + cRow + LANES, relu, mask, maskAt + cRow + LANES);
        store(c12, c, cAt + cRow + 2 * LANES, relu, mask, maskAt + cRow + 2 * LANES);
        store(c13, c, cAt + cRow + 3 * LANES, relu, mask, maskAt + cRow + 3 * LANES);
        store(c20, c, cAt + 2 * cRow, relu, mask, maskAt + 2 * cRow);
        store(c21, c, cAt + 2 * cRow + LANES, relu, mask, maskAt + 2 * cRow + LANES);
        store(c22, c, cAt + 2 * cRow + 2 * LANES, relu, mask, maskAt + 2 * cRow + 2 * LANES);
        store(c23, c, cAt + 2 * cRow + 3 * LANES, relu, mask, maskAt + 2 * cRow + 3 * LANES);
        store(c30, c, cAt + 3 * cRow, relu, mask, maskAt + 3 * cRow);
        store(c31, c, cAt + 3 * cRow + LANES, relu, mask, maskAt + 3 * cRow + LANES);
        store(c32, c, cAt + 3 * cRow + 2 * LANES, relu, mask, maskAt + 3 * cRow + 2 * LANES);
        store(c33, c, cAt + 3 * cRow + 3 * LANES, relu, mask, maskAt + 3 * cRow + 3 * LANES);
    }

    private static void tile1x4(
            int depth,
            float[] a,
            int aAt,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            float @Nullable [] bias,
            int biasAt,
            boolean add,
            boolean relu,
            float @Nullable [] mask,
            int maskAt) {
        FloatVector c00 = start(add, c, cAt, bias, biasAt);
        FloatVector c01 = start(add, c, cAt + LANES, bias, biasAt + LANES);
        FloatVector c02 = start(add, c, cAt + 2 * LANES, bias, biasAt + 2 * LANES);
        FloatVector c03 = start(add, c, cAt + 3 * LANES, bias, biasAt + 3 * LANES);
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
        store(c00, c, cAt, relu, mask, maskAt);
        store(c01, c, cAt + LANES, relu, mask, maskAt + LANES);
        store(c02, c, cAt + 2 * LANES, relu, mask, maskAt + 2 * LANES);
        store(c03, c, cAt + 3 * LANES, relu, mask, maskAt + 3 * LANES);
    }

    private static void tile4x1(
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
            int maskAt,
            VectorMask<Float> lanes) {
        FloatVector c00 = start(add, c, cAt, bias, biasAt, lanes);
        FloatVector c10 = start(add, c, cAt + cRow, bias, biasAt, lanes);
        FloatVector c20 = start(add, c, cAt + 2 * cRow, bias, biasAt, lanes);
        FloatVector c30 = start(add, c, cAt + 3 * cRow, bias, biasAt, lanes);
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
        store(c00, c, cAt, relu, mask, maskAt, lanes);
        store(c10, c, cAt + cRow, relu, mask, maskAt + cRow, lanes);
        store(c20, c, cAt + 2 * cRow, relu, mask, maskAt + 2 * cRow, lanes);
        store(c30, c, cAt + 3 * cRow, relu, mask, maskAt + 3 * cRow, lanes);
    }

    private static void tile1x1(
            int depth,
            float[] a,
            int aAt,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            float @Nullable [] bias,
            int biasAt,
            boolean add,
            boolean relu,
            float @Nullable [] mask,
            int maskAt,
            VectorMask<Float> lanes) {
        FloatVector c00 = start(add, c, cAt, bias, biasAt, lanes);
        for (int k = 0; k < depth; k++) {
            int x = aAt + k * aStep;
            int y = bAt + k * bRow;
            FloatVector b0 = FloatVector.fromArray(SPECIES, b, y, lanes);
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[x]);
            c00 = a0.fma(b0, c00);
        }
        store(c00, c, cAt, relu, mask, maskAt, lanes);
    }

    private static FloatVector start(boolean add, float[] c, int cAt, float @Nullable [] bias, int biasAt) {
        if (add) {
            return FloatVector.fromArray(SPECIES, c, cAt);
        }
        return bias == null ? FloatVector.zero(SPECIES) : FloatVector.fromArray(SPECIES, bias, biasAt);
    }

    private static FloatVector start(
            boolean add, float[] c, int cAt, float @Nullable [] bias, int biasAt, VectorMask<Float> lanes) {
        if (add) {
            return FloatVector.fromArray(SPECIES, c, cAt, lanes);
        }
        return bias == null ? FloatVector.zero(SPECIES) : FloatVector.fromArray(SPECIES, bias, biasAt, lanes);
    }

    private static void store(FloatVector v, float[] c, int cAt, boolean relu, float @Nullable [] mask, int maskAt) {
        FloatVector result = v;
        if (relu) {
            result = result.max(0);
        }
        if (mask != null) {
            VectorMask<Float> positive =
                    FloatVector.fromArray(SPECIES, mask, maskAt).compare(VectorOperators.GT, 0);
            result = FloatVector.zero(SPECIES).blend(result, positive);
        }
        result.intoArray(c, cAt);
    }

    private static void store(
            FloatVector v,
            float[] c,
            int cAt,
            boolean relu,
            float @Nullable [] mask,
            int maskAt,
            VectorMask<Float> lanes) {
        FloatVector result = v;
        if (relu) {
            result = result.max(0);
        }
        if (mask != null) {
            VectorMask<Float> positive =
                    FloatVector.fromArray(SPECIES, mask, maskAt, lanes).compare(VectorOperators.GT, 0);
            result = FloatVector.zero(SPECIES).blend(result, positive);
        }
        result.intoArray(c, cAt, lanes);
    }
}
