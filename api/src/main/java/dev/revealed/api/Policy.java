package dev.revealed.api;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;

/**
 * Chooses an action for an observation. A learnt policy is one, and so is an expert of one's own:
 *
 * {@snippet :
 * Policy expert = seen -> new float[] {Math.clamp(1 - 2 * seen[0] - 2 * seen[1], -1, 1)};
 * }
 */
@FunctionalInterface
public interface Policy {
    /** The action, for example {@code policy.act(new float[] {0.1f, 0})}. */
    float[] act(float[] observation);

    /**
     * One episode on a simulator, up to its end or its horizon, with its actions and the task's own rewards.
     *
     * {@snippet :
     * Episode drive = expert.play(simulator, 7);
     * }
     *
     * @param seed of where the episode begins
     */
    default Episode play(Simulator simulator, long seed) {
        Simulator.Space space = simulator.space();
        int width = space.observations();
        int size = space.actions().size();
        float[] observations = new float[(space.horizon() + 1) * width];
        float[] actions = new float[space.horizon() * size];
        double[] rewards = new double[space.horizon()];
        simulator.reset(RandomStream.of(seed).named("reset"));
        simulator.observe(observations, 0);
        int t = 0;
        do {
            float[] action = act(Arrays.copyOfRange(observations, t * width, (t + 1) * width));
            BadInput.when(
                    action.length != size,
                    "the policy gives %d numbers, and an action on %s has %d"
                            .formatted(action.length, space.name(), size),
                    "Return an array with one number for each dimension of the action.");
            System.arraycopy(action, 0, actions, t * size, size);
            simulator.step(actions, t * size);
            rewards[t] = simulator.reward();
            t++;
            simulator.observe(observations, t * width);
        } while (!simulator.terminated() && !simulator.truncated());
        return new Episode(
                t,
                Arrays.copyOf(observations, (t + 1) * width),
                Arrays.copyOf(actions, t * size),
                Arrays.copyOf(rewards, t),
                simulator.terminated() ? Episode.Ending.TERMINATED : Episode.Ending.TRUNCATED);
    }
}
