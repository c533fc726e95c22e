package dev.revealed.train;

/** Ends a run in a test, as a kill would. */
final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Kills where that step is reported. */
    static RunListener at(long step) {
        return (stage, done, total) -> {
            if (done == step) {
                throw new Killed();
            }
        };
    }
}
