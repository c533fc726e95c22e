package dev.revealed.estimate.choice.counterfactual;

import dev.revealed.mdp.Kernel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The stationary distribution of a large irreducible chain by aggregation and disaggregation (Koury, McAllister and Stewart
 * 1984), on many levels (Horton and Leutenegger 1994): sweeps settle what moves fast, and the chain between groups of
 * states, averaged with the distribution so far, settles what moves slowly. Nothing is ever subtracted, so small
 * probabilities come out as exact as large ones, however slow the chain.
 */
final class Aggregation {
    private static final int SMALL = 512;
    private static final double TOLERANCE = 1e-13;
    private static final int LIMIT = 2000;

    /** Stands for weights that underflow, so that no group is without any. */
    private static final double TINY = 1e-280;

    private final int size;
    private final int[] start; // of the moves into each state; staying is no move
    private final int[] from;
    private final double[] chance;
    private final double[] leaving;
    private @Nullable Groups groups;

    /**
     * @param of the group of each state
     * @param place where each move counts in the chain between groups; -1 within a group
     */
    private record Groups(int[] of, int[] place, Aggregation chain) {}

    /** Items ordered by their keys: those of key k are {@code items[first[k]]} to {@code items[first[k + 1] - 1]}. */
    private record Sorted(int[] first, int[] items) {
        static Sorted by(int[] keys, int count) {
            int[] first = new int[count + 1];
            for (int key : keys) {
                first[key + 1]++;
            }
            Arrays.parallelPrefix(first, Integer::sum);
            int[] items = new int[keys.length];
            int[] filled = Arrays.copyOf(first, count);
            for (int i = 0; i < keys.length; i++) {
                items[filled[keys[i]]++] = i;
            }
            return new Sorted(first, items);
        }
    }

    private Aggregation(int size, int[] start, int[] from, double[] chance) {
        this.size = size;
        this.start = start;
        this.from = from;
        this.chance = chance;
        leaving = new double[size];
    }

    static double[] stationary(Kernel chain) {
        int n = chain.states();
        Kernel.Incoming incoming = chain.incoming();
        int[] start = new int[n + 1];
        int[] from = new int[incoming.row().length];
        double[] chance = new double[from.length];
        int moves = 0;
        for (int s = 0; s < n; s++) {
            for (int k = incoming.start()[s]; k < incoming.start()[s + 1]; k++) {
                if (incoming.row()[k] != s) {
                    from[moves] = incoming.row()[k];
                    chance[moves++] = incoming.probability()[k];
                }
            }
            start[s + 1] = moves;
        }
        double[] x = new double[n];
        Arrays.fill(x, 1.0 / n);
        new Aggregation(n, start, Arrays.copyOf(from, moves), Arrays.copyOf(chance, moves)).settle(x);
        return x;
    }

    private void settle(double[] x) {
        total();
        double before = Double.NaN;
        for (int k = 0; k < LIMIT; k++) {
            double[] old = x.clone();
            cycle(x);
            double change = 0;
            double largest = 0;
            for (int s = 0; s < size; s++) {
                change = Math.max(change, Math.abs(x[s] - old[s]));
                largest = Math.max(largest, x[s]);
            }
            double rate = Math.min(0.99, change / before);
            if (change <= Math.ulp(largest) || change * rate / (1 - rate) <= TOLERANCE * largest) {
                return;
            }
            before = change;
        }
        throw new ArithmeticException("the long-run distribution did not settle: last change %.2g".formatted(before));
    }

    private void total() {
        Arrays.fill(leaving, 0);
        for (int k = 0; k < from.length; k++) {
            leaving[from[k]] += chance[k];
        }
    }

    private void cycle(double[] x) {
        if (size <= SMALL) {
            System.arraycopy(LongRun.reduce(dense()), 0, x, 0, size);
            return;
        }
        sweep(x);
        Groups known = groups;
        if (known == null) {
            known = groups(x);
            groups = known;
        }
        int[] of = known.of;
        Aggregation chain = known.chain;
        double[] weight = new double[chain.size];
        for (int s = 0; s < size; s++) {
            x[s] = Math.max(x[s], TINY);
            weight[of[s]] += x[s];
        }
        Arrays.fill(chain.chance, 0);
        for (int k = 0; k < from.length; k++) {
            if (known.place[k] >= 0) {
                chain.chance[known.place[k]] += x[from[k]] / weight[of[from[k]]] * chance[k];
            }
        }
        chain.total();
        double[] y = weight.clone();
        chain.cycle(y);
        if (chain.size > SMALL) {
            chain.cycle(y); // twice, since one level's error is the next one's task
        }
        for (int s = 0; s < size; s++) {
            x[s] *= y[of[s]] / weight[of[s]];
        }
        sweep(x);
    }

