package dev.revealed.app.tools;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.bench.BridgeBench;
import dev.revealed.numeric.ProgressListener;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed of environments in Python. */
@Command(
        name = "bridge",
        description = "Steps per second of Python environments, compared with Python alone.",
        footer = {"", "Example:", "  ./revealed bench bridge --task gym:examples/pendulum.py:Pendulum --json"})
final class BridgeBenchCommand extends BenchCommand.Benchmark {
    @Option(names = "--task", paramLabel = "T", description = "gym:module:Class or gym:file.py:Class" + DEFAULT)
    private String task = "gym:examples/pendulum.py:Pendulum";

    @Option(names = "--task-args", paramLabel = "JSON", description = "Arguments of the environment" + DEFAULT)
    private String taskArgs = "{}";

    @Option(names = "--environments", split = ",", paramLabel = "N", description = "default: 1,16")
    private int[] environments = {1, 16};

    @Option(names = "--steps", paramLabel = "N", description = "Of each environment" + DEFAULT)
    private int steps = 10_000;

    @Option(names = "--repetitions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int repetitions = 5;

    @Override
    protected Outcome outcome(ProgressListener listener) {
        BridgeBench.Result result =
                new BridgeBench(task, taskArgs, environments, steps, repetitions).run(seed(), listener);
        Table table = Table.of(
                        result.rows(),
                        number("environments", 3, BridgeBench.Row::environments),
                        number("processes", 3, BridgeBench.Row::processes),
                        number("Python alone, steps/s", 6, BridgeBench.Row::alone),
                        number("bridge, steps/s", 6, BridgeBench.Row::bridged),
                        decimals("share", 2, BridgeBench.Row::share),
                        decimals("more per step, us", 1, BridgeBench.Row::overhead))
                .titled(result.task());
        return shown("bridge", result, table, "");
    }
}
