package dev.revealed.train;

import dev.revealed.numeric.ProgressListener;

/** Receives the progress of a run. */
@FunctionalInterface
public interface RunListener extends ProgressListener {
    /** The last evaluation came to this. */
    default void evaluated(double meanReturn) {}

    /** Whether the run is to stop soon, with a checkpoint to go on from. */
    default boolean stops() {
        return false;
    }

    static RunListener of(ProgressListener listener) {
        return new RunListener() {
            @Override
            public void progress(String stage, long done, long total) {
                listener.progress(stage, done, total);
            }

            @Override
            public void note(String words) {
                listener.note(words);
            }
        };
    }
}
