package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.studies.offline.OfflineTable;

/** The offline table. */
final class OfflineTableView {
    private OfflineTableView() {}

    static Outcome of(OfflineTable found) {
        Table table = Table.of(
                found.rows(),
                Field.text("task", OfflineTable.Row::task),
                Field.text("log", OfflineTable.Row::log),
                Field.text("method", OfflineTable.Row::method),
                Field.text("settings", OfflineTable.Row::settings),
                Field.decimals("seeds", 0, OfflineTable.Row::seeds),
                Field.decimals("expert", 0, OfflineTable.Row::expertReturn),
                Field.decimals("last policy", 0, OfflineTable.Row::lastReturn),
                Field.decimals("last ten evaluations", 0, OfflineTable.Row::lastTen),
                Field.decimals("% of the expert", 1, row -> 100 * row.ratio()),
                Field.decimals("worst seed, %", 1, row -> 100 * row.lowest()));
        return Outcome.of(found, "Imitation without a simulator").table("offline", table);
    }
}
