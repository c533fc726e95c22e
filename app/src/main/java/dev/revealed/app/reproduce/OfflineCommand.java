package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Task;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.offline.OfflinePlan;
import dev.revealed.studies.offline.OfflinePlan.Networks;
import dev.revealed.studies.offline.OfflineTable;
import dev.revealed.studies.tables.ControlRewards;
import dev.revealed.studies.tables.Stage;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Imitation without a simulator, as a table. */
@Command(
        name = "offline",
        description = {
            "ML-IRL without a simulator: three tasks, three kinds of log, compared with cloning and runs in "
                    + "the simulator.",
            "",
            "Gathers finished runs in the folder --from. With --device those that are missing are made first, from the experts"
                    + " on; with --plan they are only shown."
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed reproduce offline --plan --from out/offline",
            "  ./revealed reproduce offline --from out/offline --device cuda",
            "  ./revealed reproduce offline --small --from out/small --device cpu",
            "  ./revealed reproduce offline --from results/offline --json"
        })
final class OfflineCommand extends StagedTableCommand {
    @Option(
            names = "--small",
            description = "Networks of 64 units, and of 128 for worlds: for a computer without a GPU.")
    private boolean small;

    OfflineCommand() {
        super("offline", "the offline table");
    }

    @Override
    List<Stage> stages(Path folder) {
        return plan(folder).stages();
    }

    @Override
    List<String> furtherOptions() {
        return small ? List.of("--small") : List.of();
    }

    private OfflinePlan plan(Path folder) {
        return new OfflinePlan(folder, small ? Networks.SMALL : Networks.USUAL);
    }

    @Override
    void make(StageRunner runner) {
        OfflinePlan plan = plan(runner.top());
        for (String task : OfflinePlan.ABLATED) {
            try (Simulator simulator = Task.named(task).simulator()) {
                ControlRewards.write(plan.controls(task), simulator.space());
            }
        }
        runner.run(plan.stages());
    }

    @Override
    Outcome table(Path runs) {
        return OfflineTableView.of(OfflineTable.of(GatheredRun.under(runs), seed()));
    }
}
