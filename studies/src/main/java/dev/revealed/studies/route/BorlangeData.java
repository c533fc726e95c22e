package dev.revealed.studies.route;

import dev.revealed.data.NetworkData;
import dev.revealed.data.RouteFiles;
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
import java.util.List;

/** The network and trips of Borlänge with the four features of Fosgerau, Frejinger and Karlström (2013). */
public record BorlangeData(Trips trips, PairFeatures features, List<String> notes) {
    private static final double LEFT = -0.5236; // 30 degrees
    private static final double UTURN = 3.1;

    /** Parameters at which published models compute flows for scales. */
    private static final double[] FLOW = {-2.5, -1, -0.4, -4};

    /** Reads link_pairs, destinations and trips (.csv.gz) of a folder. */
    public static BorlangeData read(Path folder, ProgressListener listener) {
        NetworkData pairs =
                RouteFiles.pairs(folder.resolve("link_pairs.csv.gz"), List.of("travel_time", "turn_angle"), listener);
        Network network = pairs.network();
        Trips trips = RouteFiles.trips(
                folder.resolve("trips.csv.gz"),
                network,
                RouteFiles.destinations(folder.resolve("destinations.csv.gz"), network, listener),
                listener);
        double[] angle = pairs.attribute("turn_angle");
        double[] constant = new double[angle.length];
        Arrays.fill(constant, 1);
        double[][] values = {
            pairs.attribute("travel_time"),
            Arrays.stream(angle).map(a -> a < LEFT && a > -UTURN ? 1 : 0).toArray(),
            constant,
            Arrays.stream(angle).map(a -> Math.abs(a) > UTURN ? 1 : 0).toArray()
        };
        return new BorlangeData(
                trips, new PairFeatures(List.of("time", "left", "constant", "uturn"), values), pairs.notes());
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

    private static double[] relative(double[] values) {
        double largest = Vec.maxAbs(values);
        return Arrays.stream(values).map(value -> value / largest).toArray();
    }
}
