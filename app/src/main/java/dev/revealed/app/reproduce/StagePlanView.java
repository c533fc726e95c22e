package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.studies.tables.Stage;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is left to run of a table that is made in stages. */
final class StagePlanView {
    private static final int BLOCK = 1000; // steps of an iteration

    private StagePlanView() {}

    /**
     * What {@code result.json} says.
     *
     * @param runs that are missing, and {@code steps} of the simulator that they take
     */
    record Plan(List<Line> stages, int runs, long steps) {}

    /** @param steps of all its runs together; 0 where it trains nothing */
    record Line(String folder, String command, int runs, String state, long steps) {}

    /** @param folder where the runs go, as it was typed; {@code command} the one that makes what is missing */
    static Outcome of(String title, List<Stage> stages, Path folder, String command) {
        List<Line> lines = stages.stream()
                .map(stage -> new Line(
                        stage.folder(),
                        "./revealed " + String.join(" ", RunCommands.words(stage, stage.folder() + ".txt")),
                        stage.size(),
                        stage.state(folder).name().toLowerCase(Locale.ROOT),
                        steps(stage)))
                .toList();
        List<Line> left =
                lines.stream().filter(line -> !line.state.equals("finished")).toList();
        Plan plan = new Plan(
                lines,
                left.stream().mapToInt(Line::runs).sum(),
                left.stream().mapToLong(Line::steps).sum());
        Table table = Table.of(
                lines,
                Field.text("folder", Line::folder),
                Field.number("runs", 4, Line::runs),
                Field.text("state", Line::state),
                Field.number("steps", 9, Line::steps),
                Field.text("command", Line::command));
        Outcome outcome = Outcome.of(plan, title)
                .table("plan", table)
                .notes(List.of(
                        "Left: %d runs with %,d steps of training.".formatted(plan.runs, plan.steps),
                        "To make what is missing, and then the table: " + command));
        for (Stage stage : stages) {
            if (!stage.runs().isEmpty()) {
                outcome = outcome.file(stage.folder() + ".txt", RunCommands.lines(stage));
            }
        }
        return outcome;
    }

    private static long steps(Stage stage) {
        return stage.trains() && stage.onDevice()
                ? (stage.runs().isEmpty() ? List.<Map<String, String>>of(Map.of()) : stage.runs())
                        .stream()
                                .mapToLong(run -> {
                                    Map<String, String> all = new LinkedHashMap<>(stage.options());
                                    all.putAll(run);
                                    return all.containsKey("steps")
                                            ? Long.parseLong(all.get("steps"))
                                            : BLOCK * Long.parseLong(all.getOrDefault("iterations", "0"));
                                })
                                .sum()
                : 0;
    }
}
