package dev.revealed.estimate.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.LinkFeatures;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Four links, costs 1-2: 1, 1-3: 1.5, 2-3: .5, 3-2: .5, 2-4: 2, 3-4: 1; the destination is entered from link 4. Truth: by
 * hand.
 */
class ToyNetworkTest {
    private static final Network NETWORK =
            new Network(List.of("1", "2", "3", "4"), new int[] {0, 2, 4, 6, 6}, new int[] {1, 2, 2, 3, 1, 3});
    private static final PairFeatures COST =
            new PairFeatures(List.of("cost"), new double[][] {{1, 1.5, 0.5, 2, 0.5, 1}});
    private static final double[] BETA = {-1};
    private static final double[] PROBABILITIES = {.13549345, .22339093, .22339093, .04984525};

    private static RouteGraph graph(Destination destination) {
        List<Destination> destinations = List.of(destination);
        return new RouteGraph(
                new Trips(
                        NETWORK,
                        destinations,
                        List.of(
                                new Trip("direct", new int[] {0, 1, 3}, 0),
                                new Trip("other", new int[] {0, 2, 3}, 0),
                                new Trip("both", new int[] {0, 1, 2, 3}, 0),
                                new Trip("loop", new int[] {0, 1, 2, 1, 3}, 0))),
                COST);
    }

    private static final RouteGraph AT_PLACE = graph(new Destination.Place("home", new int[] {3}));

    @Test
    void pathsHaveTheirProbabilities() {
        double[] logs = new RecursiveLogit(AT_PLACE).logProbabilities(BETA);
        for (int i = 0; i < logs.length; i++) {
            assertThat(Math.exp(logs[i])).isCloseTo(PROBABILITIES[i], within(1e-8));
        }
    }

    /** Of four trips: costs 3, 2.5, 2.5 and 4; dV(1)/dbeta = 3.3074315, the second derivative 1.100852. */
    @Test
    void derivativesAreThoseOfTheValue() {
        var evaluation = new RecursiveLogit(AT_PLACE).at(BETA, Depth.SECOND);
        assertThat(evaluation.value()).isCloseTo(-12 + 4 * 1.001168, within(4e-6));
        assertThat(evaluation.gradient()[0]).isCloseTo(12 - 4 * 3.3074315, within(1e-6));
        assertThat(evaluation.hessian()[0][0]).isCloseTo(-4 * 1.100852, within(4e-6));
        assertThat(evaluation.scores()[3][0]).isCloseTo(4 - 3.3074315, within(1e-7));
    }

