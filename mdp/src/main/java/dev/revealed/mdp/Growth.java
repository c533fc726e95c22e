package dev.revealed.mdp;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What an agent could gain per step by never ending a process without discount: the largest average of reward and entropy
 * among policies that keep it going for certain. Values exist where that is negative. With certain transitions it is the
 * logarithm of the spectral radius of the exponentiated rewards.
 */
final class Growth {
    private static final int MOST_SWEEPS = 200_000;
    private static final double SETTLED = 1e-12;
    private static final int PATIENCE = 50;

    private Growth() {}

    /** The exponential of the gain per step, in units of the temperature; 0 where nothing keeps the process going. */
    static double spectralRadius(SoftProcess process, double[] reward) {
        Mdp mdp = process.mdp();
        boolean[] keeps = keeping(process);
        int actions = mdp.actions();
        int[] alive = IntStream.range(0, mdp.states())
                .filter(s -> IntStream.range(s * actions, (s + 1) * actions)
                        .anyMatch(row -> keeps[row]))
                .toArray();
        if (alive.length == 0) {
            return 0;
        }
        double temperature = process.cost().temperature();
        double[] values = new double[mdp.states()];
        double[] gain = new double[mdp.states()];
        double largest = Double.POSITIVE_INFINITY;
        int settled = 0;
        for (int sweep = 0; sweep < MOST_SWEEPS && settled < PATIENCE; sweep++) {
            double before = largest;
            largest = Double.NEGATIVE_INFINITY;
            double smallest = Double.POSITIVE_INFINITY;
            for (int s : alive) {
                gain[s] = backup(process, reward, keeps, s, values) - values[s];
                largest = Math.max(largest, gain[s]);
                smallest = Math.min(smallest, gain[s]);
            }
            for (int s : alive) { // half a step: chains that go to and fro settle, too
                values[s] += 0.5 * (gain[s] - largest);
            }
            boolean still = Math.abs(largest - before) <= SETTLED * Math.max(1, Math.abs(largest));
            settled = still ? settled + 1 : 0;
            if (largest - smallest <= SETTLED) {
                break;
            }
        }
        return Math.exp(largest / temperature);
    }

    private static double backup(SoftProcess process, double[] reward, boolean[] keeps, int s, double[] values) {
        Mdp mdp = process.mdp();
        double tau = process.cost().temperature(s);
        double top = Double.NEGATIVE_INFINITY;
        double[] q = new double[mdp.actions()];
        Arrays.fill(q, Double.NEGATIVE_INFINITY);
        for (int a = 0; a < q.length; a++) {
            int row = s * q.length + a;
            if (keeps[row]) {
                q[a] = (reward[row] + mdp.expected(row, values)) / tau + process.cost().logWeight(row);
                top = Math.max(top, q[a]);
            }
        }
        double sum = 0;
        for (double own : q) {
            sum += Math.exp(own - top);
        }
        return tau * (top + Math.log(sum));
    }

    /** Rows that may be chosen for ever without any risk that the process ends. */
    private static boolean[] keeping(SoftProcess process) {
        Mdp mdp = process.mdp();
        int actions = mdp.actions();
        boolean[] alive = new boolean[mdp.states()];
        Arrays.fill(alive, true);
        for (int end : mdp.ends()) {
            alive[end] = false;
        }
        boolean[] keeps = new boolean[mdp.rows()];
        for (int row = 0; row < keeps.length; row++) {
            keeps[row] = process.cost().logWeight(row) > Double.NEGATIVE_INFINITY;
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int s = 0; s < alive.length; s++) {
                if (!alive[s]) {
                    Arrays.fill(keeps, s * actions, (s + 1) * actions, false);
                    continue;
                }
                boolean any = false;
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    for (int k = mdp.kernel().rowStart()[row]; keeps[row] && k < mdp.kernel().rowStart()[row + 1]; k++) {
                        keeps[row] = alive[mdp.kernel().successor()[k]] || mdp.kernel().probability()[k] == 0;
                    }
                    any |= keeps[row];
                }
                alive[s] = any;
                changed |= !any;
            }
        }
        return keeps;
    }
}
