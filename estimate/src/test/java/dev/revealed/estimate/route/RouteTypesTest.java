package dev.revealed.estimate.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.TypeIndex;
import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.estimate.route.RouteLikelihood.Evaluation;
import dev.revealed.mdp.route.GridCity;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Types of drivers: drawn at known parameters and shares, and found again. */
class RouteTypesTest {
    private static final int TRIPS_EACH = 4;
    private static final double[] HURRIED = {-4, -0.8, -1.2, -3};
    private static final double[] CALM = {-1, -0.8, -1.2, -3};
    private static final List<String> DRIVERS = new ArrayList<>();
    private static final RouteGraph GRAPH = drawn();

    /** Every third driver is calm, and each makes some trips. */
    private static RouteGraph drawn() {
        GridCity city = GridCity.of(400, 20, 60, RandomStream.of(5));
        RouteGraph graph = new RouteGraph(city.trips(), city.features());
        Trips hurried = RouteSimulation.draw(graph, HURRIED, RandomStream.of(6));
        Trips calm = RouteSimulation.draw(graph, CALM, RandomStream.of(7));
        List<Trip> mixed = new ArrayList<>();
        for (int i = 0; i < hurried.size(); i++) {
            int driver = i / TRIPS_EACH;
            mixed.add((driver % 3 == 0 ? calm : hurried).list().get(i));
            DRIVERS.add("driver " + driver);
        }
        return new RouteGraph(new Trips(hurried.network(), hurried.destinations(), mixed), city.features());
    }

    private static RouteEstimate single() {
        return RouteEstimator.standard()
                .fit("rl", GRAPH, new RecursiveLogit(GRAPH), new double[] {-2, -1, -1.5, -2}, ProgressListener.NONE);
    }

    private static RouteEstimate fit(RouteTypes types, List<String> drivers) {
        return types.fit(
                RouteModel.recursiveLogit(),
                GRAPH,
                drivers,
                single(),
                RouteEstimator.standard(),
                RandomStream.of(1),
                ProgressListener.NONE);
    }

    @Test
    void theTruthIsWithinThreeErrors() {
        RouteEstimate found = fit(new RouteTypes(2, List.of("time"), 2), DRIVERS);
        assertThat(found.converged()).isTrue();
        assertThat(found.parameters().stream().map(RouteEstimate.Parameter::name))
                .containsExactly("time[1]", "time[2]", "left", "constant", "uturn", "share[1]");
        double[] truth = {-4, -1, -0.8, -1.2, -3, 2.0 / 3};
        for (int j = 0; j < truth.length; j++) {
            RouteEstimate.Parameter own = found.parameters().get(j);
            assertThat(own.value())
                    .as(own.name())
                    .isCloseTo(truth[j], within(3 * own.robustStandardError()))
                    .isNotEqualTo(truth[j]);
        }
        assertThat(found.logLikelihood()).isGreaterThan(single().logLikelihood() + 5);
    }

    private static TypedRoutes typed(TypeIndex index) {
        return new TypedRoutes(
                IntStream.range(0, index.types())
                        .<RouteLikelihood>mapToObj(_ -> new RecursiveLogit(GRAPH))
                        .toList(),
                index,
                DRIVERS);
    }

    /** From this start, in order, the types change places by their first parameter. */
    @Test
    void typesThatChangePlacesOnTheWayAreInOrderInTheEnd() {
        RouteTypes types = new RouteTypes(2, List.of("time", "left"), 1);
        TypeIndex index = types.index(List.of("time", "left", "constant", "uturn"));
        double[] start = {-2.61, -2.6, -0.6, -1.1, -1.15, -3.1, 0.45};
        RouteEstimator estimator = RouteEstimator.standard();
        double[] reversed = estimator
                .fit("rl", GRAPH, typed(index), start, ProgressListener.NONE)
                .theta();
        assertThat(reversed[0]).isGreaterThan(reversed[1]);
        RouteEstimate found = types.finished("rl", GRAPH, typed(index), index, estimator, start, ProgressListener.NONE);
        assertThat(found.converged()).isTrue();
        double[] inOrder = {
            reversed[1], reversed[0], reversed[3], reversed[2], reversed[4], reversed[5], 1 - reversed[6]
        };
        assertThat(found.theta()).containsExactly(inOrder, within(1e-4));
    }

    /** One driver is of one type. */
    @Test
    void whereTypesAreTooManyFewerAreAskedFor() {
        assertThatThrownBy(() -> fit(new RouteTypes(2, List.of("time"), 1), Collections.nCopies(DRIVERS.size(), "one")))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("is singular")
                .hasMessageContaining("fewer types");
    }

    @Test
    void theGradientIsThatOfDifferences() {
        TypeIndex index = TypeIndex.of(List.of("time", "left", "constant", "uturn"), 3, List.of("time", "constant"));
        TypedRoutes typed = typed(index);
        double[] theta = {-4, -2, -1, -0.7, -1, -1.2, -1.4, -3, 0.3, 0.5};
        Evaluation here = typed.at(theta, Depth.SECOND);
        for (int j = 0; j < theta.length; j++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[j] += 1e-5;
            down[j] -= 1e-5;
            double difference = (typed.at(up, Depth.VALUE).value()
                            - typed.at(down, Depth.VALUE).value())
                    / 2e-5;
            assertThat(here.gradient()[j])
                    .as(typed.names().get(j))
                    .isCloseTo(difference, within(1e-6 * Math.max(10, Math.abs(difference))));
        }
    }

    /** Types that do not differ are the model without types, whatever their shares. */
    @Test
    void equalTypesAreOne() {
        TypeIndex index = TypeIndex.of(List.of("time", "left", "constant", "uturn"), 2, List.of("time"));
        TypedRoutes typed = typed(index);
        double[] theta = {-2, -2, -0.8, -1.2, -3, 0.4};
        double one = new RecursiveLogit(GRAPH)
                .at(new double[] {-2, -0.8, -1.2, -3}, Depth.VALUE)
                .value();
        assertThat(typed.at(theta, Depth.VALUE).value()).isCloseTo(one, within(1e-8));
        theta[5] = 1;
        assertThat(typed.at(theta, Depth.VALUE).feasible()).isFalse();
    }

    @Test
    void unknownParametersAndOneTypeAreRefused() {
        assertThatThrownBy(() -> new RouteTypes(1, List.of("time"), 2)).hasMessageContaining("`types` is 1");
        assertThatThrownBy(() -> fit(new RouteTypes(2, List.of("tim"), 1), DRIVERS))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("Did you mean 'time'");
    }
}
