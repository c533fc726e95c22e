package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.numeric.RandomStream;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final Mdp MDP = Truth.process(5, 3, 0.9, 1);
    private static final SoftPolicy POLICY = Truth.randomPolicy(new SoftProcess(MDP, InformationCost.STANDARD), 1);

    /** Pearson's statistic of counts against probabilities. */
    private static double chiSquare(int[] counts, double[] probability, int from) {
        double total = 0;
        for (int count : counts) {
            total += count;
        }
        double sum = 0;
        for (int i = 0; i < counts.length; i++) {
            double expected = total * probability[from + i];
            sum += (counts[i] - expected) * (counts[i] - expected) / expected;
        }
        return sum;
    }

    /** 99.9 % points of chi-square with 2 and 4 degrees of freedom: 13.82 and 18.47. */
    @Test
    void startsChoicesAndMovesFollowTheirProbabilities() {
        Demonstrations data = new Simulation(MDP, POLICY.logPolicy()).demonstrations(4000, 20, RandomStream.of(2));
        int[] starts = new int[5];
        int[][] choices = new int[5][3];
        int[][] moves = new int[15][3];
        Kernel kernel = MDP.kernel();
        for (Trajectory t : data.trajectories()) {
            int[] actions = Objects.requireNonNull(t.actions());
            starts[t.states()[0]]++;
            for (int k = 0; k < t.length(); k++) {
                int row = t.states()[k] * 3 + actions[k];
                choices[t.states()[k]][actions[k]]++;
                for (int i = 0; i < 3; i++) {
                    moves[row][i] += kernel.successor()[kernel.rowStart()[row] + i] == t.states()[k + 1] ? 1 : 0;
                }
            }
        }
        assertThat(chiSquare(starts, MDP.start(), 0)).isLessThan(18.47);
        int seen = 0;
        for (int s = 0; s < 5; s++) {
            assertThat(chiSquare(choices[s], POLICY.policy(), 3 * s)).isLessThan(13.82);
        }
        for (int row = 0; row < 15; row++) {
            assertThat(chiSquare(moves[row], kernel.probability(), kernel.rowStart()[row]))
                    .isLessThan(13.82);
            seen += moves[row][0] + moves[row][1] + moves[row][2];
        }
        assertThat(seen).as("every move leads to a successor").isEqualTo(4000 * 20);
    }

    @Test
    void sameSeedSameTrajectoriesWhateverTheirNumber() {
        Simulation simulation = new Simulation(MDP, POLICY.logPolicy());
        Demonstrations few = simulation.demonstrations(3, 10, RandomStream.of(5));
        Demonstrations many = simulation.demonstrations(7, 10, RandomStream.of(5));
        assertThat(many.slice(0, 3).hash()).isEqualTo(few.hash());
        assertThat(simulation.demonstrations(3, 10, RandomStream.of(6)).hash()).isNotEqualTo(few.hash());
        assertThat(few.decisions()).isEqualTo(30);
        assertThat(few.trajectories()).allMatch(Trajectory::hasFinalState);
    }
}
