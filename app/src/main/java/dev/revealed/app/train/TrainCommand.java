package dev.revealed.app.train;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Device;
import dev.revealed.app.Outcome;
import dev.revealed.app.tasks.TaskOptions;
import dev.revealed.app.view.Terminal;
import dev.revealed.app.world.TaskSettings;
import dev.revealed.cuda.Gpu;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.runs.GatheredTasks;
import dev.revealed.runs.Journal;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.RunSpec;
import dev.revealed.runs.ShardFinished;
import dev.revealed.settings.Item;
import dev.revealed.settings.Settings;
import dev.revealed.train.Backend;
import dev.revealed.train.CudaBackend;
import dev.revealed.train.RunBatch;
import dev.revealed.train.RunListener;
import dev.revealed.train.RunStopped;
import dev.revealed.train.SettingResolution;
import dev.revealed.train.TrainingPlan;
import dev.revealed.train.TrainingResult;
import dev.revealed.train.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that trains policies: one or many, on the processor or on a GPU, to the end however often it is interrupted. */
public abstract class TrainCommand extends BaseCommand {
    @Option(
            names = "--resume",
            description = "Continue the interrupted run in the folder --out, with its recorded settings.")
    private boolean resume;

    @Option(
            names = "--seeds",
            paramLabel = "LIST",
            description =
                    "A run for each of these seeds, such as 1-14 or 1,3,7-9, in folders of their own under --out.")
    private @Nullable String seeds;

