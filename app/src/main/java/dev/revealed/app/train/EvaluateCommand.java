package dev.revealed.app.train;

import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.app.view.Table.Field;
import dev.revealed.app.zoo.Zoo;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.judge.ActionFit;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.Scores;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.RunFiles;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.offline.HeldOutActions;
import dev.revealed.train.PolicyFile;
import dev.revealed.train.TrainingResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Scores a policy by the task's own reward. */
@Command(
        name = "evaluate",
        description = {
            "Score a policy: returns and lengths of whole episodes, by the task's own reward.",
            "",
            "With --demos no simulator is needed: the policy is scored by how well it predicts demonstrated actions, best those"
                    + " that it did not learn from.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed evaluate --policy hopper --task hopper --episodes 20 --json",
            "  ./revealed evaluate --policy offline --demos demonstrations.npz --skip 8",
            "  ./revealed evaluate --runs weights --demos demonstrations.npz --skip 8"
        })
public final class EvaluateCommand extends PolicyCommand {
    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(names = "--episodes", paramLabel = "N", description = "Episodes to play (default: ${DEFAULT-VALUE}).")
    private int episodes = 20;

    @Option(names = "--stochastic", description = "Sample actions, instead of taking the most likely one.")
    private boolean stochastic;

    @Option(
            names = "--publish",
            description = {
                "Put the policy of a run, in half precision, with its command and these returns into results/zoo, from where",
                "'record --zoo' takes it."
            })
    private boolean publish;

    @Option(
            names = "--demos",
            paramLabel = "FILE",
            description = "Demonstrations whose actions the policy predicts, instead of playing episodes.")
    private @Nullable Path demos;

    @Option(
            names = "--skip",
            paramLabel = "N",
            description = "With --demos: first demonstrations of the file to leave out (default: ${DEFAULT-VALUE}).")
    private int skip;

    @Option(
            names = "--runs",
            paramLabel = "DIR",
            description =
                    "With --demos, instead of --policy: the last policies of all runs of 'imitate' in a folder; runs "
                            + "that differ only in the seed form a row.")
    private @Nullable Path runs;

    private static final String NEAR =
            "near the best: the error is at most one standard error above the smallest, by the standard error of the smallest."
                    + " standard error: over trajectories, of means over the runs of a row; with one trajectory there is none,"
                    + " and only the smallest error is near. over seeds: the standard error over the runs of a row, which does"
                    + " not enter into it; – for one run.";

    private static final String ONE_SEED =
            "a row near the best is of one run, and another seed may change which rows are: compare several seeds of each"
                    + " setting (`seeds`)";

    /**
     * How well a policy predicts demonstrated actions; errors of means are over trajectories.
     *
     * @param actionUnit of the action error: the largest absolute action of these demonstrations
     */
    record Predicted(
            String policy,
            String demos,
            int trajectories,
            double actionUnit,
            double logLikelihood,
            double logLikelihoodError,
            double actionError,
            double actionStandardError) {}

    /** What {@code result.json} says. */
    record Result(
            String task,
            String policy,
            boolean stochastic,
            int episodes,
            double meanLength,
            TrainingResult.Last scores,
            long seed,
            Flavour flavour) {}

    @Override
    @Nullable
    protected String defaultFolder() {
        return null;
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        if (demos != null) {
            return predicted(demos);
        }
        BadInput.when(skip != 0, "--skip has no effect without --demos", "Leave it out.");
        BadInput.when(runs != null, "--runs has no effect without --demos", "Leave it out, or name one with --policy.");
        try (Trial trial = trial(policy, episodes)) {
            if (publish) {
                BadInput.when(stochastic, "--publish and --stochastic are given together", "Leave one of them out.");
                return published(trial);
            }
            return show(result(trial, trial.file()));
        }
    }

