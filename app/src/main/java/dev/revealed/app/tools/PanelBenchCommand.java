package dev.revealed.app.tools;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Mark;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.bench.PanelBench;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed of counting the rows of panels. */
@Command(
        name = "panels",
        description = {
            "Counting the rows of a panel of simulated buses: a Parquet file, and panels drawn while they are read.",
            "With --duckdb, DuckDB counts the same file, in the same run, on as many threads."
        },
        footer = {
            "",
            "Example:",
            "  ./revealed bench panels --duckdb --rows 100000000 --growth 10000000,100000000,1000000000 --json"
        })
final class PanelBenchCommand extends BenchCommand.Benchmark {
    @Option(names = "--rows", paramLabel = "N", description = "Of the Parquet file" + DEFAULT)
    private long rows = 10_000_000;

    @Option(names = "--data", paramLabel = "FILE", description = "A Parquet file of buses in place of a fresh one.")
    private @Nullable Path data;

    @Option(names = "--periods", paramLabel = "T", description = "Decisions of each bus" + DEFAULT)
    private int periods = 100;

    @Option(
            names = "--growth",
            split = ",",
            paramLabel = "N",
            description = "Rows of panels drawn while they are read (default: none).")
    private List<Long> growth = List.of();

    @Option(names = "--duckdb", description = "Measure DuckDB as well; its driver (79 MB) is fetched the first time.")
    private boolean duckdb;

    @Override
    protected Outcome outcome(ProgressListener listener) {
        BadInput.when(rows < 1 || periods < 1, "no rows are asked for", "Give --rows and --periods from 1.");
        PanelBench bench = new PanelBench(periods);
        PanelBench.Result result;
        if (data != null) {
            result = bench.run(Main.existing(data), growth, duckdb, threads(), listener);
        } else {
            try {
                Path file = Files.createTempFile("revealed-bench-", ".parquet");
                file.toFile().deleteOnExit();
                bench.write(file, rows, listener);
                result = bench.run(file, growth, duckdb, threads(), listener);
                Files.delete(file);
            } catch (IOException e) {
                throw new BadInput(
                        "a temporary file cannot be used (%s)".formatted(BadInput.reason(e)), "Free some space.");
            }
        }
        Table table = Table.of(
                        result.rows(),
                        text("work", PanelBench.Row::work),
                        number("rows", 12, PanelBench.Row::rows),
                        decimals("seconds", 2, PanelBench.Row::seconds),
                        decimals("CPU seconds", 2, PanelBench.Row::cpuSeconds),
                        decimals("million rows/s", 2, row -> row.rowsPerSecond() / 1e6),
                        decimals("DuckDB's time / this", 2, PanelBench.Row::ratio),
                        decimals("heap MB", 0, PanelBench.Row::heapMegabytes))
                .titled("Counting rows of a panel, %d threads".formatted(result.threads()));
        Outcome outcome = shown("panels", result, table, "");
        List<PanelBench.Row> grown = result.rows().stream()
                .filter(row -> row.work().equals(PanelBench.GROWTH))
                .toList();
        return grown.size() < 2
                ? outcome
                : outcome.picture(
                        "growth",
                        growth(grown),
                        "CPU time and heap against rows, of panels drawn while they are read.");
    }

    /** CPU time and heap against rows. Where time is linear, the points lie on the line through the first. */
    private static Panels growth(List<PanelBench.Row> rows) {
        PanelBench.Row first = rows.getFirst();
        LineChart time = LineChart.titled("CPU time")
                .x("rows", Scale.LOG10)
                .y("seconds", Scale.LOG10)
                .with(
                        Series.of("measured", rows, PanelBench.Row::rows, PanelBench.Row::cpuSeconds)
                                .as(Mark.LINE_AND_POINTS),
                        Series.of(
                                        "linear",
                                        rows,
                                        PanelBench.Row::rows,
                                        row -> first.cpuSeconds() * row.rows() / first.rows())
                                .as(Mark.DASHES));
        LineChart heap = LineChart.titled("Most heap in use")
                .x("rows", Scale.LOG10)
                .y("MB", Scale.LINEAR)
                .with(Series.of("measured", rows, PanelBench.Row::rows, PanelBench.Row::heapMegabytes)
                        .as(Mark.LINE_AND_POINTS));
        return Panels.row("Counting the rows of a panel", time.size(400, 300), heap.size(400, 300));
    }
}
