package dev.revealed.mdp.choice;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;

/**
 * A standard normal variable with persistence rho, z' = rho z + sqrt(1 - rho^2) e, that the agent sees and the data do not
 * show. Its values are the nodes of Gauss and Hermite's quadrature, and moves between them are weighted by the ratio of the
 * conditional to the marginal density (Tauchen and Hussey 1991), so that sums over the nodes are integrals.
 */
public final class HiddenProcess implements TransitionFamily {
    private static final double START = 0.5;

    private final double[] nodes;
    private final double[] weights;
    private final List<String> names;
    private final double known;

    private HiddenProcess(int count, List<String> names, double known) {
        BadInput.when(
                count < 1 || count > 200,
                "%d nodes for a hidden variable".formatted(count),
                "15 are usual; give from 1 to 200.");
        this.names = names;
        this.known = known;
        double[][] jacobi = new double[count][count];
        for (int i = 1; i < count; i++) {
            jacobi[i][i - 1] = Math.sqrt(i);
            jacobi[i - 1][i] = jacobi[i][i - 1];
        }
        Dense.Eigen eigen = Dense.symmetricEigen(jacobi); // Golub and Welsch (1969)
        nodes = new double[count];
        weights = new double[count];
        for (int i = 0; i < count; i++) {
            int mirror = count - 1 - i;
            nodes[i] = (eigen.values()[i] - eigen.values()[mirror]) / 2; // symmetric to the last digit
            double one = eigen.vectors()[i][0];
            double other = eigen.vectors()[mirror][0];
            weights[i] = (one * one + other * other) / 2;
        }
        double sum = Vec.sum(weights);
        Arrays.setAll(weights, i -> weights[i] / sum);
    }

    /** With a persistence that the data decide. */
    public static HiddenProcess named(int nodes, String persistence) {
        return new HiddenProcess(nodes, List.of(persistence), Double.NaN);
    }

    public static HiddenProcess known(int nodes, double persistence) {
        BadInput.when(
                !(Math.abs(persistence) < 1),
                "the persistence of a hidden variable is " + persistence,
                "It lies between -1 and 1.");
        return new HiddenProcess(nodes, List.of(), persistence);
    }

    /** Values of the variable, ascending; do not modify. */
    public double[] nodes() {
        return nodes;
    }

    /** Weights of the standard normal distribution at the nodes; do not modify. */
    public double[] weights() {
        return weights;
    }

    private double rho(double[] phi) {
        return names.isEmpty() ? known : phi[0];
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public int cells() {
        return nodes.length;
    }

    @Override
    public int outcomes(int cell) {
        return nodes.length;
    }

    @Override
    public void at(double[] phi, int cell, double[] p) {
        double rho = rho(phi);
        double variance = 1 - rho * rho;
        if (!(variance > 0)) {
            Arrays.fill(p, Double.NaN); // no law
            return;
        }
        double top = Double.NEGATIVE_INFINITY;
        for (int o = 0; o < p.length; o++) {
            double gap = nodes[o] - rho * nodes[cell];
            p[o] = nodes[o] * nodes[o] / 2 - gap * gap / (2 * variance);
            top = Math.max(top, p[o]);
        }
        double sum = 0;
        for (int o = 0; o < p.length; o++) {
            p[o] = weights[o] * Math.exp(p[o] - top);
            sum += p[o];
        }
        for (int o = 0; o < p.length; o++) {
            p[o] /= sum;
        }
    }

    @Override
    public void derivative(double[] phi, int cell, int k, double[] dp) {
        double rho = rho(phi);
        double variance = 1 - rho * rho;
        double[] p = probabilities(phi, cell);
        double mean = 0;
        for (int o = 0; o < p.length; o++) {
            double gap = nodes[o] - rho * nodes[cell];
            dp[o] = (nodes[cell] * gap * variance - rho * gap * gap) / (variance * variance);
            mean += p[o] * dp[o];
        }
        for (int o = 0; o < p.length; o++) {
            dp[o] = p[o] * (dp[o] - mean);
        }
    }

    /** Nobody sees it move: where a search begins. */
    @Override
    public double[] fit(double[][] counts) {
        return names.isEmpty() ? new double[0] : new double[] {START};
    }
}
