package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.studies.offline.OfflinePlan;
import dev.revealed.studies.offline.OfflineTable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The offline table, and every command that makes it. */
final class OfflineTableView {
    private OfflineTableView() {}

    static Outcome of(OfflinePlan plan) {
        String commands = plan.commands().stream()
                .map(each -> "./revealed %s %s\n".formatted(each.name(), options(each.settings())))
                .collect(Collectors.joining());
        return Outcome.of(plan, "Plan of the offline table")
                .say(commands)
                .notes(List.of(
                        "With --out DIR these commands are in DIR/commands.sh, and the files of runs are beside it. Run them"
                                + " in that folder, then: ./revealed reproduce offline --from DIR"))
                .file("commands.sh", commands)
                .file(OfflinePlan.RUNS, lines(plan.runs()))
                .file(OfflinePlan.CLONING, lines(plan.cloning()));
    }

    private static String lines(List<Map<String, String>> cells) {
        return cells.stream().map(each -> options(each) + "\n").collect(Collectors.joining());
    }

    private static String options(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(each -> ("--%s %s".formatted(each.getKey(), each.getValue())).strip())
                .collect(Collectors.joining(" "));
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
