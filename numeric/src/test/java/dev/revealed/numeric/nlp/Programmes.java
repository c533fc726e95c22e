package dev.revealed.numeric.nlp;

import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Small nonlinear programmes whose solutions are known, from Hock and Schittkowski (1981), with dense derivatives. */
final class Programmes {
    private Programmes() {}

    /** The multipliers come as (factor of the objective, those of the constraints). */
    record Small(
            double[] start,
            double[] lower,
            double[] upper,
            double[] constraintLower,
            double[] constraintUpper,
            ToDoubleFunction<double[]> function,
            Function<double[], double[]> slope,
            Function<double[], double[]> equations,
            Function<double[], double[][]> slopes,
            BiFunction<double[], double[], double[][]> curvature)
            implements Nlp {

        @Override
        public int variables() {
            return start.length;
        }

        @Override
        public int constraints() {
            return constraintLower.length;
        }

        @Override
        public double objective(double[] x) {
            return function.applyAsDouble(x);
        }

        @Override
        public void gradient(double[] x, double[] gradient) {
            System.arraycopy(slope.apply(x), 0, gradient, 0, gradient.length);
        }

        @Override
        public void constraints(double[] x, double[] values) {
            System.arraycopy(equations.apply(x), 0, values, 0, values.length);
        }

        @Override
        public Pattern jacobian() {
            int n = variables();
            int[] row = new int[n * constraints()];
            int[] column = new int[row.length];
            Arrays.setAll(row, e -> e / n);
            Arrays.setAll(column, e -> e % n);
            return new Pattern(row, column);
        }

        @Override
        public void jacobian(double[] x, double[] values) {
            double[][] rows = slopes.apply(x);
            for (int i = 0; i < rows.length; i++) {
                System.arraycopy(rows[i], 0, values, i * variables(), variables());
            }
        }

        @Override
        public Pattern hessian() {
            int n = variables();
            int[] row = new int[n * (n + 1) / 2];
            int[] column = new int[row.length];
            int e = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    row[e] = i;
                    column[e++] = j;
                }
            }
            return new Pattern(row, column);
        }

        @Override
        public void hessian(double[] x, double factor, double[] multipliers, double[] values) {
            double[] weights = new double[1 + multipliers.length];
            weights[0] = factor;
            System.arraycopy(multipliers, 0, weights, 1, multipliers.length);
            double[][] h = curvature.apply(x, weights);
            int e = 0;
            for (int i = 0; i < h.length; i++) {
                for (int j = 0; j <= i; j++) {
                    values[e++] = h[i][j];
                }
            }
        }

        Small withObjective(ToDoubleFunction<double[]> other) {
            return new Small(
                    start, lower, upper, constraintLower, constraintUpper, other, slope, equations, slopes, curvature);
        }

        Small withStart(double... other) {
            return new Small(
                    other,
                    lower,
                    upper,
                    constraintLower,
                    constraintUpper,
                    function,
                    slope,
                    equations,
                    slopes,
                    curvature);
        }

        Small within(double[] least, double[] most) {
            return new Small(
                    start,
                    least,
                    most,
                    constraintLower,
                    constraintUpper,
                    function,
                    slope,
                    equations,
                    slopes,
                    curvature);
        }
    }

    private static Small equations(
            double[] start,
            double[] values,
            ToDoubleFunction<double[]> function,
            Function<double[], double[]> slope,
            Function<double[], double[]> equations,
            Function<double[], double[][]> slopes,
            BiFunction<double[], double[], double[][]> curvature) {
        double[] lower = new double[start.length];
        double[] upper = new double[start.length];
        Arrays.fill(lower, Double.NEGATIVE_INFINITY);
        Arrays.fill(upper, Double.POSITIVE_INFINITY);
        return new Small(start, lower, upper, values, values, function, slope, equations, slopes, curvature);
    }

    /** Rosenbrock's valley without constraints; solution (1, 1). */
    static Small rosenbrock() {
        return equations(
                new double[] {-1.2, 1},
                new double[0],
                x -> square(1 - x[0]) + 100 * square(x[1] - x[0] * x[0]),
                x -> new double[] {-2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] * x[0]), 200 * (x[1] - x[0] * x[0])},
                x -> new double[0],
                x -> new double[0][],
                (x, w) ->
                        new double[][] {{w[0] * (2 - 400 * x[1] + 1200 * x[0] * x[0])}, {w[0] * -400 * x[0], w[0] * 200}
                        });
    }

    /** Number 6, Rosenbrock's with the valley as constraint: solution (1, 1), value 0. */
    static Small hs6() {
        return equations(
                new double[] {-1.2, 1},
                new double[] {0},
                x -> square(1 - x[0]),
                x -> new double[] {-2 * (1 - x[0]), 0},
                x -> new double[] {10 * (x[1] - x[0] * x[0])},
                x -> new double[][] {{-20 * x[0], 10}},
                (x, w) -> new double[][] {{2 * w[0] - 20 * w[1]}, {0, 0}});
    }

    /** Number 7: solution (0, sqrt 3), value -sqrt 3. */
    static Small hs7() {
        return equations(
                new double[] {2, 2},
                new double[] {4},
                x -> Math.log(1 + x[0] * x[0]) - x[1],
                x -> new double[] {2 * x[0] / (1 + x[0] * x[0]), -1},
                x -> new double[] {square(1 + x[0] * x[0]) + x[1] * x[1]},
                x -> new double[][] {{4 * x[0] * (1 + x[0] * x[0]), 2 * x[1]}},
                (x, w) -> new double[][] {
                    {
                        w[0] * 2 * (1 - x[0] * x[0]) / square(1 + x[0] * x[0]) + w[1] * (4 + 12 * x[0] * x[0]),
                    },
                    {0, 2 * w[1]}
                });
    }

    /** Number 77: value 0.24150513. */
    static Small hs77() {
        return equations(
                new double[] {2, 2, 2, 2, 2},
                new double[] {2 * Math.sqrt(2), 8 + Math.sqrt(2)},
                x -> square(x[0] - 1)
                        + square(x[0] - x[1])
                        + square(x[2] - 1)
                        + Math.pow(x[3] - 1, 4)
                        + Math.pow(x[4] - 1, 6),
                x -> new double[] {
                    2 * (x[0] - 1) + 2 * (x[0] - x[1]),
                    -2 * (x[0] - x[1]),
                    2 * (x[2] - 1),
                    4 * Math.pow(x[3] - 1, 3),
                    6 * Math.pow(x[4] - 1, 5)
                },
                x -> new double[] {x[0] * x[0] * x[3] + Math.sin(x[3] - x[4]), x[1] + Math.pow(x[2], 4) * x[3] * x[3]},
                x -> new double[][] {
                    {2 * x[0] * x[3], 0, 0, x[0] * x[0] + Math.cos(x[3] - x[4]), -Math.cos(x[3] - x[4])},
                    {0, 1, 4 * Math.pow(x[2], 3) * x[3] * x[3], 2 * Math.pow(x[2], 4) * x[3], 0}
                },
                (x, w) -> {
                    double sine = w[1] * Math.sin(x[3] - x[4]);
                    return new double[][] {
                        {4 * w[0] + 2 * w[1] * x[3]},
                        {-2 * w[0], 2 * w[0]},
                        {0, 0, 2 * w[0] + 12 * w[2] * x[2] * x[2] * x[3] * x[3]},
                        {
                            2 * w[1] * x[0],
                            0,
                            8 * w[2] * Math.pow(x[2], 3) * x[3],
                            12 * w[0] * square(x[3] - 1) - sine + 2 * w[2] * Math.pow(x[2], 4)
                        },
                        {0, 0, 0, sine, 30 * w[0] * Math.pow(x[4] - 1, 4) - sine}
                    };
                });
    }

    /** Number 71, with bounds and an inequality: solution (1, 4.7429994, 3.8211503, 1.3794082), value 17.0140173. */
    static Small hs71() {
        return new Small(
                new double[] {1, 5, 5, 1},
                new double[] {1, 1, 1, 1},
                new double[] {5, 5, 5, 5},
                new double[] {25, 40},
                new double[] {Double.POSITIVE_INFINITY, 40},
                x -> x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2],
                x -> new double[] {
                    x[3] * (2 * x[0] + x[1] + x[2]), x[0] * x[3], x[0] * x[3] + 1, x[0] * (x[0] + x[1] + x[2])
                },
                x -> new double[] {x[0] * x[1] * x[2] * x[3], x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]},
                x -> new double[][] {
                    {x[1] * x[2] * x[3], x[0] * x[2] * x[3], x[0] * x[1] * x[3], x[0] * x[1] * x[2]},
                    {2 * x[0], 2 * x[1], 2 * x[2], 2 * x[3]}
                },
                (x, w) -> new double[][] {
                    {2 * w[0] * x[3] + 2 * w[2]},
                    {w[0] * x[3] + w[1] * x[2] * x[3], 2 * w[2]},
                    {w[0] * x[3] + w[1] * x[1] * x[3], w[1] * x[0] * x[3], 2 * w[2]},
                    {
                        w[0] * (2 * x[0] + x[1] + x[2]) + w[1] * x[1] * x[2],
                        w[0] * x[0] + w[1] * x[0] * x[2],
                        w[0] * x[0] + w[1] * x[0] * x[1],
                        2 * w[2]
                    }
                });
    }

    /** x^2 + 1 = 0: cannot be met. */
    static Small impossible() {
        return equations(
                new double[] {3, 0},
                new double[] {0},
                x -> x[1] * x[1],
                x -> new double[] {0, 2 * x[1]},
                x -> new double[] {x[0] * x[0] + 1},
                x -> new double[][] {{2 * x[0], 0}},
                (x, w) -> new double[][] {{2 * w[1]}, {0, 2 * w[0]}});
    }

    /** 2 x - log x, not defined below 0: minimum 1 + log 2 at 1/2. */
    static Small logarithm() {
        return equations(
                new double[] {5},
                new double[0],
                x -> 2 * x[0] - Math.log(x[0]),
                x -> new double[] {2 - 1 / x[0]},
                x -> new double[0],
                x -> new double[0][],
                (x, w) -> new double[][] {{w[0] / (x[0] * x[0])}});
    }

    private static double square(double x) {
        return x * x;
    }
}
