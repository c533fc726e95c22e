package dev.revealed.studies.route;

import dev.revealed.data.route.PairReader;
import dev.revealed.data.route.PairTable;
import dev.revealed.data.route.PairTable.Definition;
import dev.revealed.data.route.RouteColumns;
import dev.revealed.data.route.TripReader;
import dev.revealed.estimate.route.RouteFlows;
import dev.revealed.estimate.route.RouteGraph;
import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.LinkFeatures;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The network and trips of Borlänge with the four features of Fosgerau, Frejinger and Karlström (2013).
 *
 * @param angle between the links of each pair, in radians, negative to the left
 */
public record BorlangeData(Trips trips, PairFeatures features, double[] angle, List<String> notes) {
    private static final double LEFT = -0.5236; // 30 degrees
    private static final double UTURN = 3.1;
    private static final List<Definition> FEATURES = Stream.of(
                    "time=travel_time",
                    "left=turn_angle < %s and turn_angle > -%s".formatted(LEFT, UTURN),
                    "constant=1",
                    "uturn=abs(turn_angle) > " + UTURN)
            .map(text -> Definition.parse("a feature", text))
            .toList();

    /** Parameters at which published models compute flows for scales. */
    private static final double[] FLOW = {-2.5, -1, -0.4, -4};

    /** Reads link_pairs, destinations and trips (.csv.gz) of a folder. */
    public static BorlangeData read(Path folder, ProgressListener listener) {
        RouteColumns columns = RouteColumns.usualNames();
        PairTable pairs = new PairReader(columns, listener).pairs(folder.resolve("link_pairs.csv.gz"));
        Trips trips = new TripReader(pairs.network(), columns, listener)
                .places(folder.resolve("destinations.csv.gz"))
                .trips(folder.resolve("trips.csv.gz"), Optional.empty(), false)
                .trips();
        Set<String> notes = new LinkedHashSet<>();
        return new BorlangeData(
                trips, pairs.features(FEATURES, notes), pairs.values("turn_angle", notes), List.copyOf(notes));
    }

    /**
     * What scales of nested recursive logit depend on: travel time and flow, each relative to its largest, and the number
     * of links that follow, destinations counted.
     */
    public LinkFeatures scales(RouteGraph graph) {
        Network network = trips.network();
        double[] times = new double[network.links()];
        double[] follow = new double[network.links()];
        for (int e = 0; e < network.pairs(); e++) {
            times[network.to()[e]] = features.values()[0][e];
        }
        for (int k = 0; k < follow.length; k++) {
            follow[k] = network.start()[k + 1] - network.start()[k];
        }
        for (Destination destination : trips.destinations()) {
            for (int link : destination.lastLinks()) {
                follow[link]++;
            }
        }
        return new LinkFeatures(
                List.of("time", "flow", "outDegree"),
                new double[][] {relative(times), relative(RouteFlows.pooled(graph, FLOW)), follow});
    }

    /**
     * What a neural reward sees of a pair of links: time of the entered link and its logarithm, time of the link before,
     * left, right and u-turn, the angle, and how many links follow.
     */
    public double[][] inputs() {
        Network network = trips.network();
        double[] time = features.values()[0];
        double[] entered = new double[network.links()]; // time of a link
        for (int e = 0; e < time.length; e++) {
            entered[network.to()[e]] = time[e];
        }
        double[][] inputs = new double[8][time.length];
        for (int k = 0; k < network.links(); k++) {
            for (int e = network.start()[k]; e < network.start()[k + 1]; e++) {
                int a = network.to()[e];
                inputs[0][e] = 2 * time[e] - 1;
                inputs[1][e] = 0.5 * Math.log(time[e] + 0.01) + 1;
                inputs[2][e] = 2 * entered[k] - 1;
                inputs[3][e] = features.values()[1][e];
                inputs[4][e] = angle[e] > -LEFT && angle[e] < UTURN ? 1 : 0;
                inputs[5][e] = features.values()[3][e];
                inputs[6][e] = Math.abs(angle[e]) - 1;
                inputs[7][e] = network.start()[a + 1] - network.start()[a] - 3;
            }
        }
        return inputs;
    }

    private static double[] relative(double[] values) {
        double largest = Vec.maxAbs(values);
        return Arrays.stream(values).map(value -> value / largest).toArray();
    }
}
