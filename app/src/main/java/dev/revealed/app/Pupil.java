package dev.revealed.app;

import dev.revealed.neural.Actor;
import dev.revealed.neural.Scores;
import dev.revealed.numeric.Tensors;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** An agent in training together with what it learns from: what {@link TrainingRun} drives from mark to mark. */
interface Pupil {
    /** Goes on for a number of steps; tells now and then how many were made. */
    void advance(long steps, IntConsumer after);

    /** The policy it has come to. */
    Actor policy();

    /** A line of metrics: how it stands, and what was seen since the last line. What a test will tell is not there yet. */
    Map<String, Object> line();

    /**
     * Writes what a test came to into its line.
     *
     * @param before the tests before it
     * @return whether its policy is the best so far
     */
    boolean tested(Map<String, Object> line, Scores scores, List<TrainingRun.Point> before);

    /** A few words on how it fares; {@code lastReturn} is not a number before the first test. */
    String words(double lastReturn);

    /** The file of the best policy. */
    String bestFile();

    /** Everything that it depends on later, but the training and its replay. */
    void save(Tensors into);

    void restore(Tensors from);

    /** A file that is left at the end. */
    record Product(Tensors tensors, Map<String, String> notes) {}

    /** What is left besides the policy, by the names of the files. */
    Map<String, Product> products();

    /**
     * What it came to.
     *
     * @param best tests the best policy as the last one was tested
     */
    Trained result(ExpertResult run, Supplier<Scores> best);
}
