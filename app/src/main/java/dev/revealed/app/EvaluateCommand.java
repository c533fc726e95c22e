package dev.revealed.app;

import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Scores;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
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
final class EvaluateCommand extends Verb {
    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Mixin
    private TaskOptions tasks = new TaskOptions();

    @Option(names = "--episodes", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
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
            long seed) {}

    @Override
    @Nullable
    String defaultFolder() {
        return null;
    }

    @Override
    Outcome outcome(ProgressListener listener) {
        if (episodes < 1) {
            throw new BadInput("--episodes is " + episodes, "Give at least 1.");
        }
        PolicyOptions.Found found = policy.read(this::say);
        Task task = tasks.task(found.task());
        List<Simulator> simulators = new ArrayList<>();
        Scores scores;
        try {
            for (int i = 0; i < episodes; i++) {
                simulators.add(tasks.simulator(task));
            }
            found.check(simulators.getFirst().space());
            scores = Scores.of(Rollouts.of(found.actor(), simulators, !stochastic, RandomStream.of(seed())));
        } finally {
            simulators.forEach(Simulator::close);
        }
        return show(new Result(
                simulators.getFirst().space().name(),
                found.file().toString(),
                stochastic,
                episodes,
                scores.meanReturn(),
                scores.standardError(),
                scores.meanLength(),
                scores.returns(),
                scores.lengths(),
                seed()));
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
        return new Outcome(
                result,
                summary.toText(),
                Report.titled("Policy on " + result.task).table(summary).table(each),
                Map.of(),
                Map.of("episodes.csv", each.toCsv()));
    }
}
