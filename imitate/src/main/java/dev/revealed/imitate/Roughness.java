package dev.revealed.imitate;

import dev.revealed.neural.GradientPenalty;
import dev.revealed.numeric.RandomStream;

/**
 * A prior on rewards, by which rough ones are less likely: from the likelihood gap per step is taken {@code weight / 2} times
 * the mean square of the slope, and times the number of inputs, so that one weight serves small robots and large ones. The
 * slope is per unit of the inputs as the network takes them; its mean is over points drawn on the lines between the
 * expert's rows and the agent's, where the reward is to show the way. A constant in the reward costs nothing.
 *
 * <p>It bounds what the likelihood alone would let grow as long as expert and agent can be told apart, and it damps the game
 * between reward and policy.
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

    /** Takes the penalty's gradient from that of the score, and gives the penalty. */
    double subtract(Score score, RandomStream chance) {
        if (weight == 0) {
            return 0;
        }
        Visits expert = score.expert().visits();
        float[] points = between(expert, score.agent().visits(), chance);
        reward.standardise(points, POINTS);
        return -slopes.add(points, POINTS, -weight / 2 * expert.width(), score.gradient());
    }

    /** Rows are drawn by their weights, so that those which weigh nothing are nobody's here too. */
    private static float[] between(Visits expert, Visits agent, RandomStream chance) {
        int width = expert.width();
        double[] experts = sums(expert.weights());
        double[] agents = sums(agent.weights());
        float[] points = new float[POINTS * width];
        for (int point = 0; point < POINTS; point++) {
            int one = draw(experts, chance) * width;
            int other = draw(agents, chance) * width;
            float share = chance.nextFloat();
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

    /** The first row whose sum is above what was drawn. */
    private static int draw(double[] sums, RandomStream chance) {
        double drawn = chance.nextDouble() * sums[sums.length - 1];
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
