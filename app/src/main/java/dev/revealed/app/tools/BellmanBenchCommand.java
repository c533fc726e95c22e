package dev.revealed.app.tools;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.bench.BellmanBench;
import dev.revealed.numeric.ProgressListener;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed of a soft Bellman sweep. */
@Command(
        name = "bellman",
        description = "One soft Bellman sweep over a random sparse kernel, in nanoseconds per nonzero.",
        footer = {"", "Example:", "  ./revealed bench bellman --states 1000000 --actions 4 --successors 8 --json"})
final class BellmanBenchCommand extends BenchCommand.Benchmark {
    @Option(names = "--states", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int states = 1_000_000;

    @Option(names = "--actions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int actions = 4;

    @Option(names = "--successors", paramLabel = "N", description = "Per row, within 64 of the state" + DEFAULT)
    private int successors = 8;

    @Option(names = "--repetitions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int repetitions = 60;

    @Override
    protected Outcome outcome(ProgressListener listener) {
        BellmanBench.Result result =
                new BellmanBench(states, actions, successors, repetitions).run(seed(), threads(), listener);
        Table table = Table.of(
                        result.rows(),
                        text("name", BellmanBench.Row::name),
                        number("threads", 3, BellmanBench.Row::threads),
                        decimals("ns per nonzero", 3, BellmanBench.Row::nsPerNonzero))
                .titled("Soft Bellman sweep, " + result.nonzeros() + " nonzeros");
        return shown("bellman", result, table, "");
    }
}
