package dev.revealed.app;

import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.Cloning;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.Preset;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Recovers a reward and a policy from demonstrations. */
@Command(
        name = "imitate",
        description = {
            "Recover a reward and a policy from a handful of demonstrations, by maximum likelihood (ML-IRL).",
            "",
            "The task's own reward is never learnt from. It is measured by tests, shown as the true return, and counts for"
                    + " nothing else; what can be known without it is the gap of the likelihood, the distance of the"
                    + " agent's features from the expert's, and the policy's entropy.",
            "",
            "The folder holds checkpoints all the while: an interrupted run goes on with --resume and ends with the same"
                    + " bytes as one left alone.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed imitate --task hopper --demos demonstrations.npz --trajectories 1 --out hopper",
            "  ./revealed imitate --task hopper --demos states.npz --reward state --seeds 1-5 --out hoppers",
            "  ./revealed imitate --task hopper --demos demonstrations.npz --preset paper --pairing shifted",
            "  ./revealed imitate --method bc --task hopper --demos demonstrations.npz --out cloned",
            "  ./revealed imitate --resume --out hopper",
            "  ./revealed evaluate --policy hopper --episodes 20"
        })
final class ImitateCommand extends TrainCommand {
    private static final long USUAL = 20_000; // steps between tests, and between checkpoints
    private static final long CLONING = 50_000; // updates of behaviour cloning
    private static final String REWARD = "The reward (defaults: by preset)";
    private static final String SAC = "Soft Actor-Critic (defaults: by preset, here those of revealed)";
    private static final int RATION = 4; // a test on the way has so many times fewer episodes than the last

    /** What a reward is of. */
    enum Of {
        STATE,
        STATE_ACTION;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** How to do as the demonstrations do. */
    enum Method {
        ML_IRL,
        BC;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(
            names = "--demos",
            paramLabel = "FILE",
            description = "Demonstrations, .npz or .hdf5; without actions they serve for --reward state.")
    private @Nullable Path demos;

    @Option(
            names = "--method",
            paramLabel = "M",
            description =
                    "ml-irl, or bc: behaviour cloning, the floor. It takes no step of the simulator and recovers no"
                            + " reward, and an iteration is one update; of the options of reward and Soft Actor-Critic it knows"
                            + " --hidden alone (default: ${DEFAULT-VALUE}).",
            converter = MethodOf.class)
    private Method method = Method.ML_IRL;

    @Option(names = "--trajectories", paramLabel = "N", description = "Use the first so many of them (default: all).")
    private @Nullable Integer trajectories;

    @Option(
            names = "--reward",
            paramLabel = "OF",
            description = "What the reward is of: state or state-action (default: ${DEFAULT-VALUE}).",
            converter = RewardOf.class)
    private Of reward = Of.STATE_ACTION;

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description =
                    "Settings that go together: revealed, ours, or paper, the reference's with pairing, discounting and"
                            + " termination corrected (default: ${DEFAULT-VALUE}). Options typed beside it go before it. Robots of"
                            + " more than a hundred observations have a wider reward and, with revealed, --learning-rate 3e-4"
                            + " --temperature-halving 500000.")
    private Preset preset = Preset.REVEALED;

    @Option(
            names = "--bootstrap",
            description =
                    "Learn from demonstrations drawn anew by the run's seed: whole trajectories with replacement, or"
                            + " blocks where there is only one. What rewards of several such runs have in common is sure:"
                            + " see reward-intervals.")
    private boolean bootstrap;

    @Option(
            names = "--bootstrap-block",
            paramLabel = "N",
            description = "Steps of a block (default: by how long the demonstration remembers).")
    private @Nullable Integer bootstrapBlock;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "Blocks of policy learning, each with a reward step (default: by preset and task).")
    private @Nullable Long iterations;

    @Option(
            names = "--evaluate-every",
            paramLabel = "N",
            description = "Iterations between tests of the policy (default: about 20,000 steps).")
    private @Nullable Long evaluateEvery;

    @Option(
            names = "--episodes",
            paramLabel = "N",
            description = "Episodes of the last test; those on the way have a quarter (default: ${DEFAULT-VALUE}).")
    private int episodes = 20;

    @Option(
            names = "--checkpoint-every",
            paramLabel = "N",
            description = "Iterations between checkpoints (default: about 20,000 steps).")
    private @Nullable Long checkpointEvery;

    @Mixin(name = REWARD)
    private ImitationOptions imitation = new ImitationOptions();

    @Mixin(name = SAC)
    private SacOptions sac = new SacOptions(Preset.REVEALED.sac(0), Preset.SCHEDULE);

    private Imitation.@Nullable Settings settled;
    private Simulator.@Nullable Space space;

    /** Names with a hyphen, which constants cannot have. */
    static final class MethodOf implements CommandLine.ITypeConverter<Method> {
        @Override
        public Method convert(String word) {
            return Words.choose("--method", word.toLowerCase(Locale.ROOT), List.of(Method.values()));
        }
    }