    @Option(
            names = "--runs",
            paramLabel = "FILE",
            description =
                    "One run per line of the file: options as they would be typed, which override those typed here.")
    private @Nullable Path runs;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description =
                    "How many of --seeds or --runs train at a time (default: as many as there are threads; on a GPU"
                            + " all).")
    private @Nullable Integer atOnce;

    @Mixin(name = TaskOptions.HEADING)
    private TaskOptions machines = new TaskOptions();

    private boolean batch;
    private List<RunBatch.Failed> failed = List.of();
    private Map<String, Object> resolved = Map.of();

    /** The run that the settings describe. */
    abstract TrainingPlan plan(SettingResolution given);

    /** A run with every one of its settings. */
    record ResolvedRun(TrainingPlan plan, Map<String, Object> settings) {}

    final ResolvedRun resolve(SettingResolution given) {
        TrainingPlan plan = plan(given);
        given.refuseOthers(plan.problem().title().toLowerCase(Locale.ROOT));
        return new ResolvedRun(plan, given.settings());
    }

    /** The settings of a run that was typed; a fork adds them to those of its original. */
    final SettingResolution resolution(Map<String, String> typed) {
        String fork = typed.get(ForkPoint.FORK);
        if (fork == null) {
            return SettingResolution.typed(typed);
        }
        BadInput.when(
                typed.containsKey("seed"),
                "`seed` is given together with `fork`",
                "Leave it out: a fork has the seed of its original, and differs by its number.");
        ForkPoint point = ForkPoint.of(fork, name());
        Map<String, String> all = new TreeMap<>(typed);
        all.put(ForkPoint.FORK, point.text());
        return SettingResolution.changed(point.recorded(), all);
    }

    /** How many forks of each kind are asked for; nothing where none are. */
    Optional<Integer> forks() {
        return Optional.empty();
    }

    @Override
    protected boolean heeds(String option) {
        boolean many = batch || seeds != null || runs != null || forks().isPresent();
        boolean set = many || resolved.isEmpty() || resolved.containsKey(option.substring(2));
        return option.equals("--at-once") ? many : set;
    }

    @Override
    protected boolean resuming() {
        return resume || gathers();
    }

    @Override
    protected Optional<TaskOptions> taskOptions() {
        return Optional.of(machines);
    }

    @Override
    protected @Nullable String defaultFolder() {
        TaskSettings none = TaskSettings.NONE;
        String task = Settings.of(none).with(none, typedSettings()).folderName();
        if (typedSettings().containsKey(ForkPoint.FORK)) {
            return name() + "-forks";
        }
        return name() + "-" + (runs != null ? "runs" : task + (seeds == null ? "" : "-seeds"));
    }

    @Nullable
    String seeds() {
        return seeds;
    }

    @Override
    protected Map<String, Object> resolved() {
        return new TreeMap<>(resolved);
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        checkSeeds();
        Path folder = runFolder().path();
        if (resuming()) {
            Resumption resumed = new Resumption(this, folder);
            return resumed.settings().get(BatchMembers.RUNS) instanceof Map<?, ?> members
                    ? batch(BatchMembers.recorded(resumed, members), listener)
                    : one(resumed.run(resumed.settings()), listener);
        }
        BatchMembers members = new BatchMembers(this, folder);
        if (seeds != null) {
            return batch(members.ofSeeds(seeds), listener);
        }
        if (runs != null) {
            return batch(members.ofFile(runs), listener);
        }
        if (forks().isPresent()) {
            return batch(members.ofForks(positive("--forks", forks().get())), listener);
        }
        return one(resolve(resolution(typedSettings())), listener);
    }

    private Outcome one(ResolvedRun run, ProgressListener listener) {
        if (atOnce != null) {
            throw new BadInput("--at-once has no effect: this is one run", "Name several with --seeds or --runs.");
        }
        BadInput.when(
                machines.sharded() || machines.onCluster(),
                "%s has no effect: this is one run".formatted(machines.sharded() ? "--shard" : "--engine spark"),
                "Name several with --seeds or --runs.");
        resolved = run.settings;
        TrainingPlan plan = run.plan;
        plan.cautions().forEach(this::caution);
        UnusualSettings.cautions(run.settings, plan).forEach(this::caution);
        Optional<Gpu> gpu = gpu(onGpu(run.settings), List.of(plan));
        try (Interrupt interrupt = new Interrupt(this::notice);
                Backend backend = Backend.when(() -> backend(gpu, Map.of("", plan), 1))) {
            RunListener heard = interrupt.heard(listener);
            return TrainingView.of(
                    resume
                            ? TrainingRun.resume(plan, runFolder(), backend, threads(), this::caution, heard)
                            : TrainingRun.begin(plan, spec(run.settings), runFolder(), backend, threads(), heard));
        } catch (RunStopped e) {
            throw new BadInput(
                    "interrupted at step %d of %d; everything so far is in %s"
                            .formatted(e.step(), e.steps(), runFolder().path()),
                    "Go on with: ./revealed %s --resume --out %s"
                            .formatted(name(), runFolder().path()));
        }
    }

    /** As typed now, else as the run was started. */
    private boolean onGpu(Map<String, Object> settings) {
        return Item.text(Device.CUDA)
                .equals(typedSettings().getOrDefault("device", Item.text(settings.getOrDefault("device", "cpu"))));
    }

    /** The GPU for the runs that are left, where it is asked for. */
    private Optional<Gpu> gpu(boolean wanted, Collection<TrainingPlan> plans) {
        if (!wanted || plans.isEmpty()) {
            return Optional.empty();
        }
        Gpu gpu = Device.gpu(resume);
        int most = plans.stream().mapToInt(TrainingPlan::environments).max().orElse(0);
        int cores = Runtime.getRuntime().availableProcessors();
        if (most > cores) {
            caution("--simulators is %d, and there are %d processors: more copies than that make nothing faster"
                    .formatted(most, cores));
        }
        return Optional.of(gpu);
    }

    private Backend backend(Optional<Gpu> gpu, Map<String, TrainingPlan> plans, int together) {
        return gpu.map(found -> CudaBackend.of(found, plans, together, this::notice))
                .orElseGet(Backend::processor);
    }

    /** The names of settings that change what a run learns. */
    final Set<String> settingsOfOneRun() {
        return settingItems()
                .filter(item -> !item.setting().idle())
                .map(Item::name)
                .collect(Collectors.toSet());
    }

    /** Refuses what is not for one run, but for all that a command makes: on a line of a file of runs. */
    final void refuseOptionsOfCommand() {
        Set<String> ofOne = settingsOfOneRun();
        ofOne.add("seeds");
        for (String name : typedOptions().keySet()) {
            BadInput.when(
                    !ofOne.contains(name),
                    "--%s is not for one run".formatted(name),
                    "Give it on the command line, for all of them.");
        }
    }

    private void checkSeeds() {
        List<String> given = new ArrayList<>(typedOptions().keySet());
        given.retainAll(Set.of("seed", "seeds", "runs", "forks"));
        if (given.size() > 1) {
            throw new BadInput(
                    "--%s are given together".formatted(String.join(" and --", given)),
                    "Leave one out: --seed is for one run, --seeds for a run each, --runs names them in a file, and --forks"
                            + " are of a run that has its seed.");
        }
    }

    private Outcome batch(List<RunBatch.Member> members, ProgressListener listener) {
        batch = true;
        members.stream()
                .flatMap(member -> Stream.concat(
                        member.plan().cautions().stream(),
                        UnusualSettings.cautions(member.spec().settings(), member.plan()).stream()))
                .distinct()
                .forEach(this::caution);
        resolved = BatchMembers.settings(members);
        long from = System.nanoTime();
        List<RunBatch.End> ends = ends(members, listener);
        failed = ends.stream()
                .filter(RunBatch.Failed.class::isInstance)
                .map(RunBatch.Failed.class::cast)
                .toList();
        if (machines.sharded() && !gathers()) {
            throw new ShardFinished(shard(), ends.size(), members.size());
        }
        return BatchView.of(members, ends, (System.nanoTime() - from) / 1e9);
    }

    /**
     * How a run ended that another machine made; what came of it is in its folder.
     *
     * @param failure why there is no result; nothing where there is one
     */
    record RunEnd(Optional<RunBatch.Failed> failure) {
        static RunEnd of(RunBatch.End end) {
            return new RunEnd(end instanceof RunBatch.Failed failed ? Optional.of(failed) : Optional.empty());
        }

        RunBatch.End of(RunBatch.Member member) {
            return failure.<RunBatch.End>map(failed -> failed)
                    .orElseGet(() -> new RunBatch.Done(TrainingResult.read(member.folder())));
        }
    }

    /** How the runs ended: all of them, or those of the shard. */
    private List<RunBatch.End> ends(List<RunBatch.Member> members, ProgressListener listener) {
        TaskList<RunEnd> tasks = new TaskList<>(
                "runs",
                members.stream().map(RunBatch.Member::name).toList().toString(),
                RunEnd.class,
                members.size(),
                k -> RunEnd.of(train(prepared(List.of(members.get(k))), ProgressListener.NONE)
                        .getFirst()));
        if (lists()) {
            tasks().run(tasks, listener); // which only wants to know them
        }
        if (gathers()) {
            new GatheredTasks(runFolder().path(), this::commandOf).refuseMissing(unfinished(members));
        }
        if (machines.onCluster()) {
            workers(); // refuses what a cluster cannot do before anything is written
            members.forEach(this::refuseRelativePaths);
            return claimed(() -> elsewhere(tasks, members, listener));
        }
        PreparedRuns runs = prepared(gathers() ? members : shard().of(members));
        if (machines.sharded() && !gathers()) {
            Journal<RunEnd> mark = Journal.open(shardFile(), tasks.name(), tasks.inputs(), RunEnd.class);
            try (mark) { // says that the shard was begun, and keeps others from it
                return train(runs, listener);
            }
        }
        return claimed(() -> train(runs, listener));
    }

    /** Does something in the folder, which is ours meanwhile. */
    private <T> T claimed(Supplier<T> work) {
        RunFolder.Lock lock = runFolder().lock();
        try (lock) {
            if (!RunSpec.isIn(runFolder().path())) {
                writeSpec();
            }
            return work.get();
        }
    }

    private static int[] unfinished(List<RunBatch.Member> members) {
        return IntStream.range(0, members.size())
                .filter(k -> !members.get(k).finished())
                .toArray();
    }

    /** On a cluster, which sees the folders. */
    private List<RunBatch.End> elsewhere(
            TaskList<RunEnd> tasks, List<RunBatch.Member> members, ProgressListener listener) {
        @Nullable RunEnd[] ends = new RunEnd[members.size()];
        int[] left = unfinished(members);
        AtomicInteger done = new AtomicInteger(members.size() - left.length);
        workers().work(tasks, left, (k, end) -> {
            ends[k] = end;
            listener.progress(tasks.name(), done.incrementAndGet(), members.size());
        });
        return IntStream.range(0, members.size())
                .mapToObj(k -> {
                    RunEnd end = ends[k];
                    return (end == null ? new RunEnd(Optional.empty()) : end).of(members.get(k));
                })
                .toList();
    }

    private void refuseRelativePaths(RunBatch.Member member) {
        settingItems()
                .filter(item -> machines.onOtherMachines() && item.type() == Path.class)
                .forEach(item -> {
                    String value = Item.text(member.spec().settings().getOrDefault(item.name(), ""));
                    BadInput.when(
                            !value.isEmpty() && !Path.of(value).isAbsolute(),
                            "`%s` of %s is %s, and every machine of a cluster would look for it in its own current folder"
                                    .formatted(item.name(), member.name(), value),
                            "Write %s, and make sure that every machine has it there."
                                    .formatted(Path.of(value).toAbsolutePath()));
                });
    }

    /** Runs that this program is to make, for which there is a device and memory. */
    private record PreparedRuns(
            List<RunBatch.Member> members, Optional<Gpu> gpu, Map<String, TrainingPlan> plans, int together) {}

    private PreparedRuns prepared(List<RunBatch.Member> members) {
        boolean cuda = !members.isEmpty() && onGpu(members.getFirst().spec().settings());
        int most = cuda ? members.size() : threads();
        int together = Math.min(members.size(), atOnce == null ? most : positive("--at-once", atOnce));
        Map<String, TrainingPlan> plans = new LinkedHashMap<>();
        members.stream()
                .filter(member -> !member.finished())
                .forEach(member -> plans.put(member.name(), member.plan()));
        Optional<Gpu> gpu = gpu(cuda, plans.values());
        if (!cuda && !plans.isEmpty()) {
            notice(RunBatch.memory(members, together, Runtime.getRuntime().maxMemory()));
        }
        return new PreparedRuns(members, gpu, plans, together);
    }

    /** By this program. */
    private List<RunBatch.End> train(PreparedRuns runs, ProgressListener listener) {
        if (runs.members.isEmpty()) {
            return List.of(); // there are more shards than runs
        }
        try (Backend backend = room(runs.gpu, runs.plans, runs.together)) {
            BatchProgress progress = new BatchProgress(
                    runs.members,
                    listener,
                    this::notice,
                    this::caution,
                    Terminal.stderr().width(),
                    System::nanoTime);
            return new RunBatch(runs.members, runs.together, threads(), backend, progress).run();
        }
    }

    /** A backend for all; where there is no room, a new folder is removed again. */
    private Backend room(Optional<Gpu> gpu, Map<String, TrainingPlan> plans, int together) {
        try {
            return backend(gpu, plans, together);
        } catch (RuntimeException e) {
            if (!resume && !machines.sharded() && !machines.onCluster() && !lists()) {
                runFolder().abandon();
            }
            throw e;
        }
    }

    @Override
    protected int exitCode() {
        return failed.isEmpty() ? 0 : failed.stream().anyMatch(RunBatch.Failed::defect) ? 1 : 2;
    }

    /** Runs keep what they made, whatever becomes of the summary. */
    @Override
    protected void abandon(RunFolder made) {
        if (!batch) {
            super.abandon(made);
        }
    }

    /** Many runs are gone on with even where all came to an end, if some of them failed. */
    @Override
    protected RunFolder resumed(Path interrupted) {
        Path result = interrupted.resolve(RunFiles.RESULT);
        try {
            if (Files.exists(result)
                    && Json.read(Files.readString(result), Map.class).get("failed") instanceof Integer count
                    && count > 0) {
                return RunFolder.reopen(interrupted);
            }
        } catch (IOException | BadInput e) {
            // complete, or so it seems
        }
        return RunFolder.resume(interrupted);
    }
}
