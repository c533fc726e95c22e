package dev.revealed.app.train;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Outcome;
import dev.revealed.app.SettingOptions;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.mujoco.Mujoco;
import dev.revealed.mujoco.Simulators;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Scores;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.settings.Item;
import dev.revealed.train.Environment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Scores a policy by the task's own reward. */
@Command(
        name = "evaluate",
        description = {"Score a policy: returns and lengths of whole episodes, by the task's own reward.", ""},
        footer = {"", "Example:", "  ./revealed evaluate --policy hopper --task hopper --episodes 20 --json"})
public final class EvaluateCommand extends BaseCommand {
    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(names = "--episodes", paramLabel = "N", description = "Episodes to play (default: ${DEFAULT-VALUE}).")
    private int episodes = 20;

    @Option(names = "--stochastic", description = "Draw actions, rather than take the likeliest one.")
    private boolean stochastic;

    /** What {@code result.json} says. */
    record Result(
            String task,
            String policy,
            boolean stochastic,
            int episodes,
            double meanReturn,
            double standardError,
            double meanLength,
            double[] returns,
            int[] lengths,
            long seed,
            String inertia,
            String contactForces,
            String mujoco) {}

    @Override
    @Nullable
    protected String defaultFolder() {
        return null;
    }

    @Override
    protected List<SettingOptions.Group> settingGroups() {
        return List.of(new SettingOptions.Group("", TaskSettings.DESCRIBED.items(), Map.of()));
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        positive("--episodes", episodes);
        PolicyOptions.Found found = policy.read(this::warn);
        TaskSettings task = TaskSettings.of(found, typedSettings(), this::warn);
        Environment environment = task.environment();
        environment.caution().ifPresent(this::warn);
        Scores scores;
        try (Simulators pool = task.named().simulators(Math.min(threads(), episodes), task.options())) {
            found.check(pool.get(0).space());
            scores = Scores.of(
                    Rollouts.of(found.actor(), pool.all(), 0, episodes, !stochastic, RandomStream.of(seed())));
        }
        return show(new Result(
                environment.task(),
                found.file().toString(),
                stochastic,
                episodes,
                scores.meanReturn(),
                scores.standardError(),
                scores.meanLength(),
                scores.returns(),
                scores.lengths(),
                seed(),
                Item.text(task.inertia()),
                Item.text(task.contactForces()),
                Mujoco.version()));
    }

    private static Outcome show(Result result) {
        Table summary = Table.of(Column.text(""), Column.text(""))
                .titled("Policy on " + result.task)
                .row("mean return", Numbers.significant(result.meanReturn, 6))
                .row("standard error", Numbers.significant(result.standardError, 3))
                .row("mean length", Numbers.significant(result.meanLength, 5))
                .row("episodes", Numbers.count(result.episodes))
                .row("actions", result.stochastic ? "drawn" : "deterministic");
        Table each = Table.of(Column.number("episode", 6), Column.decimals("return", 2), Column.number("length", 6));
        for (int i = 0; i < result.returns.length; i++) {
            each = each.row(i, result.returns[i], result.lengths[i]);
        }
        Table episodes = each;
        return Outcome.of(result, "Policy on " + result.task)
                .table(summary)
                .report(page -> page.table(episodes))
                .file("episodes.csv", each.toCsv());
    }
}
