package dev.revealed.app.train;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Device;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.SettingOptions;
import dev.revealed.app.world.TaskFlavour;
import dev.revealed.app.world.TaskSettings;
import dev.revealed.app.world.Tasks;
import dev.revealed.cuda.CudaEnsemble;
import dev.revealed.cuda.Gpu;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.world.TransitionRows;
import dev.revealed.imitate.world.WorldTraining;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.ensemble.Ensemble;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.RunSpec;
import dev.revealed.settings.Setting;
import dev.revealed.train.Environment;
import dev.revealed.train.SettingResolution;
import dev.revealed.train.Terminations;
import dev.revealed.train.WorldRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Learns a world from a log. */
@Command(
        name = WorldModelCommand.NAME,
        description = {
            "Learn how a system moves from a log of it: an ensemble of networks that predict the next state and how sure they are.",
            "",
            "Rewards in the log are never read. Checkpoints are written during the run: an interrupted run "
                    + "continues with --resume and ends with the same world.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed worldmodel --task hopper --data log.hdf5 --demos demonstrations.npz --out world",
            "  ./revealed worldmodel --data log.npz --epochs 20 --out world",
            "  ./revealed worldmodel --data log.hdf5 --device cuda --out world",
            "  ./revealed worldmodel --resume --out world",
            "  ./revealed imitate --offline --world world --task hopper --demos demonstrations.npz --data log.hdf5"
        })
public final class WorldModelCommand extends BaseCommand {
    static final String NAME = "worldmodel";

    @Option(
            names = "--resume",
            description = "Continue the interrupted run in the folder --out, with its recorded settings.")
    private boolean resume;

    /** What a world is learnt from. */
    record Log(
            @Setting(
                    about = "The log: transitions by anyone, .npz or .hdf5 (Minari's or D4RL's layout).",
                    usual = "none; it must be given")
            Path data,

            @Setting(
                    about =
                            "Demonstrations, whose transitions are learnt from as well; not needed where the log has them.",
                    usual = "none")
            Path demos,

            @Setting(
                    label = "FORMULA",
                    about =
                            "An episode terminates where this formula of the state after a step is not 0. s0, s1, ... are"
                                    + " the numbers of the state: 's0 < 0.7 or abs(s1) > 0.2'.",
                    usual = "the task's own rule; without one, learnt if logged episodes terminated")
            String ended) {
        static final Log USUAL = new Log(Path.of(""), Path.of(""), "");

        Log {
            data = RunSettings.whole(data);
            demos = RunSettings.whole(EpisodeFiles.in(demos));
        }
    }

    private Map<String, Object> resolved = Map.of();

    @Override
    protected List<SettingOptions.Group> settingGroups() {
        return List.of(
                SettingOptions.Group.of("", RunSettings.Seed.USUAL),
                SettingOptions.Group.of("", Tasks.settings()),
                SettingOptions.Group.of(
                        "",
                        Log.USUAL,
                        RunSettings.Place.USUAL,
                        RunSettings.PresetName.USUAL,
                        WorldTraining.Settings.USUAL));
    }

    @Override
    protected boolean resuming() {
        return resume;
    }

    @Override
    protected Map<String, Object> resolved() {
        return resolved.isEmpty() ? super.resolved() : new TreeMap<>(resolved);
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        long from = System.nanoTime();
        SettingResolution given = resume ? recorded() : SettingResolution.typed(typedSettings());
        Log files = given.get(Log.USUAL);
        BadInput.when(files.data.toString().isEmpty(), "no log is named", "Name a file with --data.");
        Optional<Environment> environment = environment(given);
        List<Episodes> logs = logs(files, environment);
        Terminations terminations = terminations(files.ended, environment, logs);
        boolean paper = given.get(RunSettings.PresetName.USUAL).preset() == Preset.PAPER;
        WorldRun.Plan plan = new WorldRun.Plan(
                given.get(paper ? WorldTraining.Settings.PAPER : WorldTraining.Settings.USUAL),
                logs.size() == 1
                        ? TransitionRows.of(logs.getFirst())
                        : TransitionRows.of(logs.getFirst(), logs.getLast()),
                terminations,
                environment.map(Environment::task).orElse(""),
                maker(given.get(RunSettings.Place.USUAL).device()),
                given.get(RunSettings.Seed.USUAL).seed());
        given.refuseOthers("a world model");
        resolved = given.settings();
        WorldRun.Learnt learnt = resume
                ? WorldRun.resume(plan, runFolder(), this::caution, listener)
                : WorldRun.begin(plan, spec(resolved), runFolder(), listener);
        long episodes = logs.stream().mapToLong(Episodes::size).sum();
        return WorldModelView.of(plan, learnt, episodes, (System.nanoTime() - from) / 1e9);
    }

