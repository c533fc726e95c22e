package dev.revealed.mdp.rules;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Prior knowledge of parameters: bounds, and normal priors, which are ridge penalties.
 *
 * @param lower bounds, minus infinity where there are none; empty where no parameter has rules
 * @param upper bounds
 * @param mean of the prior
 * @param precision of the prior: one over its variance, 0 where there is none
 */
public record ParameterRules(double[] lower, double[] upper, double[] mean, double[] precision) {
    public static final ParameterRules NONE =
            new ParameterRules(new double[0], new double[0], new double[0], new double[0]);

    public ParameterRules {
        if (lower.length != upper.length || lower.length != mean.length || lower.length != precision.length) {
            throw new IllegalArgumentException("rules of different numbers of parameters");
        }
        for (int j = 0; j < lower.length; j++) {
            BadInput.when(
                    !(lower[j] < upper[j]),
                    "the bounds of a parameter are %s and %s".formatted(lower[j], upper[j]),
                    "The lower one must be smaller.");
        }
    }

    public boolean none() {
        return !bounded() && !penalised();
    }

    public boolean bounded() {
        return Arrays.stream(lower).anyMatch(Double::isFinite)
                || Arrays.stream(upper).anyMatch(Double::isFinite);
    }

    public boolean penalised() {
        return Arrays.stream(precision).anyMatch(x -> x > 0);
    }

    /** Whether parameters, of which ours come first, keep to the bounds. */
    public boolean admits(double[] theta) {
        return IntStream.range(0, lower.length).allMatch(j -> theta[j] >= lower[j] && theta[j] <= upper[j]);
    }

    /** The nearest parameters that keep to the bounds. */
    public double[] clipped(double[] theta) {
        double[] clipped = theta.clone();
        for (int j = 0; j < lower.length; j++) {
            clipped[j] = Math.clamp(theta[j], lower[j], upper[j]);
        }
        return clipped;
    }

    /** Those of all parameters that are not at a bound. */
    public int[] free(double[] theta) {
        return IntStream.range(0, theta.length)
                .filter(j -> j >= lower.length || (theta[j] > lower[j] && theta[j] < upper[j]))
                .toArray();
    }

    /** Those that are not at a bound which the gradient pushes them against. */
    public int[] free(double[] theta, double[] gradient) {
        return IntStream.range(0, theta.length)
                .filter(j -> j >= lower.length
                        || (!(theta[j] <= lower[j] && gradient[j] <= 0) && !(theta[j] >= upper[j] && gradient[j] >= 0)))
                .toArray();
    }

    /** The logarithm of the priors' density, but for a constant. */
    public double logPrior(double[] theta) {
        double sum = 0;
        for (int j = 0; j < precision.length; j++) {
            sum -= 0.5 * precision[j] * (theta[j] - mean[j]) * (theta[j] - mean[j]);
        }
        return sum;
    }

    /** gradient += the derivative of {@link #logPrior}. */
    public void addGradient(double[] theta, double[] gradient) {
        for (int j = 0; j < precision.length; j++) {
            gradient[j] -= precision[j] * (theta[j] - mean[j]);
        }
    }

    /** information += what the priors add to it. */
    public void addInformation(double[][] information) {
        for (int j = 0; j < precision.length; j++) {
            information[j][j] += precision[j];
        }
    }

    /** The inverse of a matrix of some of the parameters, zero for the others. */
    public static Optional<double[][]> inverse(double[][] matrix, int[] free) {
        if (free.length == matrix.length) {
            return Dense.inverse(matrix);
        }
        return Dense.inverse(part(matrix, free)).map(own -> {
            double[][] all = new double[matrix.length][matrix.length];
            for (int j = 0; j < free.length; j++) {
                for (int k = 0; k < free.length; k++) {
                    all[free[j]][free[k]] = own[j][k];
                }
            }
            return all;
        });
    }

    public static double[][] part(double[][] matrix, int[] free) {
        return Arrays.stream(free).mapToObj(j -> part(matrix[j], free)).toArray(double[][]::new);
    }

    public static double[] part(double[] vector, int[] free) {
        return Arrays.stream(free).mapToDouble(j -> vector[j]).toArray();
    }

    /** The rules of some of the parameters. */
    public ParameterRules of(int[] some) {
        return lower.length == 0
                ? this
                : new ParameterRules(part(lower, some), part(upper, some), part(mean, some), part(precision, some));
    }
}
