package dev.revealed.imitate;

import dev.revealed.neural.GradientPenalty;
import dev.revealed.numeric.RandomStream;

/**
 * A gradient penalty on the reward, which is a prior against rough rewards. It subtracts from the likelihood gap per step
 * {@code weight / 2} times the mean squared gradient with respect to the inputs, times the number of inputs, so that one
 * weight serves tasks of all sizes. Inputs are those of the network, after scaling; the mean is over points sampled on
 * the lines between rows of the expert and of the agent. A constant in the reward costs nothing.
 *
 * <p>Without it the reward would grow as long as expert and agent differ; it also damps the oscillation between reward and
 * policy.
 */
final class Roughness {
    private static final int POINTS = 1024;

    private final double weight;
    private final RewardModel reward;
    private final GradientPenalty slopes;

    Roughness(double weight, RewardModel reward) {
        this.weight = weight;
        this.reward = reward;
        slopes = new GradientPenalty(reward.learnt(), POINTS, 0);
    }

    /** Subtracts the penalty's gradient from that of the score; returns the penalty. */
    double subtract(Score score, RandomStream random) {
        if (weight == 0) {
            return 0;
        }
        Visits expert = score.expert().visits();
        float[] points = between(expert, score.agent().visits(), random);
        reward.standardise(points, POINTS);
        return -slopes.add(points, POINTS, -weight / 2 * expert.width(), score.gradient());
    }

    private static float[] between(Visits expert, Visits agent, RandomStream random) {
        int width = expert.width();
        Visits.Sampler experts = new Visits.Sampler(expert);
        Visits.Sampler agents = new Visits.Sampler(agent);
        float[] points = new float[POINTS * width];
        for (int point = 0; point < POINTS; point++) {
            int one = experts.draw(random) * width;
            int other = agents.draw(random) * width;
            float share = random.nextFloat();
            for (int i = 0; i < width; i++) {
                points[point * width + i] = share * expert.inputs()[one + i] + (1 - share) * agent.inputs()[other + i];
            }
        }
        return points;
    }
}
