package dev.revealed.imitate;

import dev.revealed.numeric.Tensors;

/**
 * The mean of a reward's parameters over all steps that were made. The reward of the moment tells the expert from the agent of
 * the moment, and forgets what it knew of agents long past; on average it tells the expert from all of them, so that somebody
 * who begins anew finds the way by it.
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
