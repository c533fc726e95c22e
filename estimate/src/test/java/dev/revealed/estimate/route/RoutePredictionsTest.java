package dev.revealed.estimate.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.estimate.route.RoutePredictions.Flows;
import dev.revealed.estimate.route.RoutePredictions.Path;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.Demand.Flow;
import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.LinkFeatures;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Truth: the toy of ToyNetworkTest by hand, a small grid by finite differences and by simulation. */
class RoutePredictionsTest {
    private static final Network TOY =
            new Network(List.of("1", "2", "3", "4"), new int[] {0, 2, 4, 6, 6}, new int[] {1, 2, 2, 3, 1, 3});
    private static final PairFeatures COST =
            new PairFeatures(List.of("cost"), new double[][] {{1, 1.5, 0.5, 2, 0.5, 1}});
    private static final double[] BETA = {-1};

    private static RoutePredictions toy(Destination destination, double trips) {
        Demand demand = new Demand(TOY, List.of(destination), List.of(new Flow(0, 0, trips)));
        return new RoutePredictions(demand, COST, RouteModel.recursiveLogit(), BETA);
    }

    private static final Destination PLACE = new Destination.Place("home", new int[] {3});

    @Test
    void flowsAreExpectedPassages() {
        Flows flows = toy(PLACE, 10).flows();
        double[] truth = {10, 12.2857746, 13.6762923, 10};
        for (int link = 0; link < 4; link++) {
            assertThat(flows.links()[link]).isCloseTo(truth[link], within(1e-7));
        }
        assertThat(flows.values()[0][0]).isCloseTo(-1.001168, within(1e-6));
        assertThat(flows.pairs()[0]).isCloseTo(5.6774672, within(1e-7)); // from 1 to 2
        assertThat(flows.pairs()[2] / flows.links()[1]).isCloseTo(.76134878, within(1e-8)); // P(3|2)
        assertThat(flows.pairs()[4] / flows.links()[2]).isCloseTo(.48319437, within(1e-8)); // P(2|3)
        double[] z = {.36745001, .56708398, .71183326, 1};
        Demand everywhere = new Demand(
                TOY,
                List.of(PLACE),
                IntStream.range(0, 4).mapToObj(k -> new Flow(k, 0, 1)).toList());
        double[] values = new RoutePredictions(everywhere, COST, RouteModel.recursiveLogit(), BETA)
                .flows()
                .values()[0];
        for (int link = 0; link < 4; link++) {
            assertThat(Math.exp(values[link])).isCloseTo(z[link], within(1e-8));
        }
        assertThat(flows.pairs()[0] + flows.pairs()[4]).isCloseTo(flows.links()[1], within(1e-12)); // what enters 2
    }

    @Test
    void likeliestPathsComeFirstAndMayLoop() {
        for (Destination end : List.of(PLACE, new Destination.OnLink("4", 3))) {
            List<Path> paths = toy(end, 1).likeliest(5).getFirst();
            assertThat(paths).hasSize(5);
            double[] truth = {.22339093, .22339093, .13549345, .08218, .08218};
            for (int i = 0; i < 3; i++) {
                assertThat(paths.get(i).probability()).isCloseTo(truth[i], within(1e-8));
            }
            assertThat(paths.get(2).links()).containsExactly(0, 1, 3);
            assertThat(paths.get(3).probability()).isBetween(.049, truth[2]);
        }
        double[] logs = toy(PLACE, 1).logProbabilities(new int[][] {{0, 1, 2, 1, 3}});
        assertThat(Math.exp(logs[0])).isCloseTo(.04984525, within(1e-8));
    }

    @Test
    void usesOfALinkArePassagesAndAProbability() {
        RoutePredictions.Use use = toy(PLACE, 1).uses(1).getFirst();
        assertThat(use.passages()).isCloseTo(1.22857746, within(1e-8));
        assertThat(use.probability()).isCloseTo(.56774672 + (1 - .56774672) * .48319437, within(1e-7));
    }

    @Test
    void drawnTripsHaveTheirProbabilities() {
        Trips drawn = toy(PLACE, 20_000).draw(RandomStream.of(1));
        assertThat(drawn.size()).isEqualTo(20_000);
        double share = drawn.list().stream()
                        .filter(trip -> Arrays.equals(trip.links(), new int[] {0, 1, 3}))
                        .count()
                / 20_000.0;
        assertThat(share).isCloseTo(.13549345, within(4 * Math.sqrt(.1355 * .8645 / 20_000)));
        assertThatThrownBy(() -> toy(PLACE, 1.5).draw(RandomStream.of(1))).isInstanceOf(BadInput.class);
    }

