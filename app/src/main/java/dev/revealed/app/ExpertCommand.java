package dev.revealed.app;

import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Trains an expert on the task's own reward. */
@Command(
        name = "expert",
        description = {
            "Train a policy on a task's own reward with Soft Actor-Critic.",
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

    @Override
    TrainingPlan plan() {
        Task task = tasks().task();
        Options options = tasks().options();
        return TrainingPlan.expert(
                Physics.of(task, options),
                () -> task.simulator(options),
                copies(),
                sac.settings(),
                sac.schedule(),
                positive("--steps", steps),
                positive("--evaluate-every", evaluateEvery),
                positive("--episodes", episodes),
                positive("--checkpoint-every", checkpointEvery),
                seed());
    }
}
