package dev.revealed.bench;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** What one core can do at best: chains of fused multiply-adds on whole vectors, enough of them to fill the pipelines. */
final class FmaPeak {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int CHAINS = 12;
    private static final int ROUNDS = 4000;

    private final float[] sink = new float[SPECIES.length()];
    private double best;

    /** Measures for a while; the best so far counts. */
    void measure(double seconds) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            long begin = System.nanoTime();
            chains(ROUNDS, sink);
            best = Math.max(best, 2.0 * CHAINS * SPECIES.length() * ROUNDS / (System.nanoTime() - begin));
        }
    }

    /** Floating-point operations per nanosecond. */
    double gigaflops() {
        return best;
    }

    private static void chains(int rounds, float[] sink) {
        FloatVector x = FloatVector.broadcast(SPECIES, 0.9999f);
        FloatVector y = FloatVector.broadcast(SPECIES, 1e-7f);
        FloatVector c0 = x;
        FloatVector c1 = x;
        FloatVector c2 = x;
        FloatVector c3 = x;
        FloatVector c4 = x;
        FloatVector c5 = x;
        FloatVector c6 = x;
        FloatVector c7 = x;
        FloatVector c8 = x;
        FloatVector c9 = x;
        FloatVector c10 = x;
        FloatVector c11 = x;
        for (int i = 0; i < rounds; i++) {
            c0 = c0.fma(x, y);
            c1 = c1.fma(x, y);
            c2 = c2.fma(x, y);
            c3 = c3.fma(x, y);
            c4 = c4.fma(x, y);
            c5 = c5.fma(x, y);
            c6 = c6.fma(x, y);
            c7 = c7.fma(x, y);
            c8 = c8.fma(x, y);
            c9 = c9.fma(x, y);
            c10 = c10.fma(x, y);
            c11 = c11.fma(x, y);
        }
        FloatVector sum = c0.add(c1).add(c2).add(c3).add(c4).add(c5);
        sum.add(c6).add(c7).add(c8).add(c9).add(c10).add(c11).intoArray(sink, 0);
    }
}
