package dev.revealed.app.tools;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Speed, compared with a lower bound and with alternatives. */
@Command(
        name = "bench",
        description = "Measure speed, compared with theoretical limits and with simpler implementations.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "BENCHMARK",
        subcommands = {
            BellmanBenchCommand.class,
            SolveBenchCommand.class,
            EstimateBenchCommand.class,
            MujocoBenchCommand.class,
            BridgeBenchCommand.class,
            SacBenchCommand.class,
            RoutesBenchCommand.class,
            PanelBenchCommand.class,
            StudioBenchCommand.class
        },
        footer = {"", "Example:", "  ./revealed bench bellman --states 1000000 --actions 4 --successors 8"})
public final class BenchCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Name a benchmark: bellman, solve, estimate, mujoco, bridge, sac, routes, panels or studio.");
    }

    /** A table that leaves a folder only where one is asked for. */
    abstract static class Benchmark extends BaseCommand {
        @Override
        @Nullable
        protected String defaultFolder() {
            return null;
        }

        static Outcome shown(String name, Object result, Table table, String below) {
            return Outcome.of(result, "bench " + name)
                    .say(table.toText() + below)
                    .report(page -> page.table(table))
                    .file(name + ".csv", table.toCsv());
        }
    }
}
