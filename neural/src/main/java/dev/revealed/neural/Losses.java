package dev.revealed.neural;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What learning looked like: means over the updates since they were last asked for, NaN when there were none.
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

    /** Adds updates up. */
    public static final class Sum {
        private long updates;
        private double critic;
        private double actor;
        private double entropy;
        private double temperature;
        private double value;

        public void add(double critic, double actor, double entropy, double temperature, double value) {
            updates++;
            this.critic += critic;
            this.actor += actor;
            this.entropy += entropy;
            this.temperature += temperature;
            this.value += value;
        }

        public Losses takeMeans() {
            double n = updates == 0 ? Double.NaN : updates;
            Losses means = new Losses(updates, critic / n, actor / n, entropy / n, temperature / n, value / n);
            restore(new double[6]);
            return means;
        }

        /** The sums themselves, for a checkpoint in the middle of them. */
        public double[] checkpoint() {
            return new double[] {updates, critic, actor, entropy, temperature, value};
        }

        public void restore(double[] sums) {
            updates = (long) sums[0];
            critic = sums[1];
            actor = sums[2];
            entropy = sums[3];
            temperature = sums[4];
            value = sums[5];
        }
    }
}
