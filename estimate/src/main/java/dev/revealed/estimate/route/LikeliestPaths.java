package dev.revealed.estimate.route;

import dev.revealed.estimate.route.NestedLogit.Solution;
import dev.revealed.estimate.route.RoutePredictions.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The likeliest paths to one destination, by a best-first search. Its bound adds up, over the types of drivers, the
 * probability so far times that of the type's likeliest way to end: no path can be likelier.
 */
final class LikeliestPaths {
    private static final int MOST_PARTIAL = 5_000_000;

    private final RouteGraph graph;
    private final RouteMixture mixture;
    private final List<Solution> choices; // by type
    private final double[][] best; // by type and link: log-probability of the likeliest way to end

    /**
     * Paths of one group of trips.
     *
     * @param choices of each type
     * @param before by link, the pairs that enter it: link and pair in turn
     */
    LikeliestPaths(RouteGraph graph, RouteMixture mixture, List<Solution> choices, int[][] before) {
        this.graph = graph;
        this.mixture = mixture;
        this.choices = choices;
        best = choices.stream().map(own -> best(own, before)).toArray(double[][]::new);
    }

    /** By link, the pairs that enter it. */
    static int[][] before(RouteGraph graph) {
        int[] count = new int[graph.n];
        for (int next : graph.to) {
            count[next]++;
        }
        int[][] before = new int[graph.n][];
        Arrays.setAll(before, k -> new int[2 * count[k]]);
        for (int k = 0; k < graph.n; k++) {
            for (int e = graph.start[k]; e < graph.start[k + 1]; e++) {
                int place = 2 * --count[graph.to[e]];
                before[graph.to[e]][place] = k;
                before[graph.to[e]][place + 1] = e;
            }
        }
        return before;
    }

    /** A link and the log-probability of a way to end from there. */
    private record End(int link, double log) {}

    private double[] best(Solution solution, int[][] before) {
        double[] best = new double[graph.n];
        Arrays.fill(best, Double.NEGATIVE_INFINITY);
        PriorityQueue<End> queue = new PriorityQueue<>(Comparator.comparingDouble((End end) -> -end.log));
        for (int end : graph.ends[solution.destination()]) {
            queue.add(new End(end, Math.log(solution.end()[end])));
        }
        while (!queue.isEmpty()) {
            End top = queue.remove();
            if (best[top.link] >= top.log) {
                continue;
            }
            best[top.link] = top.log;
            int[] own = before[top.link];
            for (int i = 0; i < own.length; i += 2) {
                double log = top.log + Math.log(solution.probability()[own[i + 1]]);
                if (log > best[own[i]]) {
                    queue.add(new End(own[i], log));
                }
            }
        }
        return best;
    }

    /** Part of a path, linked from its end; log-probabilities are by type. */
    private record Partial(int link, @Nullable Partial before, double[] logs, double bound, boolean ended) {}

    /** The likeliest paths from a link, the likeliest first. */
    List<Path> from(int origin, int count) {
        List<Path> paths = new ArrayList<>();
        PriorityQueue<Partial> queue = new PriorityQueue<>(
                Comparator.comparingDouble((Partial p) -> -p.bound).thenComparingInt(Partial::link));
        double[] certain = new double[choices.size()];
        queue.add(new Partial(origin, null, certain, bound(certain, origin), false));
        while (!queue.isEmpty() && paths.size() < count && queue.size() < MOST_PARTIAL) {
            Partial top = queue.remove();
            if (top.ended) {
                paths.add(new Path(links(top), Math.exp(top.bound)));
                continue;
            }
            double[] whole = new double[certain.length];
            Arrays.setAll(whole, k -> top.logs[k] + Math.log(choices.get(k).end()[top.link]));
            double log = mixture.log(whole);
            if (log > Double.NEGATIVE_INFINITY) {
                queue.add(new Partial(top.link, top.before, whole, log, true));
            }
            for (int e = graph.start[top.link]; e < graph.start[top.link + 1]; e++) {
                int pair = e;
                double[] logs = new double[certain.length];
                Arrays.setAll(logs, k -> top.logs[k] + Math.log(choices.get(k).probability()[pair]));
                double bound = bound(logs, graph.to[e]);
                if (bound > Double.NEGATIVE_INFINITY) {
                    queue.add(new Partial(graph.to[e], top, logs, bound, false));
                }
            }
        }
        return paths;
    }

    private double bound(double[] logs, int link) {
        double[] whole = new double[logs.length];
        Arrays.setAll(whole, k -> logs[k] + best[k][link]);
        return mixture.log(whole);
    }

    private int[] links(Partial last) {
        List<Integer> backwards = new ArrayList<>();
        for (Partial part = last; part != null; part = part.before) {
            backwards.add(graph.link[part.link]);
        }
        return IntStream.range(0, backwards.size())
                .map(i -> backwards.get(backwards.size() - 1 - i))
                .toArray();
    }
}
