package dev.revealed.estimate.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.GridCity;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way to maximise the likelihood ends at the same parameters. Truth: the gradient is zero there, by differences. */
class RouteMethodTest {
    private static final double[] TRUTH = {-2, -0.8, -1.2, -3};
    private static final double[] START = {-1.5, -1.5, -1.5, -1.5};
    private static final RouteGraph GRAPH = simulated(GridCity.of(400, 11, 12, RandomStream.of(3)));

    private static RouteGraph simulated(GridCity city) {
        RouteGraph graph = new RouteGraph(city.trips(), city.features());
        return new RouteGraph(RouteSimulation.draw(graph, TRUTH, RandomStream.of(4)), city.features());
    }

    @ParameterizedTest
    @EnumSource
    void theMaximumIsFound(RouteMethod method) {
        RecursiveLogit logit = new RecursiveLogit(GRAPH);
        RouteMethod.Found found = method.fit(logit, START, ProgressListener.NONE);
        RouteEstimate estimate = RouteEstimator.standard().fit("rl", GRAPH, logit, START, ProgressListener.NONE);
        assertThat(found.theta()).containsExactly(estimate.theta(), within(1e-6));
        assertThat(found.logLikelihood()).isCloseTo(estimate.logLikelihood(), within(1e-6));
        assertThat(found.distance()).isLessThan(1e-5);
        assertThat(found.solves() > 0).isNotEqualTo(found.sweeps() > 0);
    }

    @ParameterizedTest
    @EnumSource
    void aStartWithoutValuesIsRefused(RouteMethod method) {
        assertThatThrownBy(() -> method.fit(new RecursiveLogit(GRAPH), new double[4], ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("spectral radius");
    }

    /** Trips that end on links: the single loop sees only first passages, as the others do. */
    @Test
    void tripsMayEndOnLinks() {
        Trips place = GRAPH.trips;
        List<Destination> ends = new ArrayList<>();
        List<Trip> trips = new ArrayList<>();
        for (Trip trip : place.list()) {
            int last = trip.links()[trip.links().length - 1];
            if (Arrays.stream(trip.links()).filter(link -> link == last).count() == 1) {
                ends.add(new Destination.OnLink("end of " + trip.name(), last));
                trips.add(new Trip(trip.name(), trip.links(), ends.size() - 1));
            }
        }
        RouteGraph graph = new RouteGraph(new Trips(place.network(), ends, trips), GRAPH.features);
        RecursiveLogit logit = new RecursiveLogit(graph);
        double[] newton =
                RouteMethod.NEWTON.fit(logit, START, ProgressListener.NONE).theta();
        double[] loop =
                RouteMethod.ML_IRL.fit(logit, START, ProgressListener.NONE).theta();
        assertThat(loop).containsExactly(newton, within(1e-6));
    }

    /** Where the gradient vanishes, differences of the log-likelihood do. */
    @Test
    void nothingNearbyIsMoreLikely() {
        RecursiveLogit logit = new RecursiveLogit(GRAPH);
        double[] theta =
                RouteMethod.ML_IRL.fit(logit, START, ProgressListener.NONE).theta();
        double best = logit.at(theta, Depth.VALUE).value();
        for (int j = 0; j < theta.length; j++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[j] += 1e-3;
            down[j] -= 1e-3;
            assertThat(best).isGreaterThan(logit.at(up, Depth.VALUE).value());
            assertThat(best).isGreaterThan(logit.at(down, Depth.VALUE).value());
        }
    }

    /** A neural reward fits at least as well as it began, and its probabilities add up to its log-likelihood. */
    @Test
    void aNeuralRewardLearns() {
        RecursiveLogit logit = new RecursiveLogit(GRAPH);
        double[][] inputs = GRAPH.features.values();
        NeuralRoutes form = new NeuralRoutes(4, 0.05, 400);
        NeuralRoutes.Fit first =
                new NeuralRoutes(4, 0.05, 1).fit(logit, inputs, RandomStream.of(1), ProgressListener.NONE);
        NeuralRoutes.Fit fit = form.fit(logit, inputs, RandomStream.of(1), ProgressListener.NONE);
        double linear = logit.at(TRUTH, Depth.VALUE).value();
        assertThat(fit.logLikelihood())
                .isGreaterThan(first.logLikelihood() + 40)
                .isGreaterThan(linear - 30);
        assertThat(Vec.sum(fit.logProbabilities(logit, inputs))).isCloseTo(fit.logLikelihood(), within(1e-6));
    }

    /**
     * Once it is known, a neural reward is the one feature of recursive logit. Trips were drawn with a linear reward: mean
     * effects are near its coefficients.
     */
    @Test
    void aNeuralRewardIsAFeature() {
        RecursiveLogit logit = new RecursiveLogit(GRAPH);
        NeuralReward reward = new NeuralRoutes(6, 0.05, 300).fit(logit, RandomStream.of(3), ProgressListener.NONE);
        PairFeatures one = reward.of(GRAPH.features);
        double found = new RecursiveLogit(new RouteGraph(GRAPH.trips, one))
                .at(NeuralReward.theta(), Depth.VALUE)
                .value();
        NeuralRoutes.Fit same = new NeuralRoutes.Fit(new NeuralRoutes(6, 0.05, 1), reward.weights(), found);
        assertThat(Vec.sum(same.logProbabilities(logit, reward.inputs(GRAPH.features))))
                .isCloseTo(found, within(1e-6));
        assertThat(found).isGreaterThan(logit.at(TRUTH, Depth.VALUE).value() - 30);
        double[] effects = reward.meanEffects(GRAPH);
        assertThat(effects[0]).isCloseTo(TRUTH[0], within(0.3 * Math.abs(TRUTH[0])));
        assertThat(effects[1]).isCloseTo(TRUTH[1], within(0.3 * Math.abs(TRUTH[1])));
        assertThat(effects[2]).isNaN(); // a constant tells a network nothing
        assertThatThrownBy(() -> new NeuralReward(5, reward.centre(), reward.spread(), reward.weights()))
                .hasMessageContaining("4 features with 5 hidden units has 37 weights");
    }

    /** The pairs of a trip, in the order of the graph, are those whose features it has met. */
    @Test
    void pairsOfTripsAreTheirOwn() {
        for (int trip = 0; trip < GRAPH.observed.length; trip++) {
            for (int j = 0; j < GRAPH.x.length; j++) {
                double sum = 0;
                for (int pair : GRAPH.pairsOf(trip)) {
                    sum += GRAPH.x[j][pair];
                }
                assertThat(sum).isCloseTo(GRAPH.observed[trip][j], within(1e-12));
                assertThat(GRAPH.byPair(GRAPH.features.values()[j])).containsExactly(GRAPH.x[j]);
            }
        }
    }

    /** Cities are the same for the same seed, and have about as many links as asked for. */
    @Test
    void citiesDependOnTheSeedAlone() {
        GridCity one = GridCity.of(1000, 3, 2, RandomStream.of(5));
        GridCity same = GridCity.of(1000, 3, 2, RandomStream.of(5));
        GridCity other = GridCity.of(1000, 3, 2, RandomStream.of(6));
        assertThat(one.trips().network().links()).isBetween(900, 1100);
        assertThat(one.features().values()[0]).containsExactly(same.features().values()[0]);
        assertThat(one.features().values()[0]).isNotEqualTo(other.features().values()[0]);
    }
}
