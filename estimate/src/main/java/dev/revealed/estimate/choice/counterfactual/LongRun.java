package dev.revealed.estimate.choice.counterfactual;

import dev.revealed.mdp.Kernel;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where a chain spends its time in the end: the limit of the average of start P^t.
 *
 * <p>A chain ends in one of its closed classes. Within a class the answer does not depend on the start, and is found by
 * state reduction, or in large classes by {@link Aggregation}; neither ever subtracts, so that every probability is exact
 * relative to itself. Which class it ends in, the start decides: let the chain begin anew
 * whenever it arrives in one, and how often each is arrived at is again a question of where a chain spends its time.
 */
final class LongRun {
    private static final int SMALL = 512;
    private static final double HUGE = 1e150;

    /** Steps of a chain that is known by its products, and the sum of the changes to come after which it has settled. */
    private static final int MOST_STEPS = 5000;

    private static final double SETTLED = 1e-12;

    private LongRun() {}

    /** The long-run distribution of the chain of a policy, from a start distribution. */
    static double[] distribution(Kernel kernel, double[] policy, double[] start) {
        Optional<double[]> settled = kernel.operator() == null ? Optional.empty() : settled(kernel, policy, start);
        return settled.orElseGet(() -> distribution(chain(kernel, policy), start));
    }

    /** By steps of the chain, where its products are cheaper than its entries; empty where it does not settle soon. */
    private static Optional<double[]> settled(Kernel kernel, double[] policy, double[] start) {
        int actions = kernel.actions();
        double[] here = start.clone();
        double[] flow = new double[policy.length];
        double before = Double.NaN;
        for (int t = 0; t < MOST_STEPS; t++) {
            double[] next = new double[here.length];
            for (int row = 0; row < flow.length; row++) {
                flow[row] = here[row / actions] * policy[row];
            }
            kernel.push(flow, next);
            double change = 0;
            for (int s = 0; s < next.length; s++) {
                change += Math.abs(next[s] - here[s]);
            }
            double sum = Vec.sum(next);
            for (int s = 0; s < next.length; s++) {
                here[s] = next[s] / sum;
            }
            double rate = change / before;
            if (rate < 1 && change * rate / (1 - rate) <= SETTLED) {
                return Optional.of(here);
            }
            before = change;
        }
        return Optional.empty();
    }

    private static double[] distribution(Kernel chain, double[] start) {
        List<int[]> classes = closedClasses(chain);
        double[] share = classes.size() == 1 ? new double[] {1} : arrivals(chain, classes, start);
        double[] all = new double[start.length];
        for (int c = 0; c < share.length; c++) {
            int[] members = classes.get(c);
            if (share[c] > 0) {
                double[] within = members.length <= SMALL
                        ? reduce(dense(chain, members))
                        : Aggregation.stationary(within(chain, members));
                for (int i = 0; i < members.length; i++) {
                    all[members[i]] = share[c] * within[i];
                }
            }
        }
        return all;
    }

