package dev.revealed.mdp.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import org.junit.jupiter.api.Test;

class RouteBusTest {
    private static final int BINS = 51; // half a unit of mileage each
    private static final ChoiceModel MODEL = RouteBus.of(BINS, 3, 0.9);

    private static double chance(int state, int action, int next) {
        Kernel kernel = MODEL.law().kernel(new double[0]);
        int row = 2 * state + action;
        double sum = 0;
        for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
            sum += kernel.successor()[k] == next ? kernel.probability()[k] : 0;
        }
        return sum;
    }

    /** Mileage grows by exponential amounts at the route's rate, .25, .75 or 1.25, rounded down to the bin. */
    @Test
    void mileageGrowsExponentially() {
        for (int route = 0; route < 3; route++) {
            double rate = 0.25 + 0.5 * route;
            int at = route * BINS + 10;
            assertThat(chance(at, RouteBus.KEEP, at)).isCloseTo(1 - Math.exp(-rate * 0.5), within(1e-12));
            assertThat(chance(at, RouteBus.KEEP, at + 4))
                    .isCloseTo(Math.exp(-rate * 2) - Math.exp(-rate * 2.5), within(1e-12));
            assertThat(chance(at, RouteBus.KEEP, route * BINS + BINS - 1))
                    .isCloseTo(Math.exp(-rate * 20), within(1e-12));
            assertThat(chance(at, RouteBus.KEEP, at - 1)).isZero();
        }
    }

    @Test
    void newEnginesStartAtZeroAndRoutesStay() {
        int at = BINS + 30;
        for (int x = 0; x < BINS; x++) {
            assertThat(chance(at, RouteBus.REPLACE, BINS + x)).isEqualTo(chance(BINS, RouteBus.KEEP, BINS + x));
            assertThat(chance(at, RouteBus.KEEP, x)).isZero();
        }
    }
}
