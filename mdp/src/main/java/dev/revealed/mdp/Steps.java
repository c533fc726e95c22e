package dev.revealed.mdp;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;

/** The reward updates of Algorithm 1. */
public final class Steps {
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
     * theta + F^-1 g, with F the Fisher information, no longer than a radius that doubles while the Newton decrement falls
     * and shrinks when it grows: far from the optimum the information is a poor model of the likelihood.
     */
    public static SingleLoop.Step<double[], Gradient> fisher(double radius) {
        return new SingleLoop.Step<>() {
            private double trust = radius;
            private double lastDecrement = Double.POSITIVE_INFINITY;

            @Override
            public double[] next(double[] theta, Gradient gradient, int k) {
                double[] direction = solve(gradient);
                double decrement = Vec.dot(direction, gradient.vector());
                trust = decrement <= 1.5 * lastDecrement ? 2 * trust : 0.25 * trust; // 1.5: it is only tracked
                lastDecrement = decrement;
                double length = Vec.norm(direction);
                return Vec.plus(theta, length > trust ? trust / length : 1, direction);
            }
        };
    }

    /** F^-1 g on the directions the data inform, and nothing along the others. */
    private static double[] solve(Gradient gradient) {
        double[][] information = gradient.information();
        if (information == null) {
            throw new IllegalArgumentException("a Fisher step needs a score that tracks the information");
        }
        Dense.Eigen eigen = Dense.symmetricEigen(information);
        double floor = 1e-12 * eigen.values()[eigen.values().length - 1];
        double[] direction = new double[gradient.vector().length];
        for (int i = 0; i < direction.length; i++) {
            if (eigen.values()[i] > floor) {
                double[] vector = eigen.vectors()[i];
                Vec.axpy(Vec.dot(vector, gradient.vector()) / eigen.values()[i], vector, direction);
            }
        }
        return direction;
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
