package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Expert trajectories: never empty, all with actions or all without, immutable. */
public record Demonstrations(List<Trajectory> trajectories) {

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
        Moves.check(mdp, this);
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
    static String sha256(Stream<ByteBuffer> content) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            content.forEachOrdered(digest::update);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
