package dev.revealed.imitate;

import dev.revealed.neural.Network;
import dev.revealed.neural.Tape;

/**
 * The gradient of the surrogate likelihood, expert less agent, and what is to be seen on the way.
 *
 * @param gradient of each parameter of the reward that is learnt; none where nothing was seen of the agent yet
 * @param gap reward of the expert less that of the agent, per step: what a reward step makes larger and a policy step
 *     smaller
 * @param expert what the expert is paid
 * @param agent what the agent is paid
 * @param distance of the agent's inputs from the expert's, in standard deviations of the expert's: see {@link Features}
 * @param length of the agent's trajectories beside the expert's, as a share
 */
public record Score(float[] gradient, double gap, Paid expert, Paid agent, double distance, double length) {
    /** Before anything was seen of the agent. */
    public static final Score NONE = nothing();

    private static final int CHUNK = 1024;

    /**
     * @param expert whose rewards count
     * @param features of all that is known of the expert
     */
    static Score of(RewardModel reward, Visits expert, Features features, Visits agent, double length) {
        Network network = reward.learnt();
        float[] gradient = new float[network.parameters().length];
        Tape tape = network.tape(CHUNK);
        Paid paid = add(reward, tape, expert, 1, gradient);
        Paid earned = add(reward, tape, agent, -1, gradient);
        return new Score(
                gradient, paid.mean() - earned.mean(), paid, earned, features.distance(Features.of(agent)), length);
    }

    private static Score nothing() {
        Paid none = new Paid(Visits.none(0), new float[0]);
        return new Score(new float[0], Double.NaN, none, none, Double.NaN, Double.NaN);
    }

    /** Whether nothing was seen of the agent. */
    public boolean isEmpty() {
        return gradient.length == 0;
    }

    /** Mean reward of a step of the expert. */
    public double expertReward() {
        return expert.mean();
    }

    /** The same of the agent. */
    public double agentReward() {
        return agent.mean();
    }

    /** Adds the gradient of the weighted sum of rewards, times a sign; gives the rewards. */
    private static Paid add(RewardModel reward, Tape tape, Visits visits, int sign, float[] gradient) {
        int width = visits.width();
        float[] rows = new float[CHUNK * width];
        float[] rewards = new float[visits.count()];
        for (int from = 0; from < visits.count(); from += CHUNK) {
            int n = Math.min(CHUNK, visits.count() - from);
            System.arraycopy(visits.inputs(), from * width, rows, 0, n * width);
            reward.standardise(rows, n);
            tape.forward(rows, n);
            System.arraycopy(tape.output(), 0, rewards, from, n);
            for (int i = 0; i < n; i++) {
                tape.outputGradient()[i] = sign * visits.weights()[from + i];
            }
            tape.propagate(n);
            tape.gradient(n, gradient, true);
        }
        return new Paid(visits, rewards);
    }
}
