package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Estimation without discount where transitions are random and the process ends. */
class EndingEstimateTest {
    private static final int STATES = 20;
    private static final int ACTIONS = 3;
    private static final double[] TRUTH = {-1.5, -0.7};
    private static final Mdp MDP = process();
    private static final LinearReward REWARD = reward();

    /** The last action ends the process with some probability; the others lead elsewhere. */
    private static Mdp process() {
        RandomStream stream = RandomStream.of(3);
        Kernel kernel = Kernel.of(STATES, ACTIONS, (s, a, row) -> {
            if (s == STATES - 1) {
                row.add(s, 1);
                return;
            }
            double end = a == ACTIONS - 1 ? 0.4 : 0;
            row.add(stream.nextInt(STATES - 1), 0.6 * (1 - end));
            row.add(stream.nextInt(STATES - 1), 0.4 * (1 - end));
            row.add(STATES - 1, end);
        });
        double[] start = new double[STATES];
        Arrays.fill(start, 0, STATES - 1, 1.0 / (STATES - 1));
        return new Mdp(kernel, 1, start);
    }

    /** A cost of every step, and one that differs. */
    private static LinearReward reward() {
        RandomStream stream = RandomStream.of(4);
        double[][] features = new double[STATES * ACTIONS][2];
        for (double[] row : features) {
            row[0] = 1;
            row[1] = 2 * stream.nextDouble();
        }
        return LinearReward.ofRows(ACTIONS, List.of("step", "toll"), features);
    }

    private static Problem problem() {
        SoftProcess process = new SoftProcess(MDP, InformationCost.STANDARD);
        SoftPolicy policy = SoftPolicy.start(process);
        double[] rows = new double[MDP.rows()];
        REWARD.values(TRUTH, rows);
        process.solver().solve(rows, policy, 1e-12).orThrow();
        Demonstrations drawn = new Simulation(MDP, policy.logPolicy()).demonstrations(2000, 10_000, RandomStream.of(5));
        return Problem.of(MDP, REWARD, drawn);
    }

    @Test
    void allEstimatorsAgreeAndFindTheTruth() {
        for (Problem problem : List.of(
                problem(),
                problem().withObjective(Problem.Objective.PANEL),
                problem().withObservedStarts())) {
            Estimate nested = Nfxp.standard().fit(problem, RandomStream.of(1), ProgressListener.NONE);
            Estimate loop = MlIrl.preconditioned().fit(problem, RandomStream.of(1), ProgressListener.NONE);
            assertThat(nested.converged()).isTrue();
            assertThat(loop.converged()).isTrue();
            for (int j = 0; j < 2; j++) {
                Estimate.Parameter own = loop.parameters().get(j);
                assertThat(own.value())
                        .isCloseTo(nested.parameters().get(j).value(), within(1e-6))
                        .isCloseTo(TRUTH[j], within(3 * own.standardError().orElseThrow()));
            }
        }
        Estimate entropy = MlIrl.maxEnt(new StepRule.Automatic(), 20_000, 1e-7)
                .fit(problem(), RandomStream.of(1), ProgressListener.NONE);
        Estimate nested = Nfxp.standard().fit(problem(), RandomStream.of(1), ProgressListener.NONE);
        for (int j = 0; j < 2; j++) {
            assertThat(entropy.parameters().get(j).value())
                    .isCloseTo(nested.parameters().get(j).value(), within(1e-6));
        }
    }

    @Test
    void aStartWithoutValuesIsRefusedWithItsSpectralRadius() {
        assertThatThrownBy(() -> MlIrl.preconditioned()
                        .startingAt(new double[2])
                        .fit(problem(), RandomStream.of(1), ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the spectral radius is 2.0"); // two actions go on for ever
    }

    @Test
    void theGradientIsThatOfDifferences() {
        Problem problem = problem();
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double[] theta = {-1.2, -0.9};
        double[] gradient = new double[2];
        exact.at(theta, gradient);
        for (int j = 0; j < 2; j++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[j] += 1e-5;
            down[j] -= 1e-5;
            assertThat(gradient[j]).isCloseTo((exact.value(up) - exact.value(down)) / 2e-5, within(1e-6));
        }
        assertThat(exact.value(new double[2])).isEqualTo(Double.NEGATIVE_INFINITY);
    }
}
