package dev.revealed.estimate.choice;

import dev.revealed.estimate.Stationarity;
import dev.revealed.mdp.rules.ParameterRules;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The search for the maximum of a likelihood whose individuals have scores: quasi-Newton steps from their outer products
 * (Berndt, Hall, Hall and Hausman), and by the Hessian, from differences of gradients, where these have been poor guides
 * for long.
 *
 * @param tolerance of what a step may still gain where the search ends
 */
public record ScoreSearch(int iterations, double tolerance) {
    private static final int HALVINGS = 40;

    /** After so many steps by outer products the Hessian itself is tried. */
    private static final int PATIENCE = 25;

    /** What is left to gain and drowns in rounding. */
    private static final double ROUNDING = 1e-6;

    /** What is climbed. */
    public interface Likelihood {
        /** Minus infinity where there is no model. */
        double at(double[] x);

        Slopes slopes(double[] x);

        /** The parameters that may move; the others stay where they are. */
        int[] free(double[] x);
    }

    /**
     * A likelihood with its derivatives.
     *
     * @param outer sum of the outer products of the individuals' scores
     */
    public record Slopes(double value, double[] gradient, double[][] outer) {
        private boolean exist() {
            return Vec.isFinite(gradient) && Arrays.stream(outer).allMatch(Vec::isFinite);
        }
    }

    /** Where a search ended. */
    public record End(double[] x, double value, int steps, boolean converged) {
        /** Whether this is the better of two ends: a maximum rather than none, then the higher one. */
        public boolean betterThan(End other) {
            return converged == other.converged ? value > other.value + 1e-9 : converged;
        }
    }

    /** @param watch is called with the number of steps after each */
    public End climb(Likelihood likelihood, double[] begin, IntConsumer watch) {
        double[] x = begin;
        Slopes here = likelihood.slopes(x);
        if (!here.exist()) {
            throw new ArithmeticException("the likelihood has no slope where the search begins");
        }
        boolean converged = false;
        boolean stuck = false;
        int k = 0;
        while (k < iterations && !converged && !stuck) {
            double[][] curvature = k < PATIENCE ? here.outer : curvature(likelihood, x, here);
            double[] direction = direction(curvature, here.gradient, likelihood.free(x));
            double gain = Vec.dot(direction, here.gradient);
            if (gain <= tolerance) {
                converged = true;
                break;
            }
            stuck = true;
            double length = 1;
            for (int trial = 0; trial < HALVINGS && stuck; trial++, length *= 0.5) {
                double[] next = Vec.plus(x, length, direction);
                if (likelihood.at(next) >= here.value + 1e-4 * length * gain - 1e-12 * Math.abs(here.value)) {
                    Slopes there = likelihood.slopes(next);
                    if (!there.exist()) {
                        break; // a likelihood that rises for ever ends where numbers do
                    }
                    x = next;
                    here = there;
                    stuck = false;
                }
            }
            converged = stuck && gain <= ROUNDING;
            watch.accept(++k);
        }
        int[] free = likelihood.free(x);
        boolean stationary = Stationarity.of(
                        ParameterRules.part(here.outer, free), ParameterRules.part(here.gradient, free))
                .reached();
        return new End(x, here.value, k, converged && stationary);
    }

    /** Minus the Hessian where it is positive; else outer products. */
    private static double[][] curvature(Likelihood likelihood, double[] x, Slopes here) {
        try {
            double[][] hessian = hessian(likelihood, x, here.outer);
            return Vec.isFinite(hessian[0]) && Dense.symmetricEigenvalues(hessian)[0] > 0 ? hessian : here.outer;
        } catch (ArithmeticException unsolved) {
            return here.outer;
        }
    }

    /**
     * Minus the Hessian, by central differences of the gradient.
     *
     * @param outer outer products of the scores, which say how far a step may go
     */
    public static double[][] hessian(Likelihood likelihood, double[] x, double[][] outer) {
        double[] steps = new double[x.length];
        Arrays.setAll(steps, j -> DifferencedHessian.boundedStep(outer[j][j], x[j]));
        return DifferencedHessian.of(x, steps, moved -> likelihood.slopes(moved).gradient);
    }

    private static double[] direction(double[][] curvature, double[] gradient, int[] free) {
        double[] own = Dense.solvePositive(ParameterRules.part(curvature, free), ParameterRules.part(gradient, free));
        double[] direction = new double[gradient.length];
        for (int k = 0; k < free.length; k++) {
            direction[free[k]] = own[k];
        }
        return direction;
    }
}
