package dev.revealed.estimate.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Values beyond the range of doubles. A corridor of links in a row: from each the next one can be entered, at a reward of f,
 * and the one before, at b. With F = exp f and B = exp b the value of the first of n links towards the end of the last is
 * F^(n-1) / D_n by Cramer's rule, where the determinants D_n = D_(n-1) - F B D_(n-2) have a closed form in the roots of
 * x^2 - x + F B = 0.
 */
class WideRangeTest {
    private static final double FORWARD = -1.5;
    private static final double BACK = -2;

    /** Trips along the whole corridor, to destinations entered from given links. */
    private static RouteGraph corridor(int length, int... ends) {
        int[] start = new int[length + 1];
        int[] to = new int[2 * length];
        double[][] x = new double[2][2 * length];
        int at = 0;
        List<String> names = new ArrayList<>();
        for (int k = 0; k < length; k++) {
            names.add("L" + k);
            if (k > 0) {
                x[1][at] = 1;
                to[at++] = k - 1;
            }
            if (k + 1 < length) {
                x[0][at] = 1;
                to[at++] = k + 1;
            }
            start[k + 1] = at;
        }
        Network network = new Network(names, start, Arrays.copyOf(to, at));
        double[][] values = {Arrays.copyOf(x[0], at), Arrays.copyOf(x[1], at)};
        List<Destination> destinations = new ArrayList<>();
        List<Trip> trips = new ArrayList<>();
        for (int end : ends) {
            destinations.add(new Destination.Place("after " + end, new int[] {end}));
            int[] links = end == 0
                    ? IntStream.iterate(length - 1, k -> k - 1).limit(length).toArray()
                    : IntStream.rangeClosed(0, end).toArray();
            trips.add(new Trip("to " + end, links, destinations.size() - 1));
        }
        return new RouteGraph(
                new Trips(network, destinations, trips), new PairFeatures(List.of("forward", "back"), values));
    }

    /** The log of the value of the first of n links, and its derivatives by f and b. */
    private static double[] truth(int n, double f, double b) {
        double product = Math.exp(f + b);
        double root = Math.sqrt(1 - 4 * product);
        double r = (1 + root) / 2;
        double s = (1 - root) / 2;
        // D_n = (r^(n+1) - s^(n+1)) / (r - s), and s/r < 1
        double q = Math.pow(s / r, n + 1);
        double log = (n - 1) * f - (n + 1) * Math.log(r) - Math.log1p(-q) + Math.log(root);
        // d by p = F B: dr = -1/root dp, ds = 1/root dp, droot = -2/root dp; dp = p df = p db
        double dr = -1 / root;
        double ds = 1 / root;
        double dLog = -(n + 1) * dr / r + q / (1 - q) * (n + 1) * (ds / s - dr / r) - 2 / (root * root);
        return new double[] {log, n - 1 + product * dLog, product * dLog};
    }

    @Test
    void aLongCorridorHasItsClosedForm() {
        int n = 3000;
        RouteGraph graph = corridor(n, n - 1);
        RecursiveLogit logit = new RecursiveLogit(graph);
        double[] truth = truth(n, FORWARD, BACK);
        assertThat(truth[0]).isLessThan(-4000);
        var ours = logit.at(new double[] {FORWARD, BACK}, Depth.SECOND);
        assertThat(ours.value()).isCloseTo((n - 1) * FORWARD - truth[0], within(1e-8));
        assertThat(ours.gradient()[0]).isCloseTo(n - 1 - truth[1], within(1e-7));
        assertThat(ours.gradient()[1]).isCloseTo(-truth[2], within(1e-7));
        double step = 1e-5;
        double[] above = truth(n, FORWARD + step, BACK);
        double[] below = truth(n, FORWARD - step, BACK);
        assertThat(ours.hessian()[0][0]).isCloseTo(-(above[1] - below[1]) / (2 * step), within(1e-3));
        assertThat(ours.hessian()[0][1]).isCloseTo(-(above[2] - below[2]) / (2 * step), within(1e-3));
        assertThat(ours.scores()[0]).containsExactly(ours.gradient(), within(1e-7));
        assertThat(logit.at(new double[] {FORWARD, BACK}, Depth.VALUE).value()).isEqualTo(ours.value());
    }

    /** A short corridor needs no units of its own; the same formula holds. */
    @Test
    void aShortCorridorHasItToo() {
        int n = 12;
        var ours = new RecursiveLogit(corridor(n, n - 1)).at(new double[] {FORWARD, BACK}, Depth.SECOND);
        double[] truth = truth(n, FORWARD, BACK);
        assertThat(ours.value()).isCloseTo((n - 1) * FORWARD - truth[0], within(1e-12));
        assertThat(ours.gradient()[0]).isCloseTo(n - 1 - truth[1], within(1e-11));
        assertThat(ours.gradient()[1]).isCloseTo(-truth[2], within(1e-11));
    }

    /** Two destinations at opposite ends: no unit suits both, so that each is solved by itself. */
    @Test
    void destinationsFarApartAreSolvedOneByOne() {
        int n = 3000;
        var ours = new RecursiveLogit(corridor(n, n - 1, 0)).at(new double[] {FORWARD, BACK}, Depth.GRADIENT);
        double[] there = truth(n, FORWARD, BACK);
        double[] back = truth(n, BACK, FORWARD);
        assertThat(ours.value()).isCloseTo((n - 1) * (FORWARD + BACK) - there[0] - back[0], within(2e-8));
        assertThat(ours.gradient()[0]).isCloseTo(n - 1 - there[1] - back[2], within(2e-7));
        assertThat(ours.gradient()[1]).isCloseTo(n - 1 - there[2] - back[1], within(2e-7));
    }
}
