package dev.revealed.estimate.choice.counterfactual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Kernel;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chains whose long run is known in closed form. */
class LongRunTest {
    private static double[] longRun(Kernel chain, double[] start) {
        double[] certain = new double[chain.states()];
        Arrays.fill(certain, 1);
        return LongRun.distribution(chain, certain, start);
    }

    private static double[] from(int states, int state) {
        double[] start = new double[states];
        start[state] = 1;
        return start;
    }

    @Test
    void twoStatesSpendTimeInverselyToHowReadilyTheyAreLeft() {
        double leave0 = 0.3;
        double leave1 = 0.05;
        Kernel chain = Kernel.of(2, 1, (s, a, row) -> {
            double leave = s == 0 ? leave0 : leave1;
            row.add(s, 1 - leave);
            row.add(1 - s, leave);
        });
        assertThat(longRun(chain, from(2, 0))).containsExactly(new double[] {0.05 / 0.35, 0.3 / 0.35}, within(1e-15));
    }

    /** The policy mixes its actions' moves. */
    @Test
    void aPolicyMixesItsActions() {
        Kernel kernel = Kernel.of(2, 2, (s, a, row) -> row.add(a == 0 ? s : 1 - s, 1)); // stay, or change
        double[] policy = {0.7, 0.3, 0.95, 0.05};
        assertThat(LongRun.distribution(kernel, policy, from(2, 1)))
                .containsExactly(new double[] {0.05 / 0.35, 0.3 / 0.35}, within(1e-15));
    }

    /** Up with chance p, down with chance q: state k has weight (p/q)^k. Both methods are tried by the size. */
    @ParameterizedTest
    @ValueSource(ints = {40, 3000})
    void birthAndDeathChainsAreGeometric(int n) {
        double p = 0.4;
        double q = 0.401;
        Kernel chain = Kernel.of(n, 1, (s, a, row) -> {
            row.add(Math.min(n - 1, s + 1), p);
            row.add(Math.max(0, s - 1), q);
            row.add(s, 1 - p - q);
        });
        double ratio = p / q;
        double first = (1 - ratio) / (1 - Math.pow(ratio, n));
        double[] longRun = longRun(chain, from(n, n / 2));
        for (int k = 0; k < n; k++) {
            assertThat(longRun[k]).isEqualTo(first * Math.pow(ratio, k), within(1e-10 * first));
        }
    }

    /** A chain that goes round and round has no limit of its distribution, but one of its time averages. */
    @ParameterizedTest
    @ValueSource(ints = {7, 1000})
    void periodicChainsAreAveraged(int n) {
        Kernel chain = Kernel.of(n, 1, (s, a, row) -> row.add((s + 1) % n, 1));
        assertThat(longRun(chain, from(n, 3))).containsOnly(new double[] {1.0 / n}, within(1e-14));
    }

    /** The gambler who starts with k of n coins is ruined with chance 1 - k/n. */
    @ParameterizedTest
    @ValueSource(ints = {10, 800})
    void whereAChainEndsDependsOnItsStart(int n) {
        Kernel ruin = Kernel.of(n + 1, 1, (s, a, row) -> {
            if (s == 0 || s == n) {
                row.add(s, 1);
            } else {
                row.add(s - 1, 0.5);
                row.add(s + 1, 0.5);
            }
        });
        double[] longRun = longRun(ruin, from(n + 1, 3));
        assertThat(longRun[0]).isEqualTo(1 - 3.0 / n, within(1e-9));
        assertThat(longRun[n]).isEqualTo(3.0 / n, within(1e-9));
        assertThat(Arrays.stream(longRun, 1, n)).containsOnly(0.0);
    }

    /** Two worlds without a way between them, and a third that nobody starts in. */
    @Test
    void separateWorldsKeepTheirShares() {
        Kernel chain = Kernel.of(5, 1, (s, a, row) -> {
            if (s < 4) {
                row.add(s, 0.5);
                row.add(s ^ 1, 0.5);
            } else {
                row.add(4, 1);
            }
        });
        assertThat(longRun(chain, new double[] {0.2, 0.1, 0, 0.7, 0}))
                .containsExactly(new double[] {0.15, 0.15, 0.35, 0.35, 0}, within(1e-15));
    }
}
