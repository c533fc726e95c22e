package dev.revealed.neural;

/** Thrown when learning diverges to infinity or NaN: names the update, and the first number that was not finite. */
public final class DivergenceFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DivergenceFailure(long update, String what, double value) {
        super("update %d: the %s is %s".formatted(update, what, value));
    }
}
