package dev.revealed.numeric.sparse;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** Substitutions for eight right-hand sides on vector instructions: one vector of eight or two of four. */
final class VectorLanes {
    private static final int LANES = LuFactors.LANES;
    private static final VectorSpecies<Double> EIGHT = DoubleVector.SPECIES_512;
    private static final VectorSpecies<Double> FOUR = DoubleVector.SPECIES_256;

    private static final int PREFERRED = DoubleVector.SPECIES_PREFERRED.length();

    /** Whether the processor has vectors of four or more. */
    static final boolean USEFUL = PREFERRED >= 4;

    private VectorLanes() {}

    static void scatter(LuPattern pattern, double[] values, double[] scale, int[] rows, int count, double[] x) {
        if (PREFERRED >= 8) {
            scatterEight(pattern, values, scale, rows, count, x);
        } else {
            scatterFour(pattern, values, scale, rows, count, x);
        }
    }

    static void gather(LuPattern pattern, double[] values, double[] scale, int[] rows, int count, double[] x) {
        if (PREFERRED >= 8) {
            gatherEight(pattern, values, scale, rows, count, x);
        } else {
            gatherFour(pattern, values, scale, rows, count, x);
        }
    }

    private static void scatterEight(
            LuPattern pattern, double[] values, double[] scale, int[] rows, int count, double[] x) {
        int[] fill = pattern.fill;
        int[] fillStart = pattern.fillStart;
        for (int r = 0; r < count; r++) {
            int i = rows[r];
            DoubleVector own = DoubleVector.fromArray(EIGHT, x, i * LANES).mul(scale[i]);
            own.intoArray(x, i * LANES);
            int end = fillStart[i + 1];
            for (int e = fillStart[i]; e < end; e++) {
                int to = fill[e] * LANES;
                DoubleVector.fromArray(EIGHT, x, to).add(own.mul(values[e])).intoArray(x, to);
            }
        }
    }

    private static void scatterFour(
            LuPattern pattern, double[] values, double[] scale, int[] rows, int count, double[] x) {
        int[] fill = pattern.fill;
        int[] fillStart = pattern.fillStart;
        for (int r = 0; r < count; r++) {
            int i = rows[r];
            DoubleVector low = DoubleVector.fromArray(FOUR, x, i * LANES).mul(scale[i]);
            DoubleVector high = DoubleVector.fromArray(FOUR, x, i * LANES + 4).mul(scale[i]);
            low.intoArray(x, i * LANES);
            high.intoArray(x, i * LANES + 4);
            int end = fillStart[i + 1];
            for (int e = fillStart[i]; e < end; e++) {
                int to = fill[e] * LANES;
                DoubleVector.fromArray(FOUR, x, to).add(low.mul(values[e])).intoArray(x, to);
                DoubleVector.fromArray(FOUR, x, to + 4).add(high.mul(values[e])).intoArray(x, to + 4);
            }
        }
    }

    private static void gatherEight(
            LuPattern pattern, double[] values, double[] scale, int[] rows, int count, double[] x) {
        int[] fill = pattern.fill;
        int[] fillStart = pattern.fillStart;
        for (int r = count - 1; r >= 0; r--) {
            int i = rows[r];
            DoubleVector own = DoubleVector.fromArray(EIGHT, x, i * LANES);
            int end = fillStart[i + 1];
            for (int e = fillStart[i]; e < end; e++) {
                own = own.add(DoubleVector.fromArray(EIGHT, x, fill[e] * LANES).mul(values[e]));
            }
            own.mul(scale[i]).intoArray(x, i * LANES);
        }
    }

    private static void gatherFour(
            LuPattern pattern, double[] values, double[] scale, int[] rows, int count, double[] x) {
        int[] fill = pattern.fill;
        int[] fillStart = pattern.fillStart;
        for (int r = count - 1; r >= 0; r--) {
            int i = rows[r];
            DoubleVector low = DoubleVector.fromArray(FOUR, x, i * LANES);
            DoubleVector high = DoubleVector.fromArray(FOUR, x, i * LANES + 4);
            int end = fillStart[i + 1];
            for (int e = fillStart[i]; e < end; e++) {
                int from = fill[e] * LANES;
                low = low.add(DoubleVector.fromArray(FOUR, x, from).mul(values[e]));
                high = high.add(DoubleVector.fromArray(FOUR, x, from + 4).mul(values[e]));
            }
            low.mul(scale[i]).intoArray(x, i * LANES);
            high.mul(scale[i]).intoArray(x, i * LANES + 4);
        }
    }
}
