package dev.revealed.estimate.route;

import dev.revealed.estimate.route.NestedLogit.Solution;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.sparse.LuFactors;
import dev.revealed.numeric.sparse.LuFactors.Reach;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a model of route choice says of a demand: flows, values, probabilities of paths, likely paths, simulated trips. */
public final class RoutePredictions {
    /** A trip longer than this hints at parameters under which trips hardly end. */
    private static final int LONGEST = 1_000_000;

    /** Groups of flows whose passages are held before they are added up. */
    private static final int AT_ONCE = 64;

    private static final int MOST_PARTIAL = 5_000_000;

    private final Demand demand;
    private final RouteGraph graph;
    private final NestedLogit solver;
    private final double[] theta;
    private final int[] link; // of the network by number in the graph

    /**
     * Predictions for a demand whose flows are all possible.
     *
     * @param theta parameters of the model
     */
    public RoutePredictions(Demand demand, PairFeatures features, RouteModel model, double[] theta) {
        BadInput.when(
                demand.flows().isEmpty(), "there is no demand", "Give at least one pair of origin and destination.");
        this.demand = demand;
        this.theta = theta.clone();
        graph = new RouteGraph(demand.paths(), features);
        if (!model.nested() && model.discount() == 1 && !graph.feasible(theta)) {
            throw RouteEstimator.infeasible(graph, theta);
        }
        solver = model.solver(graph);
        link = new int[graph.n];
        for (int k = 0; k < graph.n; k++) {
            link[graph.position[k]] = k;
        }
    }

    /**
     * Flows for the demand.
     *
     * @param links expected passages by link of the network
     * @param pairs expected uses by pair of the network
     * @param values expected maximum utility of each flow of the demand
     */
    public record Flows(double[] links, double[] pairs, double[] values) {}

    /** Flows on links and pairs, and values of all pairs of origin and destination. */
    public Flows flows() {
        double[] values = new double[demand.flows().size()];
        double[] links = new double[graph.n];
        double[] pairs = new double[graph.to.length];
        double[][] byGroup = new double[AT_ONCE][];
        double[][] probabilities = new double[AT_ONCE][];
        for (int first = 0; first < solver.groups(); first += AT_ONCE) {
            int from = first;
            int last = Math.min(solver.groups(), first + AT_ONCE);
            solver.solutions(theta, first, last, solution -> {
                byGroup[solution.group() - from] = passages(solution, values);
                probabilities[solution.group() - from] = solution.probability().clone();
            });
            for (int group = 0; group < last - first; group++) { // in their order, whatever the threads
                for (int k = 0; k < graph.n; k++) {
                    links[k] += byGroup[group][k];
                    for (int e = graph.start[k]; e < graph.start[k + 1]; e++) {
                        pairs[e] += byGroup[group][k] * probabilities[group][e];
                    }
                }
            }
        }
        return new Flows(graph.byNetwork(links), byPair(pairs), values);
    }

    private double[] passages(Solution solution, double[] values) {
        double[] passages = new double[graph.n];
        int[] rows = new int[solution.trips().length];
        for (int i = 0; i < rows.length; i++) {
            int flow = solution.trips()[i];
            rows[i] = graph.origin[flow];
            passages[rows[i]] += demand.flows().get(flow).trips();
            values[flow] = solution.value()[rows[i]];
        }
        factored(solution.probability()).solveOneTransposed(passages, new Reach(graph.pattern).of(rows, rows.length));
        return passages;
    }

    private double[] byPair(double[] own) {
        double[] all = new double[own.length];
        for (int k = 0; k < graph.n; k++) {
            for (int e = graph.start[k]; e < graph.start[k + 1]; e++) {
                all[demand.network().pair(link[k], link[graph.to[e]])] = own[e];
            }
        }
        return all;
    }

