package dev.revealed.estimate.choice.simulated;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.SolvedScore;
import dev.revealed.estimate.choice.twostep.Plausibility;
import dev.revealed.estimate.choice.twostep.TwoStep;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A fit to simulated values, with what simulation adds to its uncertainty. */
final class SimulatedFit {
    private SimulatedFit() {}

    static Fit fit(
            TwoStep step,
            TwoStep.Criterion criterion,
            Futures futures,
            RandomStream stream,
            ProgressListener listener) {
        ForwardSimulation.Draws simulated =
                new ForwardSimulation(step).draw(futures, stream.named("futures"), listener);
        double[][][] batches = simulated.batches();
        double[][] q = mean(batches, -1);
        double[] theta = criterion.theta(q);
        Optional<double[][]> influence = step.influence(criterion.moments(q, theta), theta);
        List<String> warnings = new ArrayList<>(Plausibility.warnings(step.problem(), step.first(), theta));
        if (simulated.unmet() > 0) {
            warnings.add("%.1f %% of the simulated futures had not met the others after %d periods and were cut there"
                    .formatted(100 * simulated.unmet(), futures.periods()));
        }
        boolean best = criterion.fitsBest(q, theta);
        String status = influence.isEmpty()
                ? "not converged: " + TwoStep.NOT_IDENTIFIED
                : best
                        ? "converged: %d draws in each of %d rounds".formatted(futures.draws(), futures.rounds())
                        : "not converged: the search stopped before the best fit";
        Search search = new Search(
                1,
                best && influence.isPresent(),
                status,
                step.process().passes().count());
        double[][] simulation = simulation(criterion, batches);
        Fit fit = new Fit(
                Fit.Kind.OTHER, theta, step.first().phi(), search, influence, Optional.of(simulation), warnings);
        return search.converged()
                ? fit.tested(SolvedScore.of(step.problem(), step.first(), theta, influence.orElseThrow(), simulation))
                : fit;
    }

    /** The mean of the batches, one perhaps left out. */
    private static double[][] mean(double[][][] batches, int without) {
        double[][] mean = new double[batches[0].length][batches[0][0].length];
        double share = 1.0 / (batches.length - (without < 0 ? 0 : 1));
        for (int b = 0; b < batches.length; b++) {
            for (int j = 0; b != without && j < mean.length; j++) {
                Vec.axpy(share, batches[b][j], mean[j]);
            }
        }
        return mean;
    }

    /** Covariance of theta over the draws, by leaving out one batch at a time (the jackknife). */
    private static double[][] simulation(TwoStep.Criterion criterion, double[][][] batches) {
        int n = batches.length;
        double[][] without = new double[n][];
        Arrays.setAll(without, b -> criterion.theta(mean(batches, b)));
        double[] mean = Observations.sum(1.0 / n, without);
        double[][] covariance = new double[mean.length][mean.length];
        for (double[] theta : without) {
            Observations.addOuter((n - 1.0) / n, Vec.plus(theta, -1, mean), covariance);
        }
        return covariance;
    }
}
