package dev.revealed.imitate;

import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Scores;
import dev.revealed.numeric.Tensors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** A learning problem in training: a run advances it from one evaluation or checkpoint to the next. */
public interface Learning {
    /** Goes on for a number of steps; reports now and then how many were made. */
    void advance(long steps, IntConsumer after);

    /** Steps that cannot be divided: it can be saved after a multiple of them. */
    default long unit() {
        return 1;
    }

    /** The policy it has come to. */
    Actor policy();

    /** How it stands, and what was seen since the last line of metrics; the evaluation of its policy comes later. */
    Line line();

    /** A line of metrics that waits for the evaluation of its policy. */
    @FunctionalInterface
    interface Line {
        /** @param before mean returns of the evaluations before it */
        EvaluatedMetrics evaluated(Scores scores, List<Double> before);
    }

    /**
     * A line of metrics.
     *
     * @param best whether its policy is the best so far
     * @param metrics a record of numbers
     * @param learner what curves of the learner show, by name
     */
    record EvaluatedMetrics(boolean best, Record metrics, Map<String, Double> learner) {}

    /** A few words on how it goes; {@code lastReturn} is not a number before the first evaluation. */
    String progress(double lastReturn);

    /** The rewards that are learnt from now: those of the simulator, unless it learns others. */
    default Batch.Rewards rewards() {
        return Batch.Rewards.STORED;
    }

    /** Measurements of the method by name, in addition to those of its learner; no side effects. */
    default Map<String, Double> measures() {
        return Map.of();
    }

    /** Everything that it depends on later, but the training and its replay. */
    void save(Tensors into);

    void restore(Tensors from);

    /** A reward, with what is known of how it was learnt. */
    record SavedReward(Tensors tensors, Map<String, String> notes) {}

    /** The recovered reward, where the method has one. */
    default Optional<SavedReward> reward() {
        return Optional.empty();
    }

    /** The reward of its last step, where {@link #reward} is another: a mean over steps, say. */
    default Optional<SavedReward> lastReward() {
        return Optional.empty();
    }

    /**
     * Results of this method, in addition to those of every training run.
     *
     * @param meanReturn of the last policy
     * @param seconds of the whole run
     * @param best evaluates the best policy as the last one was evaluated
     */
    Details details(double meanReturn, double seconds, Supplier<Scores> best);
}
