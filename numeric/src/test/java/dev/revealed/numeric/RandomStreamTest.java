package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomStreamTest {
    private static long[] draws(RandomStream stream, int n) {
        return stream.longs(n).toArray();
    }

    /** The reference implementation of SplitMix64 seeded with 1234567 (Vigna, splitmix64.c; also Rosetta Code). */
    @Test
    void generatorIsSplitMix64() {
        var stream = RandomStream.resume(new long[] {0, 1234567});
        assertThat(draws(stream, 5))
                .containsExactly(
                        6457827717110365317L,
                        3203168211198807973L,
                        Long.parseUnsignedLong("9817491932198370423"),
                        4593380528125082431L,
                        Long.parseUnsignedLong("16408922859458223821"));
    }

    @Test
    void sameSeedSameDraws() {
        assertThat(draws(RandomStream.of(3), 20)).isEqualTo(draws(RandomStream.of(3), 20));
        assertThat(draws(RandomStream.of(3), 20)).isNotEqualTo(draws(RandomStream.of(4), 20));
    }

    @Test
    void childrenDoNotDependOnWhatWasConsumed() {
        var fresh = RandomStream.of(7);
        var used = RandomStream.of(7);
        draws(used, 1000);
        assertThat(draws(used.named("x"), 5)).isEqualTo(draws(fresh.named("x"), 5));
        assertThat(draws(used.at(9), 5)).isEqualTo(draws(fresh.at(9), 5));
    }

    @Test
    void takingChildrenConsumesNothing() {
        var stream = RandomStream.of(7);
        stream.named("x");
        stream.at(3);
        assertThat(draws(stream, 5)).isEqualTo(draws(RandomStream.of(7), 5));
    }

    @Test
    void everyAddressIsAnotherStream() {
        var root = RandomStream.of(1);
        Set<Long> firsts = new HashSet<>();
        for (int i = -5000; i < 5000; i++) {
            firsts.add(root.at(i).nextLong());
            firsts.add(root.named("job" + i).nextLong());
            firsts.add(root.named("job").at(i).nextLong());
        }
        for (String name : new String[] {"", "a", "b", "ab", "ba", "aa"}) {
            firsts.add(root.named(name).nextLong());
        }
        firsts.add(root.named("a").named("b").nextLong());
        firsts.add(root.nextLong());
        assertThat(firsts).hasSize(3 * 10_000 + 8);
    }

    /** Streams whose addresses differ by one: the correlation of n pairs of uniforms is about normal(0, 1/n). */
    @Test
    void neighboursAreUncorrelated() {
        int n = 100_000;
        double[] x = RandomStream.of(5).at(0).doubles(n).toArray();
        double[] y = RandomStream.of(5).at(1).doubles(n).toArray();
        double[] z = RandomStream.of(5).doubles(n).toArray();
        assertThat(Vec.correlation(x, y)).isCloseTo(0, within(4 / Math.sqrt(n)));
        assertThat(Vec.correlation(x, z)).isCloseTo(0, within(4 / Math.sqrt(n)));
    }

    @Test
    void checkpointContinuesDrawsAndChildren() {
        var stream = RandomStream.of(11).named("loop");
        draws(stream, 17);
        var resumed = RandomStream.resume(stream.checkpoint());
        assertThat(draws(resumed, 10)).isEqualTo(draws(stream, 10));
        assertThat(draws(resumed.named("x"), 3)).isEqualTo(draws(stream.named("x"), 3));
    }

    @Test
    void indicesFollowTheirProbabilities() {
        double[] p = {9, 9, 0.1, 0, 0.4, 0.3, 0.2, 0, 9};
        int n = 100_000;
        int[] counts = new int[6];
        var stream = RandomStream.of(2);
        for (int i = 0; i < n; i++) {
            counts[stream.nextIndex(p, 2, 8)]++;
        }
        double chiSquare = 0;
        for (int i = 0; i < 6; i++) {
            double expected = n * p[i + 2];
            if (expected == 0) {
                assertThat(counts[i]).isZero();
            } else {
                chiSquare += (counts[i] - expected) * (counts[i] - expected) / expected;
            }
        }
        assertThat(chiSquare).isLessThan(16.27); // 99.9 % point of chi-square with 3 degrees of freedom
    }

    @Test
    void rowsThatSumToALittleLessThanOneNeverYieldAnImpossibleIndex() {
        double[] p = {0.3, 0.3, 0}; // as if 0.4 had been lost to rounding: the last possible one takes the rest
        var stream = RandomStream.of(2);
        for (int i = 0; i < 1000; i++) {
            assertThat(stream.nextIndex(p, 0, 3)).isLessThan(2);
        }
    }

    /** Mean and variance are the shape, the third central moment twice as much. */
    @Test
    void gammaDrawsHaveTheMomentsOfTheirShape() {
        for (double shape : new double[] {0.3, 1, 2.5, 40}) {
            var stream = RandomStream.of(11);
            int n = 100_000;
            double[] draws = new double[n];
            Arrays.setAll(draws, i -> stream.nextGamma(shape));
            double mean = Vec.mean(draws);
            double third = Arrays.stream(draws).map(x -> Math.pow(x - mean, 3)).sum() / n;
            assertThat(mean).isCloseTo(shape, within(5 * Math.sqrt(shape / n)));
            assertThat(Math.pow(Vec.deviation(draws), 2)).isCloseTo(shape, within(0.05 * shape + 0.01));
            assertThat(third).isCloseTo(2 * shape, within(0.2 * shape + 0.02 * Math.pow(shape, 1.5)));
        }
    }
}