    private double[][] dense() {
        double[][] dense = new double[size][size];
        for (int s = 0; s < size; s++) {
            for (int k = start[s]; k < start[s + 1]; k++) {
                dense[from[k]][s] += chance[k];
            }
        }
        return dense;
    }

    /** Gauss and Seidel's sweep, there and back: what leaves a state is what arrives. */
    private void sweep(double[] x) {
        double sum = 0;
        for (int i = 0; i < 2 * size; i++) {
            int s = i < size ? i : 2 * size - 1 - i;
            double arriving = 0;
            for (int k = start[s]; k < start[s + 1]; k++) {
                arriving += x[from[k]] * chance[k];
            }
            x[s] = arriving / leaving[s];
            sum += i < size ? 0 : x[s];
        }
        for (int s = 0; s < size; s++) {
            x[s] /= sum;
        }
    }

    /** Joins states in pairs along the most travelled moves, and those pairs once more. */
    private Groups groups(double[] x) {
        double[] traffic = new double[from.length];
        Arrays.setAll(traffic, k -> x[from[k]] * chance[k]);
        int[] of = pairs(traffic);
        Groups once = between(of);
        double[] more = new double[once.chain.from.length];
        for (int k = 0; k < traffic.length; k++) {
            if (once.place[k] >= 0) {
                more[once.place[k]] += traffic[k];
            }
        }
        int[] again = once.chain.pairs(more);
        Arrays.setAll(of, s -> again[of[s]]);
        return between(of);
    }

    /** Each state with the free neighbour it has most traffic with; where none is free, with that neighbour's pair. */
    private int[] pairs(double[] traffic) {
        int[] to = new int[from.length];
        for (int s = 0; s < size; s++) {
            Arrays.fill(to, start[s], start[s + 1], s);
        }
        Sorted leavingBy = Sorted.by(from, size);
        int[] first = leavingBy.first; // of the moves out of each state
        int[] out = leavingBy.items;
        int[] of = new int[size];
        Arrays.fill(of, -1);
        int count = 0;
        for (int s = 0; s < size; s++) {
            if (of[s] >= 0) {
                continue;
            }
            int free = -1;
            int taken = -1;
            int moves = start[s + 1] - start[s];
            for (int i = 0; i < moves + first[s + 1] - first[s]; i++) {
                int k = i < moves ? start[s] + i : out[first[s] + i - moves];
                if (of[i < moves ? from[k] : to[k]] < 0) {
                    free = free < 0 || traffic[k] > traffic[free] ? k : free;
                } else {
                    taken = taken < 0 || traffic[k] > traffic[taken] ? k : taken;
                }
            }
            if (free >= 0) {
                of[from[free]] = count;
                of[to[free]] = count++;
            } else {
                of[s] = of[from[taken] == s ? to[taken] : from[taken]];
            }
        }
        return of;
    }

    /** The chain between groups, its probabilities yet to be filled in. */
    private Groups between(int[] of) {
        int count = Arrays.stream(of).max().orElse(-1) + 1;
        Sorted members = Sorted.by(of, count);
        int[] begin = new int[count + 1];
        int[] sources = new int[from.length];
        int[] place = new int[from.length];
        int[] known = new int[count]; // where a source was last put
        Arrays.fill(known, -1);
        int moves = 0;
        for (int g = 0; g < count; g++) {
            for (int m = members.first[g]; m < members.first[g + 1]; m++) {
                int s = members.items[m];
                for (int k = start[s]; k < start[s + 1]; k++) {
                    int source = of[from[k]];
                    if (source == g) {
                        place[k] = -1;
                        continue;
                    }
                    if (known[source] < begin[g]) {
                        known[source] = moves;
                        sources[moves++] = source;
                    }
                    place[k] = known[source];
                }
            }
            begin[g + 1] = moves;
        }
        return new Groups(of, place, new Aggregation(count, begin, Arrays.copyOf(sources, moves), new double[moves]));
    }
}
