package dev.revealed.data;

import dev.revealed.data.npz.Npz;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Trajectories as the Python package imitation saved them in NPZ files: all observations after one another, likewise actions,
 * and the steps at which trajectories after the first begin.
 */
final class ImitationFiles {
    /** Objects of Python, which are not needed. */
    static final Set<String> UNREAD = Set.of("infos");

    private static final String OBSERVATIONS = "obs";
    private static final String ACTIONS = "acts";
    private static final String REWARDS = "rews";
    private static final String TERMINAL = "terminal";
    private static final String STARTS = "indices";

    private ImitationFiles() {}

    static boolean is(Npz npz) {
        return npz.has(OBSERVATIONS) && npz.has(ACTIONS) && npz.has(TERMINAL);
    }

    static Episodes read(Npz npz, boolean rewarded) {
        Npz known = npz.only(List.of(OBSERVATIONS, ACTIONS, REWARDS, TERMINAL, STARTS));
        int[] shape = known.array(OBSERVATIONS).shape();
        int[] acted = known.array(ACTIONS).shape();
        known.badWhen(
                shape.length != 2,
                OBSERVATIONS,
                "the shape is " + Arrays.toString(shape),
                "Give rows of numbers, one observation each; flatten pictures and dictionaries first.");
        int steps = acted[0];
        int width = acted.length == 1 ? 1 : acted[1];
        int columns = shape[1];
        int[] starts = known.has(STARTS) ? known.indices(STARTS) : new int[0];
        int count = starts.length + 1;
        known.badWhen(
                shape[0] != steps + count,
                OBSERVATIONS,
                "there are %d observations, %d actions and %d trajectories".formatted(shape[0], steps, count),
                "Each trajectory has one observation more than actions.");
        double[] ended = known.numbers(TERMINAL);
        known.badWhen(
                ended.length != count,
                TERMINAL,
                "it has %d entries for %d trajectories".formatted(ended.length, count),
                "Give one each.");
        float[] observations = EpisodeFiles.singles(known.numbers(OBSERVATIONS));
        float[] actions = EpisodeFiles.singles(known.numbers(ACTIONS));
        double[] rewards = rewarded && known.has(REWARDS) ? known.numbers(REWARDS) : new double[0];
        List<Episode> episodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int from = i == 0 ? 0 : starts[i - 1];
            int to = i == count - 1 ? steps : starts[i];
            known.badWhen(
                    from >= to || to > steps,
                    STARTS,
                    "trajectory %d goes from step %d to %d of %d".formatted(i, from, to, steps),
                    "Give the first steps of all trajectories but the first, in ascending order.");
            episodes.add(new Episode(
                    to - from,
                    Arrays.copyOfRange(observations, (from + i) * columns, (to + i + 1) * columns),
                    Arrays.copyOfRange(actions, from * width, to * width),
                    rewards.length == 0 ? null : Arrays.copyOfRange(rewards, from, to),
                    ended[i] != 0 ? Episode.Ending.TERMINATED : Episode.Ending.TRUNCATED));
        }
        return new Episodes(episodes);
    }
}
