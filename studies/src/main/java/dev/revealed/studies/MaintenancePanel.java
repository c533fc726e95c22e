package dev.revealed.studies;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.model.Maintenance;
import dev.revealed.mdp.model.MaintenanceTruth;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Machines run by agents whose choice probabilities are known exactly, and what can be known of them with that knowledge.
 *
 * @param grid points of the index; wear has a third more
 */
record MaintenancePanel(Maintenance process, double discount, int grid) {
    private static final double NUDGE = 1e-4;
    private static final int ROUNDS = 20;

    /** How agents with those parameters choose. */
    MaintenanceTruth solve(double[] theta) {
        return solve(theta, process.indexVariance(theta));
    }

    private MaintenanceTruth solve(double[] costs, double variance) {
        return new MaintenanceTruth(costs, variance, discount, grid, 4 * grid / 3);
    }

    /** Episodes {@code stream.at(0)}, {@code stream.at(1)} and so on, each of the whole horizon. */
    Episodes simulate(double[] theta, MaintenanceTruth truth, int machines, RandomStream stream) {
        List<Episode> episodes = new ArrayList<>();
        int width = process.covariates() + 1;
        double[] probabilities = new double[Maintenance.CHOICES];
        try (Simulator machine = process.simulator(theta)) {
            for (int i = 0; i < machines; i++) {
                RandomStream own = stream.at(i);
                RandomStream shocks = own.named("explore");
                float[] observations = new float[(process.horizon() + 1) * width];
                float[] choices = new float[process.horizon()];
                machine.reset(own.named("reset"));
                machine.observe(observations, 0);
                for (int t = 0; t < process.horizon(); t++) {
                    probabilities(theta, truth, observations, t, probabilities);
                    choices[t] = shocks.nextIndex(probabilities, 0, Maintenance.CHOICES);
                    machine.step(choices, t);
                    machine.observe(observations, (t + 1) * width);
                }
                episodes.add(new Episode(process.horizon(), observations, choices, null, Ending.TRUNCATED));
            }
        }
        return new Episodes(episodes);
    }

    /** Of each choice at step t of an episode. */
    void probabilities(double[] theta, MaintenanceTruth truth, float[] observations, int t, double[] into) {
        int at = t * (process.covariates() + 1);
        truth.logProbabilities(process.index(theta, observations, at), observations[at + process.covariates()], into);
        for (int a = 0; a < into.length; a++) {
            into[a] = Math.exp(into[a]);
        }
    }

    /** @param theta the estimate, with its covariance */
    record Exact(double[] theta, double[][] covariance, double logLikelihood) {}

    /**
     * Maximum likelihood by exact solution, for whoever knows that index and wear are all that matters: what an estimator
     * without that knowledge can at best come near to. By the method of Berndt, Hall, Hall and Hausman from {@code start}.
     */
    Exact maximise(Episodes panel, double[] start) {
        double[] theta = start.clone();
        for (int round = 0; ; round++) {
            Slopes slopes = new Slopes(theta);
            double[] score = new double[theta.length];
            double[][] information = new double[theta.length][theta.length];
            double[] own = new double[theta.length];
            double logLikelihood = 0;
            for (Episode episode : panel.all()) {
                float[] choices = Objects.requireNonNull(episode.actions());
                for (int t = 0; t < episode.length(); t++) {
                    logLikelihood += slopes.at(episode.observations(), t, (int) choices[t], own);
                    Vec.axpy(1, own, score);
                    for (int j = 0; j < own.length; j++) {
                        Vec.axpy(own[j], own, information[j]);
                    }
                }
            }
            double[] step = Dense.solvePositive(information, score);
            if (Vec.dot(step, score) < 1e-6 || round == ROUNDS) {
                return new Exact(theta, Dense.inverse(information).orElseThrow(), logLikelihood);
            }
            theta = Vec.plus(theta, 1, step);
        }
    }

    /** Derivatives of log probabilities by parameters: weights matter through the index and its variance alone. */
    private final class Slopes {
        private final double[] theta;
        private final double variance;
        private final MaintenanceTruth here;
        private final MaintenanceTruth[] up = new MaintenanceTruth[4];
        private final MaintenanceTruth[] down = new MaintenanceTruth[4];
        private final double[] low = new double[Maintenance.CHOICES];
        private final double[] high = new double[Maintenance.CHOICES];
        private final double[] loading;

        Slopes(double[] theta) {
            this.theta = theta;
            variance = process.indexVariance(theta);
            here = solve(theta, variance);
            for (int k = 0; k < 3; k++) {
                up[k] = here.withCosts(nudged(k, NUDGE));
                down[k] = here.withCosts(nudged(k, -NUDGE));
            }
            up[3] = solve(theta, variance * (1 + 10 * NUDGE));
            down[3] = solve(theta, variance * (1 - 10 * NUDGE));
            loading = process.indexVarianceGradient(theta);
        }

        private double[] nudged(int k, double by) {
            double[] costs = Arrays.copyOf(theta, 3);
            costs[k] += by;
            return costs;
        }

        /** Writes the derivatives; gives the log probability. */
        double at(float[] observations, int t, int choice, double[] into) {
            int at = t * (process.covariates() + 1);
            double z = process.index(theta, observations, at);
            double worn = observations[at + process.covariates()];
            for (int k = 0; k < 3; k++) {
                into[k] = difference(down[k], up[k], z, z, worn, choice) / (2 * NUDGE);
            }
            double byVariance = difference(down[3], up[3], z, z, worn, choice) / (20 * NUDGE * variance);
            double wide = 0.1 * Math.sqrt(variance);
            double byIndex = difference(here, here, z - wide, z + wide, worn, choice) / (2 * wide);
            for (int j = 3; j < into.length; j++) {
                into[j] = byIndex * observations[at + j - 3] + byVariance * loading[j];
            }
            here.logProbabilities(z, worn, low);
            return low[choice];
        }

        private double difference(
                MaintenanceTruth from, MaintenanceTruth to, double z, double other, double worn, int choice) {
            from.logProbabilities(z, worn, low);
            to.logProbabilities(other, worn, high);
            return high[choice] - low[choice];
        }
    }
}
