package dev.revealed.estimate.choice;

import dev.revealed.estimate.Directions;
import dev.revealed.numeric.Dense;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which directions of the parameters an information matrix tells nothing about. The parameters are first measured in
 * units of their own information, so that it does not matter whether a feature counts miles or thousands of miles.
 *
 * @param spectrum eigenvalues of the scaled information, ascending; one each where no two parameters are confounded
 * @param flat directions with no information, in the parameters' own units
 * @param weights the same directions in the scaled units, which say how much each parameter matters in them
 */
public record Identification(List<String> names, double[] spectrum, List<double[]> flat, List<double[]> weights) {
    /** Below this share of what the parameters could tell one by one, nothing but rounding is left. */
    private static final double FLAT = 1e-10;

    /** The most directions a message shows. */
    private static final int SHOWN = 3;

    public static Identification of(double[][] information, List<String> names) {
        int p = information.length;
        double[] unit = new double[p];
        Arrays.setAll(unit, j -> information[j][j] > 0 ? 1 / Math.sqrt(information[j][j]) : 0);
        double[][] scaled = new double[p][p];
        for (int j = 0; j < p; j++) {
            for (int k = 0; k < p; k++) {
                scaled[j][k] = unit[j] * information[j][k] * unit[k];
            }
        }
        List<double[]> flat = new ArrayList<>();
        List<double[]> weights = new ArrayList<>();
        if (p == 0) {
            return new Identification(List.copyOf(names), new double[0], flat, weights);
        }
        Dense.Eigen eigen = Dense.symmetricEigen(scaled);
        for (int i = 0; i < p && !(eigen.values()[i] > FLAT); i++) {
            double[] direction = eigen.vectors()[i].clone();
            int largest = 0;
            for (int j = 0; j < p; j++) {
                direction[j] *= unit[j] > 0 ? unit[j] : 1;
                largest = Math.abs(direction[j]) > Math.abs(direction[largest]) ? j : largest;
            }
            double scale = 1 / direction[largest];
            Arrays.setAll(direction, j -> direction[j] * scale);
            flat.add(direction);
            weights.add(eigen.vectors()[i]);
        }
        return new Identification(List.copyOf(names), eigen.values(), flat, weights);
    }

    public boolean complete() {
        return flat.isEmpty();
    }

    /** The flat directions in words: {@code 1 a - 1 b; 1 c}. */
    public String describe() {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < Math.min(SHOWN, flat.size()); i++) {
            words.add(Directions.describe(flat.get(i), weights.get(i), names));
        }
        return String.join("; ", words) + (flat.size() > SHOWN ? "; and others" : "");
    }
}