    private static final List<DriverType> TYPES =
            List.of(new DriverType(0.3, new double[] {-1}), new DriverType(0.7, new double[] {-3}));

    private static RoutePredictions mixed(List<DriverType> types, double trips) {
        Demand demand = new Demand(TOY, List.of(PLACE), List.of(new Flow(0, 0, trips)));
        return new RoutePredictions(demand, COST, RouteModel.recursiveLogit(), types);
    }

    /** What is expected of somebody of an unknown type is the mean of what is expected of the types. */
    @Test
    void predictionsForTypesAreMeansOverThem() {
        RoutePredictions both = mixed(TYPES, 10);
        List<RoutePredictions> alone = TYPES.stream()
                .map(type -> mixed(List.of(new DriverType(1, type.theta())), 10))
                .toList();
        Flows flows = both.flows();
        for (int link = 0; link < 4; link++) {
            assertThat(flows.links()[link])
                    .isCloseTo(mean(alone, link, own -> own.flows().links()), within(1e-12));
            assertThat(both.field(0)[link]).isCloseTo(mean(alone, link, own -> own.field(0)), within(1e-12));
        }
        assertThat(flows.pairs()[2]).isCloseTo(mean(alone, 2, own -> own.flows().pairs()), within(1e-12));
        for (int type = 0; type < 2; type++) {
            assertThat(flows.values()[type])
                    .containsExactly(alone.get(type).flows().values()[0]);
        }
        assertThat(both.uses(1).getFirst().probability())
                .isCloseTo(
                        mean(alone, 0, own ->
                                new double[] {own.uses(1).getFirst().probability()}),
                        within(1e-12));
    }

    private static double mean(List<RoutePredictions> alone, int at, Function<RoutePredictions, double[]> of) {
        return 0.3 * of.apply(alone.get(0))[at] + 0.7 * of.apply(alone.get(1))[at];
    }

    /** Among all paths with up to three loops, by their probabilities one by one. */
    @Test
    void likeliestPathsOfTypesAreThoseOfTheMixture() {
        List<int[]> all = new ArrayList<>();
        List<int[]> open = new ArrayList<>(List.of(new int[] {0}));
        while (!open.isEmpty()) {
            int[] path = open.removeLast();
            int last = path[path.length - 1];
            if (last == 3) {
                all.add(path);
            } else if (path.length < 9) {
                for (int e = TOY.start()[last]; e < TOY.start()[last + 1]; e++) {
                    int[] longer = Arrays.copyOf(path, path.length + 1);
                    longer[path.length] = TOY.to()[e];
                    open.add(longer);
                }
            }
        }
        double[] truth = all.stream()
                .mapToDouble(path -> -Math.exp(mixed(TYPES, 1).logProbabilities(new int[][] {path})[0]))
                .sorted()
                .map(own -> -own)
                .toArray();
        List<Path> found = mixed(TYPES, 1).likeliest(6).getFirst();
        for (int rank = 0; rank < 6; rank++) {
            assertThat(found.get(rank).probability()).isCloseTo(truth[rank], within(1e-12));
        }
        double hurried = Math.exp(-3 * 3) / Math.exp(mixed(TYPES, 1).flows().values()[1][0]);
        assertThat(Math.exp(mixed(TYPES, 1).logProbabilities(new int[][] {{0, 1, 3}})[0]))
                .isCloseTo(0.3 * .13549345 + 0.7 * hurried, within(1e-8));
    }

    @Test
    void tripsOfTypesAreDrawnByTheirShares() {
        double truth = Math.exp(mixed(TYPES, 1).logProbabilities(new int[][] {{0, 1, 3}})[0]);
        double share = mixed(TYPES, 20_000).draw(RandomStream.of(2)).list().stream()
                        .filter(trip -> Arrays.equals(trip.links(), new int[] {0, 1, 3}))
                        .count()
                / 20_000.0;
        assertThat(share).isCloseTo(truth, within(4 * Math.sqrt(truth * (1 - truth) / 20_000)));
        assertThatThrownBy(() -> mixed(TYPES.subList(0, 1), 1)).hasMessageContaining("add up to 0.3");
        assertThatThrownBy(() -> new DriverType(0, BETA)).hasMessageContaining("share of a type of drivers is 0");
    }

