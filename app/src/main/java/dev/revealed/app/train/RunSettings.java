package dev.revealed.app.train;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Device;
import dev.revealed.app.Main;
import dev.revealed.app.world.TaskSettings;
import dev.revealed.app.world.Tasks;
import dev.revealed.cuda.CudaTraining;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.Intervention;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.world.OfflineData;
import dev.revealed.imitate.world.TransitionRows;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Setting;
import dev.revealed.settings.Settings;
import dev.revealed.train.Environment;
import dev.revealed.train.ForkStreams;
import dev.revealed.train.RunLength;
import dev.revealed.train.SettingResolution;
import dev.revealed.train.Terminations;
import dev.revealed.train.Timetable;
import dev.revealed.train.WorldRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Settings of runs that are no settings of what is learnt: small records, of which a command takes those it has. */
final class RunSettings {
    private RunSettings() {}

    record Seed(@Setting(about = BaseCommand.SEED + ".") long seed) {
        static final Seed USUAL = new Seed(1);
    }

    /** Where networks learn. */
    record Place(
            @Setting(
                    about = "Device to learn on: the processor, or an NVIDIA GPU. A run can be resumed on the other "
                            + "one.",
                    idle = true)
            Device device) {
        static final Place USUAL = new Place(Device.CPU);
    }

    /** How an agent interacts with its simulators. */
    record Interaction(
            @Setting(
                    about = "Copies of the simulator that feed a run in turn; on a GPU each has its own core.",
                    atLeast = 1)
            int simulators) {
        static final Interaction USUAL = new Interaction(1);

        Interaction {
            if (simulators > CudaTraining.ROUND) {
                throw new BadInput(
                        "`simulators` is %d, and a round has %d steps to share"
                                .formatted(simulators, CudaTraining.ROUND),
                        "Give at most %d, and not more than there are processors.".formatted(CudaTraining.ROUND));
            }
        }
    }

    /** How long an expert learns, and on which reward. */
    record Expert(
            @Setting(about = "Steps of the simulator.", atLeast = 1)
            long steps,

            @Setting(about = "Steps between evaluations of the policy.", atLeast = 1)
            long evaluateEvery,

            @Setting(about = "Episodes per evaluation.", atLeast = 1)
            int episodes,

            @Setting(about = "Steps between checkpoints. " + RunLength.NONE_KEPT, atLeast = 0)
            long checkpointEvery,

            @Setting(about = RunLength.KEEP, label = "N|all", none = "all", atLeast = 2, example = "2")
            OptionalInt keepCheckpoints,

            @Setting(
                    label = "DIR",
                    about = "Train on a recovered reward: the folder of the 'imitate' that recovered it, or its file. "
                            + "Settings of Soft Actor-Critic that are not typed are then those it was learnt with (in "
                            + "files without them, the defaults); evaluations measure the task's own return.",
                    usual = "the task's own reward")
            Path reward) {
        static final Expert USUAL = new Expert(1_000_000, 20_000, 10, 20_000, OptionalInt.of(2), Path.of(""));

        Expert {
            reward = whole(reward);
        }

        Timetable timetable() {
            return new Timetable(
                    steps, evaluateEvery, episodes, episodes, checkpointEvery, RunLength.kept(keepCheckpoints), 0);
        }
    }

    /** The demonstrations. */
    record DemonstrationFile(
            @Setting(
                    about =
                            "Demonstrations, .npz or .hdf5, or the folder of a 'record'; actions are not needed for rewards of states.",
                    usual = "none; it must be given")
            Path demos,

            @Setting(
                    about = "Number of demonstrations to use, the first ones of the file after those of `skip`.",
                    none = "all",
                    usual = "all",
                    atLeast = 1)
            OptionalInt trajectories,

            @Setting(about = "Number of first demonstrations of the file to leave out.", atLeast = 0, example = "5")
            int skip,

            @Setting(
                    about = "Bound of the demonstrations' actions, where they were scaled: 1 for actions normalised to"
                            + " [-1, 1]. They are scaled from it to the task's.",
                    none = "own",
                    usual = "the task's own",
                    above = 0)
            OptionalDouble demoBound) {
        static final DemonstrationFile USUAL =
                new DemonstrationFile(Path.of(""), OptionalInt.empty(), 0, OptionalDouble.empty());

        /** The path is whole, so that a run can be resumed from any folder. */
        DemonstrationFile {
            demos = whole(EpisodeFiles.in(demos));
        }
    }

    /** Demonstrations that are resampled. */
    record Bootstrap(
            @Setting(
                    about = "Resample the demonstrations by the run's seed: whole trajectories with replacement, or "
                            + "blocks of a single one. reward-intervals compares the rewards of several such runs.")
            boolean bootstrap,

            @Setting(
                    about = "Steps of a block.",
                    usual = "by how far the demonstration's steps depend on each other",
                    atLeast = 1)
            OptionalInt bootstrapBlock) {
        static final Bootstrap USUAL = new Bootstrap(false, OptionalInt.empty());
    }

    /** What the policy's divergence is measured from. */
    record Reference(
            @Setting(
                    label = "DIR",
                    about = "Reference policy pi0: folder of a run of expert or imitate, or a policy file. The reward "
                            + "then explains how the expert departs from pi0. Only ml-irl, only on the processor.",
                    usual = "none: the uniform policy")
            Path reference) {
        static final Reference USUAL = new Reference(Path.of(""));

        Reference {
            reference = whole(reference);
        }
    }

