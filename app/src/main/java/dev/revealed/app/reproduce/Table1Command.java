package dev.revealed.app.reproduce;

import dev.revealed.app.Device;
import dev.revealed.app.Outcome;
import dev.revealed.numeric.BadInput;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.ImitationTable;
import dev.revealed.studies.Table1Plan;
import dev.revealed.studies.tables.RecordedExpert;
import dev.revealed.studies.tables.Stage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The paper's table of MuJoCo results, with ours. */
@Command(
        name = "table1",
        description = {
            "The paper's MuJoCo table with our results, from run folders of 'imitate' and 'expert --reward'.",
            "",
            "Finished runs are gathered; runs that differ only in the seed form a row. With --device the "
                    + "runs of the protocol (docs/design/table1.md) that are missing are made first; with --plan they "
                    + "are only shown, with how long they take and the command that makes them."
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed reproduce table1 --from results/table1 --json",
            "  ./revealed reproduce table1 --plan --from results/table1 --device cuda --out plan",
            "  ./revealed reproduce table1 --from out/table1 --device cuda"
        })
final class Table1Command extends TableCommand {
    @Option(
            names = "--budget",
            paramLabel = "STEPS",
            description = "Steps up to which the area under a learning curve is taken (default: those that all runs on"
                    + " the same demonstrations have).")
    private @Nullable Long budget;

    @Override
    List<String> idleInPlan() {
        return List.of("budget");
    }

    @Override
    Outcome plan(@Nullable Path runs, Device forecast, int together) {
        return Table1PlanView.of(of(runs, forecast, together), forecast.toString());
    }

    private static Table1Plan of(@Nullable Path runs, Device device, int together) {
        List<GatheredRun> made = runs == null || !Files.isDirectory(runs)
                ? List.of()
                : GatheredRun.under(runs).finished();
        return Table1Plan.of(made, device == Device.CUDA, together);
    }

    /** A command that was interrupted may have fewer runs than are missing: hence again, until nothing is. */
    @Override
    void make(StageRunner runner) {
        int before = Integer.MAX_VALUE;
        while (true) {
            Table1Plan plan = of(runner.top(), runner.device(), 16);
            plan.expert().ifPresent(own -> measure(own, runner));
            List<Stage> stages = plan.stages(runner.top());
            if (stages.isEmpty()) {
                return;
            }
            BadInput.when(
                    plan.runs() >= before,
                    "%d runs of the protocol are missing in %s, although their commands finished"
                            .formatted(plan.runs(), runner.top()),
                    "See with --plan which ones.");
            before = plan.runs();
            notice(Table1PlanView.forecast(plan));
            runner.run(stages);
        }
    }

    /** Records an expert's demonstrations, and what it returns without noise, where either is missing. */
    static void measure(RecordedExpert expert, StageRunner runner) {
        runner.run(expert.stages(runner.top()));
        expert.writeTo(runner.top());
    }

    @Override
    Outcome table(Path runs) {
        OptionalLong steps =
                budget == null ? OptionalLong.empty() : OptionalLong.of(positive("--budget", budget.longValue()));
        GatheredRun.Found found = GatheredRun.under(runs);
        int unfinished = found.unfinished().size();
        if (found.finished().isEmpty()) {
            throw new BadInput(
                    "no run in %s has finished%s"
                            .formatted(runs, unfinished == 0 ? "" : " (unfinished: %d)".formatted(unfinished)),
                    "Name a folder with run folders of 'imitate', each with its spec.json and result.json.");
        }
        return ImitationTableView.of(ImitationTable.of(runs, found, steps, seed()));
    }
}
