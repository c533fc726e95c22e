package dev.revealed.estimate.choice;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Looks for a direction along which every observed choice gains on, or keeps level with, every alternative: then the
 * likelihood of a logit rises for ever and has no maximum (Albert and Anderson 1984).
 *
 * <p>Newton's method finds it without linear programming. Where a maximum exists its steps shrink to nothing; where none
 * does, each step raises the log-odds of what is separated by about one, and what is not separated stays where it is. The
 * last step is therefore the direction, and whether it separates can be checked choice by choice.
 */
final class Separation {
    private static final int ITERATIONS = 30;
    private static final int HALVINGS = 30;

    /** Log-odds that still change by more than this have not converged. */
    private static final double STILL = 1e-6;

    private static final double STRUCTURAL_ZERO = 1e-10;

    private final int p;
    private final List<double[][]> features = new ArrayList<>(); // of each visited state, [available action][parameter]
    private final List<double[]> counts = new ArrayList<>();

    /**
     * @param columns {@code [parameter][row]}: how the value of each row changes with each parameter, up to what is common
     *     to the rows of a state
     * @param available whether a row can be chosen at all
     */
    Separation(double[][] columns, double[] chosen, boolean[] available, int actions) {
        p = columns.length;
        for (int first = 0; first < chosen.length; first += actions) {
            List<double[]> rows = new ArrayList<>();
            List<Double> n = new ArrayList<>();
            double visits = 0;
            for (int row = first; row < first + actions; row++) {
                visits += chosen[row];
                if (available[row]) {
                    rows.add(Observations.at(columns, row));
                    n.add(chosen[row]);
                }
            }
            if (visits > 0 && rows.size() > 1) {
                features.add(rows.toArray(double[][]::new));
                counts.add(n.stream().mapToDouble(Double::doubleValue).toArray());
            }
        }
    }

    /** The direction, scaled so that the log-odds of some choice rise by one along it. */
    Optional<double[]> direction() {
        if (features.isEmpty() || p == 0) {
            return Optional.empty();
        }
        double[][] basis = whiten();
        int r = basis.length;
        double[] x = new double[r];
        double[] step = new double[r];
        double[] gradient = new double[r];
        double[][] information = new double[r][r];
        double value = evaluate(x, gradient, information);
        for (int k = 0; k < ITERATIONS; k++) {
            Optional<double[]> newton = Dense.solve(information, gradient);
            if (newton.isEmpty()) {
                break; // only when the separated choices are certain to rounding: the last step stands
            }
            step = newton.get();
            if (!(gains(step)[1] > STILL)) {
                return Optional.empty();
            }
            double length = 1;
            double[] next = x;
            double there = Double.NEGATIVE_INFINITY;
            double[] nextGradient = new double[r];
            double[][] nextInformation = new double[r][r];
            for (int trial = 0; trial < HALVINGS && !(there >= value); trial++, length *= 0.5) {
                next = Vec.plus(x, length, step);
                nextGradient = new double[r];
                nextInformation = new double[r][r];
                there = evaluate(next, nextGradient, nextInformation);
            }
            if (!(there >= value)) {
                break;
            }
            x = next;
            value = there;
            gradient = nextGradient;
            information = nextInformation;
        }
        double[] gains = gains(step);
        if (!(gains[0] >= -STILL * gains[1])) {
            return Optional.empty();
        }
        double[] direction = new double[p];
        for (int i = 0; i < r; i++) {
            Vec.axpy(step[i] / gains[1], basis[i], direction);
        }
        return Optional.of(direction);
    }

    /**
     * Replaces the features by as many combinations of them as differ, of equal information where all actions are equally
     * likely. Returns the combinations, {@code [combination][parameter]}.
     */
    private double[][] whiten() {
        double[][] information = new double[p][p];
        evaluate(new double[p], new double[p], information);
        double[] unit = new double[p];
        Arrays.setAll(unit, j -> information[j][j] > 0 ? 1 / Math.sqrt(information[j][j]) : 0);
        for (int j = 0; j < p; j++) {
            for (int k = 0; k < p; k++) {
                information[j][k] *= unit[j] * unit[k];
            }
        }
        Dense.Eigen eigen = Dense.symmetricEigen(information);
        List<double[]> basis = new ArrayList<>();
        for (int i = 0; i < p; i++) {
            if (eigen.values()[i] > STRUCTURAL_ZERO) {
                double[] combination = new double[p];
                for (int j = 0; j < p; j++) {
                    combination[j] = eigen.vectors()[i][j] * unit[j] / Math.sqrt(eigen.values()[i]);
                }
                basis.add(combination);
            }
        }
        double[][] combinations = basis.toArray(double[][]::new);
        for (double[][] rows : features) {
            Arrays.setAll(rows, a -> Dense.multiply(combinations, rows[a]));
        }
        return combinations;
    }

    /** Log-likelihood of the logit; adds its gradient and information to the arrays given. */
    private double evaluate(double[] x, double[] gradient, double[][] information) {
        double value = 0;
        for (int i = 0; i < features.size(); i++) {
            double[][] z = features.get(i);
            double[] n = counts.get(i);
            double[] log = new double[z.length];
            double largest = Double.NEGATIVE_INFINITY;
            for (int a = 0; a < z.length; a++) {
                log[a] = Vec.dot(x, z[a]);
                largest = Math.max(largest, log[a]);
            }
            double sum = 0;
            for (double l : log) {
                sum += Math.exp(l - largest);
            }
            double visits = Vec.sum(n);
            double[] mean = new double[x.length];
            for (int a = 0; a < z.length; a++) {
                log[a] -= largest + Math.log(sum);
                value += n[a] * log[a];
                Vec.axpy(Math.exp(log[a]), z[a], mean);
            }
            for (int a = 0; a < z.length; a++) {
                double[] centred = Vec.plus(z[a], -1, mean);
                Vec.axpy(n[a], centred, gradient);
                Observations.addOuter(visits * Math.exp(log[a]), centred, information);
            }
        }
        return value;
    }

    /** The smallest and, in size, the largest change along a step of the log-odds of a choice against an alternative. */
    private double[] gains(double[] step) {
        double least = Double.POSITIVE_INFINITY;
        double largest = 0;
        for (int i = 0; i < features.size(); i++) {
            double[][] z = features.get(i);
            for (int a = 0; a < z.length; a++) {
                for (int b = 0; b < z.length && counts.get(i)[a] > 0; b++) {
                    if (a != b) {
                        double gain = Vec.dot(step, z[a]) - Vec.dot(step, z[b]);
                        least = Math.min(least, gain);
                        largest = Math.max(largest, Math.abs(gain));
                    }
                }
            }
        }
        return new double[] {least, largest};
    }
}