    /** Learning without a simulator. */
    record Offline(
            @Setting(
                    about =
                            "Take no step of the simulator: learn in a world (`world`) that was learnt from a log (`data`); "
                                    + "iq-learn and bc need no world. Evaluations still use the task's simulator, for "
                                    + "comparison alone; without `task` there are none.")
            boolean offline,

            @Setting(
                    label = "DIR",
                    about = "Folder of the 'worldmodel' that learnt the world, or its file.",
                    usual = "none")
            Path world,

            @Setting(
                    about =
                            "Log of transitions, .npz or .hdf5 (Minari's or D4RL's layout): where rollouts in the world begin; "
                                    + "bc clones its actions as well, and iq-learn learns from it. Its rewards are never read.",
                    usual = "none")
            Path data) {
        static final Offline USUAL = new Offline(false, Path.of(""), Path.of(""));

        Offline {
            world = whole(world);
            data = whole(data);
        }

        /**
         * The task that is named; where none is, one known from recordings, which is enough without a simulator.
         *
         * @param demos further recordings; empty where there are none
         */
        static Environment environment(SettingResolution given, Path demos, Consumer<String> caution) {
            Offline said = said(given);
            return said.offline && given.get(TaskSettings.NONE).task().isEmpty()
                    ? Environment.recorded(RecordedSpace.of(List.of(said.data, demos)))
                    : Tasks.environment(given, caution);
        }

        /** What was said of learning without a simulator; runs with one record nothing of it. */
        static Offline said(SettingResolution given) {
            return Settings.of(USUAL).names().stream().anyMatch(given::has) ? given.get(USUAL) : USUAL;
        }

        Episodes log(Simulator.Space space) {
            BadInput.when(data.toString().isEmpty(), "no log is named", "Name a file of it with `data`.");
            return EpisodeFiles.readUnrewarded(Main.existing(data), space);
        }

        /** What takes the place of a simulator. */
        OfflineData read(Environment environment) {
            BadInput.when(
                    world.toString().isEmpty(),
                    "no world is named",
                    "Name the folder that 'worldmodel' wrote with `world`.");
            WorldRun.Saved saved = WorldRun.Saved.read(world);
            BadInput.when(
                    saved.terminations() == Terminations.Known.RULE && !environment.evaluates(),
                    "episodes of the world in %s terminate by the rule of %s, and no task is named"
                            .formatted(world, saved.task()),
                    "Choose `task` %s, or learn a world without a task.".formatted(saved.task()));
            String task = environment.task();
            BadInput.when(
                    !saved.task().isEmpty() && !saved.task().equals(task),
                    "the world in %s is of %s, and the task is %s".formatted(world, saved.task(), task),
                    "Name a world of %s, or choose `task` %s.".formatted(task, saved.task()));
            try (Simulator one = environment.simulators().get()) {
                Optional<Simulator.Termination> rule = switch (saved.terminations()) {
                    case Terminations.Known known ->
                        known == Terminations.Known.RULE ? one.termination() : Optional.empty();
                    case Terminations.Where(String formula) ->
                        Optional.of(StateFormula.of(formula, one.space().observations()));
                };
                Episodes log = log(one.space());
                return BadInput.placed(
                        data.toString(), () -> new OfflineData(saved.world(), rule, TransitionRows.of(log)));
            }
        }
    }

    record Method(
            @Setting(label = "M", about = "Method; each has its own settings, listed below.")
            String method) {
        static final Method USUAL = new Method(ImitationMethod.names().getFirst());
    }

    record PresetName(
            @Setting(
                    label = "NAME",
                    about = "Settings to start from: revealed, revealed-1 (the default until November 2026) or paper. "
                            + "Other options override it.")
            Preset preset) {
        static final PresetName USUAL = new PresetName(Preset.REVEALED);
    }

    /** A checkpoint of another run to go on from, and what is done otherwise. */
    record ForkSettings(
            @Setting(
                    label = "RUN@N",
                    about = "Continue a checkpoint of another run in a new folder, with its recorded settings except "
                            + "those typed: the folder of that run, and after @ the iteration. Without @ it is the last "
                            + "checkpoint. `iterations` count from the beginning.")
            String fork,

            @Setting(about = "Number of the fork, by which those of one checkpoint differ.", atLeast = 1)
            int forkNumber,

            @Setting(
                    label = "WHAT",
                    about = "One change that a fork makes. Once, at its beginning: placebo (one weight of the policy "
                            + "is one unit in the last place larger), reset-moments (resets the optimisers of policy "
                            + "and critics), fresh-critics (new critics, which first learn 20,000 updates from the "
                            + "replay), drop-oldest-half or drop-newest-50k (replaces rows of the replay by the "
                            + "others). At every reward step: freeze-reward, freeze-constant, freeze-slopes (all but "
                            + "the constant), shift-critics (values move with the constant by its discounted sum), "
                            + "act-by-average (the averaged policy acts).",
                    usual = "none")
            Intervention intervene) {
        static final ForkSettings USUAL = new ForkSettings("", 1, Intervention.NONE);
    }

    record Streams(
            @Setting(
                    about = "Random streams in which forks differ: minibatch (rows and noise of updates), exploration"
                            + " (noise of actions), starts (initial states), reward (what a reward step samples), all of"
                            + " them, or none, which repeats the original.",
                    usual = "all, and none for placebo")
            ForkStreams forkStreams) {
        static Streams usual(Intervention intervention) {
            return new Streams(intervention == Intervention.PLACEBO ? ForkStreams.NONE : ForkStreams.ALL);
        }
    }

    record Diagnose(
            @Setting(
                    about = "Iterations between measurements of the learner on the same 2,048 rows of its replay, in"
                            + " diagnose.csv; evaluations then try four policies, in policies.csv. 0 for none.",
                    atLeast = 0)
            long diagnose) {
        static final Diagnose USUAL = new Diagnose(0);
    }

    /** A path from the root; an empty one names nothing and stays so. */
    static Path whole(Path path) {
        return path.toString().isEmpty() ? path : path.toAbsolutePath().normalize();
    }
}
