package dev.revealed.estimate.choice.hidden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.choice.HiddenProcess;
import org.junit.jupiter.api.Test;

class PathFilterTest {
    private static final int NODES = 5;
    private static final int WIDTH = 2; // actions
    private static final int PERSISTENCE = 2; // after the constant and the size
    private static final HiddenProcess PROCESS = HiddenProcess.named(NODES, "rho");

    /** Choices in two states; rows of a state's other nodes follow, WIDTH apart. */
    private static final int[] CHOSEN = {0, 1, NODES * WIDTH, 1, NODES * WIDTH + 1, 0};

    /** The logit of the second action is a + sigma z in one state and half of it in the other. */
    private static double log(double[] x, boolean slopes, double[] score) {
        double[] policy = new double[2 * NODES * WIDTH];
        double[][] rows = new double[slopes ? x.length : 0][policy.length];
        for (int s = 0; s < 2; s++) {
            for (int j = 0; j < NODES; j++) {
                double half = s == 0 ? 1 : 0.5;
                double z = PROCESS.nodes()[j];
                double second = 1 / (1 + Math.exp(-half * (x[0] + x[1] * z)));
                int row = (s * NODES + j) * WIDTH;
                policy[row] = 1 - second;
                policy[row + 1] = second;
                for (int a = 0; a < WIDTH && rows.length > 0; a++) {
                    rows[0][row + a] = half * (a - second);
                    rows[1][row + a] = half * z * (a - second);
                }
            }
        }
        return new PathFilter(PROCESS, new double[] {x[PERSISTENCE]}, PERSISTENCE)
                .add(CHOSEN, WIDTH, policy, rows, score);
    }

    @Test
    void theScoreIsTheSlopeOfTheLikelihood() {
        double[] x = {0.3, 1.2, 0.4};
        double[] score = new double[3];
        log(x, true, score);
        for (int k = 0; k < 3; k++) {
            double step = 1e-5;
            double[] up = x.clone();
            up[k] += step;
            double[] down = x.clone();
            down[k] -= step;
            double slope = (log(up, false, score) - log(down, false, score)) / (2 * step);
            assertThat(score[k]).as("parameter %d", k).isCloseTo(slope, within(1e-8));
        }
    }
}
