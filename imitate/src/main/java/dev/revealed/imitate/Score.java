package dev.revealed.imitate;

import dev.revealed.neural.Network;
import dev.revealed.neural.Tape;

/**
 * The gradient of the surrogate likelihood, expert less agent, and what is to be seen on the way.
 *
 * @param gradient of each parameter of the reward that is learnt; none where nothing was seen of the agent yet
 * @param gap reward of the expert less that of the agent, per step of the horizon: what a reward step makes larger and a
 *     policy step smaller
 * @param expert mean reward of a step of the expert
 * @param agent the same of the agent, a step after its end counting zero
 * @param distance of the agent's inputs from the expert's, in standard deviations of the expert's: see {@link Features}
 * @param length of the agent's trajectories beside the expert's, as a share
 */
public record Score(float[] gradient, double gap, double expert, double agent, double distance, double length) {
    /** Before anything was seen of the agent. */
    static final Score NONE = new Score(new float[0], Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    private static final int CHUNK = 1024;

    /**
     * @param expert whose rewards count
     * @param features of all that is known of the expert
     */
    static Score of(RewardModel reward, Visits expert, Features features, Visits agent, double length) {
        Network network = reward.learnt();
        float[] gradient = new float[network.parameters().length];
        Tape tape = network.tape(CHUNK);
        double paid = add(reward, tape, expert, 1, gradient);
        double earned = add(reward, tape, agent, -1, gradient);
        return new Score(gradient, paid - earned, paid, earned, features.distance(Features.of(agent)), length);
    }

    /** Adds the gradient of the weighted sum of rewards, times a sign; gives the sum. */
    private static double add(RewardModel reward, Tape tape, Visits visits, int sign, float[] gradient) {
        int width = visits.width();
        float[] rows = new float[CHUNK * width];
        double sum = 0;
        for (int from = 0; from < visits.count(); from += CHUNK) {
            int n = Math.min(CHUNK, visits.count() - from);
            System.arraycopy(visits.inputs(), from * width, rows, 0, n * width);
            reward.standardise(rows, n);
            tape.forward(rows, n);
            for (int i = 0; i < n; i++) {
                float weight = visits.weights()[from + i];
                sum += (double) weight * tape.output()[i];
                tape.outputGradient()[i] = sign * weight;
            }
            tape.propagate(n);
            tape.gradient(n, gradient, true);
        }
        return sum;
    }
}
