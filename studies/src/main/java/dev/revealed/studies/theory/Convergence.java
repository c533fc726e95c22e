package dev.revealed.studies.theory;

import dev.revealed.estimate.ExactLikelihood;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Corollary 2's convergence in probability, simulated: how often the estimate is more than epsilon worse than the truth, by
 * the number of trajectories; and how often the single loop is far from the maximiser, by the number of iterations.
 */
public record Convergence(
        TheoryProblem theory, TheoryStudy.Settings settings, RandomStream stream, ProgressListener listener) {

    /**
     * One number of trajectories and one epsilon.
     *
     * @param share of data sets with L(theta*) - L(theta^) above epsilon
     * @param printed the chance that Corollary 2 allows as printed, at most 1
     * @param uniform the chance that the bound allows which holds at an estimate (linear rewards), at most 1
     */
    public record Exceedance(
            int trajectories, double epsilon, double share, double printed, double uniform, int datasets) {}

    /**
     * One number of iterations and one distance.
     *
     * @param share of runs of Algorithm 1 whose iterate of the smallest gradient is further than this from the maximiser
     */
    public record Distance(int iterations, double distance, double share, int runs) {}

    /** A chance that the bounds allow, for more trajectories than can be simulated. */
    public record Allowed(double trajectories, double epsilon, double printed, double uniform) {}

    List<Exceedance> exceedances() {
        TheoryStudy.Corollary corollary = settings.corollary();
        double best = theory.expectation(theory.expert().logPolicy());
        AtomicLong done = new AtomicLong();
        long total = (long) corollary.datasets() * corollary.trajectories().size();
        List<Exceedance> rows = new ArrayList<>();
        for (int trajectories : corollary.trajectories()) {
            double[] excess = new double[corollary.datasets()];
            Parallel.tasks(excess.length, d -> {
                Demonstrations data = theory.paths()
                        .simulation()
                        .demonstrations(
                                trajectories,
                                theory.length(),
                                stream.named("data").at(trajectories).at(d));
                Problem problem = Problem.of(theory.mdp(), theory.reward(), data);
                excess[d] = best - Maximisers.likelihood(theory, new ExactLikelihood(problem, problem.process()));
                listener.progress("convergence by trajectories", done.incrementAndGet(), total);
            });
            for (double epsilon : corollary.gaps()) {
                Allowed allowed = allowed(trajectories, epsilon);
                rows.add(new Exceedance(
                        trajectories,
                        epsilon,
                        share(excess, epsilon),
                        allowed.printed,
                        allowed.uniform,
                        excess.length));
            }
        }
        return rows;
    }

    /** Both bounds from the fewest simulated trajectories to where both are small. */
    List<Allowed> bounds() {
        List<Allowed> rows = new ArrayList<>();
        for (double epsilon : settings.corollary().gaps()) {
            for (int i = 4; i <= 36; i++) {
                rows.add(allowed(Math.pow(10, i / 4.0), epsilon));
            }
        }
        return rows;
    }

    /**
     * The chances with which the bounds of {@link dev.revealed.estimate.Certificate} may fail at epsilon. C is the width of
     * rewards whose |theta|_1 is at most that of the truth, and so is the width of the linear form.
     */
    private Allowed allowed(double trajectories, double epsilon) {
        double norm = Arrays.stream(theory.truth()).map(Math::abs).sum();
        double width = norm * theory.featureWidth();
        double share = epsilon * (1 - theory.mdp().discount()) / (2 * width);
        double exponent = -2 * trajectories * share * share;
        return new Allowed(
                trajectories,
                epsilon,
                Math.min(1, 2 * Math.exp(exponent)),
                Math.min(1, 2 * theory.truth().length * Math.exp(exponent)));
    }

    List<Distance> distances() {
        TheoryStudy.Corollary corollary = settings.corollary();
        Problem problem = theory.problem();
        double[] best = Maximisers.maximiser(theory, new ExactLikelihood(problem, problem.process()));
        Rates rates = new Rates(theory, settings, stream.named("loop"), ProgressListener.NONE);
        AtomicLong done = new AtomicLong();
        long total = (long) corollary.runs() * corollary.iterations().size();
        List<Distance> rows = new ArrayList<>();
        for (int iterations : corollary.iterations()) {
            double[] distance = new double[corollary.runs()];
            Parallel.tasks(distance.length, run -> {
                distance[run] = Vec.norm(Vec.plus(rates.best(iterations, run), -1, best));
                listener.progress("convergence by iterations", done.incrementAndGet(), total);
            });
            for (double limit : corollary.distances()) {
                rows.add(new Distance(iterations, limit, share(distance, limit), distance.length));
            }
        }
        return rows;
    }

    private static double share(double[] values, double limit) {
        return (double) Arrays.stream(values).filter(x -> x > limit).count() / values.length;
    }
}
