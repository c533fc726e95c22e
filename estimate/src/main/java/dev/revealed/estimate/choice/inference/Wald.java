package dev.revealed.estimate.choice.inference;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;

/**
 * Wald's test: (R theta - r)' (R V R')^-1 (R theta - r). Takes any estimator with its covariance V, and is only as good as
 * that covariance.
 */
public final class Wald {
    private static final double SINGULAR = 1e-12;

    private Wald() {}

    /** @param covariance of all parameters the hypothesis knows by name; empty where none could be found */
    public static TestResult test(Hypothesis hypothesis, double[] theta, double[][] covariance) {
        int p = hypothesis.names().size();
        if (covariance.length == 0) {
            throw new BadInput(
                    "the hypothesis '%s' cannot be tested: there are no standard errors".formatted(hypothesis.text()),
                    "The warnings of the estimate say why; a likelihood-ratio test needs none.");
        }
        if (hypothesis.beyond(covariance.length).isPresent()) {
            throw new BadInput(
                    "the hypothesis '%s' cannot be tested: the transition law has too many parameters for standard errors of each"
                            .formatted(hypothesis.text()),
                    "Test parameters of the utility.");
        }
        if (theta.length != p || covariance.length > p) {
            throw new IllegalArgumentException("a hypothesis on %d parameters, of which %d have a covariance of %d"
                    .formatted(p, theta.length, covariance.length));
        }
        double[][] r = hypothesis.matrix();
        int df = r.length;
        double[][] variance = new double[df][df];
        for (int i = 0; i < df; i++) {
            double[] product = Dense.multiply(covariance, Arrays.copyOf(r[i], covariance.length));
            for (int k = 0; k < df; k++) {
                variance[k][i] = Vec.dot(Arrays.copyOf(r[k], covariance.length), product);
            }
        }
        double[] gap = hypothesis.gap(theta);
        double[] scaled = new double[df];
        double[][] correlation = new double[df][df];
        for (int i = 0; i < df; i++) {
            scaled[i] = gap[i] / Math.sqrt(variance[i][i]);
            for (int k = 0; k < df; k++) {
                correlation[i][k] = variance[i][k] / Math.sqrt(variance[i][i]) / Math.sqrt(variance[k][k]);
            }
        }
        boolean varies = Vec.isFinite(scaled)
                && Arrays.stream(correlation).allMatch(Vec::isFinite)
                && Dense.symmetricEigen(correlation).values()[0] > SINGULAR;
        if (!varies) {
            throw new BadInput(
                    "the hypothesis '%s' cannot be tested: what it restricts has no variance of its own"
                            .formatted(hypothesis.text()),
                    "The parameters in it are not identified, or fixed; leave them out.");
        }
        double statistic = Vec.dot(scaled, Dense.solve(correlation, scaled).orElseThrow());
        return TestResult.of("Wald", hypothesis, statistic, List.of());
    }
}
