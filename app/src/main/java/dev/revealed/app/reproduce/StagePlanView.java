package dev.revealed.app.reproduce;

import dev.revealed.app.Device;
import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.MlIrl;
import dev.revealed.imitate.Preset;
import dev.revealed.studies.tables.Stage;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What is left to run of a table that is made in stages. */
final class StagePlanView {
    private static final int BLOCK = 1000; // steps of an iteration

    private StagePlanView() {}

    /**
     * What {@code result.json} says.
     *
     * @param runs that are missing, {@code steps} of a simulator that they take, and their {@code updates}
     * @param seconds of learning on a GPU that these take; not a number for a processor
     */
    record Plan(List<Line> stages, int runs, long steps, long updates, double seconds) {}

    /**
     * @param steps of all its runs together, {@code updates} likewise; 0 where it trains no policies on a GPU
     * @param seconds that the updates take on a GPU
     */
    record Line(String folder, String command, int runs, String state, long steps, long updates, double seconds) {
        Line(String folder, String command, int runs, String state, long steps, long updates) {
            this(folder, command, runs, state, steps, updates, updates / rate(runs));
        }
    }

    /**
     * Updates per second that plans calculate with, for so many runs at once on an H200. Measured were about 4,300 for a run of
     * Hopper or HalfCheetah among ten runs of five tasks, and in all 50,800 for fifteen of Hopper and 25,700 for fifteen of
     * Humanoid (results/confirm/README.md).
     */
    private static double rate(int runs) {
        return Math.min(4_300.0 * runs, 35_000);
    }

    /** @param folder where the runs go, as it was typed; {@code command} the one that makes what is missing */
    static Outcome of(String title, List<Stage> stages, Path folder, Device device, String command) {
        List<Line> lines = stages.stream()
                .map(stage -> new Line(
                        stage.folder(),
                        Words.typed(RunCommands.words(stage, stage.folder() + ".txt")),
                        stage.size(),
                        stage.state(folder).name().toLowerCase(Locale.ROOT),
                        sum(stage, StagePlanView::steps),
                        sum(stage, run -> (long) (steps(run) * number(run, "update-ratio", ratio(stage, run))))))
                .toList();
        List<Line> left =
                lines.stream().filter(line -> !line.state.equals("finished")).toList();
        Plan plan = new Plan(
                lines,
                left.stream().mapToInt(Line::runs).sum(),
                left.stream().mapToLong(Line::steps).sum(),
                left.stream().mapToLong(Line::updates).sum(),
                device == Device.CUDA ? left.stream().mapToDouble(Line::seconds).sum() : Double.NaN);
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
                        "Left: %d runs with %,d steps of training and %,d updates."
                                .formatted(plan.runs, plan.steps, plan.updates),
                        device == Device.CUDA
                                ? "On an H200 the updates take about %.0f minutes; cloning, worlds and recordings come on top."
                                        .formatted(plan.seconds / 60)
                                : "With --device cuda the plan says how long that takes on a GPU.",
                        "To make what is missing, and then the table: " + command));
        for (Stage stage : stages) {
            if (!stage.runs().isEmpty()) {
                outcome = outcome.file(stage.folder() + ".txt", RunCommands.lines(stage));
            }
        }
        return outcome;
    }

    /** Over the runs of a stage, each with all its options. */
    private static long sum(Stage stage, ToLongFunction<Map<String, String>> of) {
        return stage.onDevice()
                ? (stage.runs().isEmpty() ? List.<Map<String, String>>of(Map.of()) : stage.runs())
                        .stream()
                                .mapToLong(run -> {
                                    Map<String, String> all = new LinkedHashMap<>(stage.options());
                                    all.putAll(run);
                                    return of.applyAsLong(all);
                                })
                                .sum()
                : 0;
    }

    private static long steps(Map<String, String> run) {
        return (long)
                (run.containsKey("steps")
                        ? number(run, "steps", 0)
                        : number(run, "block", BLOCK) * number(run, "iterations", 0));
    }

    /** Updates per step, where the run does not say. */
    private static double ratio(Stage stage, Map<String, String> run) {
        return stage.verb().equals("imitate")
                ? ImitationMethod.named(run.getOrDefault("method", MlIrl.NAME))
                        .schedule(Preset.REVEALED)
                        .updatesPerStep()
                : 1;
    }

    private static double number(Map<String, String> run, String name, double usual) {
        return run.containsKey(name) ? Double.parseDouble(run.get(name)) : usual;
    }
}
