package dev.revealed.numeric.nlp;

import java.util.Arrays;

/**
 * A smooth nonlinear programme with exact first and second derivatives, sparse where it can be:
 *
 * <pre>  minimise f(x)   subject to   lower &lt;= x &lt;= upper,   cLower &lt;= c(x) &lt;= cUpper</pre>
 *
 * Solvers ask for several of these at the same x in a row; an implementation may keep what they share. Arrays given to it
 * are the solver's own and must not be kept.
 */
public interface Nlp {

    /** Places of a sparse matrix; values given for the same place twice add up. */
    record Pattern(int[] row, int[] column) {
        public Pattern {
            if (row.length != column.length) {
                throw new IllegalArgumentException("%d rows, %d columns".formatted(row.length, column.length));
            }
        }

        public int size() {
            return row.length;
        }
    }

    int variables();

    int constraints();

    /** Bounds of the variables; infinite where there is none, which is the default. */
    default double[] lower() {
        return filled(variables(), Double.NEGATIVE_INFINITY);
    }

    default double[] upper() {
        return filled(variables(), Double.POSITIVE_INFINITY);
    }

    /** Bounds of the constraints; both zero, which is the default, makes them equations. */
    default double[] constraintLower() {
        return new double[constraints()];
    }

    default double[] constraintUpper() {
        return new double[constraints()];
    }

    /** Where to start. */
    double[] start();

    double objective(double[] x);

    void gradient(double[] x, double[] gradient);

    void constraints(double[] x, double[] values);

    Pattern jacobian();

    void jacobian(double[] x, double[] values);

    /** Of the Lagrangian, its lower triangle (row >= column). */
    Pattern hessian();

    /** Values of the Hessian of factor f(x) + multipliers' c(x). */
    void hessian(double[] x, double factor, double[] multipliers, double[] values);

    /**
     * One variable for each constraint, in their order, that the constraints determine once the other variables are given
     * (states given controls); their part of the Jacobian must be nonsingular everywhere. Empty, the default: the solver
     * finds such variables itself.
     */
    default int[] determined() {
        return new int[0];
    }

    private static double[] filled(int n, double x) {
        double[] all = new double[n];
        Arrays.fill(all, x);
        return all;
    }
}
