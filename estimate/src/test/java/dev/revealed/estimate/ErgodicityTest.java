package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Chains whose distance from the stationary distribution is known. */
class ErgodicityTest {

    /** Two states that are left with 0.3 and 0.2: the distance shrinks by the second eigenvalue, 1 - 0.3 - 0.2. */
    @Test
    void twoStatesForgetByTheSecondEigenvalue() {
        Kernel kernel = Kernel.of(2, 1, (s, a, row) -> {
            row.add(1 - s, s == 0 ? 0.3 : 0.2);
            row.add(s, s == 0 ? 0.7 : 0.8);
        });
        Ergodicity found = Ergodicity.of(Mdp.uniformStart(kernel, 0.9), new double[] {1, 1})
                .orElseThrow();
        assertThat(found.everyPolicy()).isTrue();
        assertThat(found.kappa()).isEqualTo(1);
        assertThat(found.rho()).isCloseTo(0.5, within(1e-12));
    }

    /** Among two actions, one that stays and one that tosses a coin, a policy can stay for ever; tossing alone forgets at once. */
    @Test
    void holdsForOnePolicyWhereAnotherNeverForgets() {
        Kernel kernel = Kernel.of(2, 2, (s, a, row) -> {
            if (a == 0) {
                row.add(s, 1);
            } else {
                row.add(0, 0.5);
                row.add(1, 0.5);
            }
        });
        Mdp mdp = Mdp.uniformStart(kernel, 0.9);
        // staying with 0.6 leaves the second eigenvalue 0.6
        Ergodicity found = Ergodicity.of(mdp, new double[] {0.6, 0.4, 0.6, 0.4}).orElseThrow();
        assertThat(found.everyPolicy()).isFalse();
        assertThat(found.kappa()).isEqualTo(1);
        assertThat(found.rho()).isCloseTo(0.6, within(1e-12));
        assertThat(Ergodicity.of(mdp, new double[] {1, 0, 1, 0})).isEmpty();
    }

    /** A ring that is walked round or rested on: one step forgets nothing, several do, and the bound holds at every time. */
    @Test
    void boundsTheDistanceAtEveryTime() {
        int n = 7;
        Kernel kernel = Kernel.of(n, 1, (s, a, row) -> {
            row.add(s, 0.5);
            row.add((s + 1) % n, 0.5);
        });
        double[] policy = new double[n];
        Arrays.fill(policy, 1);
        Ergodicity found = Ergodicity.of(Mdp.uniformStart(kernel, 0.9), policy).orElseThrow();
        assertThat(found.everyPolicy()).isFalse();
        // the second eigenvalue of (1 + shift) / 2 is cos(pi / 7): no rate is smaller
        assertThat(found.rho()).isBetween(Math.cos(Math.PI / n) - 1e-9, 1.0);
        double[] now = new double[n];
        now[0] = 1;
        for (int t = 0; t < 200; t++) {
            double distance = Arrays.stream(now).map(p -> Math.abs(p - 1.0 / n)).sum() / 2;
            assertThat(distance)
                    .as("after %d", t)
                    .isLessThanOrEqualTo(found.kappa() * Math.pow(found.rho(), t) + 1e-12);
            double[] next = new double[n];
            for (int s = 0; s < n; s++) {
                next[s] += 0.5 * now[s];
                next[(s + 1) % n] += 0.5 * now[s];
            }
            now = next;
        }
    }

    /** The coefficient of every policy is not exceeded by any of them. */
    @Test
    void everyPolicyIsWithinTheCommonRate() {
        Mdp mdp = Examples.mdp(6, 3, 0.9, RandomStream.of(3));
        RandomStream stream = RandomStream.of(4);
        Kernel mixed = Kernel.of(6, 3, (s, a, row) -> {
            for (int next = 0; next < 6; next++) {
                row.add(next, 0.4 / 6);
            }
            int own = s * 3 + a;
            for (int k = mdp.kernel().rowStart()[own]; k < mdp.kernel().rowStart()[own + 1]; k++) {
                row.add(mdp.kernel().successor()[k], 0.6 * mdp.kernel().probability()[k]);
            }
        });
        double[] policy = new double[18];
        for (int begin = 0; begin < 18; begin += 3) {
            policy[begin + stream.nextInt(3)] = 1;
        }
        Ergodicity found = Ergodicity.of(Mdp.uniformStart(mixed, 0.9), policy).orElseThrow();
        assertThat(found.everyPolicy()).isTrue();
        assertThat(found.rho()).isLessThanOrEqualTo(0.6 + 1e-12); // 0.4 of every row is the same
    }
}
