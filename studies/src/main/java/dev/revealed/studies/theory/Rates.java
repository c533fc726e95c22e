package dev.revealed.studies.theory;

import dev.revealed.estimate.ExactLikelihood;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Agent;
import dev.revealed.mdp.Evaluation;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.Steps;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.settings.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Theorem 1: both quantities it bounds, computed exactly at every iteration of Algorithm 1 as the paper states it (soft
 * policy evaluation, one trajectory from the data and one from the agent, step alpha0 / K^sigma), averaged over k = 0,
 * ..., K-1 as in the theorem, then over runs.
 */
public record Rates(
        TheoryProblem theory, TheoryStudy.Settings settings, RandomStream stream, ProgressListener listener) {
    /**
     * Both quantities in the mean over k and over runs.
     *
     * @param meanPolicyError of the largest |log pi_(k+1) - log pi_theta_k|
     * @param meanSquaredGradientNorm of |grad L^(theta_k)|^2
     */
    @Part
    public record Means(
            double meanPolicyError,
            double policyErrorStandardError,
            double meanSquaredGradientNorm,
            double gradientNormStandardError,
            int runs) {}

    /** One point of Theorem 1's rates. */
    public record Rate(double sigma, int iterations, Means means) {}

    /**
     * Least-squares slopes over all K of one sigma, beside the exponents the theorem guarantees.
     *
     * @param guaranteedPolicyError -sigma
     * @param guaranteedGradientNorm the larger of -sigma and sigma - 1
     */
    public record Slope(
            double sigma,
            double policyErrorSlope,
            double guaranteedPolicyError,
            double gradientNormSlope,
            double guaranteedGradientNorm) {}

    /**
     * What an error in Q leaves behind.
     *
     * @param persistent whether the error is drawn once and for all, or afresh at every iteration
     * @param epsilon the largest |error|
     */
    public record Floor(boolean persistent, double epsilon, int iterations, Means means) {}

    /** Both quantities at one iteration of one run. */
    public record Moment(int iteration, double policyError, double squaredGradientNorm) {}

    /** One run to be made. */
    private record Job(double sigma, int iterations, double epsilon, boolean persistent) {}

    List<Rate> rates() {
        List<Job> jobs = new ArrayList<>();
        for (double sigma : settings.sigmas()) {
            for (int iterations : settings.iterations()) {
                jobs.add(new Job(sigma, iterations, 0, false));
            }
        }
        return all("rates", jobs, settings.runs(), (job, means) -> new Rate(job.sigma, job.iterations, means));
    }

    List<Slope> slopes(List<Rate> rates) {
        return settings.sigmas().stream()
                .map(sigma -> new Slope(
                        sigma,
                        slope(rates, sigma, Means::meanPolicyError),
                        -sigma,
                        slope(rates, sigma, Means::meanSquaredGradientNorm),
                        Math.max(-sigma, sigma - 1)))
                .toList();
    }

    private static double slope(List<Rate> rates, double sigma, ToDoubleFunction<Means> of) {
        List<Rate> own = rates.stream().filter(rate -> rate.sigma == sigma).toList();
        return Vec.slope(
                own.stream().mapToDouble(rate -> Math.log(rate.iterations)).toArray(),
                own.stream()
                        .mapToDouble(rate -> Math.log(of.applyAsDouble(rate.means)))
                        .toArray());
    }

    /** At sigma 1/2. An error that is drawn afresh averages out of the gradient; one that persists does not. */
    List<Floor> floor() {
        List<Job> jobs = new ArrayList<>();
        for (boolean persistent : new boolean[] {false, true}) {
            for (double epsilon : settings.epsilons()) {
                for (int iterations : settings.floorIterations()) {
                    jobs.add(new Job(0.5, iterations, epsilon, persistent));
                }
            }
        }
        return all(
                "floor",
                jobs,
                settings.floorRuns(),
                (job, means) -> new Floor(job.persistent, job.epsilon, job.iterations, means));
    }

    /** The first of the longest runs at sigma 1/2, at iterations spaced evenly in their logarithm. */
    List<Moment> trace() {
        int most = settings.iterations().getLast();
        List<Moment> trace = new ArrayList<>();
        int[] next = {0};
        run(new Job(0.5, most, 0, false), stream.named("run").at(0), (k, theta, policyError, squaredNorm) -> {
            if (k >= next[0]) {
                trace.add(new Moment(k, policyError, squaredNorm));
                next[0] = Math.max(k + 1, (int) (1.15 * k));
            }
        });
        return trace;
    }

    /** The iterate with the smallest exact gradient of one run at sigma 1/2: what Corollary 2 takes as the estimate. */
    double[] best(int iterations, int run) {
        double[] smallest = {Double.POSITIVE_INFINITY};
        double[][] best = {theory.opposite()};
        run(new Job(0.5, iterations, 0, false), stream.named("run").at(run), (k, theta, policyError, squaredNorm) -> {
            if (squaredNorm < smallest[0]) {
                smallest[0] = squaredNorm;
                best[0] = theta.clone();
            }
        });
        return best[0];
    }

    /** All runs of all jobs; the i-th run of every job draws from the same stream, so that jobs are comparable. */
    private <T> List<T> all(String stage, List<Job> jobs, int runs, BiFunction<Job, Means, T> row) {
        double[][] policyErrors = new double[jobs.size()][runs];
        double[][] squaredNorms = new double[jobs.size()][runs];
        long total = runs * jobs.stream().mapToLong(Job::iterations).sum();
        AtomicLong done = new AtomicLong();
        List<Integer> longestFirst = IntStream.range(0, jobs.size())
                .boxed()
                .sorted((i, j) -> Integer.compare(jobs.get(j).iterations, jobs.get(i).iterations))
                .toList();
        listener.progress(stage, 0, total);
        Parallel.tasks(jobs.size() * runs, task -> {
            int j = longestFirst.get(task / runs);
            int run = task % runs;
            Job job = jobs.get(j);
            double[] sums = new double[2];
            run(job, stream.named("run").at(run), (k, theta, policyError, squaredNorm) -> {
                sums[0] += policyError;
                sums[1] += squaredNorm;
                if (k % 256 == 255) {
                    listener.progress(stage, done.addAndGet(256), total);
                }
            });
            listener.progress(stage, done.addAndGet(job.iterations % 256), total);
            policyErrors[j][run] = sums[0] / job.iterations;
            squaredNorms[j][run] = sums[1] / job.iterations;
        });
        return IntStream.range(0, jobs.size())
                .mapToObj(j -> row.apply(jobs.get(j), means(policyErrors[j], squaredNorms[j])))
                .toList();
    }

    private static Means means(double[] policyErrors, double[] squaredNorms) {
        return new Means(
                Vec.mean(policyErrors),
                Vec.standardError(policyErrors),
                Vec.mean(squaredNorms),
                Vec.standardError(squaredNorms),
                policyErrors.length);
    }

    /** Hears both quantities of the theorem at every iteration. */
    @FunctionalInterface
    private interface Recorder {
        void record(int k, double[] theta, double policyError, double squaredGradientNorm);
    }

    private void run(Job job, RandomStream own, Recorder recorder) {
        Problem problem = theory.problem();
        SoftProcess process = problem.process();
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        SingleLoop.Lower<double[], SoftPolicy> lower =
                Evaluation.lower(process, problem.reward(), new Evaluation.Exact());
        SingleLoop<double[], SoftPolicy, Gradient> loop = new SingleLoop<>(
                job.epsilon == 0 ? lower : erring(lower, job, theory.mdp().actions(), own.named("error")),
                Agent.score(
                        process,
                        problem.reward(),
                        exact.likelihood(),
                        problem.demonstrations(),
                        0,
                        new Agent.Sampled(1)),
                Steps.decaying(settings.alpha0(), job.sigma, job.iterations));
        double[] theta = theory.opposite();
        double[] gradient = new double[theta.length];
        loop.run(
                new SingleLoop.Iterate<>(0, theta, SoftPolicy.start(process), own.named("agent")),
                (k, reward, improved, sampled) -> {
                    exact.at(reward, gradient);
                    double[] optimal = exact.policy().logPolicy();
                    double policyError = MlIrl.policyError(improved.logPolicy(), optimal);
                    recorder.record(k, reward, policyError, Vec.dot(gradient, gradient));
                    return k + 1 < job.iterations;
                });
    }

    /** A policy step whose Q is off by at most epsilon: noise on the log-policy, normalised again. */
    private static SingleLoop.Lower<double[], SoftPolicy> erring(
            SingleLoop.Lower<double[], SoftPolicy> lower, Job job, int actions, RandomStream stream) {
        double[][] noise = {{}};
        return (policy, theta) -> {
            SoftPolicy improved = lower.improve(policy, theta);
            double[] logPolicy = improved.logPolicy();
            if (noise[0].length == 0 || !job.persistent) {
                noise[0] = stream.doubles(logPolicy.length, -job.epsilon, job.epsilon)
                        .toArray();
            }
            for (int begin = 0; begin < logPolicy.length; begin += actions) {
                double sum = 0;
                for (int row = begin; row < begin + actions; row++) {
                    logPolicy[row] += noise[0][row];
                    sum += Math.exp(logPolicy[row]);
                }
                for (int row = begin; row < begin + actions; row++) {
                    logPolicy[row] -= Math.log(sum);
                    improved.policy()[row] = Math.exp(logPolicy[row]);
                }
            }
            return improved;
        };
    }
}
