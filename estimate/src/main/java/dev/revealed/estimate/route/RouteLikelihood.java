package dev.revealed.estimate.route;

import dev.revealed.estimate.ParameterRange;
import dev.revealed.numeric.BadInput;
import java.util.List;

/** The log-likelihood of trips under a model of route choice: a sum over trips. */
public interface RouteLikelihood {

    /** What is wanted of an evaluation; each includes those before it. */
    enum Depth {
        VALUE,
        GRADIENT,
        /** Scores of single trips. */
        SCORES,
        /** The Hessian, where the model has a closed form of it. */
        SECOND;

        /** Whether an evaluation of this depth has what the other one asks for. */
        boolean includes(Depth other) {
            return compareTo(other) >= 0;
        }
    }

    /** Names of the parameters. */
    List<String> names();

    default ParameterRange range(int parameter) {
        return ParameterRange.REAL;
    }

    /** The log-likelihood and, as far as asked for, its derivatives; minus infinity where values do not exist. */
    Evaluation at(double[] theta, Depth depth);

    /** The spectral radius at the parameters: values exist where it is below 1, if the model has no other condition. */
    default double spectralRadius(RouteGraph graph, double[] theta) {
        return graph.spectralRadius(theta);
    }

    /** Whether several gradients cost less than one Hessian. */
    default boolean cheapGradient() {
        return false;
    }

    /**
     * One evaluation.
     *
     * @param value minus infinity where the parameters are not allowed
     * @param logs log-probability of each trip, in the order of trips
     * @param gradient empty where not asked for
     * @param scores gradient of each trip's log-probability, in the order of trips; empty where not asked for
     * @param hessian empty where not asked for, or not known in closed form
     */
    record Evaluation(double value, double[] logs, double[] gradient, double[][] scores, double[][] hessian) {

        static final Evaluation INFEASIBLE = new Evaluation(
                Double.NEGATIVE_INFINITY, new double[0], new double[0], new double[0][], new double[0][]);

        public boolean feasible() {
            return value > Double.NEGATIVE_INFINITY;
        }
    }

    /** Checks that there is a finite value for each parameter. */
    default void check(double[] theta) {
        if (theta.length != names().size()) {
            throw new BadInput(
                    "%d values are given for %d parameters".formatted(theta.length, names().size()),
                    "Give one for each of " + String.join(", ", names()) + ".");
        }
        for (int j = 0; j < theta.length; j++) {
            BadInput.finite(names().get(j), theta[j]);
        }
    }
}
