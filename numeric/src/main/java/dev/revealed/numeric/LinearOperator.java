package dev.revealed.numeric;

/** y = A x. */
@FunctionalInterface
public interface LinearOperator {
    void apply(double[] x, double[] y);
}