    @Test
    void theSpectralRadiusIsThatOfTheLoop() {
        assertThat(AT_PLACE.spectralRadius(BETA)).isCloseTo(.60653066, within(1e-8));
        assertThat(AT_PLACE.spectralRadius(new double[] {0})).isCloseTo(1, within(1e-9));
        assertThat(new RecursiveLogit(AT_PLACE)
                        .at(new double[] {0}, Depth.SECOND)
                        .feasible())
                .isFalse();
        assertThatThrownBy(() -> RouteEstimator.standard()
                        .fit("rl", AT_PLACE, new RecursiveLogit(AT_PLACE), new double[] {0}, ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the spectral radius is 1.000000");
    }

    /** 1 to 2 to 3, or straight to 3: nobody can go round. */
    @Test
    void withoutRingsTheSpectralRadiusIsZero() {
        Network ways = new Network(List.of("1", "2", "3"), new int[] {0, 2, 3, 3}, new int[] {1, 2, 2});
        RouteGraph graph = new RouteGraph(
                new Trips(
                        ways,
                        List.of(new Destination.OnLink("3", 2)),
                        List.of(new Trip("a", new int[] {0, 2}, 0), new Trip("b", new int[] {0, 1, 2}, 0))),
                new PairFeatures(List.of("cost"), new double[][] {{1, 1.5, 1}}));
        assertThat(graph.spectralRadius(new double[] {3})).isZero();
        assertThat(new RecursiveLogit(graph).logProbabilities(new double[] {3})[0])
                .isCloseTo(-Math.log1p(Math.exp(1.5)), within(1e-12));
    }

    @Test
    void linkSizeIsTheExpectedPassages() {
        double[] passages = new double[4];
        new LinkSize(AT_PLACE, BETA).passages(AT_PLACE.position[0], 0, passages);
        double[] truth = {1, 1.22857746, 1.36762923, 1};
        for (int link = 0; link < 4; link++) {
            assertThat(passages[AT_PLACE.position[link]]).isCloseTo(truth[link], within(1e-8));
        }
    }

    /** Link 4 leads nowhere, so ending on it and leaving from it are the same. */
    @Test
    void endingOnALinkIsAsEndingBehindIt() {
        RouteGraph onLink = graph(new Destination.OnLink("4", 3));
        double[] logs = new RecursiveLogit(onLink).logProbabilities(BETA);
        for (int i = 0; i < logs.length; i++) {
            assertThat(Math.exp(logs[i])).isCloseTo(PROBABILITIES[i], within(1e-8));
        }
    }

    /** Ending on link 3, which leads on: only first passages count. Paths are 1-3 (cost 1.5) and 1-2-3 (1.5). */
    @Test
    void onlyFirstPassagesOfADestinationCount() {
        RouteGraph onLink = new RouteGraph(
                new Trips(
                        NETWORK,
                        List.of(new Destination.OnLink("3", 2)),
                        List.of(new Trip("a", new int[] {0, 2}, 0), new Trip("b", new int[] {0, 1, 2}, 0))),
                COST);
        var evaluation = new RecursiveLogit(onLink).at(new double[] {-2}, Depth.SECOND);
        assertThat(evaluation.value()).isCloseTo(2 * Math.log(0.5), within(1e-12));
        assertThat(evaluation.gradient()[0]).isCloseTo(0, within(1e-12));
        assertThat(evaluation.hessian()[0][0]).isCloseTo(0, within(1e-12));
        double[] passages = new double[4];
        LinkSize size = new LinkSize(onLink, new double[] {-2});
        size.passages(onLink.position[0], 0, passages);
        double[] truth = {1, 0.5, 1, 0};
        for (int link = 0; link < 4; link++) {
            assertThat(passages[onLink.position[link]]).isCloseTo(truth[link], within(1e-12));
        }
        // with link size the paths cost 1.5 beta + 1 lambda and 1.5 beta + 1.5 lambda
        var sized = new LinkSizeLogit(onLink, size).at(new double[] {-2, -0.3}, Depth.SECOND);
        double share = 1 / (1 + Math.exp(-0.15));
        assertThat(sized.value()).isCloseTo(Math.log(share) + Math.log(1 - share), within(1e-12));
        assertThat(sized.gradient()[1]).isCloseTo(2.5 - 2 * (share + 1.5 * (1 - share)), within(1e-12));
        assertThat(sized.hessian()[1][1]).isCloseTo(-2 * 0.25 * share * (1 - share), within(1e-12));
        // nested with equal scales is the same model
        LinkFeatures ones = new LinkFeatures(List.of("one"), new double[][] {{1, 1, 1, 1}});
        var nested = new NestedLogit(onLink, ones, Optional.of(size)).at(new double[] {-2, -0.3, 0}, Depth.GRADIENT);
        assertThat(nested.value()).isCloseTo(sized.value(), within(1e-10));
        assertThat(nested.gradient()[1]).isCloseTo(sized.gradient()[1], within(1e-10));
    }

    /** A scale that is the same everywhere divides the coefficients. */
    @Test
    void aCommonScaleDividesRewards() {
        LinkFeatures ones = new LinkFeatures(List.of("one"), new double[][] {{1, 1, 1, 1}});
        NestedLogit nested = new NestedLogit(AT_PLACE, ones, Optional.empty());
        RecursiveLogit logit = new RecursiveLogit(AT_PLACE);
        double scale = Math.exp(0.2);
        var ours = nested.at(new double[] {-1, 0.2}, Depth.GRADIENT);
        var truth = logit.at(new double[] {-1 / scale}, Depth.GRADIENT);
        assertThat(ours.value()).isCloseTo(truth.value(), within(1e-10));
        assertThat(ours.gradient()[0]).isCloseTo(truth.gradient()[0] / scale, within(1e-9));
        assertThat(ours.gradient()[1]).isCloseTo(truth.gradient()[0] / scale, within(1e-9));
    }

    @Test
    void featuresWithoutAnEstimateAreRefused() {
        Trips trips = AT_PLACE.trips;
        double[] cost = COST.values()[0];
        refused(trips, new PairFeatures(List.of("cost", "none"), new double[][] {cost, new double[6]}), "'none' is 0");
        refused(
                new Trips(NETWORK, trips.destinations(), trips.list().subList(0, 1)),
                new PairFeatures(List.of("cost", "rare"), new double[][] {cost, {0, 1, 0, 0, 0, 0}}),
                "'rare' is 0 on every step of every trip");
        double[] twice = {2, 3, 1, 4, 1, 2};
        refused(
                trips,
                new PairFeatures(List.of("cost", "twice"), new double[][] {cost, twice}),
                "'cost', 'twice' is singular");
        double[] origin = {1, 1, 0, 0, 0, 0}; // met once on every path
        refused(
                trips,
                new PairFeatures(List.of("cost", "origin"), new double[][] {cost, origin}),
                "'origin' is singular");
    }

    private static void refused(Trips trips, PairFeatures features, String part) {
        RouteGraph graph = new RouteGraph(trips, features);
        assertThatThrownBy(() -> RouteEstimator.standard()
                        .fit(
                                "rl",
                                graph,
                                new RecursiveLogit(graph),
                                RouteEstimator.feasibleStart(graph),
                                ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining(part);
    }
}
