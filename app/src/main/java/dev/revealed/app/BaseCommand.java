package dev.revealed.app;

import dev.revealed.app.tasks.Arguments;
import dev.revealed.app.tasks.Cluster;
import dev.revealed.app.tasks.TaskOptions;
import dev.revealed.app.view.Console;
import dev.revealed.app.view.Progress;
import dev.revealed.cuda.CudaFailure;
import dev.revealed.mujoco.SimulationFailure;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import dev.revealed.numeric.task.Workers;
import dev.revealed.runs.GatheredTasks;
import dev.revealed.runs.Json;
import dev.revealed.runs.KeptTasks;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.RunSpec;
import dev.revealed.runs.Shard;
import dev.revealed.runs.ShardFinished;
import dev.revealed.settings.Item;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** What every command shares: its options, its run folder, and how its outcome reaches people and machines. */
public abstract class BaseCommand implements Callable<Integer> {
    /** What a seed is for. */
    public static final String SEED = "Seed of every random stream";

    /** Ends the description of an option that shows its default. */
    public static final String DEFAULT = " (default: ${DEFAULT-VALUE}).";

    @Option(names = "--json", description = "Print one JSON document on stdout; text and progress go to stderr.")
    private boolean json;

    @Option(names = "--seed", paramLabel = "N", description = SEED + " (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for the results, empty or new (default: a new one under out/).")
    private @Nullable Path out;

