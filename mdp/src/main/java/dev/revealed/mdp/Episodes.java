package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Expert episodes on a simulator: immutable, never empty, all with the same widths and the same optional parts. */
public record Episodes(List<Episode> all) {
    private static final double ROUNDING = 1e-6; // of a bound that passed through single precision

    public Episodes {
        all = List.copyOf(all);
        if (all.isEmpty()) {
            throw new BadInput("there are no trajectories", "Give at least one with at least one step.");
        }
        Episode first = all.getFirst();
        for (int i = 1; i < all.size(); i++) {
            Episode e = all.get(i);
            same("columns of observations", i, e.observationSize(), first.observationSize());
            same("columns of actions", i, e.actionSize(), first.actionSize());
            same("rewards known (1) or not (0)", i, e.rewards() == null ? 0 : 1, first.rewards() == null ? 0 : 1);
        }
    }

    private static void same(String what, int trajectory, int found, int first) {
        if (found != first) {
            throw new BadInput(
                    "%s: %d in trajectory %d, and %d in trajectory 0".formatted(what, found, trajectory, first),
                    "All trajectories of a file must be alike.");
        }
    }

    public int size() {
        return all.size();
    }

    public int observationSize() {
        return all.getFirst().observationSize();
    }

    /** How many numbers an action is; 0 where there are none. */
    public int actionSize() {
        return all.getFirst().actionSize();
    }

    public boolean hasActions() {
        return all.getFirst().actions() != null;
    }

    public boolean hasRewards() {
        return all.getFirst().rewards() != null;
    }

    /** Steps of all episodes together. */
    public long steps() {
        return all.stream().mapToLong(Episode::length).sum();
    }

    /** The mean over episodes of the sum of rewards; NaN where they are not known. */
    public double meanReturn() {
        return all.stream().mapToDouble(Episode::total).sum() / all.size();
    }

    /** The first {@code count} episodes. */
    public Episodes first(int count) {
        if (count < 1 || count > all.size()) {
            throw new BadInput(
                    "%d trajectories are asked for and %d are there".formatted(count, all.size()),
                    "Ask for 1 to %d.".formatted(all.size()));
        }
        return new Episodes(all.subList(0, count));
    }

    /** All but the first {@code count} episodes. */
    public Episodes after(int count) {
        if (count < 0 || count >= all.size()) {
            throw new BadInput(
                    "%d trajectories are to be left out and %d are there".formatted(count, all.size()),
                    "Leave out 0 to %d.".formatted(all.size() - 1));
        }
        return new Episodes(all.subList(count, all.size()));
    }

    /** Checks widths and actions against what a simulator takes. */
    public void check(Simulator.Space space) {
        width("observations", observationSize(), space.observations(), space.name());
        if (hasActions()) {
            width("actions", actionSize(), space.actions().size(), space.name());
            for (int i = 0; i < all.size(); i++) {
                checkActions(i, all.get(i), space);
            }
        }
    }

    private static void width(String array, int found, int needed, String task) {
        if (found != needed) {
            throw new BadInput(
                    "%s have %d columns where %s needs %d".formatted(array, found, task, needed),
                    "Name demonstrations of %s, or the task they were recorded on with `task`.".formatted(task));
        }
    }

    private static void checkActions(int trajectory, Episode episode, Simulator.Space space) {
        float[] actions = episode.actions();
        int size = episode.actionSize();
        for (int k = 0; actions != null && k < actions.length; k++) {
            float a = actions[k];
            String problem = switch (space.actions()) {
                case Simulator.Actions.Box(int _, float bound) ->
                    Math.abs(a) <= bound * (1 + ROUNDING) ? "" : "outside -%s..%1$s".formatted(bound);
                case Simulator.Actions.Choices(int count) ->
                    a >= 0 && a < count && a == Math.rint(a) ? "" : "not one of 0..%d".formatted(count - 1);
            };
            if (!problem.isEmpty()) {
                throw new BadInput(
                        "actions are %s at trajectory %d, step %d, column %d, %s"
                                .formatted(a, trajectory, k / size, k % size, problem),
                        "Record what reached the simulator: clip actions to the bounds of %s. If they were scaled, `demo-bound` names their bound."
                                .formatted(space.name()));
            }
        }
    }

    /** SHA-256 of the content, the provenance every result carries. */
    public String hash() {
        return Demonstrations.sha256(all.stream().flatMap(Episodes::content));
    }

    private static Stream<ByteBuffer> content(Episode e) {
        double[] rewards = e.rewards() == null ? new double[0] : e.rewards();
        ByteBuffer rewardBytes = ByteBuffer.allocate(8 * rewards.length);
        rewardBytes.asDoubleBuffer().put(rewards);
        ByteBuffer sizes = ByteBuffer.allocate(16)
                .putInt(e.length())
                .putInt(e.observationSize())
                .putInt(e.actionSize())
                .putInt(e.rewards() == null ? 0 : 1);
        return Stream.of(
                sizes.flip(),
                bytes(e.observations()),
                bytes(e.actions() == null ? new float[0] : e.actions()),
                rewardBytes,
                StandardCharsets.US_ASCII.encode(e.ending().name()));
    }

    private static ByteBuffer bytes(float[] values) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * values.length);
        buffer.asFloatBuffer().put(values);
        return buffer;
    }
}
