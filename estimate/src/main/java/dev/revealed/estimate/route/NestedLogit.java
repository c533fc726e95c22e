package dev.revealed.estimate.route;

import static dev.revealed.numeric.sparse.LuFactors.LANES;

import dev.revealed.mdp.route.LinkFeatures;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.sparse.LuFactors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Nested recursive logit (Mai, Fosgerau and Frejinger 2015): the scale of shocks differs by link, exp(omega . s). Values
 * solve a fixed point; Newton's method begins with those of the last evaluation. Parameters are those of features, of link
 * size where it is used, then omega.
 */
public final class NestedLogit implements RouteLikelihood {
    /** A Newton step this small leaves an error of its square. */
    private static final double SMALL = 1e-6;

    private static final int MOST_STEPS = 60;

    private static final double HIGHEST = 1e4;

    private final RouteGraph graph;
    private final Optional<LinkSize> size;
    private final double discount;
    private final int rewards; // parameters of rewards
    private final List<String> names;
    private final double[][] scale; // features of the scale by the graph's links
    private final int[] destination; // by group of trips
    private final int[][] trips; // by group
    private final double[][] observed;
    private final double[][] values; // by group: the last ones found, empty before
    private final ConcurrentLinkedQueue<Workspace> workspaces = new ConcurrentLinkedQueue<>();

    public NestedLogit(RouteGraph graph, LinkFeatures scales, Optional<LinkSize> size) {
        this(graph, scales, size, 1);
    }

    /**
     * With a discount per link: a value counts that much less one link earlier.
     *
     * @param scales none where all shocks have the same scale
     */
    public NestedLogit(RouteGraph graph, LinkFeatures scales, Optional<LinkSize> size, double discount) {
        BadInput.when(
                !(discount > 0 && discount <= 1),
                "the discount is " + discount,
                "Give a number above 0 and at most 1; recursive logit has 1.");
        this.graph = graph;
        this.size = size;
        this.discount = discount;
        List<String> all = new ArrayList<>(graph.features.names());
        size.ifPresent(_ -> all.add("linkSize"));
        rewards = all.size();
        scales.names().forEach(name -> all.add("omega" + Character.toUpperCase(name.charAt(0)) + name.substring(1)));
        names = List.copyOf(all);
        scale = new double[scales.size()][graph.n];
        for (int j = 0; j < scale.length; j++) {
            for (int link = 0; link < graph.n; link++) {
                scale[j][graph.position[link]] = scales.values()[j][link];
            }
        }
        OriginDestinations pairs = new OriginDestinations(graph);
        if (size.isPresent()) {
            trips = new int[pairs.count()][];
            Arrays.setAll(trips, pairs::trips);
            observed = pairs.observed(size.get());
        } else {
            int[][] byDestination = new int[graph.ends.length][0];
            for (int i = 0; i < graph.destination.length; i++) {
                int d = graph.destination[i];
                byDestination[d] = Arrays.copyOf(byDestination[d], byDestination[d].length + 1);
                byDestination[d][byDestination[d].length - 1] = i;
            }
            trips = Arrays.stream(byDestination).filter(own -> own.length > 0).toArray(int[][]::new);
            observed = graph.observed;
        }
        destination =
                Arrays.stream(trips).mapToInt(own -> graph.destination[own[0]]).toArray();
        values = new double[trips.length][0];
    }

    @Override
    public List<String> names() {
        return names;
    }

    /** Choices at a solution, in the graph's numbers; valid until the next one is found. */
    record Solution(int group, int destination, int[] trips, double[] probability, double[] end, double[] value) {}

    /** What is done with a solution. */
    interface Use {
        void of(Solution solution);
    }

    /** How many groups of trips have choices of their own: by destination, or by origin and destination. */
    int groups() {
        return trips.length;
    }

    /** Finds the choices of every group of trips and hands them on, several groups at a time. */
    void solutions(double[] theta, Use use) {
        solutions(theta, 0, trips.length, use);
    }

    void solutions(double[] theta, int first, int last, Use use) {
        check(theta);
        double[] base = graph.rewards(theta);
        double[] mu = scales(theta);
        Parallel.tasks(last - first, task -> {
            Workspace pooled = workspaces.poll();
            Workspace own = pooled == null ? new Workspace() : pooled;
            if (!own.solution(first + task, theta, base, mu, use)) {
                throw RouteEstimator.infeasible(graph, theta);
            }
            workspaces.add(own);
        });
    }

    /** How many trips have been observed. */
    public int observations() {
        return observed.length;
    }