    /** The chain of a policy as a kernel of one action. */
    private static Kernel chain(Kernel kernel, double[] policy) {
        int actions = kernel.actions();
        return Kernel.of(kernel.states(), 1, (s, none, out) -> {
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1] && policy[row] > 0; k++) {
                    out.add(kernel.successor()[k], policy[row] * kernel.probability()[k]);
                }
            }
        });
    }

    /** Sets of states that reach each other and nothing else, by Tarjan's search without recursion. */
    private static List<int[]> closedClasses(Kernel chain) {
        int n = chain.states();
        int[] start = chain.rowStart();
        int[] to = chain.successor();
        int[] order = new int[n]; // when a state was met, from 1
        int[] low = new int[n];
        int[] at = new int[n]; // the next link to follow
        int[] path = new int[n];
        int[] open = new int[n]; // states met whose class is not complete
        boolean[] done = new boolean[n];
        boolean[] leaves = new boolean[n]; // some link leads to another, completed class
        List<int[]> classes = new ArrayList<>();
        int met = 0;
        int opened = 0;
        for (int root = 0; root < n; root++) {
            int depth = order[root] == 0 ? 0 : -1;
            path[0] = root;
            while (depth >= 0) {
                int s = path[depth];
                if (order[s] == 0) {
                    order[s] = ++met;
                    low[s] = met;
                    at[s] = start[s];
                    open[opened++] = s;
                }
                if (at[s] < start[s + 1]) {
                    int next = to[at[s]];
                    if (order[next] == 0) {
                        path[++depth] = next; // and come back to the same link
                        continue;
                    }
                    at[s]++;
                    if (done[next]) {
                        leaves[s] = true;
                    } else {
                        low[s] = Math.min(low[s], low[next]);
                    }
                    continue;
                }
                if (low[s] == order[s]) {
                    int first = opened;
                    boolean closed = true;
                    do {
                        first--;
                        done[open[first]] = true;
                        closed &= !leaves[open[first]];
                    } while (open[first] != s);
                    if (closed) {
                        int[] members = Arrays.copyOfRange(open, first, opened);
                        Arrays.sort(members);
                        classes.add(members);
                    }
                    opened = first;
                }
                depth--;
            }
        }
        return classes;
    }

    /** The chance of ending in each class. */
    private static double[] arrivals(Kernel chain, List<int[]> classes, double[] start) {
        int n = chain.states();
        int[] place = new int[n]; // transient states first, then one state for each class
        Arrays.fill(place, -1);
        int transients = n - classes.stream().mapToInt(c -> c.length).sum();
        for (int c = 0; c < classes.size(); c++) {
            for (int s : classes.get(c)) {
                place[s] = transients + c;
            }
        }
        int[] state = new int[transients];
        for (int s = 0, i = 0; s < n; s++) {
            if (place[s] < 0) {
                state[i] = s;
                place[s] = i++;
            }
        }
        Kernel anew = Kernel.of(transients + classes.size(), 1, (i, none, out) -> {
            if (i < transients) {
                for (int k = chain.rowStart()[state[i]]; k < chain.rowStart()[state[i] + 1]; k++) {
                    out.add(place[chain.successor()[k]], chain.probability()[k]);
                }
            } else {
                for (int s = 0; s < n; s++) {
                    out.add(place[s], start[s]);
                }
            }
        });
        // What the start never reaches, and classes it cannot end in, are no part of this chain's only closed class.
        double[] time = distribution(anew, new double[anew.states()]);
        double[] share = Arrays.copyOfRange(time, transients, time.length);
        double sum = Vec.sum(share);
        Arrays.setAll(share, c -> share[c] / sum);
        return share;
    }

    private static Kernel within(Kernel chain, int[] members) {
        return Kernel.of(members.length, 1, (i, none, out) -> {
            for (int k = chain.rowStart()[members[i]]; k < chain.rowStart()[members[i] + 1]; k++) {
                out.add(Arrays.binarySearch(members, chain.successor()[k]), chain.probability()[k]);
            }
        });
    }

    private static double[][] dense(Kernel chain, int[] members) {
        double[][] dense = new double[members.length][members.length];
        for (int i = 0; i < members.length; i++) {
            for (int k = chain.rowStart()[members[i]]; k < chain.rowStart()[members[i] + 1]; k++) {
                dense[i][Arrays.binarySearch(members, chain.successor()[k])] += chain.probability()[k];
            }
        }
        return dense;
    }

    /**
     * The stationary distribution of an irreducible chain, given its moves: takes states out one by one, what passed through
     * them going on directly, and puts them back (Grassmann, Taksar and Heyman 1985). Overwrites the moves.
     */
    static double[] reduce(double[][] p) {
        int n = p.length;
        for (int k = n - 1; k > 0; k--) {
            double out = 0;
            for (int j = 0; j < k; j++) {
                out += p[k][j];
            }
            for (int i = 0; i < k; i++) {
                if (p[i][k] != 0) {
                    p[i][k] /= out;
                    for (int j = 0; j < k; j++) {
                        p[i][j] += p[i][k] * p[k][j];
                    }
                }
            }
        }
        double[] time = new double[n];
        time[0] = 1;
        double sum = 1;
        for (int k = 1; k < n; k++) {
            for (int i = 0; i < k; i++) {
                time[k] += time[i] * p[i][k];
            }
            sum += time[k];
            if (sum > HUGE) { // the first states are hardly ever visited
                for (int i = 0; i <= k; i++) {
                    time[i] /= HUGE;
                }
                sum /= HUGE;
            }
        }
        for (int k = 0; k < n; k++) {
            time[k] /= sum;
        }
        return time;
    }
}
