package dev.revealed.neural;

/** Learning that ran off to infinity or NaN: says at which update, and in what it was first seen. */
public final class DivergenceFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DivergenceFailure(long update, String what, double value) {
        super("update %d: the %s is %s".formatted(update, what, value));
    }
}
