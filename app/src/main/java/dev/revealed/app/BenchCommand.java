package dev.revealed.app;

import dev.revealed.app.view.Report;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.bench.BellmanBench;
import dev.revealed.bench.SolveBench;
import dev.revealed.numeric.ProgressListener;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed, measured beside the floor and beside what one would do instead. */
@Command(
        name = "bench",
        description = "Measure speed against the floor and against plainer ways.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "BENCHMARK",
        subcommands = {BenchCommand.Bellman.class, BenchCommand.Solve.class},
        footer = {"", "Example:", "  ./revealed bench bellman --states 1000000 --actions 4 --successors 8"})
final class BenchCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Name a benchmark: bellman or solve.");
    }

    @Command(
            name = "bellman",
            description = "One soft Bellman sweep over a random sparse kernel, in nanoseconds per nonzero.",
            footer = {"", "Example:", "  ./revealed bench bellman --states 1000000 --actions 4 --successors 8 --json"})
    static final class Bellman extends Verb {
        @Option(names = "--states", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int states = 1_000_000;

        @Option(names = "--actions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int actions = 4;

        @Option(
                names = "--successors",
                paramLabel = "N",
                description = "Per row, within 64 of the state (default: ${DEFAULT-VALUE}).")
        private int successors = 8;

        @Option(names = "--repetitions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int repetitions = 60;

        @Override
        @Nullable
        String defaultFolder() {
            return null;
        }

        @Override
        Outcome outcome(ProgressListener listener) {
            BellmanBench.Result result =
                    new BellmanBench(states, actions, successors, repetitions).run(seed(), threads(), listener);
            Table table = Table.of(
                            Column.text("name"), Column.number("threads", 3), Column.decimals("ns per nonzero", 3))
                    .titled("Soft Bellman sweep, " + result.nonzeros() + " nonzeros");
            for (BellmanBench.Row row : result.rows()) {
                table = table.row(row.name(), row.threads(), row.nsPerNonzero());
            }
            return new Outcome(
                    result,
                    table.toText(),
                    Report.titled("bench bellman").table(table),
                    Map.of(),
                    Map.of("bellman.csv", table.toCsv()));
        }
    }

    @Command(
            name = "solve",
            description = "Soft-optimal values of a large grid from scratch.",
            footer = {"", "Example:", "  ./revealed bench solve --size 1000 --json"})
    static final class Solve extends Verb {
        @Option(names = "--size", paramLabel = "N", description = "Side of the grid (default: ${DEFAULT-VALUE}).")
        private int size = 1000;

        @Option(names = "--discount", split = ",", paramLabel = "X", description = "default: 0.99,0.9999")
        private double[] discounts = {0.99, 0.9999};

        @Option(
                names = "--tolerance",
                paramLabel = "X",
                description = "Span of the residual (default: ${DEFAULT-VALUE}).")
        private double tolerance = 1e-8;

        @Override
        @Nullable
        String defaultFolder() {
            return null;
        }

        @Override
        Outcome outcome(ProgressListener listener) {
            SolveBench.Result result = new SolveBench(size, tolerance).run(discounts, threads(), listener);
            Table table = Table.of(
                            Column.number("discount", 6),
                            Column.text("method"),
                            Column.decimals("seconds", 1),
                            Column.number("kernel passes", 9),
                            Column.number("Newton steps", 4),
                            Column.number("residual span", 3))
                    .titled("Soft-optimal values of a %d x %d grid, %d threads".formatted(size, size, threads()));
            for (SolveBench.Row row : result.rows()) {
                table = table.row(
                        row.discount(),
                        row.method(),
                        row.seconds(),
                        row.kernelPasses(),
                        row.newtonSteps(),
                        row.residualSpan());
            }
            return new Outcome(
                    result,
                    table.toText(),
                    Report.titled("bench solve").table(table),
                    Map.of(),
                    Map.of("solve.csv", table.toCsv()));
        }
    }
}
