package dev.revealed.mdp.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MaintenanceTest {
    private static final Maintenance PROCESS = new Maintenance(5, 1000);
    private static final double[] THETA = PROCESS.example();
    private static final double DISCOUNT = 0.9;

    private static double[] probabilities(MaintenanceTruth truth, double index, double wear) {
        double[] p = new double[Maintenance.CHOICES];
        truth.logProbabilities(index, wear, p);
        Arrays.setAll(p, a -> Math.exp(p[a]));
        return p;
    }

    /** Who does not look ahead chooses by what choices pay: a logit, in closed form. */
    @Test
    void withoutAFutureChoicesAreALogit() {
        MaintenanceTruth truth = new MaintenanceTruth(THETA, PROCESS.indexVariance(THETA), 0, 45, 61);
        double keep = Math.exp(-1.3 * THETA[0]);
        double repair = Math.exp(-0.65 * THETA[0] + 0.4 - THETA[1]);
        double replace = Math.exp(0.4 - THETA[2]);
        double sum = keep + repair + replace;
        assertThat(probabilities(truth, 0.4, 1.3))
                .containsExactly(new double[] {keep / sum, repair / sum, replace / sum}, offset(1e-9));
    }

    @Test
    void aFinerGridChangesLittle() {
        double variance = PROCESS.indexVariance(THETA);
        MaintenanceTruth coarse = new MaintenanceTruth(THETA, variance, DISCOUNT, 31, 41);
        MaintenanceTruth fine = new MaintenanceTruth(THETA, variance, DISCOUNT, 61, 81);
        for (double index : new double[] {-1, 0.3, 1.1}) {
            for (double wear : new double[] {0.1, 1.33, 2.7}) {
                assertThat(probabilities(coarse, index, wear))
                        .containsExactly(probabilities(fine, index, wear), offset(3e-3));
            }
        }
    }

    /**
     * The log-odds of two choices are the difference of what agents earn after them, entropy included: by simulation of the
     * whole process with all its covariates, which knows nothing of index and grid.
     */
    @Test
    void logOddsAreWhatSimulatedAgentsEarn() {
        MaintenanceTruth truth = new MaintenanceTruth(THETA, PROCESS.indexVariance(THETA), DISCOUNT, 45, 61);
        try (Simulator machine = PROCESS.simulator(THETA)) {
            machine.reset(RandomStream.of(3));
            float[] seen = new float[6];
            machine.observe(seen, 0);
            double[] here = machine.state();
            double[] log = new double[Maintenance.CHOICES];
            truth.logProbabilities(PROCESS.index(THETA, seen, 0), seen[5], log);
            int draws = 8000;
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < draws; i++) {
                System.arraycopy(chance(i), 0, here, 8, 4);
                double difference = earned(machine, here, Maintenance.REPLACE, truth, i)
                        - earned(machine, here, Maintenance.KEEP, truth, i);
                sum += difference / draws;
                squares += difference * difference / draws;
            }
            double error = Math.sqrt((squares - sum * sum) / draws);
            assertThat(error).isLessThan(0.03);
            assertThat(sum).isCloseTo(log[Maintenance.REPLACE] - log[Maintenance.KEEP], offset(4 * error));
        }
    }

    /** The part of a machine's state that is its chance, anew. */
    private static double[] chance(int draw) {
        RandomStream stream = RandomStream.of(17).at(draw);
        return new double[] {stream.nextInt(), stream.nextInt(), stream.nextInt(), stream.nextInt()};
    }

    private static double earned(Simulator machine, double[] from, int choice, MaintenanceTruth truth, int draw) {
        RandomStream shocks = RandomStream.of(18).at(draw);
        machine.restore(from);
        float[] action = {choice};
        float[] seen = new float[6];
        double[] p = new double[Maintenance.CHOICES];
        machine.step(action, 0);
        double earned = machine.reward();
        double weight = 1;
        for (int t = 1; t < 90; t++) {
            weight *= DISCOUNT;
            machine.observe(seen, 0);
            truth.logProbabilities(PROCESS.index(THETA, seen, 0), seen[5], p);
            for (int a = 0; a < p.length; a++) {
                double log = p[a];
                p[a] = Math.exp(log);
                earned -= weight * p[a] * log;
            }
            action[0] = shocks.nextIndex(p, 0, p.length);
            machine.step(action, 0);
            earned += weight * machine.reward();
        }
        return earned;
    }

    @Test
    void indicesHaveTheVarianceTheyAreSaidToHave() {
        try (Simulator machine = PROCESS.simulator(THETA)) {
            machine.reset(RandomStream.of(5));
            float[] seen = new float[6];
            double squares = 0;
            int steps = 50_000;
            for (int t = 0; t < steps; t++) {
                machine.step(new float[] {t % 3}, 0);
                machine.observe(seen, 0);
                double index = PROCESS.index(THETA, seen, 0);
                squares += index * index / steps;
            }
            assertThat(squares / PROCESS.indexVariance(THETA)).isCloseTo(1, offset(0.03));
        }
    }

    @Test
    void slopeOfTheVarianceByDifferences() {
        double[] slopes = PROCESS.indexVarianceGradient(THETA);
        for (int j = 0; j < THETA.length; j++) {
            double[] up = THETA.clone();
            double[] down = THETA.clone();
            up[j] += 1e-4;
            down[j] -= 1e-4;
            assertThat(slopes[j])
                    .isCloseTo((PROCESS.indexVariance(up) - PROCESS.indexVariance(down)) / 2e-4, offset(1e-9));
        }
    }

    @Test
    void goesOnFromAStateToTheLastBit() {
        try (Simulator machine = PROCESS.simulator(THETA)) {
            machine.reset(RandomStream.of(7));
            for (int t = 0; t < 5; t++) {
                machine.step(new float[] {t % 3}, 0);
            }
            double[] here = machine.state();
            machine.step(new float[] {0}, 0);
            machine.step(new float[] {1}, 0);
            double[] there = machine.state();
            machine.restore(here);
            machine.step(new float[] {0}, 0);
            machine.step(new float[] {1}, 0);
            assertThat(machine.state()).containsExactly(there);
        }
    }
}
