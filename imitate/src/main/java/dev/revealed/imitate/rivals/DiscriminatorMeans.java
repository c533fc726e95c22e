package dev.revealed.imitate.rivals;

import dev.revealed.neural.DivergenceFailure;
import dev.revealed.numeric.Tensors;
import dev.revealed.numeric.Vec;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a discriminator's updates looked like: means since they were last asked for. */
final class DiscriminatorMeans {
    private double[] sums = new double[4]; // updates, loss, share of rows on the right side, penalty

    /** Adds an update, and refuses one that is not finite. */
    void add(double loss, double right, double penalty, long steps) {
        if (!Double.isFinite(loss + penalty)) {
            throw new DivergenceFailure(steps, "discriminator's loss", loss + penalty);
        }
        Vec.axpy(1, new double[] {1, loss, right, penalty}, sums);
    }

    Map<String, Double> take() {
        Map<String, Double> found = new LinkedHashMap<>();
        if (sums[0] > 0) {
            found.put("discriminatorLoss", sums[1] / sums[0]);
            found.put("discriminatorAccuracy", sums[2] / sums[0]);
            found.put("discriminatorPenalty", sums[3] / sums[0]);
        }
        sums = new double[sums.length];
        return found;
    }

    void save(String prefix, Tensors into) {
        into.put(prefix + ".sums", sums.clone());
    }

    void restore(String prefix, Tensors from) {
        sums = from.doubles(prefix + ".sums").clone();
    }
}