    private LuFactors factored(double[] probability) {
        LuFactors factors = new LuFactors(graph.pattern);
        if (!factors.factor(probability)) {
            throw RouteEstimator.infeasible(graph, theta);
        }
        return factors;
    }

    /**
     * How a link is used by one pair of origin and destination.
     *
     * @param passages expected number on one trip
     * @param probability of passing it at least once
     */
    public record Use(double passages, double probability) {}

    /** Uses of a link by each flow of the demand. */
    public List<Use> uses(int selected) {
        Use[] all = new Use[demand.flows().size()];
        int at = graph.position[selected];
        solver.solutions(theta, solution -> {
            double[] passages = new double[graph.n];
            passages[at] = 1;
            factored(solution.probability()).solveOne(passages, new Reach(graph.pattern).of(new int[] {at}, 1));
            for (int flow : solution.trips()) {
                double own = passages[graph.origin[flow]];
                all[flow] = new Use(own, own / passages[at]);
            }
        });
        return List.of(all);
    }

    /** Values of all links towards the destination of each group of flows: the first flow of the demand that has it. */
    public double[] field(int flow) {
        double[] field = new double[graph.n];
        solver.solutions(theta, solution -> {
            if (Arrays.stream(solution.trips()).anyMatch(own -> own == flow)) {
                System.arraycopy(solution.value(), 0, field, 0, field.length);
            }
        });
        return graph.byNetwork(field);
    }

    /** Log-probabilities of paths, each of one flow of the demand. */
    public double[] logProbabilities(int[][] paths) {
        double[] logs = new double[paths.length];
        solver.solutions(theta, solution -> {
            for (int flow : solution.trips()) {
                if (flow < paths.length) {
                    logs[flow] = log(solution, graph.renumbered(paths[flow]));
                }
            }
        });
        return logs;
    }

    private double log(Solution solution, int[] path) {
        double log = 0;
        for (int t = 1; t < path.length; t++) {
            log += Math.log(solution.probability()[pair(path[t - 1], path[t])]);
        }
        return log + Math.log(solution.end()[path[path.length - 1]]);
    }

    private int pair(int from, int to) {
        int e = graph.start[from];
        while (graph.to[e] != to) {
            e++;
        }
        return e;
    }

    /** A path and how likely it is. */
    public record Path(int[] links, double probability) {}

    /** The likeliest paths of each flow, the likeliest first. */
    public List<List<Path>> likeliest(int count) {
        List<List<Path>> all = new ArrayList<>();
        demand.flows().forEach(_ -> all.add(List.of()));
        int[][] before = before();
        solver.solutions(theta, solution -> {
            double[] best = best(solution, before);
            for (int flow : solution.trips()) {
                List<Path> own = likeliest(solution, best, graph.origin[flow], count);
                synchronized (all) {
                    all.set(flow, own);
                }
            }
        });
        return all;
    }

