package dev.revealed.numeric;

/**
 * Exponential and logarithm, faster than {@link Math} and the same bits on every machine.
 *
 * <p>Scalars use a table of 128 entries and a short polynomial, within 2 ulp. The bulk {@link #addExp} is written so
 * that C2 turns it into vector instructions: no tables, no bit casts, no branches, and every array indexed by the bare
 * loop variable (an added offset hides from the compiler that the arrays cannot overlap, and costs a factor of four).
 */
public final class Elementary {
    private static final int BITS = 7;
    private static final int SIZE = 1 << BITS;
    private static final int INDEX_SHIFT = 52 - BITS;

    /** Adding and subtracting this rounds to the nearest integer, and leaves that integer in the low bits. */
    private static final double ROUNDER = 0x1.8p52;

    private static final double INV_STEP = 0x1.71547652b82fep7;
    private static final double STEP_HI = 0x1.62e42fefa0000p-8;
    private static final double STEP_LO = 0x1.cf79abc9e3b3ap-47;
    private static final double LN2_HI = 0x1.62e42fefa3800p-1;
    private static final double LN2_LO = 0x1.ef35793c76730p-45;

    private static final double EXP_LOWEST = -708;
    private static final double EXP_HIGHEST = 709;

    /** Bits of 2^(j/128), less j in the place where the rounded argument adds it again with the exponent. */
    private static final long[] POWER = new long[SIZE];

    /** Mantissas are taken from [0.6875, 1.375), so that 1 lies inside and log keeps its relative accuracy there. */
    private static final long LOG_ORIGIN = 0x3fe6000000000000L;

    private static final double[] INVERSE = new double[SIZE];
    private static final double[] LOG = new double[SIZE];

    static {
        for (int j = 0; j < SIZE; j++) {
            double power = StrictMath.pow(2, (double) j / SIZE);
            POWER[j] = Double.doubleToRawLongBits(power) - ((long) j << INDEX_SHIFT);

            double centre = Double.longBitsToDouble(LOG_ORIGIN + ((2L * j + 1) << (INDEX_SHIFT - 1)));
            INVERSE[j] = Math.abs(centre - 1) < 0x1p-7 ? 1 : 1 / centre;
            LOG[j] = -StrictMath.log(INVERSE[j]);
        }
    }

    /** Below this, exp is less than 1e-19: nothing next to the 1 that every sum of {@link #addExp} contains. */
    private static final double NEGLIGIBLE = -44;

    /** The argument is divided by 64 and the result squared six times. */
    private static final double SHRINK = 1.0 / 64;

    private Elementary() {}

    /** e^x within 2 ulp; results that would be subnormal are 0. */
    public static double exp(double x) {
        if (!(x >= EXP_LOWEST && x <= EXP_HIGHEST)) {
            return x < EXP_LOWEST ? 0 : StrictMath.exp(x);
        }
        double shifted = Math.fma(x, INV_STEP, ROUNDER);
        double steps = shifted - ROUNDER;
        long bits = Double.doubleToRawLongBits(shifted);
        double r = Math.fma(steps, -STEP_LO, Math.fma(steps, -STEP_HI, x));
        double scale = Double.longBitsToDouble(POWER[(int) bits & (SIZE - 1)] + (bits << INDEX_SHIFT));
        double r2 = r * r;
        double high = Math.fma(r, 1.0 / 120, 1.0 / 24);
        double low = Math.fma(r, 1.0 / 6, 0.5);
        return Math.fma(scale, Math.fma(r2, Math.fma(r2, high, low), r), scale);
    }

    /** Natural logarithm within 2 ulp. */
    public static double log(double x) {
        if (!(x >= Double.MIN_NORMAL && x <= Double.MAX_VALUE)) {
            return StrictMath.log(x);
        }
        long bits = Double.doubleToRawLongBits(x);
        long above = bits - LOG_ORIGIN;
        int j = (int) (above >> INDEX_SHIFT) & (SIZE - 1);
        int exponent = (int) (above >> 52);
        double mantissa = Double.longBitsToDouble(bits - ((long) exponent << 52));
        double r = Math.fma(mantissa, INVERSE[j], -1);
        double base = Math.fma(exponent, LN2_HI, LOG[j]);
        double sum = base + r;
        double rest = Math.fma(exponent, LN2_LO, base - sum + r);
        double r2 = r * r;
        double top = Math.fma(r2, Math.fma(r, -1.0 / 8, 1.0 / 7), Math.fma(r, -1.0 / 6, 1.0 / 5));
        double series = Math.fma(r2, Math.fma(r, top, -1.0 / 4), Math.fma(r, 1.0 / 3, -1.0 / 2));
        return Math.fma(r2, series, rest) + sum;
    }

    /**
     * sum[i] += exp((x[i] - top[i]) / tau) for i below n, where {@code x[i] <= top[i]}.
     *
     * <p>The error is absolute, about 4e-16, as a sum that contains exp(0) wants it; arguments below -44 (minus
     * infinity too) add less than 1e-19, which is no more than nothing. NaN propagates.
     */
    public static void addExp(double[] x, double[] top, double tau, double[] sum, int n) {
        double scale = SHRINK / tau;
        for (int i = 0; i < n; i++) {
            double y = Math.max((x[i] - top[i]) * scale, NEGLIGIBLE * SHRINK);
            // e^y - 1 = y + y^2 q(y) on [-44/64, 0]; relative error 7e-17.
            double q = Math.fma(y, 1.885947982179018e-08, 2.6697601630182645e-07);
            q = Math.fma(y, q, 2.748951425149107e-06);
            q = Math.fma(y, q, 2.4798321459674366e-05);
            q = Math.fma(y, q, 0.0001984117196448668);
            q = Math.fma(y, q, 0.0013888887097524762);
            q = Math.fma(y, q, 0.00833333331446337);
            q = Math.fma(y, q, 0.04166666666565575);
            q = Math.fma(y, q, 0.16666666666664565);
            q = Math.fma(y, q, 0.49999999999999994);
            double e = Math.fma(y * y, q, y);
            // (1 + e)^2 - 1 = e^2 + 2e doubles the argument without blowing up the rounding of 1 + e.
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            double f = 1 + e;
            f *= f;
            sum[i] = Math.fma(f, f, sum[i]);
        }
    }
}
