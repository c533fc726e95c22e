package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every pass against the formula written out, on kernels with rows of 0 to 12 entries and repeated successors. */
class SweepsTest {
    private static final double GAMMA = 0.95;

    private record Case(int states, int actions, int[] rowStart, int[] successor, double[] probability) {
        static Case random(int states, int actions, long seed) {
            var random = new SplittableRandom(seed);
            int[] rowStart = new int[states * actions + 1];
            for (int row = 0; row < states * actions; row++) {
                rowStart[row + 1] = rowStart[row] + random.nextInt(13);
            }
            int entries = rowStart[states * actions];
            int[] successor = random.ints(entries, 0, states).toArray();
            double[] probability = random.doubles(entries, 0, 0.15).toArray();
            return new Case(states, actions, rowStart, successor, probability);
        }

        Sweeps.Rows rows() {
            return new Sweeps.Rows(rowStart, successor, probability);
        }

        double expected(int row, double[] value) {
            double sum = 0;
            for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
                sum += probability[k] * value[successor[k]];
            }
            return sum;
        }

        void softBackup(
                int from,
                int to,
                double[] reward,
                double @Nullable [] logWeight,
                double tau,
                double[] value,
                double[] next,
                double @Nullable [] policy,
                Sweeps.Scratch scratch) {
            double[] logPolicy = policy == null ? null : new double[policy.length];
            Sweeps.softBackup(
                    from, to, actions, rows(), reward, logWeight, GAMMA, tau, null, value, value, next, logPolicy,
                    policy, scratch);
            for (int row = from * actions; policy != null && logPolicy != null && row < to * actions; row++) {
                double pi = Math.exp(logPolicy[row]);
                assertThat(policy[row]).isCloseTo(pi, within(4 * Math.ulp(pi)));
            }
        }
    }

    private static double[] normal(int n, double scale, long seed) {
        var random = new java.util.Random(seed);
        return random.doubles(n).map(u -> scale * random.nextGaussian()).toArray();
    }

    private static double naiveSoftMax(double[] q, double tau) {
        double top = Arrays.stream(q).max().orElseThrow();
        return top
                + tau
                        * Math.log(Arrays.stream(q)
                                .map(x -> Math.exp((x - top) / tau))
                                .sum());
    }

    @ParameterizedTest
    @CsvSource({"1,2,1", "255,2,1", "256,3,0.1", "257,4,1", "1000,5,10", "700,20,1", "300,1,1"})
    void softBackupIsTheFormula(int states, int actions, double tau) {
        var process = Case.random(states, actions, 7);
        double[] reward = normal(states * actions, 3, 1);
        double[] value = normal(states, 10, 2);
        double[] logWeight = normal(states * actions, 1, 3);
        for (int row = 0; row < states * actions; row++) {
            if (actions > 1 && row % actions == row / actions % actions) {
                logWeight[row] = Double.NEGATIVE_INFINITY;
            }
        }
        double[] next = new double[states];
        double[] policy = new double[states * actions];
        var scratch = new Sweeps.Scratch(actions);
        process.softBackup(0, states, reward, logWeight, tau, value, next, policy, scratch);

        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (int s = 0; s < states; s++) {
            double[] q = new double[actions];
            for (int a = 0; a < actions; a++) {
                int row = s * actions + a;
                q[a] = reward[row] + GAMMA * process.expected(row, value) + tau * logWeight[row];
            }
            double v = naiveSoftMax(q, tau);
            assertThat(next[s]).isCloseTo(v, within(1e-14 * Math.max(10, Math.abs(v))));
            double total = 0;
            for (int a = 0; a < actions; a++) {
                double pi = Math.exp((q[a] - v) / tau);
                assertThat(policy[s * actions + a]).isCloseTo(pi, within(1e-12 * pi / Math.min(1, tau)));
                total += policy[s * actions + a];
            }
            assertThat(total).isCloseTo(1, within(1e-14));
            min = Math.min(min, next[s] - value[s]);
            max = Math.max(max, next[s] - value[s]);
        }
        assertThat(scratch.minChange()).isEqualTo(min);
        assertThat(scratch.maxChange()).isEqualTo(max);
    }

    @Test
    void hugeValuesDoNotOverflow() {
        var process = new Case(1, 3, new int[4], new int[0], new double[0]);
        double[] next = new double[1];
        var scratch = new Sweeps.Scratch(3);
        process.softBackup(0, 1, new double[] {1e300, -1e300, 1e300}, null, 1, new double[1], next, null, scratch);
        assertThat(next[0]).isEqualTo(1e300);
        process.softBackup(
                0, 1, new double[] {-1e300, -1e300, -1.7e308}, null, 1e-3, new double[1], next, null, scratch);
        assertThat(next[0]).isEqualTo(-1e300);
    }

    @Test
    void oneAvailableActionGivesItsValueExactly() {
        var process = new Case(1, 20, new int[21], new int[0], new double[0]);
        double[] logWeight = new double[20];
        Arrays.fill(logWeight, Double.NEGATIVE_INFINITY);
        logWeight[13] = 0;
        double[] next = new double[1];
        double[] policy = new double[20];
        process.softBackup(0, 1, normal(20, 1, 4), logWeight, 1, new double[1], next, policy, new Sweeps.Scratch(20));
        assertThat(next[0]).isEqualTo(normal(20, 1, 4)[13]);
        assertThat(policy[13]).isEqualTo(1);
        assertThat(Arrays.stream(policy).sum()).isEqualTo(1);
    }

    @Test
    void notANumberIsNotLost() {
        var process = Case.random(600, 4, 9);
        double[] reward = normal(2400, 1, 1);
        var scratch = new Sweeps.Scratch(4);
        double[] next = new double[600];
        reward[1001] = Double.NaN;
        process.softBackup(0, 600, reward, null, 1, normal(600, 1, 2), next, null, scratch);
        assertThat(next[250]).isNaN();
        assertThat(next[249]).isFinite();
        assertThat(scratch.minChange()).isNaN();
        assertThat(scratch.maxChange()).isNaN();

        double[] none = new double[2400];
        Arrays.fill(none, 40, 44, Double.NEGATIVE_INFINITY);
        process.softBackup(0, 600, normal(2400, 1, 1), none, 1, normal(600, 1, 2), next, null, scratch);
        assertThat(next[10]).isNaN();
    }

    @Test
    void everySplitGivesTheSameBits() {
        int states = 3000;
        var process = Case.random(states, 3, 11);
        double[] reward = normal(states * 3, 1, 1);
        double[] value = normal(states, 1, 2);
        double[] whole = new double[states];
        double[] parts = new double[states];
        var scratch = new Sweeps.Scratch(3);
        for (int warm = 0; warm < 200; warm++) {
            process.softBackup(0, states, reward, null, 1, value, whole, null, scratch);
            int cut = 1 + warm * 13;
            process.softBackup(0, cut, reward, null, 1, value, parts, null, scratch);
            process.softBackup(cut, states, reward, null, 1, value, parts, null, scratch);
            assertThat(parts).isEqualTo(whole);
        }
    }

    @Test
    void evaluateIsTheFormula() {
        var process = Case.random(500, 4, 13);
        double[] reward = normal(2000, 1, 1);
        double[] policy = normal(2000, 1, 2);
        double[] value = normal(500, 1, 3);
        double[] next = new double[500];
        var scratch = new Sweeps.Scratch(4);
        Sweeps.evaluate(0, 500, 4, process.rows(), reward, policy, GAMMA, value, value, next, scratch);
        double max = Double.NEGATIVE_INFINITY;
        for (int s = 0; s < 500; s++) {
            double v = 0;
            for (int row = 4 * s; row < 4 * s + 4; row++) {
                v += policy[row] * (reward[row] + GAMMA * process.expected(row, value));
            }
            assertThat(next[s]).isCloseTo(v, within(1e-13));
            max = Math.max(max, next[s] - value[s]);
        }
        assertThat(scratch.maxChange()).isEqualTo(max);
    }

    @Test
    void residualIsTheFormula() {
        int states = 60;
        var chain = Case.random(states, 1, 17);
        double[] x = normal(states, 1, 3);
        double[] y = new double[states];
        Sweeps.affine(0, states, chain.rows(), x, -GAMMA, x, y);
        for (int s = 0; s < states; s++) {
            assertThat(y[s]).isCloseTo(x[s] - GAMMA * chain.expected(s, x), within(1e-13));
        }
    }

    @Test
    void actionValuesAreTheFormula() {
        var process = Case.random(50, 3, 18);
        double[] reward = normal(150, 1, 1);
        double[] value = normal(50, 1, 2);
        double[] q = new double[150];
        Sweeps.affine(0, 150, process.rows(), reward, GAMMA, value, q);
        for (int row = 0; row < 150; row++) {
            assertThat(q[row]).isCloseTo(reward[row] + GAMMA * process.expected(row, value), within(1e-13));
        }
    }

    @Test
    void occupancyIsTheTransposedProduct() {
        int states = 300;
        var process = Case.random(states, 3, 19);
        double[] policy = normal(states * 3, 1, 1);
        double[] occupancy = normal(states, 1, 2);
        double[] start = normal(states, 1, 3);
        int entries = process.successor.length;
        int[] targetStart = new int[states + 1];
        int[] source = new int[entries];
        double[] transposed = new double[entries];
        int k = 0;
        for (int s = 0; s < states; s++) {
            for (int row = 0; row < states * 3; row++) {
                for (int i = process.rowStart[row]; i < process.rowStart[row + 1]; i++) {
                    if (process.successor[i] == s) {
                        source[k] = row;
                        transposed[k++] = process.probability[i];
                    }
                }
            }
            targetStart[s + 1] = k;
        }
        double[] flow = new double[states * 3];
        double[] next = new double[states];
        Sweeps.flow(0, states, 3, occupancy, policy, flow);
        Sweeps.affine(0, states, new Sweeps.Rows(targetStart, source, transposed), start, GAMMA, flow, next);

        double[] expected = start.clone();
        for (int row = 0; row < states * 3; row++) {
            for (int i = process.rowStart[row]; i < process.rowStart[row + 1]; i++) {
                expected[process.successor[i]] += GAMMA * occupancy[row / 3] * policy[row] * process.probability[i];
            }
        }
        assertThat(next).containsExactly(expected, within(1e-13));
    }
}
