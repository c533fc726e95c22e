package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.imitate.DynamicChoice;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.model.Maintenance;
import dev.revealed.mdp.model.MaintenanceTruth;
import dev.revealed.neural.softq.SuccessorQ;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HighDimStudyTest {
    private static final double DISCOUNT = 0.9;

    private static HighDimStudy.Settings small() {
        return new HighDimStudy.Settings(
                5,
                200,
                20,
                DISCOUNT,
                new DynamicChoice.Settings(
                        new SuccessorQ.Settings(new int[] {32, 32}, 2e-3, DISCOUNT, 0.99, 64, 5, 20_000),
                        2000,
                        100,
                        30,
                        0.5,
                        50),
                2,
                20,
                31,
                1);
    }

    /** Two estimators that must agree: networks that know no index, and exact solution by somebody who does. */
    @Test
    void networksComeToWhatExactMaximumLikelihoodSays() {
        HighDimStudy.Result result = HighDimStudy.run(small(), ProgressListener.NONE);
        assertThat(result.parameters()).hasSize(8).allSatisfy(p -> {
            assertThat(Math.abs(p.apart())).as(p.name()).isLessThan(0.6);
            assertThat(p.standardError() / p.exactError()).as(p.name()).isBetween(0.8, 1.2);
        });
        assertThat(result.test().exactPValue()).isGreaterThan(0.05);
        assertThat(result.test().recovered()).isTrue();
        assertThat(result.probabilities().meanDifference()).isLessThan(0.03);
        assertThat(result.test().logLikelihood())
                .isLessThanOrEqualTo(result.test().exactLogLikelihood() + 0.5);
    }

    /** At the maximum no direction is uphill, by the exact likelihood itself. */
    @Test
    void exactMaximumLikelihoodIsAMaximum() {
        Maintenance process = new Maintenance(2, 10);
        double[] theta = process.example();
        MaintenancePanel machines = new MaintenancePanel(process, DISCOUNT, 31);
        MaintenanceTruth truth = machines.solve(theta);
        Episodes panel = machines.simulate(theta, truth, 100, RandomStream.of(3));
        MaintenancePanel.Exact exact = machines.maximise(panel, theta);
        double top = logLikelihood(process, exact.theta(), panel);
        assertThat(top).isGreaterThanOrEqualTo(logLikelihood(process, theta, panel));
        for (int j = 0; j < theta.length; j++) {
            double error = Math.sqrt(exact.covariance()[j][j]);
            for (double side : new double[] {-0.5, 0.5}) {
                double[] beside = exact.theta().clone();
                beside[j] += side * error;
                assertThat(logLikelihood(process, beside, panel))
                        .as("parameter %d", j)
                        .isLessThan(top);
            }
        }
    }

    private static double logLikelihood(Maintenance process, double[] theta, Episodes panel) {
        MaintenancePanel machines = new MaintenancePanel(process, DISCOUNT, 31);
        MaintenanceTruth truth = machines.solve(theta);
        double[] p = new double[Maintenance.CHOICES];
        double sum = 0;
        for (Episode episode : panel.all()) {
            float[] choices = Objects.requireNonNull(episode.actions());
            for (int t = 0; t < episode.length(); t++) {
                machines.probabilities(theta, truth, episode.observations(), t, p);
                sum += Math.log(p[(int) choices[t]]);
            }
        }
        return sum;
    }

    @Test
    void agentsChooseAsTheirProbabilitiesSay() {
        Maintenance process = new Maintenance(2, 10);
        double[] theta = process.example();
        MaintenancePanel machines = new MaintenancePanel(process, DISCOUNT, 31);
        MaintenanceTruth truth = machines.solve(theta);
        Episodes panel = machines.simulate(theta, truth, 300, RandomStream.of(3));
        double[] expected = new double[Maintenance.CHOICES];
        double[] p = new double[Maintenance.CHOICES];
        double[] found = new double[Maintenance.CHOICES];
        for (Episode episode : panel.all()) {
            float[] choices = Objects.requireNonNull(episode.actions());
            for (int t = 0; t < episode.length(); t++) {
                machines.probabilities(theta, truth, episode.observations(), t, p);
                Vec.axpy(1, p, expected);
                found[(int) choices[t]]++;
            }
        }
        for (int a = 0; a < p.length; a++) {
            assertThat(Math.abs(found[a] - expected[a])).isLessThan(4 * Math.sqrt(expected[a]));
        }
    }

    @Test
    void refusesTrajectoriesWithoutChoices() {
        Maintenance process = new Maintenance(5, 20);
        Episodes silent = new Episodes(List.of(new Episode(2, new float[18], null, null, Episode.Ending.TRUNCATED)));
        assertThatThrownBy(() -> new DynamicChoice(
                        small().estimation(),
                        process::features,
                        process.parameters(),
                        silent,
                        process.simulator(process.example())))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("no actions");
    }
}
