package dev.revealed.app.tools;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.bench.MujocoBench;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.ProgressListener;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed of the locomotion tasks. */
@Command(
        name = "mujoco",
        description = {
            "Steps of the locomotion tasks per second of processor time on one core.",
            "Also the share of that time spent inside MuJoCo. Resets are not counted."
        },
        footer = {"", "Example:", "  ./revealed bench mujoco --tasks hopper,humanoid --json"})
final class MujocoBenchCommand extends BenchCommand.Benchmark {
    @Option(names = "--tasks", split = ",", paramLabel = "TASK", description = "default: all")
    private List<String> tasks = Task.names();

    @Option(names = "--steps", paramLabel = "N", description = "Of each task" + DEFAULT)
    private int steps = 2000;

    @Option(names = "--repetitions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int repetitions = 5;

    @Override
    protected Outcome outcome(ProgressListener listener) {
        MujocoBench.Result result =
                new MujocoBench(tasks.stream().map(Task::named).toList(), steps, repetitions).run(seed(), listener);
        Table table = Table.of(
                        result.rows(),
                        text("task", MujocoBench.Row::task),
                        decimals("steps per second", 0, MujocoBench.Row::stepsPerSecond),
                        decimals("native share", 3, MujocoBench.Row::nativeShare))
                .titled("Environment steps on one core, random actions");
        return shown("mujoco", result, table, "");
    }
}
