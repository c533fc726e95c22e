package dev.revealed.estimate.route;

import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.sparse.LuFactors;
import dev.revealed.numeric.sparse.LuPattern;
import dev.revealed.numeric.sparse.MinimumDegree;
import dev.revealed.numeric.sparse.SpectralRadius;
import java.util.Arrays;
import java.util.List;

/**
 * A network with features and trips, links renumbered in elimination order so that solves permute nothing. Everything that
 * does not depend on parameters is found here once: pattern of the factors, feature sums of trips, pairs of origin and
 * destination.
 */
public final class RouteGraph {
    final Trips trips;
    final PairFeatures features;
    final int n;
    final int[] start;
    final int[] to;
    final double[][] x; // features by name, then by renumbered pair
    final LuPattern pattern;
    final int[] position; // of a link of the network
    final int[] link; // of the network by number here
    final int[][] ends; // links from which each destination is entered
    final boolean[] onLink; // whether the destination is a link
    final double[][] observed; // feature sums by trip
    final int[] origin; // by trip
    final int[] destination;

    public RouteGraph(Trips trips, PairFeatures features) {
        this.trips = trips;
        this.features = features;
        Network network = trips.network();
        if (features.values()[0].length != network.pairs()) {
            throw new BadInput(
                    "features have %d values for %d pairs of links"
                            .formatted(features.values()[0].length, network.pairs()),
                    "Give one value for every pair of the network.");
        }
        n = network.links();
        link = MinimumDegree.order(n, network.start(), network.to());
        position = new int[n];
        for (int k = 0; k < n; k++) {
            position[link[k]] = k;
        }
        start = new int[n + 1];
        to = new int[network.pairs()];
        x = new double[features.size()][to.length];
        int at = 0;
        for (int k = 0; k < n; k++) {
            for (int e = network.start()[link[k]]; e < network.start()[link[k] + 1]; e++) {
                to[at] = position[network.to()[e]];
                for (int j = 0; j < x.length; j++) {
                    x[j][at] = features.values()[j][e];
                }
                at++;
            }
            start[k + 1] = at;
        }
        pattern = LuPattern.of(n, start, to);
        List<Destination> destinations = trips.destinations();
        ends = new int[destinations.size()][];
        onLink = new boolean[ends.length];
        for (int d = 0; d < ends.length; d++) {
            ends[d] = renumbered(destinations.get(d).lastLinks());
            onLink[d] = destinations.get(d) instanceof Destination.OnLink;
        }
        List<Trip> list = trips.list();
        observed = new double[list.size()][];
        origin = new int[list.size()];
        destination = new int[list.size()];
        for (int i = 0; i < list.size(); i++) {
            observed[i] = features.along(network, list.get(i).links());
            origin[i] = position[list.get(i).origin()];
            destination[i] = list.get(i).destination();
        }
    }

    /** The links of the network by their numbers here. */
    int[] renumbered(int[] links) {
        return Arrays.stream(links).map(own -> position[own]).toArray();
    }

    /** Numbers of links in the order of the network. */
    double[] byNetwork(double[] own) {
        double[] all = new double[n];
        for (int k = 0; k < n; k++) {
            all[link[k]] = own[k];
        }
        return all;
    }

    /** Rewards of pairs, features weighed by the first parameters. */
    double[] rewards(double[] beta) {
        double[] v = new double[to.length];
        for (int j = 0; j < x.length; j++) {
            for (int e = 0; e < v.length; e++) {
                v[e] += beta[j] * x[j][e];
            }
        }
        return v;
    }

    /** What is known of the network's pairs, in the order of pairs here. */
    double[] byPair(double[] values) {
        Network network = trips.network();
        double[] own = new double[to.length];
        for (int k = 0; k < n; k++) {
            int first = network.start()[link[k]];
            System.arraycopy(values, first, own, start[k], network.start()[link[k] + 1] - first);
        }
        return own;
    }

    /** The same of several things that are known. */
    double[][] byPair(double[][] values) {
        return Arrays.stream(values).map(this::byPair).toArray(double[][]::new);
    }

    /** How often trips use each pair, in the order of pairs here. */
    double[] used() {
        double[] used = new double[to.length];
        for (int trip = 0; trip < origin.length; trip++) {
            for (int pair : pairsOf(trip)) {
                used[pair]++;
            }
        }
        return used;
    }

    /** The pairs that a trip uses, in the order of pairs here. */
    int[] pairsOf(int trip) {
        int[] links = trips.list().get(trip).links();
        Network network = trips.network();
        int[] pairs = new int[links.length - 1];
        for (int t = 0; t < pairs.length; t++) {
            int offset = network.pair(links[t], links[t + 1]) - network.start()[links[t]];
            pairs[t] = start[position[links[t]]] + offset;
        }
        return pairs;
    }

    /** exp of the rewards of pairs: M. */
    double[] exponentials(double[] beta) {
        return exp(rewards(beta));
    }

    static double[] exp(double[] rewards) {
        double[] m = new double[rewards.length];
        for (int e = 0; e < m.length; e++) {
            m[e] = Elementary.exp(rewards[e]);
        }
        return m;
    }

    /** Entries of L and U beside their diagonals: the multiply-adds of one solve. */
    public long factorEntries() {
        return 2L * pattern.entries();
    }

    /** Whether values exist at these parameters. */
    public boolean feasible(double[] beta) {
        return allows(rewards(beta));
    }

    /** Whether values exist with these rewards of pairs, in the order of pairs here. */
    boolean allows(double[] rewards) {
        return new LuFactors(pattern).factor(exp(rewards));
    }

    /** The spectral radius of M at these parameters. Values exist where it is below 1. */
    public double spectralRadius(double[] beta) {
        return SpectralRadius.of(start, to, exponentials(beta), new LuFactors(pattern)::factor);
    }
}
