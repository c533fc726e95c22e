package dev.revealed.app.tools;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.bench.SolveBench;
import dev.revealed.numeric.ProgressListener;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed of soft-optimal values. */
@Command(
        name = "solve",
        description = "Soft-optimal values of a large grid from scratch.",
        footer = {"", "Example:", "  ./revealed bench solve --size 1000 --json"})
final class SolveBenchCommand extends BenchCommand.Benchmark {
    @Option(names = "--size", paramLabel = "N", description = "Side of the grid" + DEFAULT)
    private int size = 1000;

    @Option(names = "--discount", split = ",", paramLabel = "X", description = "default: 0.99,0.9999")
    private double[] discounts = {0.99, 0.9999};

    @Option(names = "--tolerance", paramLabel = "X", description = "Span of the residual" + DEFAULT)
    private double tolerance = 1e-8;

    @Override
    protected Outcome outcome(ProgressListener listener) {
        SolveBench.Result result = new SolveBench(size, tolerance).run(discounts, threads(), listener);
        Table table = Table.of(
                        result.rows(),
                        number("discount", 6, SolveBench.Row::discount),
                        text("method", SolveBench.Row::method),
                        decimals("seconds", 1, SolveBench.Row::seconds),
                        number("kernel passes", 9, SolveBench.Row::kernelPasses),
                        number("Newton steps", 4, SolveBench.Row::newtonSteps),
                        number("residual span", 3, SolveBench.Row::residualSpan))
                .titled("Soft-optimal values of a %d x %d grid, %d threads".formatted(size, size, threads()));
        return shown("solve", result, table, "");
    }
}
