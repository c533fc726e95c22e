package dev.revealed.mdp.choice;

import dev.revealed.mdp.Kernel;
import dev.revealed.numeric.BadInput;
import java.util.List;

/** Probabilities that are given: nothing to estimate. */
public record KnownProbabilities(double[][] probabilities) implements TransitionFamily {
    public KnownProbabilities {
        for (int cell = 0; cell < probabilities.length; cell++) {
            double sum = 0;
            for (double p : probabilities[cell]) {
                if (!(p >= 0)) {
                    throw new BadInput("a given probability is " + p, "Probabilities are not negative.");
                }
                sum += p;
            }
            if (Math.abs(sum - 1) > Kernel.ROW_SUM_TOLERANCE) {
                throw new BadInput(
                        "given probabilities sum to %s%s"
                                .formatted(sum, probabilities.length > 1 ? " in cell " + cell : ""),
                        "They must sum to 1.");
            }
        }
    }

    /** A variable that chance does not move. */
    public static KnownProbabilities certain() {
        return new KnownProbabilities(new double[][] {{1}});
    }

    @Override
    public List<String> names() {
        return List.of();
    }

    @Override
    public int cells() {
        return probabilities.length;
    }

    @Override
    public int outcomes(int cell) {
        return probabilities[cell].length;
    }

    @Override
    public boolean possible(int cell, int outcome) {
        return probabilities[cell][outcome] > 0;
    }

    @Override
    public void at(double[] phi, int cell, double[] p) {
        System.arraycopy(probabilities[cell], 0, p, 0, probabilities[cell].length);
    }

    @Override
    public void derivative(double[] phi, int cell, int k, double[] dp) {
        throw new IndexOutOfBoundsException(k);
    }

    @Override
    public double[] fit(double[][] counts) {
        return new double[0];
    }
}
