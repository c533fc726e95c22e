package dev.revealed.neural;

import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;

/**
 * A policy that maps observations to actions. It has working memory, so each thread needs a {@link #worker} of its own.
 */
public interface Actor {

    /** Draws an action for the observation at {@code observations[offset ...]} and writes it to {@code actions[to ...]}. */
    void act(float[] observations, int offset, RandomStream noise, float[] actions, int to);

    /** The action it would rather take than any other. */
    void actDeterministic(float[] observations, int offset, float[] actions, int to);

    /** The same policy, now and after every update, with working memory of its own. */
    Actor worker();

    /** The policy as it is now, whatever updates come. */
    Actor snapshot();

    /** Hands over its parameters. */
    void save(Tensors into);

    /** A policy that was saved, of whichever kind it is. */
    static Actor load(Tensors from) {
        return from.has("choices0.weight0") ? SoftmaxActor.load(from) : GaussianActor.load(from);
    }
}
