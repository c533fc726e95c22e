package dev.revealed.train;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The random streams in which a fork differs from its original. */
public enum ForkStreams {
    /** None: the fork repeats its original, unless an intervention changes something. */
    NONE("(?!)"),
    /** Rows and noise of updates. */
    MINIBATCH("training\\.rows|sac\\.noise"),
    /** Noise of actions. */
    EXPLORATION("environment\\d+\\.explore"),
    /** Initial states of episodes. */
    STARTS("environment\\d+\\.reset"),
    /** What a reward step samples. */
    REWARD("imitate\\.stream"),
    /** All of these. Evaluations are the same in all forks. */
    ALL("training\\.rows|sac\\.noise|environment\\d+\\.(explore|reset)|imitate\\.stream");

    private final Pattern tensors; // that hold them in a checkpoint

    ForkStreams(String tensors) {
        this.tensors = Pattern.compile(tensors);
    }

    Predicate<String> inCheckpoint() {
        return tensors.asMatchPredicate();
    }
}
