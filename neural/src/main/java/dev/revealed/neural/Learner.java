package dev.revealed.neural;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import java.util.Map;

/**
 * An algorithm that improves a policy from transitions: Soft Actor-Critic, or soft Q-learning if actions are finite.
 */
public interface Learner extends AutoCloseable {

    /**
     * One update on rows that are already copied into the batch, with the rewards to learn from. Meanwhile, on whichever
     * thread, {@code concurrent} runs exactly once, before what {@link #actor} does changes.
     */
    void update(Batch batch, Runnable concurrent);

    /**
     * From now on the last {@code rows} of every batch are an expert's, whom an actor of its own is to resemble with this
     * weight; one that follows from values does nothing of the kind.
     */
    default void cloneLast(int rows, double weight) {}

    /**
     * From now on the policy pays for its divergence from this one, KL(pi || pi0), instead of being paid for its entropy.
     * Learners without this refuse it.
     */
    default void referTo(GaussianActor reference) {
        throw new BadInput(
                "a reference policy is for Soft Actor-Critic alone", "Leave out `reference`: this learner has none.");
    }

    /**
     * Lets networks begin, and learn from now on, as though observation {@code i} were multiplied by {@code scale[i]}, while
     * they still take observations as they are. Adam does not depend on the size of gradients, so that it suffices to
     * multiply initial weights and learning rates of the first layer. To be called before anything is learnt or restored.
     */
    void scaleInputs(float[] scale);

    /** Transitions per update. */
    int batch();

    /** How it acts now, and after every update. */
    Actor actor();

    /** What curves show, by name: means over the updates since this was last asked. */
    Map<String, Double> diagnostics();

    /** Hands over everything that later updates depend on. */
    void save(Tensors into);

    void restore(Tensors from);

    /** Harmless the second time. */
    @Override
    void close();
}
