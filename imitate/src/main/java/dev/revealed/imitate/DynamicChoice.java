package dev.revealed.imitate;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.neural.softq.SuccessorActor;
import dev.revealed.neural.softq.SuccessorQ;
import dev.revealed.neural.softq.Successors;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Dynamic discrete choice where no grid is possible: Algorithm 1 ({@link SingleLoop}) with a soft Q-network. Each iteration
 * is a block of steps and updates in a simulator under the current reward, then a step of the reward along the score:
 * over all observed choices, the discounted features expected after the expert's choice less those expected when the agent
 * chooses there. That is the gradient of the likelihood of the choices, and its variance is the information, whose inverse
 * gives standard errors.
 *
 * @param features of the reward, which is linear in them, and {@code parameters} how many there are
 * @param panel observed choices
 * @param simulator of the law of motion
 */
public record DynamicChoice(
        Settings settings, Successors.Features features, int parameters, Episodes panel, Simulator simulator) {

    /**
     * @param network of the soft Q-function; its discount is the agent's
     * @param wander steps of the simulator before all, by choices drawn from all there are
     * @param block updates of an iteration
     * @param iterations of which the second half is averaged
     * @param step share of the way to the maximum, as score and information have it, that the reward goes at once
     * @param radius the longest step, in standard errors
     */
    public record Settings(
            SuccessorQ.Settings network, int wander, int block, int iterations, double step, double radius) {
        public Settings {
            BadInput.when(
                    iterations < 2 || block < 1 || !(step > 0 && step <= 1),
                    "%d iterations of %d updates, %s of the way".formatted(iterations, block, step),
                    "Make at least 2 of at least 1, and go 0 to 1 of the way.");
        }
    }

    /**
     * What an iteration saw.
     *
     * @param distance of the maximum in standard errors, as score and information have it
     * @param logLikelihood of an observed choice, in the mean
     */
    public record Iteration(int k, double[] theta, double distance, double logLikelihood) {}

    /**
     * @param theta mean over the second half of the iterations
     * @param covariance inverse of the information
     * @param robust covariance that allows for choices of one trajectory that depend on each other in other ways than the
     *     model has it
     * @param logLikelihood of all choices
     * @param policy under theta
     */
    public record Estimate(
            double[] theta,
            double[][] covariance,
            double[][] robust,
            double logLikelihood,
            List<Iteration> trace,
            long steps,
            long updates,
            SuccessorActor policy) {
        public double robustError(int j) {
            return Math.sqrt(robust[j][j]);
        }
    }

    private static final int CHUNK = 512;

    public DynamicChoice {
        panel.check(simulator.space());
        BadInput.when(!panel.hasActions(), "the trajectories have no actions", "Give what was chosen at each step.");
    }

    /** Estimates the parameters of the reward. */
    public Estimate estimate(RandomStream stream, Consumer<Iteration> watcher) {
        SuccessorQ learner = new SuccessorQ(simulator, features, parameters, settings.network, stream);
        learner.wander(settings.wander);
        List<Iteration> trace = new ArrayList<>();
        double[] mean = new double[parameters];
        int averaged = settings.iterations / 2;
        SingleLoop<double[], SuccessorQ, Sample> loop = new SingleLoop<>(
                (agent, theta) -> {
                    agent.reward(theta);
                    agent.advance(settings.block, share(trace.size()));
                    return agent;
                },
                (theta, agent, random) -> sample(agent.actor(), false),
                (theta, sample, k) -> next(theta, sample.gradient));
        loop.run(new SingleLoop.Iterate<>(0, new double[parameters], learner, stream), (k, theta, agent, sample) -> {
            Iteration seen =
                    new Iteration(k, theta.clone(), sample.gradient.decrement(), sample.logLikelihood / panel.steps());
            trace.add(seen);
            watcher.accept(seen);
            if (k >= settings.iterations - averaged) {
                Vec.axpy(1.0 / averaged, theta, mean);
            }
            return k < settings.iterations - 1;
        });
        learner.reward(mean);
        SuccessorActor policy = learner.actor().snapshot();
        Sample at = sample(policy, true);
        double[][] covariance = Dense.inverse(at.information()).orElseThrow(DynamicChoice::notIdentified);
        double[][] robust = Dense.multiply(Dense.multiply(covariance, at.clusters), covariance);
        return new Estimate(
                mean, covariance, robust, at.logLikelihood, trace, learner.steps(), learner.updates(), policy);
    }

    /** Of the learning rate: all of it in the first half, then ever less, so that noise dies away while means are taken. */
    private double share(int k) {
        return Math.clamp(2.0 * (settings.iterations - k) / settings.iterations, 0.05, 1);
    }

    private static BadInput notIdentified() {
        return new BadInput(
                "the choices say nothing about some parameters",
                "Leave out features that are the same for all choices or follow from others.");
    }

    private double[] next(double[] theta, Gradient gradient) {
        double[] way = Dense.solvePositive(Objects.requireNonNull(gradient.information()), gradient.vector());
        double length = settings.step * gradient.decrement();
        return Vec.plus(theta, settings.step * Math.min(1, settings.radius / length), way);
    }

    /** What the panel says of the reward under a policy. */
    private record Sample(Gradient gradient, double[][] clusters, double logLikelihood) {
        double[][] information() {
            return Objects.requireNonNull(gradient.information());
        }
    }

    private Sample sample(SuccessorActor policy, boolean clustered) {
        SuccessorActor rows = policy.worker(CHUNK);
        double[] score = new double[parameters];
        double[] own = new double[parameters];
        double[][] information = new double[parameters][parameters];
        double[][] clusters = new double[parameters][parameters];
        double[] mean = new double[parameters];
        double[] apart = new double[parameters];
        double logLikelihood = 0;
        int width = panel.observationSize();
        for (Episode episode : panel.all()) {
            float[] choices = Objects.requireNonNull(episode.actions());
            Arrays.fill(own, 0);
            for (int from = 0; from < episode.length(); from += CHUNK) {
                int n = Math.min(CHUNK, episode.length() - from);
                rows.take(episode.observations(), from * width, n);
                for (int t = 0; t < n; t++) {
                    Successors values = rows.look(t);
                    int taken = (int) choices[from + t];
                    logLikelihood += values.logProbability(taken);
                    add(values, taken, mean, apart, own, information);
                }
            }
            Vec.axpy(1, own, score);
            for (int j = 0; clustered && j < parameters; j++) {
                Vec.axpy(own[j], own, clusters[j]);
            }
        }
        for (int j = 0; j < parameters; j++) {
            for (int i = 0; i < j; i++) {
                information[j][i] = information[i][j];
            }
        }
        return new Sample(new Gradient(score, information), clusters, logLikelihood);
    }

    /** Adds the score of one choice, and the variance that the policy gives it, above the diagonal. */
    private static void add(
            Successors values, int taken, double[] mean, double[] apart, double[] score, double[][] information) {
        int n = mean.length;
        Arrays.fill(mean, 0);
        for (int a = 0; a < values.choices(); a++) {
            for (int j = 0; j < n; j++) {
                mean[j] += values.probability(a) * values.gradient(a, j);
            }
        }
        for (int a = 0; a < values.choices(); a++) {
            double p = values.probability(a);
            for (int j = 0; j < n; j++) {
                apart[j] = values.gradient(a, j) - mean[j];
            }
            for (int i = 0; i < n; i++) {
                double scaled = p * apart[i];
                double[] row = information[i];
                for (int j = i; j < n; j++) {
                    row[j] += scaled * apart[j];
                }
            }
            if (a == taken) {
                Vec.axpy(1, apart, score);
            }
        }
    }

    /**
     * The covariance of estimates by what two networks that were learnt apart say of the information. Noise in a gradient
     * passes for information, and makes standard errors too small; that of two has nothing in common, and cancels where one
     * is multiplied with the other.
     */
    public static double[][] crossCovariance(Episodes panel, Estimate one, Estimate other) {
        int n = one.theta.length;
        double[][] information = new double[n][n];
        SuccessorActor first = one.policy.worker(CHUNK);
        SuccessorActor second = other.policy.worker(CHUNK);
        double[][] means = new double[2][n];
        double[][] apart = new double[2][n];
        int width = panel.observationSize();
        for (Episode episode : panel.all()) {
            for (int from = 0; from < episode.length(); from += CHUNK) {
                int rows = Math.min(CHUNK, episode.length() - from);
                first.take(episode.observations(), from * width, rows);
                second.take(episode.observations(), from * width, rows);
                for (int t = 0; t < rows; t++) {
                    cross(first.look(t), second.look(t), means, apart, information);
                }
            }
        }
        return Dense.inverse(information).orElseThrow(DynamicChoice::notIdentified);
    }

    private static void cross(
            Successors one, Successors other, double[][] means, double[][] apart, double[][] information) {
        int n = information.length;
        Arrays.fill(means[0], 0);
        Arrays.fill(means[1], 0);
        for (int a = 0; a < one.choices(); a++) {
            double p = one.probability(a);
            for (int j = 0; j < n; j++) {
                means[0][j] += p * one.gradient(a, j);
                means[1][j] += p * other.gradient(a, j);
            }
        }
        for (int a = 0; a < one.choices(); a++) {
            double half = one.probability(a) / 2;
            for (int j = 0; j < n; j++) {
                apart[0][j] = one.gradient(a, j) - means[0][j];
                apart[1][j] = other.gradient(a, j) - means[1][j];
            }
            for (int i = 0; i < n; i++) {
                Vec.axpy(half * apart[0][i], apart[1], information[i]);
                Vec.axpy(half * apart[1][i], apart[0], information[i]);
            }
        }
    }
}
