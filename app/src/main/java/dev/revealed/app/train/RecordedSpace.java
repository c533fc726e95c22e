package dev.revealed.app.train;

import dev.revealed.app.Main;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The space of a system without a simulator, from recordings: sizes, the largest action and the longest episode. */
final class RecordedSpace {
    private static final String UNNAMED = "log"; // where no file names the task

    private RecordedSpace() {}

    /**
     * Of all these files together; empty paths name none. Actions are those of the files that have them. The first that says
     * so names the task.
     */
    static Simulator.Space of(List<Path> files) {
        List<Path> named =
                files.stream().filter(file -> !file.toString().isEmpty()).toList();
        BadInput.when(
                named.isEmpty(), "neither a task nor a log is named", "Name one with `task`, or a file with `data`.");
        int observations = 0;
        int actions = 0;
        double bound = 0;
        int horizon = 1;
        for (Path file : named) {
            Episodes read = EpisodeFiles.readUnrewarded(Main.existing(file));
            BadInput.when(
                    (observations > 0 && read.observationSize() != observations)
                            || (actions > 0 && read.hasActions() && read.actionSize() != actions),
                    "%s has observations of %d numbers and actions of %d, and the file before %d and %d"
                            .formatted(file, read.observationSize(), read.actionSize(), observations, actions),
                    "Give files of one task.");
            observations = read.observationSize();
            actions = read.hasActions() ? read.actionSize() : actions;
            for (Episode one : read.all()) {
                bound = Math.max(bound, largest(one));
                horizon = Math.max(horizon, one.length());
            }
        }
        BadInput.when(
                actions == 0,
                "there are no actions in %s, and without a task their size and bound are unknown"
                        .formatted(named.stream().map(Path::toString).collect(Collectors.joining(" and "))),
                "Name the task with `task`, or a file with actions.");
        BadInput.when(bound == 0, "all actions are 0 in " + named.getFirst(), "Name the task with `task`.");
        String task = named.stream()
                .flatMap(file -> EpisodeFiles.taskOf(file).stream())
                .findFirst()
                .orElse(UNNAMED);
        return new Simulator.Space(task, observations, new Simulator.Actions.Box(actions, (float) bound), horizon);
    }

    private static double largest(Episode one) {
        float[] actions = one.actions();
        double largest = 0;
        for (int i = 0; actions != null && i < actions.length; i++) {
            largest = Math.max(largest, Math.abs(actions[i]));
        }
        return largest;
    }
}