    @Option(names = "--threads", paramLabel = "N", description = "Threads to use; results do not depend on it.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @SuppressWarnings("UnusedVariable") // picocli shows the help before anything runs
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    private @Nullable Console console;
    private volatile @Nullable Progress shown;
    private @Nullable RunFolder folder;
    private boolean gathers;
    private boolean tasksUsed;
    private @Nullable TaskRunner listing; // where only the list of tasks is wanted
    private @Nullable Cluster cluster;
    private final List<String> cautions = new CopyOnWriteArrayList<>(); // runs of a batch have threads of their own

    /** Does the work. */
    protected abstract Outcome outcome(ProgressListener listener);

    /** The name of the default folder; null for commands that write one only when asked. */
    protected @Nullable String defaultFolder() {
        return spec.name();
    }

    /** The word that it is called by. */
    public final String name() {
        return spec.name();
    }

    /** Settings of records that are options of this command. */
    protected List<SettingOptions.Group> settingGroups() {
        return List.of();
    }

    /** Every option that was typed, by name. */
    public final Map<String, String> typedOptions() {
        return SettingOptions.typed(spec);
    }

    /** Those that are settings of what the command makes. */
    public final Map<String, String> typedSettings() {
        Map<String, String> typed = new TreeMap<>(typedOptions());
        typed.keySet().retainAll(settingItems().map(Item::name).collect(Collectors.toSet()));
        return typed;
    }

    /** All settings of the command. */
    protected final Stream<Item> settingItems() {
        return settingGroups().stream().flatMap(group -> group.items().stream());
    }

    /** Whether an option has an effect, given those that were typed. */
    protected boolean heeds(String option) {
        return true;
    }

    /** What makes a line a comment in the text the command prints, where that is meant for another program. */
    protected String comment() {
        return "";
    }

    /** What a command that came to its end and has said everything ends with. */
    protected int exitCode() {
        return 0;
    }

    /** Clears up after a command whose outcome could not be written. */
    protected void abandon(RunFolder made) {
        made.abandon();
    }

    /** The folder of a command to go on with. */
    protected RunFolder resumed(Path interrupted) {
        return RunFolder.resume(interrupted);
    }

    /** Whether to go on where an interrupted command stopped. */
    protected boolean resuming() {
        return false;
    }

    /** The options of a command that has tasks for several machines; nothing where it has none. */
    protected Optional<TaskOptions> taskOptions() {
        return Optional.empty();
    }

    /** The share of the tasks that is to be done. */
    protected final Shard shard() {
        return taskOptions().map(TaskOptions::shard).orElse(Shard.WHOLE);
    }

    /** Whether this makes the result of what shards have found. */
    protected final boolean gathers() {
        return gathers;
    }

    /** Makes this the command that makes the result of what shards have found. */
    public final void gatherShards() {
        gathers = true;
    }

    /** Whether only the list of tasks is wanted. */
    protected final boolean lists() {
        return listing != null;
    }

    /** Sees to the tasks of this command: here or on a cluster, all or a share, or by reading what shards have found. */
    protected final TaskRunner tasks() {
        if (listing != null) {
            return listing;
        }
        if (folder == null) {
            return TaskRunner.THREADS;
        }
        return gathers
                ? new GatheredTasks(runFolder().path(), this::commandOf)
                : remembered(new KeptTasks(this::taskFile, shard(), workers()));
    }

    /** Sees to the reading of large files: here, or on a cluster; shards each read all of it. */
    protected final TaskRunner readers() {
        if (listing != null) {
            return listing;
        }
        Workers workers = gathers ? Workers.THREADS : workers();
        return workers == Workers.THREADS ? TaskRunner.THREADS : remembered(TaskRunner.by(workers));
    }

    private TaskRunner remembered(TaskRunner runner) {
        return cluster == null ? runner : cluster.remembering(runner);
    }

    /** Who does the tasks. */
    protected final Workers workers() {
        Optional<TaskOptions> options = taskOptions().filter(TaskOptions::onCluster);
        if (options.isEmpty()) {
            return Workers.THREADS;
        }
        if (cluster == null) {
            Cluster.connected(); // before anything is written
            options.filter(TaskOptions::onOtherMachines).ifPresent(others -> refuseRelativePaths());
            cluster = new Cluster(commandForCluster(), options.get().sparkSettings());
        }
        return cluster;
    }

    /** A machine of a cluster works in a folder of its own, from which a relative path leads elsewhere. */
    private void refuseRelativePaths() {
        for (CommandLine.Model.OptionSpec option : matched()) {
            for (String value : option.originalStringValues()) {
                Path path = Path.of(value);
                BadInput.when(
                        !path.isAbsolute() && (option.type() == Path.class || Files.isRegularFile(path)),
                        "%s is %s, and every machine of a cluster would look for it in its own current folder"
                                .formatted(option.longestName(), value),
                        "Write %s, and make sure that every machine has it there.".formatted(path.toAbsolutePath()));
            }
        }
    }

    /**
     * A list of tasks that this command comes to, without doing any of them.
     *
     * @param earlier what the lists before it found, by name; those that are not there are done here
     */
    public final TaskList<?> taskList(String name, Map<String, List<String>> earlier) {
        final class Listed extends RuntimeException {
            private static final long serialVersionUID = 1L;
            private final transient TaskList<?> tasks;

            Listed(TaskList<?> tasks) {
                super("", null, false, false);
                this.tasks = tasks;
            }
        }
        folder = out == null ? null : RunFolder.reopen(out);
        listing = new TaskRunner() {
            @Override
            public <R> List<R> run(TaskList<R> tasks, ProgressListener listener) {
                if (tasks.name().equals(name)) {
                    throw new Listed(tasks);
                }
                List<String> found = earlier.get(tasks.name());
                return found == null
                        ? TaskRunner.THREADS.run(tasks, listener)
                        : found.stream()
                                .map(json -> Json.whole(json, tasks.type()))
                                .toList();
            }
        };
        try {
            outcome(ProgressListener.NONE);
        } catch (Listed e) {
            return e.tasks;
        }
        throw new IllegalStateException("the command '%s' has no tasks of the name %s".formatted(command(), name));
    }

    /** Where the results of a list are kept; the file of a shard takes the spec of its command along. */
    private Path taskFile(String list) {
        tasksUsed = true;
        return taskOptions().filter(TaskOptions::sharded).isPresent() ? shardFile() : checkpoint(list + ".jsonl");
    }

    /** The file of the shard, in a folder that says which command all shards belong to. */
    protected final Path shardFile() {
        tasksUsed = true;
        if (!RunSpec.isIn(runFolder().path())) {
            writeSpec();
        }
        return runFolder().file(shard().file());
    }

    /** What to type for a shard of this command. */
    protected final String commandOf(Shard shard) {
        List<String> words = new ArrayList<>(command());
        words.addAll(List.of("--" + Shard.SETTING, shard.toString()));
        return Arguments.typed(words);
    }

    /** A file of the run folder that keeps what is finished, for {@link #resuming}. */
    protected final Path checkpoint(String name) {
        return Objects.requireNonNull(folder, "a command that resumes has a folder")
                .file(RunFiles.CHECKPOINT + "/" + name);
    }

    /** The folder of the command, for those that write while they work and so always have one. */
    protected final RunFolder runFolder() {
        return Objects.requireNonNull(folder, "a command that writes while it works has a folder");
    }

    /** Says in the folder what the command is, before it has finished. */
    protected final void writeSpec() {
        spec(resolved()).write(runFolder());
    }

    /** This command and its settings. */
    protected final RunSpec spec(Map<String, Object> settings) {
        return RunSpec.of(Provenance.of(seed, command()), settings);
    }

    @Override
    public Integer call() {
        Parallel.threads(threads);
        Console own = Console.system(json);
        console = own;
        folder = folder();
        Optional<Provenance> original = original();
        Outcome outcome;
        try (Progress progress = Progress.onStderr(false)) {
            shown = progress;
            outcome = outcome(progress).cautions(cautions);
            progress.finish();
            refuseIdleMachines();
        } catch (ShardFinished e) {
            own.say("%s.\nWhen all shards are done: ./revealed gather %s"
                    .formatted(
                            "S" + String.valueOf(e.getMessage()).substring(1),
                            runFolder().path()));
            own.json(Json.write(Map.of("shard", shard().toString(), "tasks", e.own(), "of", e.all())));
            return exitCode();
        } catch (DivergenceFailure | SimulationFailure | CudaFailure e) {
            throw brokeDown(e);
        } finally {
            shown = null;
        }
        String document = outcome.json();
        own.say(outcome.text());
        if (folder != null) {
            RunFolder made = folder;
            try {
                write(made, outcome, original);
            } catch (RuntimeException e) {
                abandon(made);
                throw e;
            }
            own.say(comment() + "Report: " + made.path().resolve(RunFiles.REPORT));
        }
        own.json(document);
        return exitCode();
    }

    /** Who asks for several machines should not believe that they were used when they were not. */
    private void refuseIdleMachines() {
        boolean shards = taskOptions().filter(TaskOptions::sharded).isPresent() && !gathers && !tasksUsed;
        boolean idle = taskOptions().filter(TaskOptions::onCluster).isPresent()
                && (cluster == null || !cluster.asked().get());
        BadInput.when(
                shards || idle,
                "%s has no effect: this command has no tasks to share out"
                        .formatted(shards ? "--shard" : "--engine spark"),
                "Leave it out, or ask for replications, such as --bootstrap 2000.");
    }

    /** The outcome for those who want its document alone; commands that answer often leave the rest out. */
    protected Outcome answer() {
        return outcome(ProgressListener.NONE);
    }

    /** Reads what the command is given and refuses what is wrong with it, without the work. */
    public void checkInputs() {}

    /** What the command prints with --json, without printing it and without a folder: for programs that embed it. */
    public final String document() {
        try {
            return answer().cautions(cautions).json();
        } catch (DivergenceFailure | SimulationFailure | CudaFailure e) {
            throw brokeDown(e);
        }
    }

    /** What to do about numbers that ran off to infinity or a GPU that gave up: no defects of ours, hence a remedy. */
    public static Optional<String> remedy(Throwable e) {
        return switch (e) {
            case DivergenceFailure learning ->
                Optional.of("Learning diverged: try a smaller --learning-rate (of a reward --reward-learning-rate, and"
                        + " --loss-scale with an sgd), or another --seed.");
            case SimulationFailure simulation ->
                Optional.of("The policy drives the simulation out of bounds: try another --seed or another policy.");
            case CudaFailure gpu ->
                Optional.of("The GPU gave up: try again, a run with --resume; where it comes again, use --device cpu.");
            default -> Optional.empty();
        };
    }

    private BadInput brokeDown(RuntimeException e) {
        String remedy = remedy(e).orElse("");
        RunFolder kept = folder;
        if (kept != null && Files.isDirectory(kept.path())) {
            remedy += " What was measured so far is in %s.".formatted(kept.path());
        }
        BadInput failure = new BadInput(String.valueOf(e.getMessage()), remedy);
        failure.initCause(e);
        return failure;
    }

    /** The command that this one goes on with, if any: a spec that cannot be read is refused before any work. */
    private Optional<Provenance> original() {
        return (resuming() || gathers) && folder != null && RunSpec.isIn(folder.path())
                ? Optional.of(RunSpec.read(folder.path()).provenance())
                : Optional.empty();
    }

    private void write(RunFolder folder, Outcome outcome, Optional<Provenance> original) {
        if (!RunSpec.isIn(folder.path())) {
            spec(resolved()).write(folder);
        }
        outcome.write(folder, original.orElseGet(() -> Provenance.of(seed, command())));
    }

    private @Nullable RunFolder folder() {
        if (taskOptions().filter(TaskOptions::sharded).isPresent() && !gathers) {
            return joined(out);
        } else if (out != null) {
            return resuming() || gathers ? resumed(out) : RunFolder.create(out);
        } else if (resuming()) {
            throw new BadInput("--resume without a folder", "Name the folder of the interrupted command with --out.");
        }
        String name = defaultFolder();
        if (name == null) {
            return null;
        }
        Path path = Path.of("out", name);
        for (int i = 2; Files.exists(path); i++) {
            path = Path.of("out", name + "-" + i);
        }
        return RunFolder.create(path);
    }

    /** A folder that shards of one command share; the first of them makes it. */
    private RunFolder joined(@Nullable Path shared) {
        BadInput.when(shared == null, "--shard without a folder", "Name a folder with --out, the same for all shards.");
        Path path = Objects.requireNonNull(shared);
        try {
            if (!RunSpec.isIn(path)) {
                return RunFolder.create(path);
            }
        } catch (BadInput e) {
            if (!RunSpec.isIn(path)) { // else another shard was a moment faster
                throw e;
            }
        }
        List<String> begun = RunSpec.read(path).provenance().command();
        BadInput.when(
                !alike(begun).equals(alike(command())),
                "%s holds shards of another command, %s".formatted(path, Arguments.typed(begun)),
                "Repeat that command, or name another folder with `out`.");
        return RunFolder.resume(path);
    }

    /** Without what may differ between shards. */
    private static List<String> alike(List<String> words) {
        return Arguments.withoutSwitches(Arguments.without(words, "--threads", "--at-once"), "--json");
    }

    private List<String> commandForCluster() {
        return Arguments.withoutSwitches(TaskOptions.without(command()), "--json", "--resume");
    }

    /** Text a person should see before the work is done. */
    protected final void say(String text) {
        if (console != null) {
            console.say(text);
        }
    }

    /** Cautions a person: on standard error now, and in the document and the report. */
    protected final void caution(String text) {
        cautions.add(text);
        notice("warning: " + text);
    }

    /** Text a person should see now, whatever else is printed: never on standard output. */
    protected final void notice(String text) {
        Progress progress = shown;
        if (progress != null) {
            progress.say(Words.options(text));
        } else if (console != null) {
            console.warn(Words.options(text));
        }
    }

    /** Checks an option that counts something. */
    protected static int positive(String option, int value) {
        return BadInput.count(option, value);
    }

    protected static long positive(String option, long value) {
        return BadInput.count(option, value);
    }

    protected final boolean colour() {
        return console != null && console.terminal().colour();
    }

    protected final int threads() {
        return threads;
    }

    protected final long seed() {
        return seed;
    }

    /** Every setting by name, as typed or by default. */
    protected Map<String, Object> resolved() {
        Map<String, Object> settings = new TreeMap<>();
        for (CommandLine.Model.OptionSpec option : spec.options()) {
            Object value = option.getValue();
            boolean ofTasks = belongs(option.longestName(), TaskOptions.HEADING);
            if (value != null && !option.usageHelp() && !ofTasks) {
                settings.put(
                        option.longestName().substring(2),
                        value instanceof Number || value instanceof Boolean
                                ? value
                                : value instanceof double[] numbers
                                        ? numbers
                                        : value instanceof int[] numbers ? numbers : value.toString());
            }
        }
        return settings;
    }

    /** The options that were typed. */
    protected final List<CommandLine.Model.OptionSpec> matched() {
        return List.copyOf(spec.commandLine().getParseResult().matchedOptionsSet());
    }

    /** Whether an option comes from the mixin of that name. */
    protected final boolean belongs(String option, String mixin) {
        CommandLine.Model.CommandSpec options = spec.mixins().get(mixin);
        return options != null && options.optionsMap().containsKey(option);
    }

    /** What was typed after each of them, by their longest names. */
    protected final Map<String, String> typed() {
        Map<String, String> typed = new LinkedHashMap<>();
        matched().forEach(option -> typed.put(option.longestName(), String.join(",", option.originalStringValues())));
        return typed;
    }

    /** The verb and its arguments as typed, but for the share of the tasks: shards are parts of one command. */
    protected final List<String> command() {
        List<String> words = new ArrayList<>();
        CommandLine.ParseResult parsed = spec.commandLine().getParseResult();
        for (CommandLine.Model.CommandSpec s = spec; s.parent() != null; s = s.parent()) {
            words.addFirst(s.name());
        }
        words.addAll(parsed.originalArgs()
                .subList(
                        Math.min(words.size(), parsed.originalArgs().size()),
                        parsed.originalArgs().size()));
        return Arguments.without(words, "--" + Shard.SETTING);
    }
}
