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

    /** Samples rows by their weights, so rows of weight zero are never sampled. */
    private static float[] between(Visits expert, Visits agent, RandomStream random) {
        int width = expert.width();
        double[] experts = sums(expert.weights());
        double[] agents = sums(agent.weights());
        float[] points = new float[POINTS * width];
        for (int point = 0; point < POINTS; point++) {
            int one = draw(experts, random) * width;
            int other = draw(agents, random) * width;
            float share = random.nextFloat();
            for (int i = 0; i < width; i++) {
                points[point * width + i] = share * expert.inputs()[one + i] + (1 - share) * agent.inputs()[other + i];
            }
        }
        return points;
    }

    private static double[] sums(float[] weights) {
        double[] sums = new double[weights.length];
        double sum = 0;
        for (int row = 0; row < weights.length; row++) {
            sum += weights[row];
            sums[row] = sum;
        }
        return sums;
    }

    /** The first row whose cumulative weight exceeds a uniform random number. */
    private static int draw(double[] sums, RandomStream random) {
        double drawn = random.nextDouble() * sums[sums.length - 1];
        int low = 0;
        int high = sums.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sums[middle] > drawn) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
