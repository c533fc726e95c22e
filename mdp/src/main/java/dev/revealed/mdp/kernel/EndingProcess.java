package dev.revealed.mdp.kernel;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.numeric.sparse.SparseSystem;
import dev.revealed.numeric.sparse.SpectralRadius;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** A process that ends: how far states are from the end, and whether anybody would keep it from ending. */
public final class EndingProcess {
    private static final int MOST_SWEEPS = 200_000;
    private static final double SETTLED = 1e-12;
    private static final int PATIENCE = 50;
    private static final double LARGEST_EXPONENT = 300;

    private final Mdp mdp;
    private final InformationCost cost;

    public EndingProcess(Mdp mdp, InformationCost cost) {
        this.mdp = mdp;
        this.cost = cost;
    }

    /**
     * By what factor the exponentiated rewards of a process without discount grow per step if it is kept from ending: the
     * exponential of the most that reward and entropy come to per step, in units of the temperature, among policies that
     * never risk the end. Values exist where it is below 1. With certain transitions it is the spectral radius of their
     * matrix; 0 where nothing keeps the process going.
     */
    public double spectralRadius(double[] reward) {
        boolean[] keeps = keeping();
        int actions = mdp.actions();
        int[] alive = IntStream.range(0, mdp.states())
                .filter(s -> IntStream.range(s * actions, (s + 1) * actions).anyMatch(row -> keeps[row]))
                .toArray();
        if (alive.length == 0) {
            return 0;
        }
        if (cost.scale() == null && certain(keeps) && exponents(reward, keeps)) {
            return ofMatrix(reward, keeps);
        }
        double[] values = new double[mdp.states()];
        double[] gain = new double[mdp.states()];
        double largest = Double.POSITIVE_INFINITY;
        int settled = 0;
        for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
            double before = largest;
            double smallest = Double.POSITIVE_INFINITY;
            int top = alive[0];
            for (int s : alive) {
                gain[s] = backup(s, reward, keeps, values) - values[s];
                top = gain[s] > gain[top] ? s : top;
                smallest = Math.min(smallest, gain[s]);
            }
            largest = gain[top];
            for (int s : alive) { // half a step: chains that go to and fro settle, too
                values[s] += 0.5 * (gain[s] - largest);
            }
            settled = Math.abs(largest - before) <= SETTLED * Math.max(1, Math.abs(largest)) ? settled + 1 : 0;
            if (largest - smallest <= SETTLED
                    || (settled > 0 && settled % PATIENCE == 0 && settled >= patience(horizon(top, keeps)))) {
                break;
            }
        }
        return Math.exp(largest / cost.temperature());
    }

    /** Whether each of these rows leads to one state. */
    private boolean certain(boolean[] rows) {
        return IntStream.range(0, rows.length)
                .allMatch(row -> !rows[row] || successors(row).count() == 1);
    }

    /** Whether the exponentials of these rewards are ordinary numbers. */
    private boolean exponents(double[] reward, boolean[] rows) {
        return IntStream.range(0, rows.length)
                .allMatch(row -> !rows[row]
                        || Math.abs(reward[row] / cost.temperature() + cost.logWeight(row)) < LARGEST_EXPONENT);
    }

    /** The spectral radius of the matrix of exponentiated rewards of certain transitions. */
    private double ofMatrix(double[] reward, boolean[] keeps) {
        int actions = mdp.actions();
        int[] start = new int[mdp.states() + 1];
        int[] column = new int[mdp.rows()];
        double[] m = new double[mdp.rows()];
        for (int s = 0; s < mdp.states(); s++) {
            int size = start[s];
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                if (keeps[row]) {
                    int next = successors(row).findFirst().orElseThrow();
                    int at = start[s];
                    while (at < size && column[at] != next) {
                        at++;
                    }
                    column[at] = next;
                    m[at] += Math.exp(reward[row] / cost.temperature() + cost.logWeight(row));
                    size = Math.max(size, at + 1);
                }
            }
            start[s + 1] = size;
        }
        int entries = start[mdp.states()];
        SparseSystem system = new SparseSystem(mdp.states(), start, Arrays.copyOf(column, entries));
        return SpectralRadius.of(start, column, Arrays.copyOf(m, entries), system::factor);
    }

    /**
     * For how many sweeps nothing may seem to change although it will: half steps bring news from so many steps ahead after
     * twice as many sweeps, and a wave of them goes round a ring of that length unseen until it has spread all over it, as
     * far as the root of the sweeps.
     */
    private static double patience(double steps) {
        return PATIENCE + 2 * steps + steps * steps / 32;
    }

    /** How many steps away the farthest state is that can be reached by some rows. */
    private int horizon(int from, boolean[] keeps) {
        int actions = mdp.actions();
        boolean[] seen = new boolean[mdp.states()];
        seen[from] = true;
        int[] front = {from};
        int steps = -1;
        for (; front.length > 0; steps++) {
            front = Arrays.stream(front)
                    .flatMap(s -> IntStream.range(s * actions, (s + 1) * actions))
                    .filter(row -> keeps[row])
                    .flatMap(this::successors)
                    .filter(next -> !seen[next])
                    .distinct()
                    .toArray();
            for (int s : front) {
                seen[s] = true;
            }
        }
        return steps;
    }

    /** Where a row may lead. */
    private IntStream successors(int row) {
        Kernel kernel = mdp.kernel();
        return IntStream.range(kernel.rowStart()[row], kernel.rowStart()[row + 1])
                .filter(k -> kernel.probability()[k] > 0)
                .map(k -> kernel.successor()[k]);
    }

    /** Whether a row may be chosen and may lead to such a state. */
    public boolean leads(int row, IntPredicate there) {
        return cost.logWeight(row) > Double.NEGATIVE_INFINITY && successors(row).anyMatch(there);
    }

    /** How many steps each state is from the end at least, by actions that may be chosen; {@code MAX_VALUE} without a way. */
    public int[] stepsToEnd() {
        Kernel.Incoming incoming = mdp.kernel().incoming();
        int[] distance = new int[mdp.states()];
        Arrays.fill(distance, Integer.MAX_VALUE);
        int[] queue = Arrays.copyOf(mdp.ends(), mdp.states());
        int size = mdp.ends().length;
        for (int end : mdp.ends()) {
            distance[end] = 0;
        }
        for (int i = 0; i < size; i++) {
            for (int k = incoming.start()[queue[i]]; k < incoming.start()[queue[i] + 1]; k++) {
                int row = incoming.row()[k];
                int from = row / mdp.actions();
                if (distance[from] == Integer.MAX_VALUE
                        && incoming.probability()[k] > 0
                        && cost.logWeight(row) > Double.NEGATIVE_INFINITY) {
                    distance[from] = distance[queue[i]] + 1;
                    queue[size++] = from;
                }
            }
        }
        return distance;
    }

    /** The soft value of a state if only some rows may be chosen. */
    private double backup(int s, double[] reward, boolean[] keeps, double[] values) {
        double tau = cost.temperature(s);
        double[] q = new double[mdp.actions()];
        double top = Double.NEGATIVE_INFINITY;
        for (int a = 0; a < q.length; a++) {
            int row = s * q.length + a;
            q[a] = keeps[row]
                    ? (reward[row] + mdp.expected(row, values)) / tau + cost.logWeight(row)
                    : Double.NEGATIVE_INFINITY;
            top = Math.max(top, q[a]);
        }
        double sum = 0;
        for (double own : q) {
            sum += Math.exp(own - top);
        }
        return tau * (top + Math.log(sum));
    }

    /** Rows that may be chosen for ever without any risk that the process ends. */
    private boolean[] keeping() {
        int actions = mdp.actions();
        Kernel kernel = mdp.kernel();
        boolean[] alive = new boolean[mdp.states()];
        Arrays.fill(alive, true);
        for (int end : mdp.ends()) {
            alive[end] = false;
        }
        boolean[] keeps = new boolean[mdp.rows()];
        for (int row = 0; row < keeps.length; row++) {
            keeps[row] = alive[row / actions] && cost.logWeight(row) > Double.NEGATIVE_INFINITY;
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int s = 0; s < alive.length; s++) {
                boolean any = false;
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    for (int k = kernel.rowStart()[row]; keeps[row] && k < kernel.rowStart()[row + 1]; k++) {
                        keeps[row] = alive[kernel.successor()[k]] || kernel.probability()[k] == 0;
                    }
                    any |= keeps[row];
                }
                changed |= alive[s] && !any;
                alive[s] = any;
            }
        }
        return keeps;
    }
}
