package dev.revealed.app;

import dev.revealed.app.view.Terminal;
import dev.revealed.cuda.CudaTraining;
import dev.revealed.cuda.Gpu;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that trains agents: one or many, on the processor or on a GPU, to their ends however often it is interrupted. */
abstract class TrainCommand extends BaseCommand {
    /** Options of the command, not of the runs it makes: these come out the same whatever they are. */
    static final Set<String> OF_COMMAND = Set.of("--resume", "--out", "--json", "--threads", "--at-once");

    /** What may differ between the command that began a run and the one that resumes it. */
    private static final Set<String> FREE = ofCommandAnd("--device");

    private static final String COMMANDS = "commands"; // in the spec of many runs: that of each, by its name

    @Mixin
    private TaskOptions tasks = new TaskOptions();

    @Option(
            names = "--simulators",
            paramLabel = "N",
            description = "Copies of the simulator that feed a run, in turn; on a GPU each on a core of its own"
                    + " (default: ${DEFAULT-VALUE}).")
    private int simulators = 1;

    @Option(
            names = "--device",
            paramLabel = "cpu|cuda",
            description = "Where to learn: on the processor, or on an NVIDIA GPU (default: ${DEFAULT-VALUE}). A run"
                    + " begun on one may be resumed on the other.")
    private Device device = Device.CPU;

