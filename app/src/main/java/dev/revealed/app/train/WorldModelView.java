package dev.revealed.app.train;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.imitate.world.WorldCheck;
import dev.revealed.runs.RunFiles;
import dev.revealed.train.WorldRun;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What a world model came to. */
final class WorldModelView {
    private WorldModelView() {}

    /**
     * The content of {@code result.json}.
     *
     * @param heldOutLoss of each member at its best, in nats per row without the constant
     */
    record Result(
            String task,
            long transitions,
            long episodes,
            int epochs,
            int[] elites,
            double[] heldOutLoss,
            String terminations,
            WorldCheck check,
            double seconds,
            long seed,
            String file) {}

    static Outcome of(WorldRun.Plan plan, WorldRun.Learnt learnt, long episodes, double seconds) {
        WorldCheck check = learnt.check();
        Result result = new Result(
                plan.task(),
                plan.log().count(),
                episodes,
                learnt.last().epoch(),
                learnt.world().elites(),
                learnt.last().best(),
                plan.terminations().toString(),
                check,
                seconds,
                plan.seed(),
                RunFiles.WORLD);
        String title = "World model" + (plan.task().isEmpty() ? "" : " of " + plan.task());
        Table summary = Table.of(Column.text(""), Column.text(""))
                .titled(title)
                .row("transitions", Numbers.count(plan.log().count()))
                .row("episodes", Numbers.count(episodes))
                .row("epochs", Numbers.count(learnt.last().epoch()))
                .row("terminations", plan.terminations().toString())
                .row(
                        "elites",
                        Arrays.stream(learnt.world().elites())
                                .mapToObj(Integer::toString)
                                .collect(Collectors.joining(", ")))
                .row("one-step error, in variances of the changes", Numbers.significant(check.oneStep(), 3))
                .row("share inside 90 % intervals", Numbers.decimals(100 * check.coverage(), 1) + " %")
                .row("seconds", Numbers.significant(seconds, 4));
        Table ahead = Table.of(
                        Column.number("steps", 6),
                        Column.number("rollouts", 6),
                        Column.number("error", 3),
                        Column.number("no change", 3))
                .titled("Error along logged actions, in deviations of the states");
        for (WorldCheck.Ahead each : check.ahead()) {
            ahead = ahead.row(each.steps(), each.rollouts(), each.error(), each.still());
        }
        Table unsure = Table.of(Column.number("tenth", 6), Column.number("uncertainty", 3), Column.number("error", 3))
                .titled("Held-out rows by uncertainty, the surest tenth first");
        for (WorldCheck.Decile each : check.unsure()) {
            unsure = unsure.row(each.decile(), each.uncertainty(), each.error());
        }
        Table numbers = Table.of(
                        Column.number("number", 6),
                        Column.number("error", 3),
                        Column.number("deviation of changes", 3),
                        Column.number("inside 90 %", 3))
                .titled("Numbers of the state");
        for (WorldCheck.StateNumber each : check.numbers()) {
            numbers = numbers.row(each.place(), each.error(), each.deviation(), 100 * each.coverage());
        }
        return Outcome.of(result, title)
                .table(summary)
                .table("ahead", ahead)
                .table("unsure", unsure)
                .table("numbers", numbers);
    }
}
