package dev.revealed.numeric;

/** Hears how far a long computation has come; called from any thread, cheaply and often. */
@FunctionalInterface
public interface ProgressListener {

    /** Hears nothing. */
    ProgressListener NONE = (stage, done, total) -> {};

    /**
     * Says how far one stage has come.
     *
     * @param stage what is being done, in a word or two
     * @param done units finished so far
     * @param total units in all, or 0 when unknown
     */
    void progress(String stage, long done, long total);

    /**
     * Says how far a search has come: it ends when it has converged, usually long before the limit, so that the limit says
     * nothing of the time that is left.
     *
     * @param limit units after which it gives up
     */
    default void searching(String stage, long done, long limit) {
        progress(stage, done, 0);
    }

    /** Says in a few words how the work fares, such as the last score; shown beside the progress until the next note. */
    default void note(String words) {}
}