    /** The same of rewards. */
    static final class RewardOf implements CommandLine.ITypeConverter<Of> {
        @Override
        public Of convert(String word) {
            return Words.choose("--reward", word.toLowerCase(Locale.ROOT), List.of(Of.values()));
        }
    }

    @Override
    protected void settle() {
        if (settled != null || resuming() || ofFile()) {
            return; // a run that goes on is as it was begun, and those of a file have their own
        }
        Task task = tasks().task();
        try (Simulator simulator = task.simulator(tasks().options())) {
            space = simulator.space();
        }
        sac.settle(preset.sac(space.observations()), Preset.SCHEDULE);
        Imitation.Settings settings =
                imitation.settings(reward == Of.STATE, preset.imitation(reward == Of.STATE, space));
        settled = settings;
        boolean cloning = method == Method.BC;
        long usual = cloning
                ? CLONING / 4
                : Math.max(1, Math.round((double) USUAL / settings.sampling().block()));
        iterations = iterations == null ? cloning ? CLONING : preset.iterations(task.toString()) : iterations;
        evaluateEvery = evaluateEvery == null ? usual : evaluateEvery;
        checkpointEvery = checkpointEvery == null ? usual : checkpointEvery;
    }

    @Override
    TrainingPlan plan() {
        settle();
        Imitation.Settings settings = Objects.requireNonNull(settled);
        Simulator.Space sizes = Objects.requireNonNull(space);
        Task task = tasks().task();
        Options options = tasks().options();
        if (demos == null) {
            throw new BadInput("no demonstrations are named", "Name a file of them with --demos.");
        }
        Episodes all = EpisodeFiles.read(Main.existing(demos), sizes);
        Episodes shown = trajectories == null ? all : first(all, trajectories);
        boolean cloning = method == Method.BC;
        if (cloning) {
            refuseForCloning();
        } else {
            ImitationOptions.checkRecent(
                    settings.sampling(), sizes, copies(), sac.schedule().replay());
        }
        long block = cloning ? 1 : settings.sampling().block();
        return new TrainingPlan(
                Physics.of(task, options),
                () -> task.simulator(options),
                cloning ? 0 : copies(),
                sac.settings(),
                cloning ? new Training.Schedule(1, 0, 0, 1, Integer.MAX_VALUE) : sac.schedule(),
                cloning
                        ? new CloningLesson(cloning(), demos.toString(), shown)
                        : new ImitationLesson(
                                settings, preset, demos.toString(), shown, sizes, resample(shown, settings)),
                block * positive("--iterations", Objects.requireNonNull(iterations)),
                block * positive("--evaluate-every", Objects.requireNonNull(evaluateEvery)),
                Math.ceilDiv(positive("--episodes", episodes), RATION),
                episodes,
                block * positive("--checkpoint-every", Objects.requireNonNull(checkpointEvery)),
                seed());
    }

    private Cloning.Settings cloning() {
        Cloning.Settings usual = Cloning.Settings.usual();
        return new Cloning.Settings(sac.settings().hidden(), usual.adam(), usual.batch(), usual.edge());
    }

    /** Options that cloning has no use for. */
    private void refuseForCloning() {
        Set<String> others =
                Set.of("--reward", "--preset", "--bootstrap", "--bootstrap-block", "--device", "--simulators");
        for (CommandLine.Model.OptionSpec option : matched()) {
            String name = option.longestName();
            if (others.contains(name)
                    || belongs(option, REWARD)
                    || (belongs(option, SAC) && !name.equals("--hidden"))) {
                throw new BadInput(
                        "%s has no effect on behaviour cloning".formatted(name), "Leave out either it or --method bc.");
            }
        }
    }

    private @Nullable Resample resample(Episodes used, Imitation.Settings settings) {
        if (bootstrapBlock != null && (!bootstrap || used.size() > 1)) {
            throw new BadInput(
                    "--bootstrap-block has no effect "
                            + (bootstrap ? "on several trajectories" : "without --bootstrap"),
                    "Leave it out%s.".formatted(bootstrap ? ", or use --trajectories 1" : ", or add --bootstrap"));
        }
        if (!bootstrap) {
            return null;
        }
        if (settings.sampling().oneExpert()) {
            throw new BadInput(
                    "demonstrations are drawn anew twice: for the run, and one of them for each reward step",
                    "Leave out --bootstrap, or take --expert-sample all.");
        }
        Episode only = used.all().getFirst();
        int block = bootstrapBlock != null
                ? positive("--bootstrap-block", bootstrapBlock)
                : used.size() > 1 ? 1 : Resample.Blocks.lengthFor(only.observations(), only.observationSize());
        if (used.size() == 1 && block >= only.length()) {
            throw new BadInput(
                    "a block of %d steps is all of a demonstration of %d: there is nothing to draw"
                            .formatted(block, only.length()),
                    "Give fewer with --bootstrap-block, or leave --bootstrap out.");
        }
        return Resample.of(used.size(), block);
    }

    private static Episodes first(Episodes all, int count) {
        try {
            return all.first(count);
        } catch (BadInput e) {
            throw e.in("--trajectories");
        }
    }
}
