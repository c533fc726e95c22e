package dev.revealed.numeric;

import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Limited-memory BFGS maximisation with a line search for the weak Wolfe conditions by bisection (Nocedal and Wright,
 * Numerical Optimization, sections 3.1 and 7.2). Weak conditions suffice for the curvature update to stay positive.
 */
public record Lbfgs(int memory, int maxIterations, double gradientTolerance) {

    /** Where the search ended, and whether the gradient was then small. */
    public record Result(
            double[] x, double value, double[] gradient, int iterations, int evaluations, boolean converged) {}

    /** Called after every iteration. */
    @FunctionalInterface
    public interface Watcher {
        void accept(int iteration, double[] x, double value, double[] gradient);
    }

    private record Pair(double[] step, double[] change, double rho) {}

    private static final double ARMIJO = 1e-4;
    private static final double CURVATURE = 0.9;
    private static final double NOISE = 1e-11;

    public Result maximise(Objective objective, double[] start, Watcher watcher) {
        int n = start.length;
        double[] x = start.clone();
        double[] gradient = new double[n];
        double value = BadInput.finite("the objective at the start", objective.at(x, gradient));
        ArrayDeque<Pair> pairs = new ArrayDeque<>();
        int evaluations = 1;
        int iteration = 0;
        while (Vec.maxAbs(gradient) > gradientTolerance && iteration < maxIterations) {
            double[] direction = direction(gradient, pairs);
            double slope = Vec.dot(direction, gradient);
            double low = 0;
            double high = Double.POSITIVE_INFINITY;
            double step = pairs.isEmpty() ? Math.min(1, 1 / Vec.norm(gradient)) : 1;
            double[] nextGradient = new double[n];
            double[] next = x;
            double nextValue = value;
            boolean accepted = false;
            for (int trial = 0; trial < 60 && !accepted; trial++) {
                next = Vec.plus(x, step, direction);
                nextValue = objective.at(next, nextGradient);
                evaluations++;
                // Near the optimum the gain drowns in rounding: there the slope decides (Hager and Zhang 2005).
                double nextSlope = Vec.dot(direction, nextGradient);
                boolean noGain = Math.abs(nextValue - value) <= NOISE * Math.max(1, Math.abs(value));
                boolean tooFar =
                        noGain ? nextSlope < (2 * ARMIJO - 1) * slope : !(nextValue >= value + ARMIJO * step * slope);
                if (tooFar) {
                    high = step;
                } else if (nextSlope > CURVATURE * slope) {
                    low = step;
                } else {
                    accepted = true;
                    break;
                }
                step = high == Double.POSITIVE_INFINITY ? 2 * low : 0.5 * (low + high);
            }
            if (!accepted) {
                if (pairs.isEmpty()) {
                    break;
                }
                pairs.clear(); // a stale model: once more from steepest ascent before giving up
                continue;
            }
            double[] move = Vec.plus(next, -1, x);
            double[] change = Vec.plus(gradient, -1, nextGradient); // positive curvature of the concave side
            double curvature = Vec.dot(move, change);
            if (curvature > 1e-300) {
                pairs.addFirst(new Pair(move, change, 1 / curvature));
                if (pairs.size() > memory) {
                    pairs.removeLast();
                }
            }
            x = next;
            value = nextValue;
            gradient = nextGradient;
            iteration++;
            watcher.accept(iteration, x, value, gradient);
        }
        return new Result(x, value, gradient, iteration, evaluations, Vec.maxAbs(gradient) <= gradientTolerance);
    }

    /** The two-loop recursion. */
    private static double[] direction(double[] gradient, ArrayDeque<Pair> pairs) {
        double[] q = gradient.clone();
        double[] alpha = new double[pairs.size()];
        int i = 0;
        for (Pair pair : pairs) {
            alpha[i] = pair.rho * Vec.dot(pair.step, q);
            Vec.axpy(-alpha[i], pair.change, q);
            i++;
        }
        if (!pairs.isEmpty()) {
            Pair newest = pairs.getFirst();
            double scale = 1 / (newest.rho * Vec.dot(newest.change, newest.change));
            for (int j = 0; j < q.length; j++) {
                q[j] *= scale;
            }
        }
        for (Iterator<Pair> oldestFirst = pairs.descendingIterator(); oldestFirst.hasNext(); ) {
            Pair pair = oldestFirst.next();
            i--;
            double beta = pair.rho * Vec.dot(pair.change, q);
            Vec.axpy(alpha[i] - beta, pair.step, q);
        }
        return q;
    }
}
