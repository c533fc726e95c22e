package dev.revealed.numeric;

import java.util.random.RandomGenerator;

/**
 * A named stream of random numbers. One seed splits into as many independent streams as a job has uses for chance, each
 * addressed by a name or an index, so that adding a consumer, a thread or a restart changes nobody else's draws.
 *
 * <p>The generator is SplitMix64 (Steele, Lea and Flood 2014): its whole state is one number, which a checkpoint can hold.
 */
public final class RandomStream implements RandomGenerator {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final long key;
    private long state;

    private RandomStream(long key, long state) {
        this.key = key;
        this.state = state;
    }

    public static RandomStream of(long seed) {
        long key = mix(seed + GOLDEN_GAMMA);
        return new RandomStream(key, key);
    }

    /** An independent stream for one purpose; depends on this stream's identity, not on how much of it was used. */
    public RandomStream named(String name) {
        long hash = key;
        for (int i = 0; i < name.length(); i++) {
            hash = mix(hash ^ (name.charAt(i) + GOLDEN_GAMMA));
        }
        return child(hash);
    }

    /** An independent stream for the {@code index}-th job of a kind. */
    public RandomStream at(long index) {
        return child(mix(key ^ 0x632BE59BD9B4E019L) + mix(index * GOLDEN_GAMMA + 1));
    }

    private static RandomStream child(long hash) {
        long key = mix(hash);
        return new RandomStream(key, key);
    }

    @Override
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /** An index drawn with the given probabilities, which sum to one within rounding. */
    public int nextIndex(double[] probabilities, int from, int to) {
        double u = nextDouble();
        int last = from;
        for (int i = from; i < to; i++) {
            if (probabilities[i] > 0) {
                u -= probabilities[i];
                last = i;
                if (u < 0) {
                    break;
                }
            }
        }
        return last - from;
    }

    /** A draw from the gamma distribution with that shape and scale 1 (Marsaglia and Tsang 2000). */
    public double nextGamma(double shape) {
        if (!(shape > 0 && shape < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a gamma distribution of shape " + shape);
        }
        if (shape < 1) {
            return nextGamma(shape + 1) * Math.exp(-nextExponential() / shape);
        }
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = nextGaussian();
            double root = 1 + c * x;
            double v = root * root * root;
            if (v > 0 && Math.log(1 - nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
                return d * v;
            }
        }
    }

    /** What a checkpoint keeps: with {@link #resume} it continues the very same draws. */
    public long[] checkpoint() {
        return new long[] {key, state};
    }

    public static RandomStream resume(long[] checkpoint) {
        return new RandomStream(checkpoint[0], checkpoint[1]);
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
