package dev.revealed.imitate;

import dev.revealed.numeric.Tensors;

/**
 * The mean of a reward's parameters over all reward steps. The current reward separates the expert from the current agent
 * only; the mean separates it from all agents seen during training, so a policy trained from scratch can learn from it.
 */
public final class RewardAverage {
    private static final String PREFIX = "imitate.estimate."; // in checkpoints

    private final double[] mean;
    private long count;

    public RewardAverage(int parameters) {
        mean = new double[parameters];
    }

    public void add(float[] parameters) {
        count++;
        for (int i = 0; i < mean.length; i++) {
            mean[i] += (parameters[i] - mean[i]) / count;
        }
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public float[] parameters() {
        float[] rounded = new float[mean.length];
        for (int i = 0; i < mean.length; i++) {
            rounded[i] = (float) mean[i];
        }
        return rounded;
    }

    public void save(Tensors into) {
        into.put(PREFIX + "mean", mean.clone());
        into.put(PREFIX + "count", count);
    }

    public void restore(Tensors from) {
        from.into(PREFIX + "mean", mean);
        count = from.longs(PREFIX + "count")[0];
    }
}
