package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.EvaluationFields;
import dev.revealed.app.view.Table;
import dev.revealed.numeric.BadInput;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.tables.RewardQuality;
import dev.revealed.studies.tables.RewardQuality.Row;
import dev.revealed.studies.tables.RewardQualityPlan;
import dev.revealed.studies.tables.Stage;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How good recovered rewards are. */
@Command(
        name = "reward-quality",
        description = {
            "How good recovered rewards are: correlation with the true one, EPIC distance, returns of fresh "
                    + "policies trained on them, and agreement between seeds.",
            "",
            "Rewards are those of finished runs under --rewards, such as the folder of table 1: three of each method with five"
                    + " demonstrations of Hopper, HalfCheetah and Walker2d. With --device what is missing is made first."
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed reproduce reward-quality --plan --rewards out/table1",
            "  ./revealed reproduce reward-quality --rewards out/table1 --from out/reward-quality --device cuda",
            "  ./revealed reproduce reward-quality --from results/reward-quality --json"
        })
final class RewardQualityCommand extends StagedTableCommand {
    @Option(
            names = "--rewards",
            paramLabel = "DIR",
            description = "Folder of runs of 'imitate', at any depth, whose rewards are judged; needed once, to begin.")
    private @Nullable Path rewards;

    RewardQualityCommand() {
        super("reward-quality", "the table of reward quality");
    }

    @Override
    List<Stage> stages(Path folder) {
        return of(folder).stages();
    }

    @Override
    List<String> furtherOptions() {
        return rewards == null ? List.of() : List.of("--rewards", rewards.toString());
    }

    /** As it was begun before, or else for the rewards that are named. */
    private RewardQualityPlan of(Path folder) {
        RewardQualityPlan begun = RewardQualityPlan.in(folder);
        if (rewards == null) {
            BadInput.when(
                    begun.rewards().isEmpty(),
                    "no rewards are named, and nothing was begun in " + folder,
                    "Name a folder of runs with --rewards, such as that of table 1.");
            return begun;
        }
        RewardQualityPlan plan =
                RewardQualityPlan.of(folder, GatheredRun.under(rewards).finished());
        if (!begun.rewards().isEmpty()) {
            BadInput.when(
                    !plan.rewards().equals(begun.rewards()),
                    "the rewards of %s are not those that the table in %s was begun with".formatted(rewards, folder),
                    "Leave out --rewards to go on with those, or name another folder with --from.");
            return begun;
        }
        BadInput.when(
                plan.rewards().isEmpty(),
                "no finished run under %s has a reward of Hopper, HalfCheetah or Walker2d with five demonstrations"
                        .formatted(rewards),
                "Make some first, such as with 'reproduce table1 --device'.");
        return plan;
    }

    @Override
    void make(StageRunner runner) {
        RewardQualityPlan plan = of(runner.top());
        plan.begin();
        runner.run(plan.stages());
    }

    @Override
    Outcome table(Path runs) {
        RewardQuality quality = RewardQuality.of(of(runs), seed());
        Table shown = Table.of(
                        quality.rows(),
                        text("task", Row::task),
                        text("method", Row::method),
                        number("rewards", 4, Row::rewards),
                        decimals("Pearson", 3, row -> row.pearson().mean()),
                        decimals("from", 3, row -> row.pearson().interval().low()),
                        decimals("to", 3, row -> row.pearson().interval().high()),
                        decimals("Spearman", 3, row -> row.spearman().mean()),
                        decimals("EPIC", 3, row -> row.epic().mean()),
                        decimals("from", 3, row -> row.epic().interval().low()),
                        decimals("to", 3, row -> row.epic().interval().high()),
                        decimals("agreement", 3, Row::agreement),
                        decimals("fresh %", 1, row -> 100 * row.fresh().mean()),
                        decimals("from", 1, row -> 100 * row.fresh().interval().low()),
                        decimals("to", 1, row -> 100 * row.fresh().interval().high()),
                        decimals("of learnt %", 1, row -> 100 * row.ofLearnt().mean()))
                .titled("Recovered rewards: interquartile means over seeds")
                .note(
                        "Pearson, Spearman, EPIC: with the true reward, along ten episodes of an expert of our own. For EPIC the simulator was put back to the states and asked; 0 is best, unrelated rewards are at 0.71.")
                .note("agreement: mean correlation between the rewards of two seeds along the same episodes.")
                .note(
                        "fresh %: return of a fresh policy trained on the reward as it is, in % of the demonstrations'; of learnt %: in % of the policy learnt with it.")
                .note("from, to: 95 % interval by the bootstrap over rewards. " + EvaluationFields.FEW_SEEDS);
        Table commands = Table.of(
                        RunCommands.lines(quality.rows(), Row::commands),
                        text("task", line -> line.row().task()),
                        text("method", line -> line.row().method()),
                        text("command", RunCommands.Line::command))
                .titled("To judge the rewards of a row, and to train on them, again");
        Outcome outcome = Outcome.of(quality, "Quality of recovered rewards")
                .table("table", shown)
                .table(commands)
                .file("table.md", shown.toMarkdown() + "\n" + commands.toMarkdown());
        return quality.unfinished().isEmpty()
                ? outcome
                : outcome.notes(List.of("Not finished: " + String.join(", ", quality.unfinished()) + "."));
    }
}