    /** By link, the pairs that enter it. */
    private int[][] before() {
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

    /** Part of a path, linked from its end. */
    private record Partial(int link, @Nullable Partial before, double log, double bound, boolean ended) {}

    /** Log-probability of the likeliest way to end from each link. */
    private double[] best(Solution solution, int[][] before) {
        double[] best = new double[graph.n];
        Arrays.fill(best, Double.NEGATIVE_INFINITY);
        PriorityQueue<Partial> queue = new PriorityQueue<>(Comparator.comparingDouble((Partial p) -> -p.log));
        for (int end : graph.ends[solution.destination()]) {
            queue.add(new Partial(end, null, Math.log(solution.end()[end]), 0, false));
        }
        while (!queue.isEmpty()) {
            Partial top = queue.remove();
            if (best[top.link] >= top.log) {
                continue;
            }
            best[top.link] = top.log;
            int[] own = before[top.link];
            for (int i = 0; i < own.length; i += 2) {
                double log = top.log + Math.log(solution.probability()[own[i + 1]]);
                if (log > best[own[i]]) {
                    queue.add(new Partial(own[i], null, log, 0, false));
                }
            }
        }
        return best;
    }

    /** Best first, with the likeliest way to end as the bound: no part is looked at that no answer needs. */
    private List<Path> likeliest(Solution solution, double[] best, int origin, int count) {
        List<Path> paths = new ArrayList<>();
        PriorityQueue<Partial> queue = new PriorityQueue<>(
                Comparator.comparingDouble((Partial p) -> -p.bound).thenComparingInt(Partial::link));
        queue.add(new Partial(origin, null, 0, best[origin], false));
        while (!queue.isEmpty() && paths.size() < count && queue.size() < MOST_PARTIAL) {
            Partial top = queue.remove();
            if (top.ended) {
                paths.add(new Path(links(top), Math.exp(top.log)));
                continue;
            }
            double end = solution.end()[top.link];
            if (end > 0) {
                double log = top.log + Math.log(end);
                queue.add(new Partial(top.link, top.before, log, log, true));
            }
            for (int e = graph.start[top.link]; e < graph.start[top.link + 1]; e++) {
                double log = top.log + Math.log(solution.probability()[e]);
                double bound = log + best[graph.to[e]];
                if (bound > Double.NEGATIVE_INFINITY) {
                    queue.add(new Partial(graph.to[e], top, log, bound, false));
                }
            }
        }
        return paths;
    }

    private int[] links(Partial last) {
        List<Integer> backwards = new ArrayList<>();
        for (Partial part = last; part != null; part = part.before) {
            backwards.add(link[part.link]);
        }
        return IntStream.range(0, backwards.size())
                .map(i -> backwards.get(backwards.size() - 1 - i))
                .toArray();
    }

    /**
     * Draws trips: of each flow as many as it has, which must be whole numbers.
     *
     * @param stream of which each trip has a part of its own
     */
    public Trips draw(RandomStream stream) {
        List<List<Trip>> byFlow = new ArrayList<>();
        int[] first = new int[demand.flows().size()];
        int count = 0;
        for (int flow = 0; flow < first.length; flow++) {
            first[flow] = count;
            double trips = demand.flows().get(flow).trips();
            BadInput.when(
                    trips != Math.rint(trips) || count + trips > 100_000_000,
                    "a flow has %s trips".formatted(trips),
                    "Simulation needs whole numbers of trips, 100,000,000 in all at most.");
            count += (int) trips;
            byFlow.add(List.of());
        }
        solver.solutions(theta, solution -> {
            for (int flow : solution.trips()) {
                List<Trip> own = new ArrayList<>();
                for (int i = 0; i < demand.flows().get(flow).trips(); i++) {
                    int number = first[flow] + i;
                    own.add(new Trip(
                            Integer.toString(number + 1),
                            path(solution, graph.origin[flow], stream.at(number)),
                            solution.destination()));
                }
                synchronized (byFlow) {
                    byFlow.set(flow, own);
                }
            }
        });
        return new Trips(
                demand.network(),
                demand.destinations(),
                byFlow.stream().flatMap(List::stream).toList());
    }

    private int[] path(Solution solution, int origin, RandomStream stream) {
        int[] path = new int[32];
        int length = 0;
        int k = origin;
        while (true) {
            if (length == path.length) {
                BadInput.when(
                        length > LONGEST,
                        "a simulated trip does not end within %,d links".formatted(LONGEST),
                        "Use stronger penalties.");
                path = Arrays.copyOf(path, 2 * length);
            }
            path[length++] = link[k];
            double left = stream.nextDouble() - solution.end()[k];
            int next = -1;
            for (int e = graph.start[k]; e < graph.start[k + 1] && left >= 0; e++) {
                if (solution.probability()[e] > 0) {
                    next = graph.to[e];
                    left -= solution.probability()[e];
                }
            }
            if (next < 0) { // the destination, also where rounding leaves nothing else
                return Arrays.copyOf(path, length);
            }
            k = next;
        }
    }
}
