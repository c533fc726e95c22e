package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.EvaluationFields;
import dev.revealed.app.view.IntervalChart;
import dev.revealed.app.view.Table;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.Interval;
import dev.revealed.studies.tables.ControlRewards;
import dev.revealed.studies.tables.Stage;
import dev.revealed.studies.tables.Table2;
import dev.revealed.studies.tables.Table2.Row;
import dev.revealed.studies.tables.Table2Plan;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;

/** The paper's table of transfer between two ants, with ours. */
@Command(
        name = "table2",
        description = {
            "The paper's transfer table: from an ant's demonstrations, or a reward learnt on it, to an ant with crippled legs.",
            "",
            "Shows runs of the protocol (docs/design/table2.md) in the folder --from. With --device those that are missing are"
                    + " made first; with --plan they are only shown."
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed reproduce table2 --plan --from out/table2",
            "  ./revealed reproduce table2 --from out/table2 --device cuda",
            "  ./revealed reproduce table2 --from results/table2 --json"
        })
final class Table2Command extends StagedTableCommand {
    Table2Command() {
        super("table2", "table 2");
    }

    @Override
    List<Stage> stages(Path folder) {
        return new Table2Plan(folder).stages();
    }

    @Override
    void make(StageRunner runner) {
        Table2Plan plan = new Table2Plan(runner.top());
        try (Simulator ant = Task.DISABLEDANT.simulator()) {
            ControlRewards.write(plan.top(), ant.space());
        }
        runner.run(plan.stages());
    }

    @Override
    Outcome table(Path runs) {
        Table2 table = Table2.of(new Table2Plan(runs), seed());
        Table shown = Table.of(
                        table.rows(),
                        text("setting", Row::setting),
                        text("method", Row::method),
                        number("rewards or seeds", 4, Row::units),
                        number("policies", 4, Row::policies),
                        decimals("return", 1, Row::mean),
                        decimals("from", 1, row -> row.interval().low()),
                        decimals("to", 1, row -> row.interval().high()),
                        decimals("% of true reward", 1, row -> 100 * row.share()),
                        decimals("from %", 1, row -> 100 * row.interval().low() / table.reference()),
                        decimals("to %", 1, row -> 100 * row.interval().high() / table.reference()),
                        decimals("paper's %", 1, row -> 100 * row.paperShare()))
                .titled("Transfer to an ant with two crippled legs: last policies, interquartile means")
                .note(
                        "%% of true reward: of the mean return of policies trained there on the true reward, %.1f; the expert that gave the demonstrations has %.1f on the whole ant."
                                .formatted(table.reference(), table.expert()))
                .note("from, to: 95 % interval by the bootstrap over rewards or seeds. " + EvaluationFields.FEW_SEEDS)
                .note(
                        "Rewards are those the program saves, means over training; 'last reward' is that of the last reward step. Neither is chosen by hand.")
                .note(
                        "The paper's 69 and 59 % (ML-IRL) are of the best checkpoint on the way, and of a reward chosen by hand among saved ones; it gives one number each.");
        Table commands = Table.of(
                        RunCommands.lines(table.rows(), Row::commands),
                        text("setting", line -> line.row().setting()),
                        text("method", line -> line.row().method()),
                        text("command", RunCommands.Line::command))
                .titled("To make the runs of a row again");
        Table published = Table.of(
                        table.published(),
                        text("method", Table2.Published::method),
                        decimals("data transfer", 2, Table2.Published::dataTransfer),
                        decimals("reward transfer", 2, Table2.Published::rewardTransfer),
                        decimals("% of true reward", 1, row -> 100 * row.share()))
                .titled("Zeng, Hong and Garcia's transfer table, one demonstration");
        Outcome outcome = Outcome.of(table, "Transfer between two ants, compared with the paper")
                .table("table", shown)
                .table(published)
                .table(commands)
                .file("table.md", shown.toMarkdown() + "\n" + published.toMarkdown() + "\n" + commands.toMarkdown())
                .picture(
                        "transfer",
                        new IntervalChart(
                                "Transfer to the crippled ant",
                                "share of the return of policies on the true reward (open circles: the paper)",
                                1,
                                table.rows().stream()
                                        .map(row -> new IntervalChart.Row(
                                                row.setting() + ": " + row.method(),
                                                row.share(),
                                                new Interval(
                                                        row.interval().low() / table.reference(),
                                                        row.interval().high() / table.reference()),
                                                row.paperShare()))
                                        .toList()),
                        "Interquartile means with 95 % intervals over rewards or seeds.");
        return table.unfinished().isEmpty()
                ? outcome
                : outcome.notes(List.of("Not finished: " + String.join(", ", table.unfinished()) + "."));
    }
}