    @Override
    public Evaluation at(double[] theta, Depth depth) {
        check(theta);
        double[] base = graph.rewards(theta);
        double[] mu = scales(theta);
        double[] logs = new double[observed.length];
        double[][] scores = new double[observed.length][depth == Depth.VALUE ? 0 : theta.length];
        boolean[] feasible = new boolean[trips.length];
        Parallel.tasks(trips.length, group -> {
            Workspace pooled = workspaces.poll();
            Workspace own = pooled == null ? new Workspace() : pooled;
            feasible[group] = own.evaluate(group, theta, base, mu, depth, logs, scores);
            workspaces.add(own);
        });
        for (boolean ok : feasible) {
            if (!ok) {
                return Evaluation.INFEASIBLE;
            }
        }
        double[] gradient = new double[theta.length];
        if (depth != Depth.VALUE) {
            for (double[] score : scores) {
                Vec.axpy(1, score, gradient);
            }
        }
        return new Evaluation(
                Vec.sum(logs),
                logs,
                depth == Depth.VALUE ? new double[0] : gradient,
                depth.includes(Depth.SCORES) ? scores : new double[0][],
                new double[0][]);
    }

    private double[] scales(double[] theta) {
        double[] mu = new double[graph.n];
        for (int k = 0; k < mu.length; k++) {
            double log = 0;
            for (int j = 0; j < scale.length; j++) {
                log += theta[rewards + j] * scale[j][k];
            }
            mu[k] = Math.exp(log);
        }
        return mu;
    }

    /** Arrays for one group of trips at a time. */
    private final class Workspace {
        private final double[] passages = new double[graph.n];
        private final double[] reward = new double[graph.to.length];
        private final double[] p = new double[graph.to.length];
        private final double[] kernel = discount == 1 ? p : new double[p.length]; // what links the values
        private final boolean[] end = new boolean[graph.n];
        private final double[] change = new double[graph.n];
        private final double[] v = new double[graph.n];
        private final LuFactors factors = new LuFactors(graph.pattern);
        private double[][] right = new double[0][]; // lanes of parameters
        private double[][] slope = new double[0][];

        boolean evaluate(
                int group, double[] theta, double[] base, double[] mu, Depth depth, double[] logs, double[][] scores) {
            rewards(group, theta, base);
            int d = destination[group];
            for (int link : graph.ends[d]) {
                end[link] = true;
            }
            int absorbing = graph.onLink[d] ? graph.ends[d][0] : -1;
            boolean found = start(group, d) && solve(mu, absorbing);
            if (found) {
                if (values[group].length == 0) {
                    values[group] = new double[graph.n];
                }
                System.arraycopy(v, 0, values[group], 0, v.length);
                if (depth != Depth.VALUE) {
                    derivatives(theta.length, absorbing);
                }
                for (int trip : trips[group]) {
                    logs[trip] = along(trip, mu, scores[trip]);
                }
            }
            for (int link : graph.ends[d]) {
                end[link] = false;
            }
            return found;
        }

        boolean solution(int group, double[] theta, double[] base, double[] mu, Use use) {
            rewards(group, theta, base);
            int d = destination[group];
            for (int link : graph.ends[d]) {
                end[link] = true;
            }
            boolean found = start(group, d) && solve(mu, graph.onLink[d] ? graph.ends[d][0] : -1);
            if (found) {
                double[] last = new double[graph.n];
                for (int link : graph.ends[d]) {
                    last[link] = graph.onLink[d] ? 1 : Elementary.exp(-v[link] / mu[link]);
                }
                use.of(new Solution(group, d, trips[group], p, last, v));
            }
            for (int link : graph.ends[d]) {
                end[link] = false;
            }
            return found;
        }

        private void rewards(int group, double[] theta, double[] base) {
            if (size.isEmpty()) {
                System.arraycopy(base, 0, reward, 0, base.length);
                return;
            }
            size.get().passages(graph.origin[trips[group][0]], destination[group], passages);
            double coefficient = theta[rewards - 1];
            for (int e = 0; e < reward.length; e++) {
                reward[e] = base[e] + coefficient * passages[graph.to[e]];
            }
        }

        /** The values of the last evaluation, or those of recursive logit with rewards strong enough to have some. */
        private boolean start(int group, int d) {
            if (values[group].length > 0) {
                System.arraycopy(values[group], 0, v, 0, v.length);
                return true;
            }
            double strength = 1;
            do {
                for (int e = 0; e < p.length; e++) {
                    p[e] = Elementary.exp(strength * reward[e]);
                }
                strength *= 1.5;
            } while (!factors.factor(p) && strength < 100);
            if (strength >= 100) {
                return false;
            }
            System.arraycopy(factors.logSolution(graph.ends[d]), 0, v, 0, v.length);
            return true;
        }

        /** Newton's method; leaves choice probabilities at the solution and factors a small step before it. */
        private boolean solve(double[] mu, int absorbing) {
            for (int step = 0; step < MOST_STEPS; step++) {
                backup(mu, absorbing);
                if (!factors.factor(kernel)) {
                    return false;
                }
                factors.solveOne(change);
                double largest = 0;
                double highest = Double.NEGATIVE_INFINITY;
                for (int k = 0; k < v.length; k++) {
                    v[k] += change[k];
                    largest = Math.max(largest, Math.abs(change[k]));
                    highest = Math.max(highest, v[k]);
                }
                if (!(highest < HIGHEST)) {
                    return false;
                }
                if (largest < SMALL) {
                    backup(mu, absorbing);
                    return true;
                }
            }
            return false;
        }

