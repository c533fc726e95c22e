package dev.revealed.app.tools;

import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.bench.RouteBench;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.route.BorlangeData;
import dev.revealed.studies.route.RoutesStudy;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed of recursive logit. */
@Command(
        name = "routes",
        description = {
            "Recursive logit on Borlänge: evaluations and whole estimates, compared with SciPy if python3 has it.",
            "Also compared with the floor: the multiply-adds of the solves. With --links, one evaluation on a generated city."
        },
        footer = {
            "",
            "Example:",
            "  ./revealed bench routes --json",
            "  ./revealed bench routes --links 100000 --destinations 1000 --json"
        })
final class RoutesBenchCommand extends BenchCommand.Benchmark {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder with link_pairs.csv.gz, destinations.csv.gz and trips.csv.gz" + DEFAULT)
    private Path data = Path.of("../shared/data/borlange");

    @Option(names = "--links", paramLabel = "N", description = "A generated city of about so many links instead.")
    private @Nullable Integer links;

    @Option(names = "--destinations", paramLabel = "N", description = "Of the generated city" + DEFAULT)
    private int destinations = 1000;

    @Option(names = "--python", paramLabel = "PROGRAM", description = "Python with SciPy" + DEFAULT)
    private String python = "python3";

    @Override
    protected Outcome outcome(ProgressListener listener) {
        RouteBench.Result result = links == null ? borlange(listener) : city(links, listener);
        Table table = Table.of(
                        result.rows(),
                        text("work", RouteBench.Row::work),
                        number("threads", 3, RouteBench.Row::threads),
                        number("seconds", 3, RouteBench.Row::seconds),
                        number("CPU seconds", 3, RouteBench.Row::cpuSeconds),
                        number("aim", 3, RouteBench.Row::aim),
                        number("CPU / floor", 3, RouteBench.Row::timesFloor),
                        number("SciPy / ours", 3, RouteBench.Row::timesFasterThanScipy))
                .titled("Recursive logit on %,d links, %,d destinations; %,d entries in the factors; %.1f GB of heap"
                        .formatted(
                                result.links(), result.destinations(), result.factorEntries(), result.heapGigabytes()));
        return shown("routes", result, table, "").notes(result.notes());
    }

    private RouteBench.Result borlange(ProgressListener listener) {
        BorlangeData borlange = BorlangeData.read(data, listener);
        return new RouteBench(borlange.trips(), borlange.features(), List.of(python))
                .run(RoutesStudy.linkSize(), threads(), listener);
    }

    private RouteBench.Result city(int about, ProgressListener listener) {
        return RouteBench.city(about, destinations, seed(), threads(), listener);
    }
}
