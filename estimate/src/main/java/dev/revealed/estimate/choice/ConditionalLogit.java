package dev.revealed.estimate.choice;

import dev.revealed.estimate.Stationarity;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/**
 * The logit of choices among actions, P(a|i) proportional to exp(offset + x(i,a)' theta), whose log-likelihood is concave:
 * McFadden's conditional logit, maximised by Newton's method.
 *
 * @param columns {@code [column][i*A + a]}
 * @param offset by row, minus infinity where an action is not available
 * @param counts how often each row was chosen; not all whole numbers need be
 */
public record ConditionalLogit(int actions, double[][] columns, double[] offset, double[] counts) {
    public static final String NO_MAXIMUM =
            "the pseudo-likelihood has no maximum; look for decisions that do not vary, or for a"
                    + " feature that tells them apart perfectly";

    private static final int LIMIT = 200;
    private static final int HALVINGS = 40;

    /** Once a Newton step promises less than this, the step after it could not be told from rounding. */
    private static final double LAST_GAIN = 1e-10;

    /** A step that gains nothing but moves some log-odds by more than this is on its way to infinity. */
    private static final double LAST_MOVE = 0.01;

    /**
     * @param value the log-likelihood
     * @param information expected at theta
     * @param converged false where the likelihood has no maximum
     */
    public record Maximum(double[] theta, double value, double[][] information, int iterations, boolean converged) {}

    private record Point(double[] theta, double value, double[] gradient, double[][] information) {}

    /** From a start, and once more from zero where that leads nowhere: the maximum is the same from everywhere. */
    public Maximum maximise(double[] start) {
        double[] zero = new double[start.length];
        Maximum found = climb(start);
        return found.converged() || Arrays.equals(start, zero) ? found : climb(zero);
    }

    private Maximum climb(double[] start) {
        Point at = at(start);
        for (int k = 1; k <= LIMIT; k++) {
            double[] direction = Dense.solvePositive(at.information, at.gradient);
            double gain = Vec.dot(direction, at.gradient);
            Point next = at;
            double length = 1;
            boolean better = false;
            for (int trial = 0; trial < HALVINGS && !better; trial++, length *= 0.5) {
                next = at(Vec.plus(at.theta, length, direction));
                better = next.value >= at.value + 1e-4 * length * gain - 1e-12 * Math.abs(at.value);
            }
            if (!better) {
                return new Maximum(at.theta, at.value, at.information, k, gain <= LAST_GAIN && stationary(at));
            }
            at = next;
            if (gain <= LAST_GAIN) {
                boolean still = largestMove(direction) <= LAST_MOVE;
                return new Maximum(at.theta, at.value, at.information, k, still && stationary(at));
            }
        }
        return new Maximum(at.theta, at.value, at.information, LIMIT, false);
    }

    /** Without information there is no step either, so that a step of nothing proves nothing. */
    private static boolean stationary(Point at) {
        return Double.isFinite(at.value)
                && Stationarity.of(at.information, at.gradient).reached();
    }

    /** Whether theta is the maximum. */
    public boolean isMaximum(double[] theta) {
        return stationary(at(theta));
    }

    /** The largest change of log-odds between two actions of a state that a step of theta makes. */
    private double largestMove(double[] step) {
        double largest = 0;
        for (int first = 0; first < offset.length; first += actions) {
            double low = Double.POSITIVE_INFINITY;
            double high = Double.NEGATIVE_INFINITY;
            for (int row = first; row < first + actions; row++) {
                if (offset[row] > Double.NEGATIVE_INFINITY) {
                    double move = 0;
                    for (int j = 0; j < step.length; j++) {
                        move += columns[j][row] * step[j];
                    }
                    low = Math.min(low, move);
                    high = Math.max(high, move);
                }
            }
            largest = Math.max(largest, high - low);
        }
        return largest;
    }

    /** The log-likelihood at theta. */
    public double value(double[] theta) {
        return at(theta).value;
    }

    private Point at(double[] theta) {
        int p = columns.length;
        double[] sums = Parallel.sums(offset.length / actions, 1 + p + p * p, (from, to, sum) -> {
            double[] chance = new double[actions];
            double[] mean = new double[p];
            for (int i = from; i < to; i++) {
                add(i, theta, chance, mean, sum);
            }
        });
        double[] gradient = new double[p];
        double[][] information = new double[p][p];
        for (int j = 0; j < p; j++) {
            gradient[j] = sums[1 + j];
            for (int k = 0; k <= j; k++) {
                information[j][k] = sums[1 + p + j * p + k];
                information[k][j] = information[j][k];
            }
        }
        return new Point(theta, sums[0], gradient, information);
    }

    /** Adds one state's log-likelihood, gradient and (lower triangle of) information. */
    private void add(int i, double[] theta, double[] chance, double[] mean, double[] sum) {
        int first = i * actions;
        int p = theta.length;
        double log = probabilities(i, theta, chance);
        double visits = 0;
        for (int a = 0; a < actions; a++) {
            double count = counts[first + a];
            visits += count;
            if (count > 0) {
                double index = offset[first + a] - log;
                for (int j = 0; j < p; j++) {
                    index += columns[j][first + a] * theta[j];
                }
                sum[0] += count * index;
            }
        }
        for (int j = 0; j < p; j++) {
            mean[j] = 0;
            for (int a = 0; a < actions; a++) {
                mean[j] += chance[a] * columns[j][first + a];
            }
        }
        for (int a = 0; a < actions; a++) {
            double weight = visits * chance[a];
            double surplus = counts[first + a] - weight;
            for (int j = 0; j < p; j++) {
                double x = columns[j][first + a] - mean[j];
                sum[1 + j] += surplus * x;
                for (int k = 0; k <= j; k++) {
                    sum[1 + p + j * p + k] += weight * x * (columns[k][first + a] - mean[k]);
                }
            }
        }
    }

    /** The information at theta. */
    public double[][] information(double[] theta) {
        return at(theta).information;
    }

    /** Choice probabilities at theta, by row. */
    public double[] probabilities(double[] theta) {
        double[] all = new double[offset.length];
        double[] own = new double[actions];
        for (int i = 0; i < offset.length / actions; i++) {
            probabilities(i, theta, own);
            System.arraycopy(own, 0, all, i * actions, actions);
        }
        return all;
    }

    /** Choice probabilities at one state; returns the log of the sum they are shares of. */
    private double probabilities(int i, double[] theta, double[] chance) {
        int first = i * actions;
        double largest = Double.NEGATIVE_INFINITY;
        for (int a = 0; a < actions; a++) {
            double index = offset[first + a];
            for (int j = 0; j < theta.length && index > Double.NEGATIVE_INFINITY; j++) {
                index += columns[j][first + a] * theta[j];
            }
            chance[a] = index;
            largest = Math.max(largest, index);
        }
        double total = 0;
        for (int a = 0; a < actions; a++) {
            chance[a] = Math.exp(chance[a] - largest);
            total += chance[a];
        }
        for (int a = 0; a < actions; a++) {
            chance[a] /= total;
        }
        return largest + Math.log(total);
    }
}
