package dev.revealed.estimate.offline;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Estimator;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.RewardBootstrap;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.offline.LoggedDynamics;
import dev.revealed.mdp.offline.MoveCounts;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Estimates a reward in two stages: the transition law from the log, then the reward in that world, with standard errors
 * from a bootstrap of log and demonstrations together.
 *
 * @param estimator of the second stage
 * @param choice chooses the caution; where there is none, the problem's is taken
 * @param draws bootstrap samples; 0 leaves the standard errors those that take the law as known
 */
public record OfflineEstimator(Estimator estimator, Optional<CautionChoice> choice, int draws) {
    private static final int FEWEST_DRAWS = 20;

    public OfflineEstimator {
        BadInput.when(
                draws != 0 && draws < FEWEST_DRAWS,
                "`bootstrap` is " + draws,
                "Give at least %d, or 0 for none.".formatted(FEWEST_DRAWS));
    }

    public OfflineEstimate fit(OfflineProblem given, RandomStream stream, ProgressListener listener) {
        Optional<CautionChoice.Chosen> chosen =
                choice.map(rule -> rule.choose(given, estimator, stream.named("caution"), listener));
        OfflineProblem offline =
                given.withCaution(chosen.map(CautionChoice.Chosen::caution).orElse(given.caution()));
        MoveCounts counts = offline.counts();
        LoggedDynamics dynamics = offline.dynamics();
        Problem problem = offline.problem(dynamics);
        Estimate estimate = estimator.fit(problem, stream, listener);
        Draws drawn = draw(offline, problem, estimate, stream.named("bootstrap"), listener);
        List<String> warnings = new ArrayList<>(estimate.warnings());
        warnings.addAll(OfflineWarnings.of(offline, counts, dynamics));
        warnings.addAll(drawn.warnings);
        boolean bootstrapped = drawn.theta.length > 0;
        return new OfflineEstimate(
                with(estimate, bootstrapped ? covariance(drawn.theta) : estimate.covariance(), bootstrapped, warnings),
                problem,
                counts,
                dynamics,
                offline.caution(),
                chosen,
                estimate.parameters().stream()
                        .map(Estimate.Parameter::standardError)
                        .toList(),
                drawn.theta.length,
                drawn.withoutMaximum);
    }

    /** @param theta one estimate for each sample; none where there is no bootstrap, and the warnings say why */
    private record Draws(double[][] theta, int withoutMaximum, List<String> warnings) {
        static Draws none(String... why) {
            return new Draws(new double[0][], 0, List.of(why));
        }
    }

    private Draws draw(
            OfflineProblem offline,
            Problem problem,
            Estimate estimate,
            RandomStream stream,
            ProgressListener listener) {
        if (draws == 0) {
            return Draws.none(
                    "standard errors take the estimated transition law as known: they leave out what the log leaves open");
        }
        if (estimate.covariance().length == 0) {
            return Draws.none(); // there are no standard errors at all, and the estimate says why
        }
        if (problem.objective() == Problem.Objective.SURROGATE
                && !problem.demonstrations().trajectories().stream().allMatch(Trajectory::hasFinalState)) {
            return Draws.none(
                    "standard errors take the estimated transition law as known: the bootstrap needs the final"
                            + " state of every trajectory. Record it, or leave out the last decision");
        }
        Optional<RewardBootstrap> bootstrap =
                RewardBootstrap.of(problem, estimate.theta(), new Resample.Trajectories(), offline::resampled);
        if (bootstrap.isEmpty()) {
            return Draws.none(
                    "standard errors take the estimated transition law as known: the information is singular");
        }
        double[][] theta = new double[draws][];
        AtomicInteger missing = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Parallel.tasks(draws, k -> {
            Optional<double[]> found = bootstrap.get().draw(stream.at(k));
            if (found.isEmpty()) {
                missing.incrementAndGet();
            }
            theta[k] = found.orElseGet(() -> bootstrap.get().step(stream.at(k)));
            listener.progress("bootstrap", done.incrementAndGet(), draws);
        });
        return new Draws(
                theta,
                missing.get(),
                20 * missing.get() > draws
                        ? List.of(
                                ("%d of %d bootstrap samples have a likelihood without a maximum, and a Newton step stands for"
                                                + " it: standard errors may be too small. More data or a ridge help")
                                        .formatted(missing.get(), draws))
                        : List.of());
    }

    private static double[][] covariance(double[][] draws) {
        int width = draws[0].length;
        double[] mean = new double[width];
        for (double[] draw : draws) {
            Vec.axpy(1.0 / draws.length, draw, mean);
        }
        double[][] covariance = new double[width][width];
        for (double[] draw : draws) {
            double[] centred = Vec.plus(draw, -1, mean);
            for (int j = 0; j < width; j++) {
                Vec.axpy(centred[j] / (draws.length - 1.0), centred, covariance[j]);
            }
        }
        return covariance;
    }

    private static Estimate with(Estimate found, double[][] covariance, boolean bootstrapped, List<String> warnings) {
        List<String> names =
                found.parameters().stream().map(Estimate.Parameter::name).toList();
        return new Estimate(
                found.method(),
                Estimate.parameters(names, found.theta(), covariance),
                covariance,
                found.logLikelihood(),
                found.choiceLogLikelihood(),
                OptionalDouble.empty(),
                bootstrapped ? "bootstrap of log and trajectories" : found.standardErrors(),
                found.spectrum(),
                found.gradientNorm(),
                found.search(),
                found.cpuSeconds(),
                found.seconds(),
                warnings,
                found.stopped(),
                found.dataHash());
    }
}
