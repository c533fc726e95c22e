package dev.revealed.estimate;

import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;

/** A way to estimate: immutable, reusable, and the same result for the same problem and stream. */
public interface Estimator {
    Estimate fit(Problem problem, RandomStream stream, ProgressListener listener);

    default Estimate fit(Problem problem, long seed) {
        return fit(problem, RandomStream.of(seed), ProgressListener.NONE);
    }
}
