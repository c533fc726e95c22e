package dev.revealed.app.tools;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.bench.EstimateBench;
import dev.revealed.numeric.ProgressListener;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed of estimators, side by side. */
@Command(
        name = "estimate",
        description = {
            "Estimators side by side on engines of many components.",
            "Time and kernel passes of each from parameters of zero to within 0.001 of the maximal log-likelihood."
        },
        footer = {"", "Example:", "  ./revealed bench estimate --sizes 100^2 --discounts 0.99 --budget 10 --json"})
final class EstimateBenchCommand extends BenchCommand.Benchmark {
    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "K^M",
            description = "Wear bins ^ components: 100^3 has a million states (default: 100^2,46^3).")
    private List<String> sizes = List.of("100^2", "46^3");

    @Option(names = "--discounts", split = ",", paramLabel = "X", description = "default: 0.99,0.999,0.9999")
    private List<Double> discounts = List.of(0.99, 0.999, 0.9999);

    @Option(names = "--budget", paramLabel = "SECONDS", description = "For each method on each problem" + DEFAULT)
    private double budget = 30;

    @Override
    protected Outcome outcome(ProgressListener listener) {
        EstimateBench.Result result = new EstimateBench(
                        sizes.stream().map(EstimateBench.Size::parse).toList(), discounts, budget)
                .run(seed(), threads(), listener);
        Table table = Table.of(
                        result.rows(),
                        number("states", 8, row -> row.problem().states()),
                        number("discount", 6, row -> row.problem().discount()),
                        text("method", EstimateBench.Row::method),
                        text("within 0.001", row -> row.reached() ? "yes" : "not within budget"),
                        number("gap", 2, EstimateBench.Row::gap),
                        decimals("seconds", 2, row -> row.spent().seconds()),
                        decimals("CPU seconds", 2, row -> row.spent().cpuSeconds()),
                        number("kernel passes", 9, row -> row.spent().kernelPasses()),
                        number("iterations", 6, row -> row.spent().iterations()),
                        decimals(
                                "times the least seconds",
                                1,
                                row -> row.ratios().secondsRatio()),
                        decimals(
                                "times the least passes", 1, row -> row.ratios().passesRatio()))
                .titled("From zero to within 0.001 of the maximal log-likelihood, %d threads".formatted(threads()));
        return shown("estimate", result, table, "\n" + result.note());
    }
}
