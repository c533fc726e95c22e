package dev.revealed.numeric;

/** An approximate inverse: {@code y ~ A^-1 x}. */
@FunctionalInterface
public interface Preconditioner {
    void apply(double[] x, double[] y);

    /** No preconditioning. */
    Preconditioner NONE = (x, y) -> System.arraycopy(x, 0, y, 0, x.length);
}
