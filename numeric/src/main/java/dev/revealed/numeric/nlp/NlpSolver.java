package dev.revealed.numeric.nlp;

import dev.revealed.numeric.ProgressListener;

/** A local solver of nonlinear programmes. */
@FunctionalInterface
public interface NlpSolver {

    /**
     * Where a solver ended.
     *
     * @param multipliers of the constraints, in the Lagrangian f + multipliers' c
     * @param violation largest violation of a constraint or bound
     * @param evaluations points at which objective and constraints were evaluated
     * @param status one line on how it ended
     */
    record Result(
            double[] x,
            double objective,
            double[] multipliers,
            double violation,
            int iterations,
            int evaluations,
            boolean converged,
            String status) {}

    Result solve(Nlp problem, ProgressListener listener);

    default Result solve(Nlp problem) {
        return solve(problem, ProgressListener.NONE);
    }

    /** Largest violation of a constraint or bound. */
    static double violation(Nlp problem, double[] x, double[] constraints) {
        return Math.max(
                outside(x, problem.lower(), problem.upper()),
                outside(constraints, problem.constraintLower(), problem.constraintUpper()));
    }

    private static double outside(double[] x, double[] lower, double[] upper) {
        double largest = 0;
        for (int i = 0; i < x.length; i++) {
            largest = Math.max(largest, Math.max(lower[i] - x[i], x[i] - upper[i])); // NaN stays NaN
        }
        return largest;
    }
}
