package dev.revealed.mdp;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Predicate;

/** The reward updates of Algorithm 1. */
public final class Steps {
    private static final int NEWTON_LIMIT = 100;
    private static final double NEAR = 1e-6;
    private static final double LEAST_DAMPING = 1e-8;

    /** After so many, nothing is left of a step. */
    private static final int HALVINGS = 60;

    private static final int MOST_RETURNS = 10;
    private static final double ROUNDING = 1e-9;

    private Steps() {}

    /** theta + alpha g with alpha = alpha0 / K^sigma, K the total number of iterations (Theorem 1). */
    public static SingleLoop.Step<double[], Gradient> decaying(double alpha0, double sigma, int iterations) {
        double alpha = alpha0 / Math.pow(iterations, sigma);
        return (theta, gradient, k) -> Vec.plus(theta, alpha, gradient.vector());
    }

    /**
     * theta + alpha g with a step that shrinks whenever the gradient turns back on itself or has grown: curvature rises
     * along the way, and with values only tracked the longest stable step is shorter than curvature alone would allow.
     */
    public static SingleLoop.Step<double[], Gradient> shrinking(double alpha0) {
        return new SingleLoop.Step<>() {
            private double alpha = alpha0;
            private double smallest = Double.POSITIVE_INFINITY;
            private double[] last = new double[0];

            @Override
            public double[] next(double[] theta, Gradient gradient, int k) {
                double norm = Vec.norm(gradient.vector());
                boolean grown = norm > 2 * smallest;
                if (grown || (last.length > 0 && Vec.dot(last, gradient.vector()) < 0)) {
                    alpha *= 0.6;
                }
                smallest = grown ? norm : Math.min(smallest, norm);
                last = gradient.vector();
                return Vec.plus(theta, alpha, gradient.vector());
            }
        };
    }

    /**
     * theta + F^-1 g, with F the Fisher information, no longer than a radius that doubles while the maximum comes nearer and
     * shrinks when it recedes: far from the optimum the information is a poor model of the likelihood. Where a better one
     * is known, to its maximum. Lengths and distances are in standard errors, so the scale of parameters does not matter.
     */
    public static SingleLoop.Step<double[], Gradient> fisher(double radius) {
        return new SingleLoop.Step<>() {
            private double trust = radius;
            private double lastDecrement = Double.POSITIVE_INFINITY;

            @Override
            public double[] next(double[] theta, Gradient gradient, int k) {
                double[][] information = gradient.information();
                if (information == null) {
                    throw new IllegalArgumentException("a Fisher step needs a score that tracks the information");
                }
                Gradient.Local local = gradient.local();
                if (local != null) {
                    return Vec.plus(theta, 1, summit(gradient, local));
                }
                double decrement = gradient.decrement(); // the length of the step, too
                trust = decrement <= 1.2 * lastDecrement ? 2 * trust : 0.25 * trust; // 1.2: it is only tracked
                lastDecrement = decrement;
                double[] step = Dense.solvePositive(information, gradient.vector());
                return Vec.plus(theta, decrement > trust ? trust / decrement : 1, step);
            }
        };
    }

    /**
     * The step to the maximum of what is known of the likelihood nearby: by Newton's method, damped by the bound on the
     * information, with which alone no step could fail, wherever it does not climb.
     */
    private static double[] summit(Gradient gradient, Gradient.Local local) {
        double[][] bound = local.bound();
        double[] at = new double[gradient.vector().length];
        double value = local.value(at);
        Gradient here = gradient;
        double damping = 0;
        for (int i = 0; i < NEWTON_LIMIT; i++) {
            double[][] curvature = plus(Objects.requireNonNull(here.information()), damping, bound);
            double[] step = Dense.solvePositive(curvature, here.vector());
            double[] trial = Vec.plus(at, 1, step);
            double slope = Vec.dot(step, here.vector());
            if (slope <= NEAR) {
                return trial; // so near that the gain drowns in rounding
            }
            double there = local.value(trial);
            if (there >= value + 1e-4 * slope) {
                at = trial;
                value = there;
                here = local.gradient(at);
                damping = damping < LEAST_DAMPING ? 0 : 0.1 * damping;
            } else {
                damping = Math.max(LEAST_DAMPING, 10 * damping);
            }
        }
        return at;
    }

    private static double[][] plus(double[][] a, double scale, double[][] b) {
        double[][] sum = new double[b.length][];
        for (int j = 0; j < sum.length; j++) {
            sum[j] = Vec.plus(a[j], scale, b[j]);
        }
        return sum;
    }

    /**
     * Another rule's step, halved until there is a model where it leads, and taken back by half as long as the likelihood
     * under the policy there is lower than before. Rewards that are not linear need it: their linearisation holds nearby
     * only. The likelihood is that of a policy that is still tracked, so after some halvings the new place is taken anyway.
     *
     * @param exists whether there is a model at given parameters
     */
    public static SingleLoop.Step<double[], Gradient> climbing(
            SingleLoop.Step<double[], Gradient> rule, Predicate<double[]> exists) {
        return new SingleLoop.Step<>() {
            private double[] last = new double[0];
            private double reached = Double.NEGATIVE_INFINITY;
            private int returns;

            @Override
            public double[] next(double[] theta, Gradient gradient, int k) {
                Gradient.Local local = gradient.local();
                double value = local == null ? reached : local.value(new double[theta.length]);
                if (value < reached - ROUNDING * Math.abs(reached) && returns < MOST_RETURNS) {
                    returns++;
                    return halfway(last, theta);
                }
                returns = 0;
                reached = value;
                last = theta;
                return existing(theta, rule.next(theta, gradient, k), exists);
            }
        };
    }

    /** The end of a step, which is halved until there is a model there. */
    public static double[] existing(double[] from, double[] to, Predicate<double[]> exists) {
        double[] next = to;
        for (int halving = 0; halving < HALVINGS; halving++) {
            if (exists.test(next)) {
                return next;
            }
            next = halfway(from, next);
        }
        throw new ArithmeticException("values exist at " + Arrays.toString(from) + ", but at no step from there");
    }

    private static double[] halfway(double[] from, double[] to) {
        return Vec.plus(from, 0.5, Vec.plus(to, -1, from));
    }

    /** Adam (Kingma and Ba 2015) uphill: for perceptrons, whose parameters live on different scales. */
    public static SingleLoop.Step<double[], Gradient> adam(double rate, int parameters) {
        double[] mean = new double[parameters];
        double[] square = new double[parameters];
        return (theta, gradient, k) -> {
            double[] g = gradient.vector();
            double[] next = theta.clone();
            double meanScale = 1 - Math.pow(0.9, k + 1.0);
            double squareScale = 1 - Math.pow(0.999, k + 1.0);
            for (int j = 0; j < g.length; j++) {
                mean[j] = 0.9 * mean[j] + 0.1 * g[j];
                square[j] = 0.999 * square[j] + 0.001 * g[j] * g[j];
                next[j] += rate * (mean[j] / meanScale) / (Math.sqrt(square[j] / squareScale) + 1e-8);
            }
            return next;
        };
    }
}
