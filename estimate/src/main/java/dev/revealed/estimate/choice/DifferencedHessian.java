package dev.revealed.estimate.choice;

import java.util.function.UnaryOperator;

/**
 * Minus the Hessian of a log-likelihood, by central differences of its exact gradient. A parameter is moved by a small share
 * of its standard error, so that it does not matter in which unit it is measured.
 */
public final class DifferencedHessian {
    /** Of the standard error. */
    private static final double SHARE = 1e-4;

    /** Of the parameter: shorter steps drown in rounding. */
    private static final double SHORTEST = 1e-7;

    /** At less information than this the data say nothing of a parameter. */
    private static final double LEAST = 1e-8;

    private DifferencedHessian() {}

    /**
     * How far a parameter is moved, for parameters of a utility or a law, which may have any unit.
     *
     * @param information of it: the sum of its squared scores
     */
    public static double step(double information, double parameter) {
        return Math.max(SHARE / Math.sqrt(Math.max(information, 1e-300)), SHORTEST * Math.abs(parameter));
    }

    /**
     * The same, at most 1 where data say nothing of a parameter, such as the effort of a type that holds nobody: for steps
     * from where a search is, and in its coordinates, since further away the model may have no solution.
     */
    public static double boundedStep(double information, double parameter) {
        return step(Math.max(information, LEAST), parameter);
    }

    /**
     * Minus the Hessian, made symmetric.
     *
     * @param steps by which parameters are moved
     */
    public static double[][] of(double[] x, double[] steps, UnaryOperator<double[]> gradient) {
        double[][] hessian = new double[x.length][x.length];
        for (int j = 0; j < x.length; j++) {
            double[] up = gradient.apply(moved(x, j, steps[j]));
            double[] down = gradient.apply(moved(x, j, -steps[j]));
            for (int k = 0; k < x.length; k++) {
                hessian[j][k] = -(up[k] - down[k]) / (2 * steps[j]);
            }
        }
        for (int j = 0; j < x.length; j++) {
            for (int k = 0; k < j; k++) {
                double mean = 0.5 * (hessian[j][k] + hessian[k][j]);
                hessian[j][k] = mean;
                hessian[k][j] = mean;
            }
        }
        return hessian;
    }

    private static double[] moved(double[] x, int j, double step) {
        double[] moved = x.clone();
        moved[j] += step;
        return moved;
    }
}
