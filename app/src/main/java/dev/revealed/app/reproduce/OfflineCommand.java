package dev.revealed.app.reproduce;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Device;
import dev.revealed.app.Outcome;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.offline.OfflinePlan;
import dev.revealed.studies.offline.OfflineTable;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Imitation without a simulator, as a table. */
@Command(
        name = "offline",
        description = {
            "ML-IRL without a simulator: three tasks, three kinds of log, beside cloning and runs in the simulator.",
            "",
            "Nothing is trained: finished runs are gathered. With --plan it shows every command from the experts on."
        },
        footer = {
            "",
            "Example:",
            "  ./revealed reproduce offline --plan --device cuda --out plan",
            "  ./revealed reproduce offline --from results/offline --json"
        })
final class OfflineCommand extends BaseCommand {
    @Option(names = "--from", paramLabel = "DIR", description = "Folder that holds run folders, at any depth.")
    private @Nullable Path from;

    @Option(
            names = "--plan",
            description = "Show the commands that make the table; with --out, also files for 'imitate --runs'.")
    private boolean plan;

    @Option(
            names = "--device",
            paramLabel = "cpu|cuda",
            description = "With --plan: where runs are to train (default: cpu).")
    private @Nullable Device device;

    @Override
    protected Outcome outcome(ProgressListener listener) {
        if (plan) {
            return OfflineTableView.of(OfflinePlan.of((device == null ? Device.CPU : device).toString()));
        }
        if (from == null) {
            throw new BadInput(
                    "--from is missing", "Name a folder that holds runs; or see with --plan how they are made.");
        }
        BadInput.when(device != null, "--device has no effect without --plan", "Leave it out, or add --plan.");
        return OfflineTableView.of(OfflineTable.of(GatheredRun.under(from)));
    }
}
