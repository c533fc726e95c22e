package dev.revealed.estimate.choice.mixed;

import dev.revealed.numeric.Dense;
import java.util.Arrays;

/**
 * Means over independent standard normal variables as sums over points: Gauss and Hermite's in each direction.
 *
 * @param points {@code [point][direction]}
 */
record NormalQuadrature(double[][] points, double[] weights) {

    /** @param each number of points in each direction; polynomials up to the degree 2 each - 1 have their exact means */
    static NormalQuadrature of(int directions, int each) {
        double[][] matrix = new double[each][each]; // of the recurrence of Hermite polynomials (Golub and Welsch)
        for (int i = 1; i < each; i++) {
            matrix[i][i - 1] = Math.sqrt(i);
            matrix[i - 1][i] = matrix[i][i - 1];
        }
        Dense.Eigen eigen = Dense.symmetricEigen(matrix);
        int count = (int) Math.round(Math.pow(each, directions));
        double[][] points = new double[count][directions];
        double[] weights = new double[count];
        Arrays.fill(weights, 1);
        for (int k = 0; k < count; k++) {
            int rest = k;
            for (int d = 0; d < directions; d++) {
                int at = rest % each;
                rest /= each;
                points[k][d] = eigen.values()[at];
                weights[k] *= eigen.vectors()[at][0] * eigen.vectors()[at][0];
            }
        }
        return new NormalQuadrature(points, weights);
    }
}
