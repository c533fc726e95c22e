package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A linear-quadratic problem, whose soft-optimal policy is known: x' = x + a, reward -x^2 - a^2/2. With V(x) = -P x^2 + c the
 * soft-optimal action is normal around -K x with variance temperature / (2 (1/2 + discount P)), where P solves the Riccati
 * equation. Squashing changes little, since the bound is far away.
 */
class SacLearnsTest {
    private static final double DISCOUNT = 0.8;
    private static final double TEMPERATURE = 0.1;
    private static final Simulator.Space SPACE = new Simulator.Space("point", 1, new Simulator.Actions.Box(1, 2), 100);

    @Test
    void findsTheSoftOptimalPolicyOfALinearQuadraticProblem() {
        double p = 1;
        for (int i = 0; i < 200; i++) {
            p = 1 + DISCOUNT * p - Math.pow(DISCOUNT * p, 2) / (0.5 + DISCOUNT * p);
        }
        double gain = DISCOUNT * p / (0.5 + DISCOUNT * p);
        double deviation = Math.sqrt(TEMPERATURE / (2 * (0.5 + DISCOUNT * p)));

        int rows = 128;
        Sac.Settings settings = Sac.Settings.PAPER
                .withHidden(48, 48)
                .withBatch(rows)
                .with(Map.of("discount", DISCOUNT))
                .withTemperature(Temperature.fixed(TEMPERATURE))
                .with(Map.of("polyak", 0.98))
                .withLearningRate(2e-3);
        RandomStream data = RandomStream.of(4);
        Batch batch = Batch.of(rows, SPACE);
        Arrays.fill(batch.live(), 1);
        try (Sac sac = new Sac(SPACE, settings, RandomStream.of(3), 1)) {
            for (int i = 0; i < 4000; i++) {
                for (int row = 0; row < rows; row++) {
                    double x;
                    double a;
                    do { // within reach of the data, next states too
                        x = data.nextDouble(-2, 2);
                        a = data.nextDouble(-2, 2);
                    } while (Math.abs(x + a) > 2);
                    batch.states()[row] = (float) x;
                    batch.actions()[row] = (float) a;
                    batch.rewards()[row] = (float) (-x * x - a * a / 2);
                    batch.nextStates()[row] = (float) (x + a);
                }
                sac.update(batch, () -> {});
            }
            RandomStream noise = RandomStream.of(5);
            for (float x : new float[] {-1, -0.5f, 0, 0.5f, 1}) {
                double sum = 0;
                double squares = 0;
                int n = 4000;
                float[] action = new float[1];
                for (int i = 0; i < n; i++) {
                    sac.actor().act(new float[] {x}, 0, noise, action, 0);
                    sum += action[0];
                    squares += (double) action[0] * action[0];
                }
                double mean = sum / n;
                assertThat(mean).as("mean action at %s", x).isCloseTo(-gain * x, within(0.06));
                assertThat(Math.sqrt(squares / n - mean * mean))
                        .as("spread of actions at %s", x)
                        .isCloseTo(deviation, within(0.25 * deviation));
            }
        }
    }
}