    @Option(names = "--resume", description = "Go on with the interrupted run in the folder --out.")
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
                    "A run for each line of the file: its options as they would be typed, on top of those typed here.")
    private @Nullable Path runs;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description =
                    "How many of --seeds or --runs go on at a time (default: as many as there are threads; on a GPU"
                            + " all).")
    private @Nullable Integer atOnce;

    private boolean fleet;
    private int failed;

    @Override
    protected boolean resuming() {
        return resume;
    }

    @Override
    @Nullable
    protected String defaultFolder() {
        return name() + "-" + (runs != null ? "runs" : tasks.task() + (seeds == null ? "" : "-seeds"));
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        TrainCommand begun = resume ? recorded() : this;
        begun.checkSeeds();
        if (begun.many()) {
            return fleet(begun, listener);
        }
        if (atOnce != null) {
            throw new BadInput("--at-once has no effect: this is one run", "Name several with --seeds or --runs.");
        }
        TrainingPlan plan = begun.plan();
        plan.cautions().forEach(this::warn);
        Optional<Gpu> gpu = gpu(begun, List.of(plan));
        try (Backend backend = Backend.when(() -> backend(gpu, Map.of("", plan), 1))) {
            return trainer(backend)
                    .train(
                            plan,
                            runFolder(),
                            resume,
                            this::writeSpec,
                            threads(),
                            this::warn,
                            TrainingRun.Listener.of(listener))
                    .show();
        }
    }

    /** As typed now, else as the run was begun. */
    private boolean onGpu(TrainCommand begun) {
        return (typed().containsKey("--device") ? device : begun.device) == Device.CUDA;
    }

    /** The GPU for the runs that are left, where the command or the one that began them asks for it. */
    private Optional<Gpu> gpu(TrainCommand begun, Collection<TrainingPlan> plans) {
        if (!onGpu(begun) || plans.isEmpty()) {
            return Optional.empty();
        }
        Gpu gpu = CudaBackend.gpu(
                resume ? "Go on with --resume --device cpu." : "Leave --device out: the CPU is the default.");
        int most = plans.stream().mapToInt(TrainingPlan::copies).max().orElse(0);
        int cores = Runtime.getRuntime().availableProcessors();
        if (most > cores) {
            warn("--simulators is %d, and there are %d processors: more copies than that make nothing faster."
                    .formatted(most, cores));
        }
        return Optional.of(gpu);
    }

    private Backend backend(Optional<Gpu> gpu, Map<String, TrainingPlan> plans, int together) {
        return gpu.map(found -> CudaBackend.of(found, plans, together, this::warn))
                .orElseGet(Backend::processor);
    }

    /** Begins runs or goes on with them, alone or among others. */
    private static Fleet.Trainer trainer(Backend backend) {
        return (plan, folder, resume, writeSpec, threads, warn, listener) -> resume
                ? TrainingRun.resume(plan, folder, backend, threads, warn, listener)
                : TrainingRun.begin(plan, folder, writeSpec, backend, threads, listener);
    }

    /** The run that the options describe. */
    abstract TrainingPlan plan();

    /** Copies of the simulator that feed a run. */
    final int copies() {
        if (simulators > CudaTraining.ROUND) {
            throw new BadInput(
                    "--simulators is %d, and a round has %d steps to share".formatted(simulators, CudaTraining.ROUND),
                    "Give at most %d, and not more than there are processors.".formatted(CudaTraining.ROUND));
        }
        return positive("--simulators", simulators);
    }

    static Set<String> ofCommandAnd(String... more) {
        return Stream.concat(OF_COMMAND.stream(), Stream.of(more)).collect(Collectors.toUnmodifiableSet());
    }

    final TaskOptions tasks() {
        return tasks;
    }

    /** Whether a file names the runs, so that the command alone says little of any. */
    final boolean ofFile() {
        return runs != null;
    }

    @Nullable
    String seeds() {
        return seeds;
    }

    private boolean many() {
        return seeds != null || runs != null;
    }

    private void checkSeeds() {
        List<String> given = new ArrayList<>(typed().keySet());
        given.retainAll(Set.of("--seed", "--seeds", "--runs"));
        if (given.size() > 1) {
            throw new BadInput(
                    String.join(" and ", given) + " are given together",
                    "Leave one out: --seed is for one run, --seeds for a run each, and --runs names them in a file.");
        }
    }

    private Outcome fleet(TrainCommand begun, ProgressListener listener) {
        fleet = true;
        Path folder = runFolder().path();
        List<Fleet.Member> members = resume
                ? FleetMembers.remembered(commands(), folder)
                : begun.seeds != null
                        ? FleetMembers.ofSeeds(begun, begun.seeds, folder)
                        : FleetMembers.ofFile(begun, Objects.requireNonNull(begun.runs), folder);
        members.stream()
                .flatMap(member -> member.plan().cautions().stream())
                .distinct()
                .forEach(this::warn);
        boolean cuda = onGpu(begun);
        int most = cuda ? members.size() : threads();
        int together = Math.min(members.size(), atOnce == null ? most : positive("--at-once", atOnce));
        Map<String, TrainingPlan> plans = new LinkedHashMap<>();
        members.stream()
                .filter(member -> !member.finished())
                .forEach(member -> plans.put(member.name(), member.plan()));
        Optional<Gpu> gpu = gpu(begun, plans.values());
        if (!cuda && !plans.isEmpty()) {
            warn(Fleet.memory(members, together, Runtime.getRuntime().maxMemory()));
        }
        long from = System.nanoTime();
        RunFolder.Lock lock = runFolder().lock(); // from here on the folder is ours
        try (lock;
                Backend backend = room(gpu, plans, together)) {
            List<Fleet.End> ends = run(members, together, backend, listener);
            failed = (int) ends.stream().filter(Fleet.Failed.class::isInstance).count();
            return FleetView.of(members, ends, (System.nanoTime() - from) / 1e9);
        }
    }

    /** A backend for all; where there is no room, a new folder is gone again. */
    private Backend room(Optional<Gpu> gpu, Map<String, TrainingPlan> plans, int together) {
        try {
            return backend(gpu, plans, together);
        } catch (RuntimeException e) {
            if (!resume) {
                runFolder().abandon();
            }
            throw e;
        }
    }

    private List<Fleet.End> run(List<Fleet.Member> members, int together, Backend backend, ProgressListener listener) {
        if (!resume) {
            Map<String, List<String>> commands = new LinkedHashMap<>();
            members.forEach(member -> commands.put(member.name(), member.command()));
            writeSpec(Map.of(COMMANDS, commands));
        }
        FleetProgress progress =
                new FleetProgress(members, listener, Terminal.stderr().width(), System::nanoTime);
        return new Fleet(members, together, threads(), trainer(backend), this::warn, progress).run();
    }

    @Override
    protected int exitCode() {
        return failed == 0 ? 0 : 1;
    }

    /** Runs keep what they made, whatever becomes of the summary. */
    @Override
    protected void abandon(RunFolder made) {
        if (!fleet) {
            super.abandon(made);
        }
    }

    /** Many runs are gone on with even where all came to an end, if some of them failed. */
    @Override
    protected RunFolder resumed(Path interrupted) {
        Path result = interrupted.resolve(Outcome.RESULT);
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

    /** The commands of many runs, as they were begun. */
    private Map<String, List<String>> commands() {
        Map<String, List<String>> commands = new LinkedHashMap<>();
        Path file = runFolder().path().resolve(SPEC);
        try {
            Object found =
                    Json.read(Files.readString(file), Spec.class).settings().get(COMMANDS);
            ((Map<?, ?>) Objects.requireNonNull(found))
                    .forEach((name, words) -> commands.put(
                            String.valueOf(name),
                            ((List<?>) words).stream().map(String::valueOf).toList()));
            return commands;
        } catch (IOException | BadInput | ClassCastException | NullPointerException e) {
            throw new BadInput(
                    "%s does not tell which runs were begun".formatted(file), "Begin again in another folder.");
        }
    }

    /** The command that began the run; what is typed again must be as it was. */
    private TrainCommand recorded() {
        Path file = runFolder().path().resolve(SPEC);
        if (!Files.exists(file)) {
            throw new BadInput(
                    "there is no " + file + ", so nothing was begun in that folder",
                    "Name the folder of an interrupted '%s' with --out, or begin one by its command without --resume."
                            .formatted(name()));
        }
        CommandLine line = Main.commandLine();
        TrainCommand begun;
        try {
            line.parseArgs(begun().orElseThrow().command().toArray(String[]::new));
            begun = getClass()
                    .cast(line.getParseResult().subcommand().commandSpec().userObject());
        } catch (NoSuchElementException
                | CommandLine.ParameterException
                | ClassCastException
                | NullPointerException e) {
            throw new BadInput(
                    "%s does not tell how '%s' was begun".formatted(file, name()),
                    ("Name the folder of an interrupted '%s' with --out; one that was killed before it began is started"
                                    + " by its first command again.")
                            .formatted(name()));
        }
        Map<String, Object> then = begun.resolved();
        Map<String, Object> now = resolved();
        for (String option : typed().keySet()) {
            String name = option.substring(2);
            if (!FREE.contains(option) && !FleetView.text(now.get(name)).equals(FleetView.text(then.get(name)))) {
                throw new BadInput(
                        "%s is %s, and the run in %s was begun with %s"
                                .formatted(
                                        option,
                                        FleetView.text(now.get(name)),
                                        runFolder().path(),
                                        FleetView.text(then.get(name))),
                        "Leave it out to go on as begun, or begin another run in another folder.");
            }
        }
        return begun;
    }
}
