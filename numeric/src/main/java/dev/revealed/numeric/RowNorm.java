package dev.revealed.numeric;

/**
 * Normalisation of rows in single precision, as networks need it: to mean 0 and variance 1, or to length 1. Sums are sixteen
 * chains added by halves, whatever the machine, as those of {@link Gemm#dot} are; {@link VectorNorm} does the work where
 * vectors have sixteen lanes, plain loops give the same bits elsewhere.
 */
public final class RowNorm {
    /** Added to a variance, so that a constant row becomes zeros. */
    public static final float VARIANCE_EPSILON = 1e-5f;

    /** Added to a squared length, so that a row of zeros stays one. */
    public static final float LENGTH_EPSILON = 1e-12f;

    static final int LANES = 16;

    private RowNorm() {}

    private static boolean vectors() {
        return Gemm.VECTORS && VectorGemm.SIXTEEN_LANES;
    }

    /**
     * Brings {@code n} numbers of {@code y} to mean 0 and variance 1. They are written to the same place of {@code normal}, and
     * to {@code y} with negative ones cut to 0 where {@code relu} says so.
     *
     * @return one over their standard deviation
     */
    public static float standardise(int n, float[] y, int at, float[] normal, boolean relu) {
        float mean = (vectors() ? VectorNorm.sum(n, y, at) : sum(n, y, at)) / n;
        float squares = vectors() ? VectorNorm.squares(n, y, at, mean) : squares(n, y, at, mean);
        float inverse = (float) (1 / Math.sqrt(squares / n + VARIANCE_EPSILON));
        if (vectors()) {
            VectorNorm.scale(n, y, at, mean, inverse, normal, relu);
        } else {
            scale(n, y, at, mean, inverse, normal, relu);
        }
        return inverse;
    }

    /**
     * From the gradient of standardised numbers to that of the numbers before.
     *
     * @param normal the standardised numbers, from {@code normalAt} on
     * @param inverse what {@link #standardise} gave
     */
    public static void standardiseBack(int n, float[] delta, int at, float[] normal, int normalAt, float inverse) {
        float mean = (vectors() ? VectorNorm.sum(n, delta, at) : sum(n, delta, at)) / n;
        float along = Gemm.dot(n, delta, at, normal, normalAt) / n;
        project(n, delta, at, mean, along, normal, normalAt, inverse);
    }

    /**
     * Brings {@code n} numbers to length 1.
     *
     * @return one over their length before
     */
    public static float unitLength(int n, float[] y, int at) {
        float inverse = (float) (1 / Math.sqrt(Gemm.dot(n, y, at, y, at) + LENGTH_EPSILON));
        for (int j = at; j < at + n; j++) {
            y[j] *= inverse;
        }
        return inverse;
    }

    /**
     * From the gradient of numbers of length 1 to that of the numbers before.
     *
     * @param unit the numbers of length 1, from {@code unitAt} on
     * @param inverse what {@link #unitLength} gave
     */
    public static void unitLengthBack(int n, float[] delta, int at, float[] unit, int unitAt, float inverse) {
        project(n, delta, at, 0, Gemm.dot(n, delta, at, unit, unitAt), unit, unitAt, inverse);
    }

    /** delta = inverse (delta - mean - along direction). */
    private static void project(
            int n, float[] delta, int at, float mean, float along, float[] direction, int directionAt, float inverse) {
        for (int j = 0; j < n; j++) { // the compiler makes vectors of this one
            delta[at + j] = inverse * (delta[at + j] - mean - along * direction[directionAt + j]);
        }
    }

    static float sum(int n, float[] x, int at) {
        float[] sums = new float[LANES];
        for (int k = 0; k < n; k++) {
            sums[k % LANES] += x[at + k];
        }
        return halves(sums);
    }

    static float squares(int n, float[] x, int at, float mean) {
        float[] sums = new float[LANES];
        for (int k = 0; k < n; k++) {
            float away = x[at + k] - mean;
            sums[k % LANES] = Math.fma(away, away, sums[k % LANES]);
        }
        return halves(sums);
    }

    private static float halves(float[] sums) {
        for (int half = LANES / 2; half > 0; half /= 2) {
            for (int i = 0; i < half; i++) {
                sums[i] += sums[i + half];
            }
        }
        return sums[0];
    }

    static void scale(int n, float[] y, int at, float mean, float inverse, float[] normal, boolean relu) {
        for (int j = at; j < at + n; j++) {
            float z = (y[j] - mean) * inverse;
            normal[j] = z;
            y[j] = relu ? Math.max(z, 0) : z;
        }
    }
}
