package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.studies.offline.OfflinePlan;
import dev.revealed.studies.offline.OfflineTable;
import java.util.List;
import java.util.stream.Collectors;

/** The offline table, and every command that makes it. */
final class OfflineTableView {
    private OfflineTableView() {}

    static Outcome of(OfflinePlan plan) {
        String commands = lines(plan.commands().stream().map(each -> "./revealed " + each).toList());
        return Outcome.of(plan, "Plan of the offline table")
                .say(commands)
                .notes(List.of("With --out DIR these are in DIR/commands.sh, with the files of runs beside it: type them there."))
                .file("commands.sh", commands)
                .file("runs.txt", lines(plan.runs()))
                .file("cloning.txt", lines(plan.cloning()));
    }

    private static String lines(List<String> lines) {
        return lines.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    static Outcome of(OfflineTable found) {
        Table table = Table.of(
                found.rows(),
                Field.text("task", OfflineTable.Row::task),
                Field.text("log", OfflineTable.Row::log),
                Field.text("method", OfflineTable.Row::method),
                Field.decimals("seeds", 0, OfflineTable.Row::seeds),
                Field.decimals("expert", 0, OfflineTable.Row::expertReturn),
                Field.decimals("last policy", 0, OfflineTable.Row::lastReturn),
                Field.decimals("last ten evaluations", 0, OfflineTable.Row::lastTen),
                Field.decimals("% of the expert", 1, row -> 100 * row.ratio()),
                Field.decimals("worst seed, %", 1, row -> 100 * row.lowest()));
        return Outcome.of(found, "Imitation without a simulator").table("offline", table);
    }
}
