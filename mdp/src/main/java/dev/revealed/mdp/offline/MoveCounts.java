package dev.revealed.mdp.offline;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Buckets;
import dev.revealed.numeric.RandomStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * How often each next state followed each (state, action) in a log, as a sparse matrix with rows {@code s*A + a}. Counts may
 * be weights. Immutable.
 */
public final class MoveCounts {
    private final int states;
    private final int actions;
    private final int[] rowStart;
    private final int[] next; // ascending within a row
    private final double[] count; // above 0

    private MoveCounts(int states, int actions, int[] rowStart, int[] next, double[] count) {
        this.states = states;
        this.actions = actions;
        this.rowStart = rowStart;
        this.next = next;
        this.count = count;
    }

    /** Of moves in any order, each counted once. */
    public static MoveCounts of(int states, int actions, int[] state, int[] action, int[] next) {
        double[] once = new double[state.length];
        Arrays.fill(once, 1);
        return of(states, actions, state, action, next, once);
    }

    private static MoveCounts of(int states, int actions, int[] state, int[] action, int[] next, double[] weight) {
        BadInput.when(
                (long) states * actions >= Integer.MAX_VALUE,
                "%d states with %d actions each".formatted(states, actions),
                "Their product must be below 2^31.");
        int[] row = new int[state.length];
        for (int i = 0; i < row.length; i++) {
            BadInput.index("state", state[i], states);
            BadInput.index("action", action[i], actions);
            BadInput.index("next state", next[i], states);
            row[i] = state[i] * actions + action[i];
        }
        Buckets byNext = Buckets.of(next, states);
        int[] rowByNext = new int[row.length];
        Arrays.setAll(rowByNext, i -> row[byNext.row()[i]]);
        Buckets byRow = Buckets.of(rowByNext, states * actions); // stable: successors stay in ascending order
        int[] start = new int[states * actions + 1];
        int[] successor = new int[row.length];
        double[] count = new double[row.length];
        int size = 0;
        for (int r = 0; r < states * actions; r++) {
            for (int k = byRow.start()[r]; k < byRow.start()[r + 1]; k++) {
                int move = byNext.row()[byRow.row()[k]];
                if (size == start[r] || successor[size - 1] != next[move]) {
                    successor[size++] = next[move];
                }
                count[size - 1] += weight[move];
            }
            start[r + 1] = size;
        }
        return new MoveCounts(states, actions, start, Arrays.copyOf(successor, size), Arrays.copyOf(count, size));
    }

    /** Without any move. */
    public static MoveCounts none(int states, int actions) {
        return of(states, actions, new int[0], new int[0], new int[0]);
    }

    /**
     * Of the moves of demonstrations with actions.
     *
     * @param weight how often each trajectory counts
     */
    public static MoveCounts of(int states, int actions, Demonstrations demonstrations, double[] weight) {
        int moves = demonstrations.trajectories().stream()
                .mapToInt(one -> one.states().length - 1)
                .sum();
        int[] state = new int[moves];
        int[] action = new int[moves];
        int[] next = new int[moves];
        double[] weights = new double[moves];
        int size = 0;
        for (int i = 0; i < weight.length; i++) {
            Trajectory one = demonstrations.trajectories().get(i);
            int[] chosen = Objects.requireNonNull(one.actions(), "moves need actions");
            for (int t = 0; weight[i] > 0 && t + 1 < one.states().length; t++) {
                state[size] = one.states()[t];
                action[size] = chosen[t];
                next[size] = one.states()[t + 1];
                weights[size++] = weight[i];
            }
        }
        return of(
                states,
                actions,
                Arrays.copyOf(state, size),
                Arrays.copyOf(action, size),
                Arrays.copyOf(next, size),
                Arrays.copyOf(weights, size));
    }

    /** With the moves of another log of the same process. */
    public MoveCounts plus(MoveCounts other) {
        int entries = next.length + other.next.length;
        int[] state = new int[entries];
        int[] action = new int[entries];
        int[] successor = new int[entries];
        double[] weight = new double[entries];
        int first = list(0, state, action, successor, weight);
        other.list(first, state, action, successor, weight);
        return of(states, actions, state, action, successor, weight);
    }

    private int list(int from, int[] state, int[] action, int[] successor, double[] weight) {
        int at = from;
        for (int row = 0; row < rows(); row++) {
            for (int k = rowStart[row]; k < rowStart[row + 1]; k++, at++) {
                state[at] = row / actions;
                action[at] = row % actions;
                successor[at] = next[k];
                weight[at] = count[k];
            }
        }
        return at;
    }

    /**
     * Counts that might have been logged instead, each (state, action) as often as it was: its shares of successors are drawn
     * from the Dirichlet distribution with the counts as parameters, which is the Bayesian bootstrap of the moves (Rubin 1981).
     */
    public MoveCounts resampled(RandomStream stream) {
        double[] drawn = new double[count.length];
        for (int row = 0; row < rows(); row++) {
            double visits = visits(row);
            double sum = 0;
            for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
                drawn[k] = stream.nextGamma(count[k]);
                sum += drawn[k];
            }
            for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
                drawn[k] = Math.max(drawn[k] * visits / sum, Double.MIN_NORMAL); // a count is above 0
            }
        }
        return new MoveCounts(states, actions, rowStart, next, drawn);
    }

    public int states() {
        return states;
    }

    public int actions() {
        return actions;
    }

    public int rows() {
        return states * actions;
    }

    /** How often (state, action) was logged. */
    public double visits(int row) {
        double sum = 0;
        for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
            sum += count[k];
        }
        return sum;
    }

    /** Number of moves. */
    public double moves() {
        return Arrays.stream(count).sum();
    }

    /** How often each state was the next one. */
    public double[] arrivals() {
        double[] arrivals = new double[states];
        for (int k = 0; k < next.length; k++) {
            arrivals[next[k]] += count[k];
        }
        return arrivals;
    }

    /** SHA-256 of the content, whatever the order of the log was. */
    public String hash() {
        ByteBuffer sizes = ByteBuffer.allocate(8).putInt(states).putInt(actions).rewind();
        ByteBuffer entries = ByteBuffer.allocate(4 * rowStart.length + 4 * next.length);
        entries.asIntBuffer().put(rowStart).put(next);
        ByteBuffer counts = ByteBuffer.allocate(8 * count.length);
        counts.asDoubleBuffer().put(count);
        return Demonstrations.sha256(Stream.of(sizes, entries, counts));
    }

    int begin(int row) {
        return rowStart[row];
    }

    int next(int entry) {
        return next[entry];
    }

    double count(int entry) {
        return count[entry];
    }
}
