package dev.revealed.app;

import dev.revealed.imitate.Preset;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Trains an expert on the task's own reward, or a fresh policy on a recovered one. */
@Command(
        name = "expert",
        description = {
            "Train a policy on a task's own reward, or on a recovered one, with Soft Actor-Critic.",
            "",
            "The folder holds checkpoints all the while: an interrupted run goes on with --resume and ends with the same"
                    + " bytes as one left alone.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed expert --task hopper --steps 1000000 --seed 1 --out hopper",
            "  ./revealed expert --resume --out hopper",
            "  ./revealed expert --task hopper --seeds 1-14 --out hoppers",
            "  ./revealed expert --task humanoid --seeds 1-4 --simulators 3 --device cuda --out humanoids",
            "  ./revealed expert --runs runs.txt --at-once 4 --out many",
            "  ./revealed expert --task hopper --reward imitate-hopper --out fresh",
            "  ./revealed evaluate --policy hopper --task hopper --episodes 20"
        })
final class ExpertCommand extends TrainCommand {
    @Mixin(name = "Soft Actor-Critic")
    private SacOptions sac = new SacOptions(
            Sac.Settings.PAPER, new Training.Schedule(Sac.Settings.PAPER.batch(), 10_000, 10_000, 1, 1_000_000));

    @Option(names = "--steps", paramLabel = "N", description = "Steps of the simulator (default: ${DEFAULT-VALUE}).")
    private long steps = 1_000_000;

    @Option(
            names = "--evaluate-every",
            paramLabel = "N",
            description = "Steps between tests of the policy (default: ${DEFAULT-VALUE}).")
    private long evaluateEvery = 20_000;

    @Option(names = "--episodes", paramLabel = "N", description = "Episodes per test (default: ${DEFAULT-VALUE}).")
    private int episodes = 10;

    @Option(
            names = "--checkpoint-every",
            paramLabel = "N",
            description = "Steps between checkpoints (default: ${DEFAULT-VALUE}).")
    private long checkpointEvery = 20_000;

    @Option(
            names = "--reward",
            paramLabel = "DIR",
            description =
                    "Learn a recovered reward, as it stands: the folder of the 'imitate' that recovered it, or its"
                            + " file. What is not typed of Soft Actor-Critic is then as there (in files that do not tell, the"
                            + " papers'); tests tell the task's own return.")
    private @Nullable Path reward;

    private @Nullable RewardFile recovered;

    @Override
    protected void settle() {
        if (reward != null && recovered == null) {
            recovered = RewardFile.read(reward);
            sac.settle(recovered.sac(), Preset.SCHEDULE);
        }
    }

    @Override
    TrainingPlan plan() {
        settle();
        Task task = tasks().task();
        Options options = tasks().options();
        RewardFile learnt = recovered;
        TrainingPlan plan = new TrainingPlan(
                Physics.of(task, options),
                () -> task.simulator(options),
                copies(),
                sac.settings(),
                sac.schedule(),
                learnt == null ? Expertise.LESSON : new RewardLesson(learnt, task.toString()),
                positive("--steps", steps),
                positive("--evaluate-every", evaluateEvery),
                positive("--episodes", episodes),
                episodes,
                positive("--checkpoint-every", checkpointEvery),
                seed());
        if (learnt != null) {
            learnt.model(plan.space()); // one that does not fit is told of before anything is written
        }
        return plan;
    }
}
