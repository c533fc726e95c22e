package dev.revealed.app.zoo;

import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.app.view.Table;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.RunSpec;
import dev.revealed.runs.Safetensors;
import dev.revealed.train.Environment;
import dev.revealed.train.PolicyFile;
import dev.revealed.train.TrainingResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The policies that are published with the sources, a folder for each task: the policy in half precision and {@link #ENTRY}.
 */
public final class Zoo {
    private static final String FOLDER = "results/zoo";
    private static final String ENTRY = "entry.json";

    /** Folders of runs below the repository's root, for tasks that have nothing in the zoo's own. */
    private static final Map<String, String> RUNS = Map.of("humanoid", "results/gpu/humanoid");

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
            String command,
            Optional<String> version) {}

    /**
     * What {@link #ENTRY} says.
     *
     * @param kind as in the list
     * @param command that trained it
     * @param version of Revealed that did
     * @param commit of its sources, where it is known
     * @param flavour of the task that it was trained and evaluated in
     * @param returns of deterministic episodes of the published policy, which is rounded to half precision
     */
    record Published(
            String task,
            String kind,
            List<String> command,
            String version,
            Optional<String> commit,
            Map<String, String> flavour,
            double meanReturn,
            double standardError,
            double[] returns) {}

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
        Path published = place(root, task);
        if (Files.isRegularFile(published.resolve(ENTRY))) {
            Published it = read(published.resolve(ENTRY));
            return new Entry(
                    task,
                    Optional.of(root.relativize(published).toString()),
                    it.kind,
                    Optional.of(it.meanReturn),
                    Optional.of(it.standardError),
                    Words.typed(it.command),
                    Optional.of(it.version));
        }
        String folder = RUNS.getOrDefault(task, "");
        Path run = root.resolve(folder);
        if (folder.isEmpty() || !Files.isRegularFile(run.resolve(RunFiles.POLICY))) {
            return new Entry(
                    task,
                    Optional.empty(),
                    "none yet",
                    Optional.empty(),
                    Optional.empty(),
                    "./revealed expert --task %s --out %s".formatted(task, task),
                    Optional.empty());
        }
        TrainingResult result = TrainingResult.read(run);
        Provenance made = RunSpec.read(run).provenance();
        return new Entry(
                task,
                Optional.of(folder),
                kind(result),
                Optional.of(result.meanReturn()),
                Optional.of(result.last().standardError()),
                Words.typed(made.command()),
                Optional.of(made.version()));
    }

    /** Where a task's policy is published. */
    public static Path place(String task) {
        return place(root(), task);
    }

    private static Path place(Path root, String task) {
        return root.resolve(FOLDER).resolve(task);
    }

    private static String kind(TrainingResult result) {
        return result.details().learntTaskReward() ? "expert" : "imitator";
    }

    private static Published read(Path file) {
        try {
            return Json.whole(Files.readString(file), Published.class);
        } catch (BadInput | IOException e) {
            throw new BadInput(
                    "%s: %s".formatted(file, e instanceof BadInput bad ? bad.problem() : BadInput.reason(e)),
                    "It is damaged: publish the policy again, with 'evaluate --publish'.");
        }
    }

    /**
     * Publishes the policy of a run, in the place of the one that its task had.
     *
     * @param run its folder
     * @param evaluation of the policy as it is published
     */
    public static Path publish(
            PolicyFile policy,
            Path run,
            Environment environment,
            Function<PolicyFile, TrainingResult.Last> evaluation) {
        return publish(root(), policy, run, environment, evaluation);
    }

    static Path publish(
            Path root,
            PolicyFile policy,
            Path run,
            Environment environment,
            Function<PolicyFile, TrainingResult.Last> evaluation) {
        Closest.place(
                "no policy of '%s' can be published".formatted(environment.task()),
                environment.task(),
                Task.names(),
                "The tasks are");
        Provenance made = RunSpec.read(run).provenance();
        String kind = kind(TrainingResult.read(run));
        Path place = place(root, environment.task());
        Path part = place.resolveSibling("." + environment.task() + ".part");
        RunFolder folder = RunFolder.create(part);
        try {
            folder.write(
                    RunFiles.POLICY,
                    out -> Safetensors.writeHalf(out, Tensors.of(policy.actor()::save), policy.notes()));
            TrainingResult.Last scores = evaluation.apply(PolicyFile.read(part.resolve(RunFiles.POLICY)));
            Published entry = new Published(
                    environment.task(),
                    kind,
                    made.command(),
                    made.version(),
                    made.commit(),
                    environment.flavour(),
                    scores.meanReturn(),
                    scores.standardError(),
                    scores.returns());
            RunFolder there = Files.isDirectory(place) ? RunFolder.reopen(place) : RunFolder.create(place);
            there.write(RunFiles.POLICY, Files.readAllBytes(part.resolve(RunFiles.POLICY)));
            there.write(ENTRY, Json.write(entry));
            return place;
        } catch (IOException e) {
            throw new BadInput(
                    "%s: cannot be written (%s)".formatted(place, BadInput.reason(e)),
                    "Check that you may write there.");
        } finally {
            folder.discard();
        }
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
                        text("version", each -> each.version().orElse("")),
                        text("folder", each -> each.folder().orElse("")))
                .titled("Policies that come with Revealed")
                .note("The commands that trained them are in the JSON.")
                .note("Record demonstrations of one with: ./revealed record --zoo hopper --deterministic --out demos");
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
                                                entries(root()).stream()
                                                        .filter(each ->
                                                                each.folder().isPresent())
                                                        .map(Entry::task)
                                                        .toList()),
                                        found.command())));
    }
}
