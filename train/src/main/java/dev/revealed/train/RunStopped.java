package dev.revealed.train;

/** Thrown when a run was asked to stop, after it has written a checkpoint. */
public final class RunStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long step;
    private final long steps;

    RunStopped(long step, long steps) {
        super("stopped at step %d of %d".formatted(step, steps));
        this.step = step;
        this.steps = steps;
    }

    /** Where it stopped. */
    public long step() {
        return step;
    }

    /** Where it would have ended. */
    public long steps() {
        return steps;
    }
}
