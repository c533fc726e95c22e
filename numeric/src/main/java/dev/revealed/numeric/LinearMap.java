package dev.revealed.numeric;

/** A square matrix known by its products. */
@FunctionalInterface
public interface LinearMap {
    /** {@code y = A x}. */
    void multiply(double[] x, double[] y);
}
