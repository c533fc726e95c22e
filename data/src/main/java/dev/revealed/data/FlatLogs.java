package dev.revealed.data;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.BadInput;
import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.exceptions.HdfException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Logs as D4RL keeps them: arrays with a row for each step of all episodes, one after the other. An episode ends where {@code
 * terminals} or {@code timeouts} say so, and where {@code next_observations} is not the observation of the next row. Without
 * {@code next_observations} what came of an episode's last step is not known, and that step is left out.
 */
final class FlatLogs {
    private FlatLogs() {}

    static Episodes read(HdfFile hdf, boolean rewarded) {
        Dataset seen = MinariFiles.dataset(hdf, "observations");
        int[] shape = MinariFiles.shape(seen, 2);
        int rows = shape[0];
        int wide = shape[1];
        float[] observations = EpisodeFiles.singles(MinariFiles.numbers(seen));
        float @Nullable [] then = singles(hdf, "next_observations", rows, wide);
        double[] acted = Objects.requireNonNull(column(hdf, "actions", rows, true));
        int acts = acted.length / rows;
        float[] actions = EpisodeFiles.singles(acted);
        double @Nullable [] rewards = rewarded ? column(hdf, "rewards", rows, false) : null;
        double[] terminals = Objects.requireNonNull(column(hdf, "terminals", rows, true));
        double @Nullable [] timeouts = column(hdf, "timeouts", rows, false);
        List<Episode> episodes = new ArrayList<>();
        for (int from = 0, row = 0; row < rows; row++) {
            boolean terminal = terminals[row] != 0;
            if (terminal
                    || row == rows - 1
                    || (timeouts != null && timeouts[row] != 0)
                    || (then != null && !continues(observations, then, row, wide))) {
                int steps = then == null ? row - from : row - from + 1;
                if (steps > 0) {
                    float[] all = Arrays.copyOfRange(observations, from * wide, (from + steps + 1) * wide);
                    if (then != null) {
                        System.arraycopy(then, row * wide, all, steps * wide, wide);
                    }
                    episodes.add(new Episode(
                            steps,
                            all,
                            Arrays.copyOfRange(actions, from * acts, (from + steps) * acts),
                            rewards == null ? null : Arrays.copyOfRange(rewards, from, from + steps),
                            terminal && then != null ? Ending.TERMINATED : Ending.TRUNCATED));
                }
                from = row + 1;
            }
        }
        return new Episodes(episodes);
    }

    /** Whether the next row begins where this one led. */
    private static boolean continues(float[] observations, float[] then, int row, int wide) {
        int next = (row + 1) * wide;
        return Arrays.equals(then, row * wide, next, observations, next, next + wide);
    }

    private static float @Nullable [] singles(Group group, String name, int rows, int wide) {
        double[] numbers = column(group, name, rows, false);
        BadInput.when(
                numbers != null && numbers.length != rows * wide,
                "%s has %d numbers for %d rows of %d".formatted(name, numbers == null ? 0 : numbers.length, rows, wide),
                "Give as many columns as observations have.");
        return numbers == null ? null : EpisodeFiles.singles(numbers);
    }

    /** An array with a row for each step. */
    private static double @Nullable [] column(Group group, String name, int rows, boolean needed) {
        if (!needed && group.getChild(name) == null) {
            return null;
        }
        Dataset dataset = MinariFiles.dataset(group, name);
        int found = dataset.getDimensions().length == 0 ? 0 : dataset.getDimensions()[0];
        BadInput.when(
                found != rows,
                "%s has %d rows and observations have %d".formatted(name, found, rows),
                "Give a row for each step.");
        return MinariFiles.numbers(dataset);
    }

    static void write(Path file, Episodes episodes, String task) {
        int rows = Math.toIntExact(episodes.steps());
        int wide = episodes.observationSize();
        int acts = episodes.actionSize();
        float[] observations = new float[rows * wide];
        float[] next = new float[rows * wide];
        float[] actions = new float[rows * acts];
        float[] rewards = new float[rows];
        boolean[] terminals = new boolean[rows];
        boolean[] timeouts = new boolean[rows];
        int row = 0;
        for (Episode one : episodes.all()) {
            int steps = one.length();
            System.arraycopy(one.observations(), 0, observations, row * wide, steps * wide);
            System.arraycopy(one.observations(), wide, next, row * wide, steps * wide);
            System.arraycopy(
                    Objects.requireNonNull(one.actions(), "logs have actions"), 0, actions, row * acts, steps * acts);
            for (int t = 0; one.rewards() != null && t < steps; t++) {
                rewards[row + t] = (float) one.rewards()[t];
            }
            row += steps;
            terminals[row - 1] = one.ending() == Ending.TERMINATED;
            timeouts[row - 1] = !terminals[row - 1];
        }
        AtomicFile.writeTo(file, temporary -> {
            try (WritableHdfFile hdf = HdfFile.write(temporary)) {
                if (!task.isEmpty()) {
                    hdf.putAttribute(EpisodeFiles.TASK, task);
                }
                hdf.putDataset("observations", MinariFiles.rows(observations, wide));
                hdf.putDataset("next_observations", MinariFiles.rows(next, wide));
                hdf.putDataset("actions", MinariFiles.rows(actions, acts));
                if (episodes.hasRewards()) {
                    hdf.putDataset("rewards", rewards);
                }
                hdf.putDataset("terminals", terminals);
                hdf.putDataset("timeouts", timeouts);
            } catch (HdfException e) {
                throw new IOException(
                        e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
            }
        });
    }
}
