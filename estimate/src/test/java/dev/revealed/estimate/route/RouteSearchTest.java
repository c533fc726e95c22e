package dev.revealed.estimate.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.mdp.route.GridCity;
import dev.revealed.mdp.route.LinkFeatures;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Places where a search once ended too early. */
class RouteSearchTest {
    private static final GridCity CITY = GridCity.of(100, 4, 10, RandomStream.of(8));
    private static final RouteGraph GRAPH = drawn();

    /** Trips that meet every feature, u-turns too. */
    private static RouteGraph drawn() {
        RouteGraph graph = new RouteGraph(CITY.trips(), CITY.features());
        double[] lax = {-1, -1, -1.5, -1};
        return new RouteGraph(RouteSimulation.draw(graph, lax, RandomStream.of(9)), CITY.features());
    }

    /**
     * A parabola with its top at -1 on a log-likelihood of minus a million, rounded so that the value says of every step
     * from the start that it loses. The gradient is right.
     */
    private record Rounded(double[] start, boolean exact) implements RouteLikelihood {
        @Override
        public List<String> names() {
            return List.of("time", "left", "constant", "uturn");
        }

        @Override
        public boolean cheapGradient() {
            return exact;
        }

        @Override
        public Evaluation at(double[] theta, Depth depth) {
            double[] gradient = Arrays.stream(theta).map(value -> -1 - value).toArray();
            double[][] scores = new double[theta.length][theta.length];
            double[][] hessian = new double[exact ? theta.length : 0][theta.length];
            for (int j = 0; j < theta.length; j++) {
                scores[j][j] = 1;
                if (exact) {
                    hessian[j][j] = -1;
                }
            }
            double value = -1e6 - (Arrays.equals(theta, start) ? 0 : 1e-6);
            return new Evaluation(value, new double[0], gradient, scores, hessian);
        }
    }

    @Test
    void aStepWhoseGainDrownsInRoundingIsTaken() {
        double[] start = {-1 + 1e-4, -1 - 1e-4, -1, -1};
        for (boolean exact : new boolean[] {true, false}) {
            RouteEstimate found =
                    RouteEstimator.standard().fit("rl", GRAPH, new Rounded(start, exact), start, ProgressListener.NONE);
            assertThat(found.converged()).as(found.status()).isTrue();
            assertThat(found.theta()).containsExactly(new double[] {-1, -1, -1, -1}, within(1e-9));
        }
    }

    /**
     * With a scale of 0.5 everywhere nested logit is recursive logit with twice the coefficients, and has values where
     * recursive logit with these coefficients has none: its first guess must come from elsewhere.
     */
    @Test
    void nestedValuesAreFoundWhereRecursiveLogitHasNone() {
        double size = 1;
        while (!GRAPH.feasible(equal(size))) {
            size *= 1.1;
        }
        double[] theta = equal(0.7 * size);
        assertThat(GRAPH.feasible(theta)).isFalse();
        double[] ones = new double[CITY.trips().network().links()];
        Arrays.fill(ones, 1);
        NestedLogit nested =
                new NestedLogit(GRAPH, new LinkFeatures(List.of("one"), new double[][] {ones}), Optional.empty());
        double[] all = Arrays.copyOf(theta, 5);
        all[4] = Math.log(0.5);
        double twice =
                new RecursiveLogit(GRAPH).at(equal(1.4 * size), Depth.VALUE).value();
        assertThat(nested.at(all, Depth.VALUE).value()).isCloseTo(twice, within(1e-8 * Math.abs(twice)));
    }

    private static double[] equal(double penalty) {
        double[] theta = new double[4];
        Arrays.fill(theta, -penalty);
        return theta;
    }
}
