package dev.revealed.studies.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.revealed.estimate.route.LinkSize;
import dev.revealed.estimate.route.LinkSizeLogit;
import dev.revealed.estimate.route.NestedLogit;
import dev.revealed.estimate.route.RecursiveLogit;
import dev.revealed.estimate.route.RouteEstimate;
import dev.revealed.estimate.route.RouteEstimator;
import dev.revealed.estimate.route.RouteFlows;
import dev.revealed.estimate.route.RouteGraph;
import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.estimate.route.RouteModel;
import dev.revealed.estimate.route.RoutePredictions;
import dev.revealed.estimate.route.RouteSimulation;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.Trips;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.studies.Shared;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Recursive logit on the trips of Borlänge. Truth: published estimates, and a prototype in another language. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BorlangeTest {
    private static final double[] ROUNDED = {-2.494, -0.933, -0.411, -4.459};
    private static final double[] ESTIMATE = {-2.4941209, -0.9330810, -0.4111231, -4.4588232};

    private final BorlangeData data;
    private final RouteGraph graph;
    private final RecursiveLogit logit;
    private final LinkSize size;

    BorlangeTest() {
        Path folder = Shared.file("data/borlange");
        assumeThat(folder).as("the Borlänge data").exists();
        data = BorlangeData.read(folder, ProgressListener.NONE);
        graph = new RouteGraph(data.trips(), data.features());
        logit = new RecursiveLogit(graph);
        size = new LinkSize(graph, new double[] {-2.5, -1, -0.4, -20});
    }

    @Test
    void logProbabilitiesOfAllTripsAreThePrototypes() throws IOException {
        double[] ours = logit.logProbabilities(ROUNDED);
        List<String> lines = lines(Shared.file("data/borlange/check_loglik.csv.gz"));
        assertThat(lines).hasSize(1833);
        double sum = 0;
        for (int i = 0; i < ours.length; i++) {
            assertThat(ours[i]).as("trip %d", i + 1).isCloseTo(number(lines.get(i + 1), 1), within(1e-8));
            sum += ours[i];
        }
        assertThat(sum).isCloseTo(-6302.929651891, within(1e-8));
        assertThat(logit.at(ROUNDED, Depth.VALUE).value()).isCloseTo(sum, within(1e-8));
    }

    @Test
    void estimatesAreThePublishedOnes() {
        double[][] starts = {{-1.5, -1.5, -1.5, -1.5}, {-2, -1, -1, -1}, {-1.7, -1, -1.7, -1.7}, {-3, -3, -3, -3}};
        for (double[] start : starts) {
            RouteEstimate estimate = RouteEstimator.standard().fit("rl", graph, logit, start, ProgressListener.NONE);
            assertThat(estimate.converged()).isTrue();
            assertThat(estimate.logLikelihood()).isCloseTo(-6302.929422, within(1e-6));
            close(estimate.theta(), 1e-6, -2.4941209, -0.9330810, -0.4111231, -4.4588232);
            close(
                    errors(estimate, RouteEstimate.Parameter::robustStandardError),
                    1e-6,
                    .0979735,
                    .0297197,
                    .0127030,
                    .1140039);
            close(
                    errors(estimate, RouteEstimate.Parameter::standardError),
                    1e-6,
                    .0644341,
                    .0262880,
                    .0103191,
                    .1128498);
            close(
                    errors(estimate, RouteEstimate.Parameter::outerProductStandardError),
                    1e-6,
                    .0430549,
                    .0232946,
                    .0088943,
                    .1133354);
            assertThat(estimate.spectralRadius()).isCloseTo(0.846062, within(1e-6));
        }
    }

    @Test
    void linkSizeIsThePrototypes() throws IOException {
        LinkSizeLogit sized = new LinkSizeLogit(graph, size);
        List<String> lines = lines(Shared.file("data/borlange/check_loglik.csv.gz"));
        double[] ours = sized.logProbabilities(new double[] {-3.060, -1.057, -0.353, -4.531, -0.227});
        double[] sizes = sized.linkSizes();
        double sum = 0;
        for (int i = 0; i < ours.length; i++) {
            assertThat(sizes[i]).as("trip %d", i + 1).isCloseTo(number(lines.get(i + 1), 2), within(1e-8));
            assertThat(ours[i]).as("trip %d", i + 1).isCloseTo(number(lines.get(i + 1), 3), within(1e-8));
            sum += ours[i];
        }
        assertThat(sum).isCloseTo(-6044.609191038, within(1e-8));
    }

    @Test
    void estimatesWithLinkSizeAreThePublishedOnes() {
        LinkSizeLogit sized = new LinkSizeLogit(graph, size);
        double[] start = {-3.06, -1.057, -0.353, -4.531, -0.227};
        RouteEstimate estimate = RouteEstimator.standard().fit("rl-ls", graph, sized, start, ProgressListener.NONE);
        assertThat(estimate.converged()).isTrue();
        assertThat(estimate.logLikelihood()).isCloseTo(-6044.607450, within(1e-6));
        close(estimate.theta(), 1e-6, -3.0600267, -1.0571740, -0.3527910, -4.5310201, -0.2265406);
        close(
                errors(estimate, RouteEstimate.Parameter::robustStandardError),
                1e-6,
                .1029386,
                .0290829,
                .0115736,
                .1259800,
                .0135796);
        close(
                errors(estimate, RouteEstimate.Parameter::standardError),
                1e-6,
                .0659454,
                .0264043,
                .0097236,
                .1169896,
                .0095637);
        close(
                errors(estimate, RouteEstimate.Parameter::outerProductStandardError),
                1e-6,
                .0427210,
                .0240899,
                .0092474,
                .1100946,
                .0073417);
    }

    @Test
    void nestedLogitWithEqualScalesIsRecursiveLogit() {
        NestedLogit nested = new NestedLogit(graph, data.scales(graph), Optional.empty());
        double[] theta = Arrays.copyOf(ROUNDED, 7);
        var ours = nested.at(theta, Depth.GRADIENT);
        var truth = logit.at(ROUNDED, Depth.GRADIENT);
        assertThat(ours.value()).isCloseTo(truth.value(), within(1e-8));
        for (int j = 0; j < 4; j++) {
            assertThat(ours.gradient()[j]).isCloseTo(truth.gradient()[j], within(1e-6));
        }
    }

    @Test
    void flowsOfScalesAreThePrototypes() {
        double[] flow = RouteFlows.pooled(graph, new double[] {-2.5, -1, -0.4, -4});
        assertThat(Arrays.stream(flow).max().orElseThrow()).isCloseTo(0.065300856, within(1e-9));
    }

    /** At the published estimates the log-likelihood is the published one, and no step would gain. */
    @Test
    void nestedEstimatesAreThePublishedOnes() {
        maximum(
                new NestedLogit(graph, data.scales(graph), Optional.empty()),
                -6187.918583,
                -1.854284,
                -0.679233,
                -0.258111,
                -3.339894,
                0.514804,
                -0.674352,
                -0.086195);
    }

    @Test
    void nestedEstimatesWithLinkSizeAreThePublishedOnes() {
        maximum(
                new NestedLogit(graph, data.scales(graph), Optional.of(size)),
                -5952.010985,
                -2.138511,
                -0.747946,
                -0.223607,
                -3.300875,
                -0.154514,
                0.341138,
                -0.581054,
                -0.091849);
    }

    private static void maximum(NestedLogit nested, double logLikelihood, double... theta) {
        var there = nested.at(theta, Depth.SECOND);
        assertThat(there.value()).isCloseTo(logLikelihood, within(1e-5));
        double[][] information = new double[theta.length][theta.length];
        for (double[] score : there.scores()) {
            for (int j = 0; j < theta.length; j++) {
                Vec.axpy(score[j], score, information[j]);
            }
        }
        double[] step = Dense.solve(information, there.gradient()).orElseThrow();
        assertThat(Vec.dot(step, there.gradient())).as("gain of a step").isLessThan(1e-5);
    }

    @Test
    void featureSumsOfTheModelAreTheObservedOnes() {
        double[] sums = new double[4];
        data.trips()
                .list()
                .forEach(trip -> Vec.axpy(1, data.features().along(data.trips().network(), trip.links()), sums));
        close(sums, 1e-6, 9382.65936, 4973, 35335, 155);
        assertThat(Vec.maxAbs(logit.at(ESTIMATE, Depth.GRADIENT).gradient())).isLessThan(2e-3);
    }

    @Test
    void flowsAreThePrototypes() {
        double[] flow = RouteFlows.expected(graph, ESTIMATE);
        int busiest = data.trips().network().names().indexOf("3337");
        assertThat(flow[busiest]).isCloseTo(112.78815, within(2e-5));
        assertThat(Vec.maxAbs(flow)).isEqualTo(flow[busiest]);
        assertThat(Vec.sum(flow)).isCloseTo(37_167, within(2e-3));
    }

    /** Passages of one trip: as many as links it is expected to enter, and its origin; what enters a link leaves it. */
    @Test
    void flowsOfOneTripAreItsExpectedFeatures() {
        Trips trips = data.trips();
        Network network = trips.network();
        Trips.Trip first = trips.list().getFirst();
        Demand one = new Demand(
                network, trips.destinations(), List.of(new Demand.Flow(first.origin(), first.destination(), 1)));
        RoutePredictions.Flows flows =
                new RoutePredictions(one, data.features(), RouteModel.recursiveLogit(), ESTIMATE).flows();
        double[] expected = {3.971955, 5.291320, 30.341900, .080481};
        for (int j = 0; j < 4; j++) {
            assertThat(Vec.dot(flows.pairs(), data.features().values()[j])).isCloseTo(expected[j], within(2e-6));
        }
        assertThat(Vec.sum(flows.links())).isCloseTo(Vec.sum(flows.pairs()) + 1, within(1e-9));
        double[] inflow = new double[network.links()];
        double[] outflow = new double[network.links()];
        inflow[first.origin()] = 1;
        for (int k = 0; k < network.links(); k++) {
            for (int e = network.start()[k]; e < network.start()[k + 1]; e++) {
                outflow[k] += flows.pairs()[e];
                inflow[network.to()[e]] += flows.pairs()[e];
            }
        }
        int[] last = trips.destinations().get(first.destination()).lastLinks();
        double ended = 0;
        for (int k = 0; k < network.links(); k++) {
            int link = k;
            assertThat(inflow[k]).isCloseTo(flows.links()[k], within(1e-12));
            if (Arrays.stream(last).anyMatch(end -> end == link)) {
                ended += inflow[k] - outflow[k];
            } else {
                assertThat(outflow[k]).isCloseTo(inflow[k], within(1e-12));
            }
        }
        assertThat(ended).isCloseTo(1, within(1e-9));
        assertThat(flows.values()[0][0]).isCloseTo(-25.476805122, within(1e-5)); // ESTIMATE has seven digits
    }

    @Test
    void whatIsSimulatedIsEstimatedBack() {
        Trips drawn = RouteSimulation.draw(graph, ESTIMATE, RandomStream.of(22));
        RouteGraph simulated = new RouteGraph(drawn, data.features());
        RouteEstimate estimate = RouteEstimator.standard()
                .fit("rl", simulated, new RecursiveLogit(simulated), ROUNDED, ProgressListener.NONE);
        for (int j = 0; j < 4; j++) {
            var parameter = estimate.parameters().get(j);
            assertThat(Math.abs(parameter.value() - ESTIMATE[j]))
                    .as(parameter.name())
                    .isLessThan(3 * parameter.robustStandardError())
                    .isGreaterThan(0);
        }
    }

    @Test
    void derivativesAreThoseOfDifferences() {
        double[] theta = {-2.2, -1.1, -0.5, -4};
        var exact = logit.at(theta, Depth.SECOND);
        assertThat(logit.at(theta, Depth.GRADIENT).gradient()).containsExactly(exact.gradient());
        double[] sum = new double[4];
        for (double[] score : exact.scores()) {
            for (int j = 0; j < 4; j++) {
                sum[j] += score[j];
            }
        }
        for (int j = 0; j < 4; j++) {
            double size = 1e-5;
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[j] += size;
            down[j] -= size;
            var above = logit.at(up, Depth.GRADIENT);
            var below = logit.at(down, Depth.GRADIENT);
            double slope = (above.value() - below.value()) / (up[j] - down[j]);
            assertThat(exact.gradient()[j]).isCloseTo(slope, within(1e-6 * Math.abs(slope)));
            assertThat(sum[j]).isCloseTo(exact.gradient()[j], within(1e-8 * Math.abs(slope)));
            for (int i = 0; i < 4; i++) {
                double second = (above.gradient()[i] - below.gradient()[i]) / (up[j] - down[j]);
                assertThat(exact.hessian()[j][i]).isCloseTo(second, within(1e-6 * Math.abs(exact.hessian()[i][i])));
            }
        }
    }

    @Test
    void spectralRadiiAreThoseOfTheEigenvalues() {
        radius(3.410970, 0, 0, 0, 0);
        radius(0.846062, ESTIMATE);
        radius(2.486996, -2.5, 0, 0, 0);
        radius(1.166103, -20, 0, 0, 0);
        radius(0.831765, -100, 0, 0, 0);
        radius(0.845335, -2.5, -1, -.4, -20);
        radius(1.044956, -2.494, -.933, -.2, -4.459);
        radius(0.945515, -2.494, -.933, -.3, -4.459);
        radius(0.847191, 0, 0, -1, -20);
        radius(1.034761, 0, 0, -.8, -20);
        radius(0.344099, -1.5, -1.5, -1.5, -1.5);
        radius(0.983821, -1, -1, -.4, -20);
        radius(1.026529, scaled(ESTIMATE, 0.75));
        radius(0.984828, scaled(ESTIMATE, 0.8));
    }

    @Test
    void aStartWithoutValuesIsRefusedWithItsSpectralRadius() {
        assertThatThrownBy(
                        () -> RouteEstimator.standard().fit("rl", graph, logit, new double[4], ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the spectral radius is 3.410970");
        assertThat(logit.at(new double[] {0, 0, -1.2, 0}, Depth.VALUE).feasible())
                .isFalse();
    }

    @Test
    void resultsDoNotDependOnThreads() {
        var two = logit.at(ROUNDED, Depth.SECOND);
        Parallel.threads(1);
        try {
            var one = logit.at(ROUNDED, Depth.SECOND);
            assertThat(one.value()).isEqualTo(two.value());
            assertThat(one.gradient()).containsExactly(two.gradient());
            assertThat(one.hessian()).isDeepEqualTo(two.hessian());
        } finally {
            Parallel.threads(Runtime.getRuntime().availableProcessors());
        }
    }

    private void radius(double truth, double... theta) {
        assertThat(graph.spectralRadius(theta)).isCloseTo(truth, within(1e-6));
        assertThat(graph.feasible(theta)).isEqualTo(truth < 1);
    }

    private static double[] scaled(double[] theta, double by) {
        return Arrays.stream(theta).map(value -> by * value).toArray();
    }

    private static double[] errors(RouteEstimate estimate, ToDoubleFunction<RouteEstimate.Parameter> of) {
        return estimate.parameters().stream().mapToDouble(of).toArray();
    }

    private static void close(double[] ours, double tolerance, double... truth) {
        assertThat(ours).containsExactly(truth, within(tolerance));
    }

    private static double number(String line, int column) {
        return Double.parseDouble(line.split(",", -1)[column]);
    }

    private static List<String> lines(Path file) throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }
}
