package dev.revealed.estimate.route;

import dev.revealed.estimate.route.NestedLogit.Solution;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.sparse.LuFactors;
import dev.revealed.numeric.sparse.LuFactors.Reach;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** What a model of route choice says of a demand: flows, values, probabilities of paths, likely paths, simulated trips. */
public final class RoutePredictions {
    /** A trip longer than this hints at parameters under which trips hardly end. */
    private static final int LONGEST = 1_000_000;

    /** Groups of flows whose passages are held before they are added up. */
    private static final int AT_ONCE = 64;

    private final Demand demand;
    private final RouteGraph graph;
    private final NestedLogit solver;
    private final RouteMixture mixture;

    /**
     * Predictions for a demand whose flows are all possible, where all drivers have the same parameters.
     *
     * @param theta parameters of the model
     */
    public RoutePredictions(Demand demand, PairFeatures features, RouteModel model, double[] theta) {
        this(demand, features, model, List.of(new DriverType(1, theta)));
    }

    /**
     * Predictions for drivers of several types, none of whom is known: means over types, weighted by their shares.
     *
     * @param types whose shares add up to 1
     */
    public RoutePredictions(Demand demand, PairFeatures features, RouteModel model, List<DriverType> types) {
        BadInput.when(
                demand.flows().isEmpty(), "there is no demand", "Give at least one pair of origin and destination.");
        this.demand = demand;
        mixture = new RouteMixture(types);
        graph = new RouteGraph(demand.paths(), features);
        for (DriverType type : types) {
            if (!model.nested() && model.discount() == 1 && !graph.feasible(type.theta())) {
                throw RouteEstimator.infeasible(graph, type.theta());
            }
        }
        solver = model.solver(graph);
    }

    /**
     * Flows for the demand.
     *
     * @param links expected passages by link of the network
     * @param pairs expected uses by pair of the network
     * @param values expected maximum utility by type of driver, then by flow of the demand
     */
    public record Flows(double[] links, double[] pairs, double[][] values) {}

    /** Flows on links and pairs, and values of all pairs of origin and destination. */
    public Flows flows() {
        int types = mixture.types().size();
        double[][] values = new double[types][demand.flows().size()];
        double[] links = new double[graph.n];
        double[] pairs = new double[graph.to.length];
        for (int k = 0; k < types; k++) {
            addFlows(mixture.types().get(k), links, pairs, values[k]);
        }
        return new Flows(graph.byNetwork(links), byPair(pairs), values);
    }

    private void addFlows(DriverType type, double[] links, double[] pairs, double[] values) {
        double[][] byGroup = new double[AT_ONCE][];
        double[][] probabilities = new double[AT_ONCE][];
        for (int first = 0; first < solver.groups(); first += AT_ONCE) {
            int from = first;
            int last = Math.min(solver.groups(), first + AT_ONCE);
            solver.solutions(type.theta(), first, last, solution -> {
                byGroup[solution.group() - from] = passages(type, solution, values);
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
    }

    private double[] passages(DriverType type, Solution solution, double[] values) {
        double[] passages = new double[graph.n];
        int[] rows = new int[solution.trips().length];
        for (int i = 0; i < rows.length; i++) {
            int flow = solution.trips()[i];
            rows[i] = graph.origin[flow];
            passages[rows[i]] += type.share() * demand.flows().get(flow).trips();
            values[flow] = solution.value()[rows[i]];
        }
        factored(type, solution).solveOneTransposed(passages, new Reach(graph.pattern).of(rows, rows.length));
        return passages;
    }

    private double[] byPair(double[] own) {
        double[] all = new double[own.length];
        for (int k = 0; k < graph.n; k++) {
            for (int e = graph.start[k]; e < graph.start[k + 1]; e++) {
                all[demand.network().pair(graph.link[k], graph.link[graph.to[e]])] = own[e];
            }
        }
        return all;
    }

    private LuFactors factored(DriverType type, Solution solution) {
        LuFactors factors = new LuFactors(graph.pattern);
        if (!factors.factor(solution.probability())) {
            throw RouteEstimator.infeasible(graph, type.theta());
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
        double[] passages = new double[demand.flows().size()];
        double[] probability = new double[passages.length];
        int at = graph.position[selected];
        for (DriverType type : mixture.types()) {
            solver.solutions(type.theta(), solution -> {
                double[] from = new double[graph.n];
                from[at] = 1;
                factored(type, solution).solveOne(from, new Reach(graph.pattern).of(new int[] {at}, 1));
                for (int flow : solution.trips()) {
                    double own = type.share() * from[graph.origin[flow]];
                    passages[flow] += own;
                    probability[flow] += own / from[at];
                }
            });
        }
        return IntStream.range(0, passages.length)
                .mapToObj(flow -> new Use(passages[flow], probability[flow]))
                .toList();
    }

    /** Values of all links towards the destination of a flow; with several types of drivers their mean. */
    public double[] field(int flow) {
        double[] field = new double[graph.n];
        for (DriverType type : mixture.types()) {
            solver.solutions(type.theta(), solution -> {
                if (Arrays.stream(solution.trips()).anyMatch(own -> own == flow)) {
                    Vec.axpy(type.share(), solution.value(), field);
                }
            });
        }
        return graph.byNetwork(field);
    }

    /** Log-probabilities of paths, each of one flow of the demand. */
    public double[] logProbabilities(int[][] paths) {
        double[] logs = new double[paths.length];
        mixture.solutions(solver, byType -> {
            for (int flow : byType.getFirst().trips()) {
                if (flow < paths.length) {
                    int[] path = graph.renumbered(paths[flow]);
                    logs[flow] = mixture.log(
                            byType.stream().mapToDouble(own -> log(own, path)).toArray());
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
        int[][] before = LikeliestPaths.before(graph);
        mixture.solutions(solver, byType -> {
            LikeliestPaths paths = new LikeliestPaths(graph, mixture, byType, before);
            for (int flow : byType.getFirst().trips()) {
                List<Path> own = paths.from(graph.origin[flow], count);
                synchronized (all) {
                    all.set(flow, own);
                }
            }
        });
        return all;
    }

    /**
     * Draws trips: of each flow as many as it has, which must be whole numbers. The type of the driver is drawn for every
     * trip.
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
        mixture.solutions(solver, byType -> {
            for (int flow : byType.getFirst().trips()) {
                List<Trip> own = new ArrayList<>();
                for (int i = 0; i < demand.flows().get(flow).trips(); i++) {
                    int number = first[flow] + i;
                    RandomStream random = stream.at(number);
                    Solution solution = byType.get(mixture.draw(random));
                    own.add(new Trip(
                            Integer.toString(number + 1),
                            path(solution, graph.origin[flow], random),
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
            path[length++] = graph.link[k];
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