    /** A grid of 16 links in a ring with chords; features of pairs are drawn. */
    private static final int LINKS = 16;

    private static Network ring() {
        int[] start = IntStream.rangeClosed(0, LINKS).map(k -> 3 * k).toArray();
        int[] to = IntStream.range(0, LINKS)
                .flatMap(k -> IntStream.of((k + 1) % LINKS, (k + 3) % LINKS, (k + 7) % LINKS)
                        .sorted())
                .toArray();
        return new Network(IntStream.range(0, LINKS).mapToObj(Integer::toString).toList(), start, to);
    }

    private static PairFeatures features(Network network, int count) {
        RandomStream stream = RandomStream.of(7);
        double[][] values = new double[count][network.pairs()];
        for (double[] own : values) {
            for (int e = 0; e < own.length; e++) {
                own[e] = stream.nextDouble();
            }
        }
        return new PairFeatures(IntStream.range(0, count).mapToObj(j -> "x" + j).toList(), values);
    }

    private static Trips trips(Network network) {
        return new Trips(
                network,
                List.of(new Destination.OnLink("8", 8), new Destination.Place("p", new int[] {2, 5})),
                List.of(
                        new Trip("a", new int[] {0, 1, 8}, 0),
                        new Trip("b", new int[] {0, 7, 8}, 0),
                        new Trip("c", new int[] {15, 2, 5}, 1),
                        new Trip("d", new int[] {3, 4, 5}, 1)));
    }

    /** More parameters than lanes of the kernel, with link size and nested, discounted and not. */
    @Test
    void gradientsOfManyParametersAreThoseOfDifferences() {
        Network network = ring();
        PairFeatures features = features(network, 10);
        RouteGraph graph = new RouteGraph(trips(network), features);
        double[] at = new double[10];
        Arrays.fill(at, -0.5);
        LinkFeatures scales = new LinkFeatures(List.of("s"), new double[][] {
            IntStream.range(0, LINKS).mapToDouble(k -> k / 16.0).toArray()
        });
        for (RouteModel model : List.of(
                new RouteModel(at, RouteModel.NO_SCALES, 1),
                new RouteModel(new double[0], RouteModel.NO_SCALES, 0.9),
                new RouteModel(at, scales, 0.95))) {
            RouteLikelihood likelihood = model.likelihood(graph);
            double[] theta = new double[likelihood.names().size()];
            for (int j = 0; j < theta.length; j++) {
                theta[j] = j < 10 ? -0.4 - 0.03 * j : 0.1;
            }
            double[] gradient = likelihood.at(theta, Depth.GRADIENT).gradient();
            for (int j = 0; j < theta.length; j++) {
                double[] up = theta.clone();
                double[] down = theta.clone();
                up[j] += 1e-5;
                down[j] -= 1e-5;
                double slope = (likelihood.at(up, Depth.VALUE).value()
                                - likelihood.at(down, Depth.VALUE).value())
                        / 2e-5;
                assertThat(gradient[j]).as("%s", likelihood.names().get(j)).isCloseTo(slope, within(1e-6));
            }
            var scored = likelihood.at(theta, Depth.SCORES);
            double[] sum = new double[theta.length];
            Arrays.stream(scored.scores()).forEach(score -> Vec.axpy(1, score, sum));
            assertThat(sum).containsExactly(gradient, within(1e-9));
            assertThat(scored.hessian()).isEmpty();
            if (!model.nested() && model.discount() == 1) {
                var second = likelihood.at(theta, Depth.SECOND);
                double[] up = theta.clone();
                up[9] += 1e-5;
                double[] moved = likelihood.at(up, Depth.GRADIENT).gradient();
                assertThat(second.hessian()[9][10]).isCloseTo((moved[10] - gradient[10]) / 1e-5, within(1e-4));
            }
        }
    }

    /** With a discount the value of a link is smaller in size; a discount of 1 is recursive logit. */
    @Test
    void aDiscountOfOneIsRecursiveLogit() {
        Network network = ring();
        RouteGraph graph = new RouteGraph(trips(network), features(network, 2));
        double[] theta = {-1.5, -1.2};
        double logit = new RecursiveLogit(graph).at(theta, Depth.VALUE).value();
        assertThat(new RouteModel(new double[0], RouteModel.NO_SCALES, 1)
                        .solver(graph)
                        .at(theta, Depth.VALUE)
                        .value())
                .isCloseTo(logit, within(1e-10));
        assertThatThrownBy(() -> new RouteModel(new double[0], RouteModel.NO_SCALES, 0))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the `discount` is 0");
    }

