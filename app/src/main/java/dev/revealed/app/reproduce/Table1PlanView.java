package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.studies.Table1Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What is left to run of table 1, and how long that takes. */
final class Table1PlanView {
    private static final String RUNS = "runs.txt";
    private static final String CLONING = "bc.txt";

    private Table1PlanView() {}

    /** @param device that the missing runs are to train on, as it is typed */
    static Outcome of(Table1Plan plan, String device) {
        Table table = Table.of(
                plan.cells(),
                Field.text("task", Table1Plan.Cell::task),
                Field.number("trajectories", 0, Table1Plan.Cell::trajectories),
                Field.text("method", Table1Plan.Cell::method),
                Field.number("runs", 0, cell -> cell.seeds().size()),
                Field.text(
                        "missing seeds",
                        cell -> cell.missing().stream().map(String::valueOf).collect(Collectors.joining(" "))),
                Field.number("steps of a run", 0, Table1Plan.Cell::steps),
                Field.text("minutes of a run", cell -> minutes(cell.secondsOfARun())));
        return Outcome.of(plan, "Plan of table 1")
                .table("plan", table)
                .notes(notes(plan, device))
                .file(RUNS, file(plan.missing(false)))
                .file(CLONING, file(plan.missing(true)));
    }

    /** How long the missing runs take, in words. */
    static String forecast(Table1Plan plan) {
        return "Missing runs: %d. With %d at a time they take about %s minutes of this machine, judged by finished runs."
                .formatted(plan.runs(), plan.atOnce(), minutes(plan.machineSeconds()));
    }

    private static List<String> notes(Table1Plan plan, String device) {
        List<String> notes = new ArrayList<>();
        notes.add(forecast(plan));
        if (!plan.missing(false).isEmpty()) {
            notes.add(
                    "With --out DIR the missing runs are in DIR/%s. To make them: ./revealed imitate --runs DIR/%s --device %s --out FOLDER"
                            .formatted(RUNS, RUNS, device));
        }
        if (!plan.missing(true).isEmpty()) {
            notes.add("Behaviour cloning, on a processor: ./revealed imitate --runs DIR/%s --out FOLDER"
                    .formatted(CLONING));
        }
        return notes;
    }

    private static String minutes(double seconds) {
        return Double.isNaN(seconds) ? "unknown" : String.format(Locale.ROOT, "%.1f", seconds / 60);
    }

    /** A line of options for each cell. */
    private static String file(List<Map<String, String>> cells) {
        return cells.stream()
                .map(settings -> settings.entrySet().stream()
                        .map(each -> "--%s %s".formatted(each.getKey(), each.getValue()))
                        .collect(Collectors.joining(" ", "", "\n")))
                .collect(Collectors.joining());
    }
}
