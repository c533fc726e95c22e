package dev.revealed.train;

/** A run that was asked to stop: it has written a checkpoint to go on from. */
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
