package dev.revealed.app.tools;

import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.studio.StudioBench;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed of the local page. */
@Command(
        name = "studio",
        description = {
            "The local page: its start, a long list, lines of runs that grow, and the sliders of a choice model.",
            "The server is a program of its own. What a browser paints is measured where there is a Chromium."
        },
        footer = {"", "Example:", "  ./revealed bench studio --training --json"})
final class StudioBenchCommand extends BenchCommand.Benchmark {
    @Option(names = "--folder", paramLabel = "DIR", description = "Runs to start on" + DEFAULT)
    private Path folder = Path.of("results");

    @Option(names = "--runs", paramLabel = "N", description = "Runs in the long list" + DEFAULT)
    private int runs = 500;

    @Option(names = "--live", paramLabel = "N", description = "Runs that grow at the same time" + DEFAULT)
    private int live = 30;

    @Option(names = "--seconds", paramLabel = "N", description = "For which they grow" + DEFAULT)
    private int seconds = 20;

    @Option(
            names = "--training",
            description = "Also train as many runs of Hopper, and measure what watching them costs: some minutes.")
    private boolean training;

    @Override
    protected Outcome outcome(ProgressListener listener) {
        if (!Files.isDirectory(folder)) {
            throw new BadInput("there is no folder " + folder, "Name one that holds run folders, with --folder.");
        }
        StudioBench.Result result = new StudioBench(Main::launch, runs, live, seconds).run(folder, training, listener);
        Table table = Table.of(
                        result.rows(),
                        text("what", StudioBench.Row::what),
                        number("value", 4, StudioBench.Row::value),
                        text("unit", StudioBench.Row::unit),
                        text(
                                "aim",
                                row -> row.aim()
                                        .map(aim -> "at most " + Numbers.significant(aim, 4))
                                        .orElse("")),
                        text(
                                "reached",
                                row -> row.reached()
                                        .map(yes -> yes ? "yes" : "no")
                                        .orElse("")))
                .titled("The local page; %d cores, load %.1f at the beginning"
                        .formatted(result.cores(), result.load()));
        return shown("studio", result, table, String.join("\n", result.notes()));
    }
}
