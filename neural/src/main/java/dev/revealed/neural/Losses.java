package dev.revealed.neural;

import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Losses and other diagnostics of the learner: means over the updates since the last call, NaN if there were none.
 *
 * @param critic squared Bellman errors, added over critics
 * @param actor temperature times log density, less the smaller critic
 * @param entropy mean of -log pi over the actions drawn
 * @param value mean of the first critic over the batches
 */
public record Losses(long updates, double critic, double actor, double entropy, double temperature, double value) {

    /** The same by name; nothing where there were no updates. */
    public Map<String, Double> byName() {
        if (updates == 0) {
            return Map.of();
        }
        Map<String, Double> names = new LinkedHashMap<>();
        names.put("criticLoss", critic);
        names.put("actorLoss", actor);
        names.put("entropy", entropy);
        names.put("temperature", temperature);
        names.put("value", value);
        return names;
    }

    /** Of the number of updates, and the sums of the components over them. */
    public static Losses means(double[] sums) {
        double n = sums[0] == 0 ? Double.NaN : sums[0];
        return new Losses((long) sums[0], sums[1] / n, sums[2] / n, sums[3] / n, sums[4] / n, sums[5] / n);
    }

    /** Adds updates up. */
    public static final class Sum {
        private double[] sums = new double[6]; // updates, and the components in their order

        public void add(double critic, double actor, double entropy, double temperature, double value) {
            Vec.axpy(1, new double[] {1, critic, actor, entropy, temperature, value}, sums);
        }

        public Losses takeMeans() {
            Losses means = means(sums);
            sums = new double[6];
            return means;
        }

        /** The sums themselves, for a checkpoint in the middle of them. */
        public double[] checkpoint() {
            return sums.clone();
        }

        public void restore(double[] from) {
            sums = Arrays.copyOf(from, 6);
        }
    }
}
