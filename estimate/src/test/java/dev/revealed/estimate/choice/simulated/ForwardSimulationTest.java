package dev.revealed.estimate.choice.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Machines;
import dev.revealed.estimate.choice.twostep.ChoiceProbabilities;
import dev.revealed.estimate.choice.twostep.TwoStep;
import dev.revealed.estimate.choice.twostep.Valuation;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardSimulationTest {
    private static TwoStep step(ChoiceProblem problem) {
        return new TwoStep(problem, problem.firstStage(), ChoiceProbabilities.STANDARD);
    }

    private static ForwardSimulation.Draws draw(TwoStep step, Futures futures, long seed) {
        return new ForwardSimulation(step).draw(futures, RandomStream.of(seed), ProgressListener.NONE);
    }

    /** What an action is worth more than the first of its state, batch by batch, less the exact answer. */
    private static double[] errors(TwoStep step, double[][][] batches, int j, int own) {
        Valuation exact = new Valuation(step.model(), step.process(), step.visits());
        exact.under(step.policy());
        int first = own - own % step.visits().actions();
        double[] errors = new double[batches.length];
        for (int b = 0; b < errors.length; b++) {
            errors[b] = batches[b][j][own] - batches[b][j][first] - (exact.rows()[j][own] - exact.rows()[j][first]);
        }
        return errors;
    }

    /** Unbiased: over all rows and payoffs, errors are as often large as their standard errors say. */
    @ParameterizedTest
    @CsvSource({"0.9999, 1", "0.9999, 3", "0.95, 1", "0.95, 3"})
    void meansAreTheExactValues(double discount, int rounds) {
        for (ChoiceProblem problem :
                new ChoiceProblem[] {Buses.problem(20, discount, 60, 60, 1), Machines.problem(discount, 60, 40, 1)}) {
            TwoStep step = step(problem);
            double[][][] batches =
                    draw(step, new Futures(4000, rounds, 20_000), 3).batches();
            int rows = 0;
            double squares = 0;
            for (int j = 0; j < batches[0].length; j++) {
                for (int own = 0; own < step.visits().rows(); own++) {
                    double[] errors = errors(step, batches, j, own);
                    double mean = Vec.mean(errors);
                    double standardError = Vec.standardError(errors);
                    if (standardError > 1e-12 && step.chance()[own] > 0) {
                        rows++;
                        squares += Math.pow(mean / standardError, 2);
                        assertThat(Math.abs(mean)).isLessThan(6 * standardError);
                    }
                }
            }
            assertThat(rows).isGreaterThan(20);
            assertThat(squares / rows).isLessThan(4);
        }
    }

    /** Later rounds explain what the smooth part of the first has left over. */
    @Test
    void roundsMakeTheNoiseSmaller() {
        TwoStep step = step(Buses.problem(40, 0.9999, 60, 60, 1));
        int own = 2 * (step.visits().states().length / 2) + 1;
        double once = Vec.standardError(
                errors(step, draw(step, new Futures(200, 1, 20_000), 1).batches(), 0, own));
        double thrice = Vec.standardError(
                errors(step, draw(step, new Futures(200, 3, 20_000), 1).batches(), 0, own));
        assertThat(thrice).isLessThan(once / 5);
    }

    @Test
    void futuresThatDoNotMeetAreCounted() {
        TwoStep step = step(Buses.problem(20, 0.9999, 60, 60, 1));
        assertThat(draw(step, new Futures(100, 1, 20_000), 1).unmet()).isZero();
        assertThat(draw(step, new Futures(100, 1, 3), 1).unmet()).isBetween(0.1, 1.0);
    }

    @Test
    void drawsDoNotDependOnThreads() {
        ChoiceProblem problem = Machines.problem(0.95, 40, 20, 1);
        try {
            Parallel.threads(1);
            double[][][] one = draw(step(problem), Futures.STANDARD, 7).batches();
            Parallel.threads(3);
            assertThat(draw(step(problem), Futures.STANDARD, 7).batches()).isDeepEqualTo(one);
        } finally {
            Parallel.threads(Runtime.getRuntime().availableProcessors());
        }
    }
}
