package dev.revealed.app.zoo;

import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import dev.revealed.train.TrainingResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The policies that are published with the sources, a folder for each task; some tasks have none yet. */
public final class Zoo {
    /** Folders of runs below the repository's root. What they hold, commands and returns included, is read from there. */
    private static final Map<String, String> FOLDERS = Map.of(
            "hopper", "results/table1/rows/15-hopper-seed-1",
            "humanoid", "results/gpu/humanoid");

    private Zoo() {}

    /**
     * A task and its policy.
     *
     * @param kind what it learnt from: the task's reward (an expert) or demonstrations (an imitator)
     * @param command that made it; where there is no policy, one that would
     */
    record Entry(
            String task,
            Optional<String> folder,
            String kind,
            Optional<Double> meanReturn,
            Optional<Double> standardError,
            String command) {}

    private record Listing(List<Entry> policies) {}

    /** The root of the repository: where the script is that started this program, else a folder above the current one. */
    private static Path root() {
        String launcher = System.getenv("REVEALED_LAUNCHER");
        Path from = launcher == null || launcher.isEmpty()
                ? Path.of("").toAbsolutePath()
                : Path.of(launcher).toAbsolutePath();
        for (Path root = from; root != null; root = root.getParent()) {
            if (Files.isDirectory(root.resolve("results"))) {
                return root;
            }
        }
        return from;
    }

    static List<Entry> entries(Path root) {
        return Task.names().stream().map(task -> entry(root, task)).toList();
    }

    private static Entry entry(Path root, String task) {
        String folder = FOLDERS.getOrDefault(task, "");
        Path run = root.resolve(folder);
        if (folder.isEmpty() || !Files.isRegularFile(run.resolve(RunFiles.POLICY))) {
            return new Entry(
                    task,
                    Optional.empty(),
                    "none yet",
                    Optional.empty(),
                    Optional.empty(),
                    "./revealed expert --task %s --out %s".formatted(task, task));
        }
        TrainingResult result = TrainingResult.read(run);
        return new Entry(
                task,
                Optional.of(folder),
                result.details().learntTaskReward() ? "expert" : "imitator",
                Optional.of(result.meanReturn()),
                Optional.of(result.last().standardError()),
                "./revealed " + String.join(" ", RunSpec.read(run).provenance().command()));
    }

    /** The list for people and programs. */
    public static Outcome list() {
        List<Entry> entries = entries(root());
        Table table = Table.of(
                        entries,
                        text("task", Entry::task),
                        text("policy", Entry::kind),
                        number("mean return", 6, each -> each.meanReturn().orElse(Double.NaN)),
                        number("standard error", 3, each -> each.standardError().orElse(Double.NaN)),
                        text("folder", each -> each.folder().orElse("")))
                .titled("Policies that come with Revealed")
                .note(
                        "An expert learnt from the task's reward, an imitator from a demonstration; the commands are in the"
                                + " JSON and in each folder's %s.".formatted(RunFiles.SPEC))
                .note("Record demonstrations of one with: ./revealed record --zoo hopper --out demos");
        return Outcome.of(new Listing(entries), "Policies").table(table);
    }

    /** The folder of a task's policy. */
    public static Path folder(String task) {
        Closest.place("there is no task '%s'".formatted(task), task, Task.names(), "The tasks are");
        Entry found = entry(root(), task);
        return found.folder()
                .map(folder -> root().resolve(folder))
                .orElseThrow(() -> new BadInput(
                        "no policy of %s comes with Revealed".formatted(task),
                        "There are some of %s. Train one: %s, and name its folder with --policy."
                                .formatted(
                                        String.join(
                                                ", ",
                                                FOLDERS.keySet().stream()
                                                        .sorted()
                                                        .toList()),
                                        found.command())));
    }
}