        /** Choice probabilities at the values, and how far the values are from what they imply. */
        private void backup(double[] mu, int absorbing) {
            for (int k = 0; k < v.length; k++) {
                int last = graph.start[k + 1];
                if (k == absorbing) {
                    Arrays.fill(p, graph.start[k], last, 0);
                    Arrays.fill(kernel, graph.start[k], last, 0);
                    change[k] = -v[k];
                    continue;
                }
                double top = end[k] ? 0 : Double.NEGATIVE_INFINITY;
                for (int e = graph.start[k]; e < last; e++) {
                    p[e] = reward[e] + discount * v[graph.to[e]];
                    top = Math.max(top, p[e]);
                }
                if (top == Double.NEGATIVE_INFINITY) { // no path to the destination
                    Arrays.fill(p, graph.start[k], last, 0);
                    Arrays.fill(kernel, graph.start[k], last, 0);
                    change[k] = 0;
                    continue;
                }
                double inverse = 1 / mu[k];
                double sum = end[k] ? Elementary.exp(-top * inverse) : 0;
                for (int e = graph.start[k]; e < last; e++) {
                    p[e] = Elementary.exp((p[e] - top) * inverse);
                    sum += p[e];
                }
                change[k] = top + mu[k] * Elementary.log(sum) - v[k];
                double share = 1 / sum;
                for (int e = graph.start[k]; e < last; e++) {
                    p[e] *= share;
                    kernel[e] = discount * p[e];
                }
            }
        }

        /** Derivatives of values, a lane for each parameter. */
        private void derivatives(int parameters, int absorbing) {
            if (right.length == 0) {
                int blocks = (parameters + LANES - 1) / LANES;
                right = new double[blocks][graph.n * LANES];
                slope = new double[blocks][graph.n * LANES];
            }
            for (double[] block : right) {
                Arrays.fill(block, 0);
            }
            for (int k = 0; k < v.length; k++) {
                if (k == absorbing || v[k] == Double.NEGATIVE_INFINITY) {
                    continue;
                }
                int at = k * LANES;
                double expected = 0;
                for (int e = graph.start[k]; e < graph.start[k + 1]; e++) {
                    if (p[e] == 0) {
                        continue;
                    }
                    expected += p[e] * (reward[e] + discount * v[graph.to[e]]);
                    for (int j = 0; j < rewards; j++) {
                        right[j / LANES][at + j % LANES] += p[e] * feature(j, e);
                    }
                }
                for (int j = rewards; j < parameters; j++) {
                    right[j / LANES][at + j % LANES] = scale[j - rewards][k] * (v[k] - expected);
                }
            }
            for (int block = 0; block < right.length; block++) {
                solve(right[block], slope[block]);
            }
        }

        private void solve(double[] known, double[] unknown) {
            System.arraycopy(known, 0, unknown, 0, known.length);
            factors.solve(unknown);
            // The factors are those of the values before the last step: one correction makes up for it.
            for (int k = 0; k < v.length; k++) {
                int at = k * LANES;
                for (int lane = 0; lane < LANES; lane++) {
                    known[at + lane] -= unknown[at + lane];
                }
                for (int e = graph.start[k]; e < graph.start[k + 1]; e++) {
                    int from = graph.to[e] * LANES;
                    for (int lane = 0; lane < LANES; lane++) {
                        known[at + lane] += kernel[e] * unknown[from + lane];
                    }
                }
            }
            factors.solve(known);
            for (int i = 0; i < unknown.length; i++) {
                unknown[i] += known[i];
            }
        }

        private double feature(int j, int e) {
            return j < graph.x.length ? graph.x[j][e] : passages[graph.to[e]];
        }

        /** The log-probability of a trip; adds its derivatives where there is room for them. */
        private double along(int trip, double[] mu, double[] score) {
            int[] links = graph.trips.list().get(trip).links();
            double sum = 0;
            for (int t = 0; t < links.length; t++) {
                int k = graph.position[links[t]];
                boolean last = t + 1 == links.length;
                int pair = last ? -1 : pair(k, graph.position[links[t + 1]]);
                double gain = (last ? 0 : reward[pair] + discount * v[graph.to[pair]]) - v[k];
                sum += gain / mu[k];
                for (int j = 0; j < score.length; j++) {
                    double[] lanes = slope[j / LANES];
                    int lane = j % LANES;
                    double own = (last ? 0 : discount * lanes[graph.to[pair] * LANES + lane]) - lanes[k * LANES + lane];
                    if (j >= rewards) {
                        own -= scale[j - rewards][k] * gain;
                    } else if (!last) {
                        own += feature(j, pair);
                    }
                    score[j] += own / mu[k];
                }
            }
            return sum;
        }

        private int pair(int from, int to) {
            int e = graph.start[from];
            while (graph.to[e] != to) {
                e++;
            }
            return e;
        }
    }
}
