package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Buckets;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Expert trajectories: never empty, all with actions or all without, immutable. */
public record Demonstrations(List<Trajectory> trajectories) {
    /** What to do about a move that has probability 0. */
    public static final String IMPOSSIBLE =
            "Either the kernel or the data is wrong: such a move can never be observed.";

    public Demonstrations {
        trajectories = List.copyOf(trajectories);
        if (trajectories.isEmpty()) {
            throw new BadInput("there are no trajectories", "Give at least one with at least one decision.");
        }
        boolean actions = trajectories.getFirst().actions() != null;
        for (int i = 0; i < trajectories.size(); i++) {
            if ((trajectories.get(i).actions() != null) != actions) {
                throw new BadInput(
                        "trajectory %d %s actions, unlike the first".formatted(i, actions ? "has no" : "has"),
                        "Give actions everywhere or nowhere.");
            }
        }
    }

    public int size() {
        return trajectories.size();
    }

    public boolean hasActions() {
        return trajectories.getFirst().actions() != null;
    }

    /** Number of decisions in all trajectories together. */
    public long decisions() {
        return trajectories.stream().mapToLong(Trajectory::length).sum();
    }

    /** Without their actions: what a camera would have seen. */
    public Demonstrations statesOnly() {
        return new Demonstrations(
                trajectories.stream().map(t -> Trajectory.ofStates(t.states())).toList());
    }

    /** The trajectories {@code from} to {@code to}. */
    public Demonstrations slice(int from, int to) {
        return new Demonstrations(trajectories.subList(from, to));
    }

    /** Checks every state and action against a process. */
    public void check(Mdp mdp) {
        for (int i = 0; i < trajectories.size(); i++) {
            Trajectory t = trajectories.get(i);
            try {
                for (int state : t.states()) {
                    BadInput.index("state", state, mdp.states());
                }
                int[] actions = t.actions();
                for (int k = 0; actions != null && k < actions.length; k++) {
                    BadInput.index("action", actions[k], mdp.actions());
                }
            } catch (BadInput e) {
                throw e.in("trajectory " + i);
            }
        }
    }

    /** Refuses moves that have probability 0 in a process, whose states and actions they are known to be. */
    public void checkMoves(Mdp mdp) {
        int rows = trajectories.stream().mapToInt(one -> one.states().length).sum();
        int[] state = new int[rows];
        int[] action = new int[hasActions() ? rows : 0];
        int[] successor = new int[rows];
        int at = 0;
        for (Trajectory one : trajectories) {
            int[] states = one.states();
            int[] actions = one.actions();
            for (int t = 0; t < states.length; t++, at++) {
                state[at] = states[t];
                if (actions != null) {
                    action[at] = t < actions.length ? actions[t] : -1;
                }
                successor[at] = t + 1 < states.length ? at + 1 : -1;
            }
        }
        int wrong = firstImpossible(mdp, state, action, successor);
        if (wrong >= 0) {
            int trajectory = 0;
            int before = 0;
            while (before + trajectories.get(trajectory).states().length <= wrong) {
                before += trajectories.get(trajectory++).states().length;
            }
            throw impossible(state[wrong - 1], action.length > 0 ? action[wrong - 1] : -1, state[wrong], "")
                    .in("trajectory %d, time %d".formatted(trajectory, wrong - before));
        }
    }

    /**
     * The first row that no move leads to; -1 where all is well. Rows are grouped by what they ask the kernel, so that each
     * kernel row is walked once however often it is visited.
     *
     * @param state of each row
     * @param action of each row, looked at where a row follows; empty where only states were observed
     * @param successor the row that follows each row in its trajectory, -1 after the last
     */
    public static int firstImpossible(Mdp mdp, int[] state, int[] action, int[] successor) {
        Kernel kernel = mdp.kernel();
        boolean hasActions = action.length > 0;
        int width = hasActions ? 1 : mdp.actions(); // kernel rows that could have made the move
        int keys = hasActions ? mdp.rows() : mdp.states();
        int[] key = new int[state.length];
        Arrays.setAll(key, i -> successor[i] < 0 ? -1 : hasActions ? state[i] * mdp.actions() + action[i] : state[i]);
        Buckets byKey = Buckets.of(key, keys);
        int[] reachedFrom = new int[mdp.states()]; // the last key this state was reached from, plus 1
        int first = Integer.MAX_VALUE;
        for (int k = 0; k < keys; k++) {
            if (byKey.start()[k] == byKey.start()[k + 1]) {
                continue;
            }
            if (kernel.operator() == null) {
                for (int e = kernel.rowStart()[k * width]; e < kernel.rowStart()[(k + 1) * width]; e++) {
                    reachedFrom[kernel.successor()[e]] = k + 1;
                }
            } else {
                for (int r = byKey.start()[k]; r < byKey.start()[k + 1]; r++) {
                    int next = state[successor[byKey.row()[r]]];
                    for (int row = k * width; row < (k + 1) * width; row++) {
                        reachedFrom[next] = kernel.operator().leads(row, next) ? k + 1 : reachedFrom[next];
                    }
                }
            }
            for (int r = byKey.start()[k]; r < byKey.start()[k + 1]; r++) {
                int i = byKey.row()[r];
                if (reachedFrom[state[successor[i]]] != k + 1) {
                    first = Math.min(first, successor[i]); // whatever order the kernel has
                }
            }
        }
        return first == Integer.MAX_VALUE ? -1 : first;
    }

    /**
     * What is said of such a move.
     *
     * @param action -1 where only states were observed
     * @param where the state before was seen, in brackets; or nothing
     */
    public static BadInput impossible(int state, int action, int next, String where) {
        return new BadInput(
                "state is %d, but after state %d and %s%s that has probability 0 in the kernel"
                        .formatted(next, state, action < 0 ? "any action" : "action " + action, where),
                IMPOSSIBLE);
    }

    /** SHA-256 of the content, the provenance every result carries. */
    public String hash() {
        return sha256(trajectories.stream()
                .flatMap(t -> Stream.of(t.states(), t.actions() == null ? new int[0] : t.actions()))
                .map(Demonstrations::bytes));
    }

    private static ByteBuffer bytes(int[] values) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * values.length + 4);
        buffer.putInt(values.length).asIntBuffer().put(values);
        return buffer.rewind();
    }

    /** SHA-256 of so many bytes after each other. */
    public static String sha256(Stream<ByteBuffer> content) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            content.forEachOrdered(digest::update);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
