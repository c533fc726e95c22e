package dev.revealed.numeric;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** {@link RowNorm} on vectors of sixteen lanes. Only touched where the JVM has the Vector API. */
final class VectorNorm {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_512;
    private static final int LANES = RowNorm.LANES;
    private static final VectorShuffle<Float> BY_8 = VectorShuffle.iota(SPECIES, 8, 1, true);
    private static final VectorShuffle<Float> BY_4 = VectorShuffle.iota(SPECIES, 4, 1, true);
    private static final VectorShuffle<Float> BY_2 = VectorShuffle.iota(SPECIES, 2, 1, true);
    private static final VectorShuffle<Float> BY_1 = VectorShuffle.iota(SPECIES, 1, 1, true);

    private VectorNorm() {}

    static float sum(int n, float[] x, int at) {
        FloatVector sums = FloatVector.zero(SPECIES);
        int k = 0;
        for (; k + LANES <= n; k += LANES) {
            sums = sums.add(FloatVector.fromArray(SPECIES, x, at + k));
        }
        if (k < n) {
            sums = sums.add(FloatVector.fromArray(SPECIES, x, at + k, SPECIES.indexInRange(k, n)));
        }
        return halves(sums);
    }

    static float squares(int n, float[] x, int at, float mean) {
        FloatVector sums = FloatVector.zero(SPECIES);
        int k = 0;
        for (; k + LANES <= n; k += LANES) {
            FloatVector away = FloatVector.fromArray(SPECIES, x, at + k).sub(mean);
            sums = away.fma(away, sums);
        }
        if (k < n) {
            VectorMask<Float> lanes = SPECIES.indexInRange(k, n);
            FloatVector away = FloatVector.fromArray(SPECIES, x, at + k, lanes).sub(mean, lanes);
            sums = away.fma(away, sums);
        }
        return halves(sums);
    }

    private static float halves(FloatVector sums) {
        FloatVector sum = sums.add(sums.rearrange(BY_8));
        sum = sum.add(sum.rearrange(BY_4));
        sum = sum.add(sum.rearrange(BY_2));
        return sum.add(sum.rearrange(BY_1)).lane(0);
    }

    static void scale(int n, float[] y, int at, float mean, float inverse, float[] normal, boolean relu) {
        int k = 0;
        for (; k + LANES <= n; k += LANES) {
            FloatVector z = FloatVector.fromArray(SPECIES, y, at + k).sub(mean).mul(inverse);
            z.intoArray(normal, at + k);
            (relu ? z.max(0) : z).intoArray(y, at + k);
        }
        RowNorm.scale(n - k, y, at + k, mean, inverse, normal, relu);
    }
}