    private Outcome predicted(Path file) {
        refuse("--demos", List.of("episodes", "stochastic", "publish"));
        refuse("--demos", typedSettings().keySet()); // of the simulator
        Episodes all = EpisodeFiles.readUnrewarded(Main.existing(EpisodeFiles.in(file)));
        Episodes shown = BadInput.placed("`skip`", () -> all.after(skip));
        if (runs != null) {
            refuse("--runs", List.of("policy", "zoo", RunFiles.CHECKPOINT));
            return compared(HeldOutActions.of(GatheredRun.under(runs), shown, this::caution));
        }
        PolicyFile found = policy.read(this::caution);
        ActionFit fit = BadInput.placed(file.toString(), () -> ActionFit.of(found.actor(), shown));
        Predicted result = new Predicted(
                found.file().toString(),
                file.toString(),
                fit.errors().length,
                fit.unit(),
                fit.logLikelihood(),
                fit.logLikelihoodError(),
                fit.error(),
                fit.errorStandardError());
        String title = "Demonstrated actions under the policy";
        return Outcome.of(result, title)
                .table(Table.of(Column.text(""), Column.text(""))
                        .titled(title)
                        .row("trajectories", Numbers.count(result.trajectories))
                        .row("log-likelihood per step", Numbers.significant(result.logLikelihood, 5))
                        .row("its standard error", Numbers.significant(result.logLikelihoodError, 3))
                        .row("action error", Numbers.significant(result.actionError, 4))
                        .row("its standard error", Numbers.significant(result.actionStandardError, 3))
                        .note(unit(result.actionUnit)));
    }

    private static String unit(double actions) {
        return "action error: root mean squared distance between the policy's mean action and the demonstrated one, as a share of %s, the largest absolute action of these demonstrations."
                .formatted(Numbers.significant(actions, 4));
    }

    private void refuse(String with, Collection<String> options) {
        for (String option : options) {
            BadInput.when(
                    typedOptions().containsKey(option),
                    "--%s has no effect with %s".formatted(option, with),
                    "Leave one of them out.");
        }
    }

    private Outcome compared(HeldOutActions found) {
        String title = "Demonstrated actions under the policies of runs";
        if (found.dependsOnOneSeed()) {
            caution(ONE_SEED);
        }
        return Outcome.of(found, title)
                .table(
                        "runs",
                        Table.of(
                                        found.rows(),
                                        Field.text("task", HeldOutActions.Row::task),
                                        Field.text("method", HeldOutActions.Row::method),
                                        Field.text("settings", HeldOutActions.Row::settings),
                                        Field.number("runs", 4, HeldOutActions.Row::runs),
                                        Field.decimals("log-likelihood", 3, HeldOutActions.Row::logLikelihood),
                                        Field.decimals("action error", 4, HeldOutActions.Row::actionError),
                                        Field.decimals("standard error", 4, HeldOutActions.Row::standardError),
                                        Field.decimals("over seeds", 4, HeldOutActions.Row::seedError),
                                        Field.text("near the best", row -> row.nearBest() ? "yes" : "no"))
                                .titled(title)
                                .note(unit(found.actionUnit()))
                                .note(NEAR));
    }

    private Result result(Trial trial, String file) {
        Scores scores = Scores.of(trial.play(0, episodes, !stochastic, RandomStream.of(seed())));
        return new Result(
                trial.task(),
                file,
                stochastic,
                episodes,
                scores.meanLength(),
                TrainingResult.Last.of(scores),
                seed(),
                trial.flavour());
    }

    private Outcome published(Trial trial) {
        List<Result> results = new ArrayList<>();
        Path place = Zoo.publish(trial.policy(), policy.folder(), trial.environment(), rounded -> {
            Trial again = new Trial(rounded, trial.environment(), trial.pool());
            Result result = result(again, Zoo.place(trial.task()).toString());
            results.add(result);
            return result.scores;
        });
        return show(results.getFirst()).say("Published in %s.%n".formatted(place));
    }

    private static Outcome show(Result result) {
        String title = "Policy on " + result.task;
        Table summary = Table.of(Column.text(""), Column.text(""))
                .titled(title)
                .row("mean return", Numbers.significant(result.scores.meanReturn(), 6))
                .row("standard error", Numbers.significant(result.scores.standardError(), 3))
                .row("mean length", Numbers.significant(result.meanLength, 5))
                .row("episodes", Numbers.count(result.episodes))
                .row("actions", result.stochastic ? "drawn" : "deterministic");
        Table episodes = Table.of(
                IntStream.range(0, result.episodes).boxed().toList(),
                Field.number("episode", 6, i -> i),
                Field.decimals("return", 2, i -> result.scores.returns()[i]),
                Field.number("length", 6, i -> result.scores.lengths()[i]));
        return Outcome.of(result, title)
                .table(summary)
                .report(page -> page.table(episodes))
                .file("episodes.csv", episodes.toCsv());
    }
}