    /** The log, then the demonstrations where they are named. */
    private List<Episodes> logs(Log files, Optional<Environment> environment) {
        List<Path> named = Stream.of(files.data, files.demos)
                .filter(file -> !file.toString().isEmpty())
                .map(Main::existing)
                .toList();
        List<Episodes> logs = new ArrayList<>();
        for (Path file : named) {
            Episodes read = environment
                    .map(known -> EpisodeFiles.readUnrewarded(file, known.space()))
                    .orElseGet(() -> EpisodeFiles.readUnrewarded(file));
            BadInput.when(
                    !read.hasActions(),
                    file + " has no actions, and a world is learnt from states, actions and next states",
                    "Name a file with actions" + (logs.isEmpty() ? "." : ", or leave out `demos`."));
            logs.add(read);
        }
        if (named.size() > 1 && isSame(named.getFirst(), named.getLast())) {
            caution("`data` and `demos` are the same file, %s: the world learns from each of its transitions twice"
                    .formatted(named.getFirst()));
        }
        Episodes first = logs.getFirst();
        Episodes last = logs.getLast();
        BadInput.when(
                first.observationSize() != last.observationSize() || first.actionSize() != last.actionSize(),
                "%s has observations of %d numbers and actions of %d, and %s has %d and %d"
                        .formatted(
                                named.getLast(),
                                last.observationSize(),
                                last.actionSize(),
                                named.getFirst(),
                                first.observationSize(),
                                first.actionSize()),
                "Name files of one task with `data` and `demos`.");
        return logs;
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Ensemble.Maker maker(Device device) {
        if (device == Device.CPU) {
            return Ensemble.Maker.PROCESSOR;
        }
        Gpu gpu = Device.gpu(resume);
        return (shape, rows, settings, streams) -> new CudaEnsemble(gpu, shape, rows, settings, streams);
    }

    private Optional<Environment> environment(SettingResolution given) {
        if (given.get(TaskSettings.NONE).task().isEmpty()) {
            given.get(TaskFlavour.STANDARD); // recorded though it has no effect, as runs always did
            return Optional.empty();
        }
        return Optional.of(Tasks.environment(given, this::caution));
    }

    private SettingResolution recorded() {
        Path folder = runFolder().path();
        BadInput.when(
                !RunSpec.isIn(folder),
                "nothing was started in " + folder,
                "Name the folder of an interrupted 'worldmodel' with --out.");
        Map<String, String> typed = new TreeMap<>(typedSettings());
        String device = typed.remove("device");
        BadInput.when(
                !typed.isEmpty(),
                "--%s is given together with --resume"
                        .formatted(typed.keySet().stream().findFirst().orElse("")),
                "Leave it out: the run goes on with its recorded settings.");
        Map<String, Object> settings =
                new TreeMap<>(RunSpec.read(folder).resumable(folder).settings());
        if (device != null) {
            settings.put("device", device);
        }
        return SettingResolution.recorded(settings);
    }

    /** The formula given, else the task's own rule where there is one, else learnt where logged episodes terminated at all. */
    private Terminations terminations(String formula, Optional<Environment> environment, List<Episodes> logs) {
        if (!formula.isEmpty()) {
            StateFormula rule = BadInput.placed(
                    "`ended`", () -> StateFormula.of(formula, logs.getFirst().observationSize()));
            long steps = logs.stream().mapToLong(Episodes::steps).sum();
            long without = logs.stream().mapToLong(rule::withoutValue).sum();
            BadInput.when(
                    without > 0,
                    "`ended` has no value (NaN or infinite) after %,d of %,d logged steps".formatted(without, steps),
                    "Write a condition with a value at every state, without a quotient by 0, the root of a negative"
                            + " number or its logarithm: s0 > 5.");
            long otherwise = logs.stream().mapToLong(rule::contradictions).sum();
            if (otherwise > 0) {
                caution("after %,d of %,d logged steps `ended` says something else than the log about terminations"
                        .formatted(otherwise, steps));
            }
            return new Terminations.Where(formula);
        }
        if (environment.isPresent()) {
            try (Simulator one = environment.get().simulators().get()) {
                if (one.termination().isPresent()) {
                    return Terminations.Known.RULE;
                }
            }
        }
        boolean ended = logs.stream()
                .flatMap(log -> log.all().stream())
                .anyMatch(episode -> episode.ending() == Episode.Ending.TERMINATED);
        return ended ? Terminations.Known.LEARNT : Terminations.Known.NONE;
    }
}