    /** Every trip a cluster of its own is the sandwich; one cluster for all has scores that sum to zero. */
    @Test
    void clustersOfOneTripAreTheSandwich() {
        Trips drawn = toy(PLACE, 200).draw(RandomStream.of(3));
        RouteGraph graph = new RouteGraph(drawn, COST);
        RouteEstimate estimate =
                RouteEstimator.standard().fit("rl", graph, new RecursiveLogit(graph), BETA, ProgressListener.NONE);
        List<String> own = drawn.list().stream().map(Trip::name).toList();
        assertThat(estimate.clusteredCovariance(own)[0][0]).isCloseTo(estimate.robustCovariance()[0][0], within(1e-12));
        assertThat(estimate.clusteredCovariance(own.stream().map(_ -> "all").toList())[0][0])
                .isCloseTo(0, within(1e-9));
    }

    @Test
    void splitsHoldOutTripsOrDestinations() {
        Network network = ring();
        List<Destination> ends = IntStream.range(0, 6)
                .<Destination>mapToObj(d -> new Destination.OnLink(Integer.toString(d), d))
                .toList();
        List<Flow> flows =
                IntStream.range(0, 6).mapToObj(d -> new Flow(d + 9, d, 20)).toList();
        PairFeatures features = features(network, 2);
        double[] theta = {-1.5, -1.2};
        Trips drawn = new RoutePredictions(
                        new Demand(network, ends, flows), features, RouteModel.recursiveLogit(), theta)
                .draw(RandomStream.of(5));
        for (boolean byDestination : new boolean[] {false, true}) {
            var splits = new RouteValidation(3, 0.5, byDestination)
                    .run(
                            drawn,
                            features,
                            RouteModel.recursiveLogit(),
                            theta,
                            RandomStream.of(1),
                            ProgressListener.NONE);
            assertThat(splits).hasSize(3).allSatisfy(split -> {
                assertThat(split.trainTrips() + split.testTrips()).isEqualTo(120);
                assertThat(split.testTrips()).isEqualTo(60);
                assertThat(split.test()).isBetween(split.train() - 1, split.train() + 1);
            });
        }
    }

    /** A road of 400 links that cost 5 each, with a loop back: its exponentials leave the range of double precision. */
    @Test
    void farDestinationsHaveFlowsToo() {
        int n = 400;
        int[] start = new int[n + 1];
        int[] to = new int[2 * n];
        double[] cost = new double[2 * n];
        int at = 0;
        for (int k = 0; k < n; k++) {
            if (k > 0) {
                cost[at] = 6;
                to[at++] = k - 1;
            }
            if (k + 1 < n) {
                cost[at] = 5;
                to[at++] = k + 1;
            }
            start[k + 1] = at;
        }
        Network road =
                new Network(IntStream.range(0, n).mapToObj(Integer::toString).toList(), start, Arrays.copyOf(to, at));
        PairFeatures costs = new PairFeatures(List.of("cost"), new double[][] {Arrays.copyOf(cost, at)});
        Demand demand = new Demand(road, List.of(new Destination.OnLink("399", 399)), List.of(new Flow(0, 0, 3)));
        Flows flows = new RoutePredictions(demand, costs, RouteModel.recursiveLogit(), BETA).flows();
        assertThat(flows.values()[0][0]).isBetween(-1995.0, -1990.0);
        assertThat(flows.links()[399]).isCloseTo(3, within(1e-9));
        assertThat(flows.links()[200]).isBetween(3.0, 3.1);
    }

    @Test
    void whatCannotBeReachedIsParted() {
        Demand demand = new Demand(
                TOY, List.of(PLACE, new Destination.OnLink("1", 0)), List.of(new Flow(0, 0, 1), new Flow(2, 1, 2)));
        assertThat(demand.split().impossible()).containsExactly(new Flow(2, 1, 2));
        assertThat(demand.split().possible().flows()).containsExactly(new Flow(0, 0, 1));
        assertThatThrownBy(demand::paths).hasMessageContaining("'1' cannot be reached from link '3'");
    }
}
