package dev.revealed.imitate;

import dev.revealed.neural.Tape;
import dev.revealed.numeric.Parallel;
import java.util.Arrays;

/**
 * The gradient of the surrogate likelihood, expert minus agent, with the diagnostics computed on the way.
 *
 * @param gradient of each parameter of the reward that is learnt; none where nothing was seen of the agent yet
 * @param gap reward of the expert less that of the agent, per step: what a reward step makes larger and a policy step
 *     smaller
 * @param expert rewards of the expert's rows
 * @param agent rewards of the agent's rows
 * @param distance of the agent's inputs from the expert's, in standard deviations of the expert's: see {@link Features}
 * @param length of the agent's trajectories divided by that of the expert's
 */
public record Score(
        float[] gradient, double gap, VisitRewards expert, VisitRewards agent, double distance, double length) {
    /** Before anything was seen of the agent. */
    public static final Score NONE = nothing();

    private static final int CHUNK = 1024;

    /**
     * @param expert whose rewards count
     * @param features of all that is known of the expert
     */
    public static Score of(RewardModel reward, Visits expert, Features features, Visits agent, double length) {
        float[] gradient = new float[reward.learnt().parameters().length];
        VisitRewards demonstrated = add(reward, expert, 1, gradient);
        VisitRewards earned = add(reward, agent, -1, gradient);
        return new Score(
                gradient,
                demonstrated.mean() - earned.mean(),
                demonstrated,
                earned,
                features.distance(Features.of(agent)),
                length);
    }

    /** Adds the gradient of the sum of rewards, each times the weight of its row; gives the rewards. */
    public static VisitRewards add(RewardModel reward, Visits visits, float[] gradient) {
        return add(reward, visits, 1, gradient);
    }

    private static Score nothing() {
        VisitRewards none = new VisitRewards(Visits.none(0), new float[0]);
        return new Score(new float[0], Double.NaN, none, none, Double.NaN, Double.NaN);
    }

    /** How expert and agent compare. */
    ExpertAndAgent.Comparison comparison() {
        return isEmpty()
                ? ExpertAndAgent.Comparison.NONE
                : new ExpertAndAgent.Comparison(gap, expertReward(), agentReward(), distance, length);
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

    /**
     * Adds the gradient of the weighted sum of rewards, times a sign; gives the rewards. Rows go by chunks, on as many threads
     * as are free, and gradients of chunks are added in their order.
     */
    private static VisitRewards add(RewardModel reward, Visits visits, int sign, float[] gradient) {
        float[] rewards = new float[visits.count()];
        float[][] parts = new float[Math.ceilDiv(visits.count(), CHUNK)][gradient.length];
        Parallel.tasks(parts.length, chunk -> add(reward, visits, chunk * CHUNK, sign, rewards, parts[chunk]));
        for (float[] part : parts) {
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] += part[i];
            }
        }
        return new VisitRewards(visits, rewards);
    }

    /** The chunk that begins with row {@code from}. */
    private static void add(RewardModel reward, Visits visits, int from, int sign, float[] rewards, float[] gradient) {
        int width = visits.width();
        int n = Math.min(CHUNK, visits.count() - from);
        float[] rows = Arrays.copyOfRange(visits.inputs(), from * width, (from + n) * width);
        reward.standardise(rows, n);
        Tape tape = reward.learnt().tape(n);
        tape.forward(rows, n);
        System.arraycopy(tape.output(), 0, rewards, from, n);
        for (int i = 0; i < n; i++) {
            tape.outputGradient()[i] = sign * visits.weights()[from + i];
        }
        tape.propagate(n);
        tape.gradient(n, gradient, true);
    }
}
