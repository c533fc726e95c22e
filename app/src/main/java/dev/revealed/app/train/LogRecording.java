package dev.revealed.app.train;

import dev.revealed.app.Outcome;
import dev.revealed.app.train.PolicyCommand.Flavour;
import dev.revealed.app.train.PolicyCommand.Trial;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.RunSpec;
import dev.revealed.settings.Item;
import dev.revealed.train.EvaluationPoint;
import dev.revealed.train.MixedLog;
import dev.revealed.train.PolicyFile;
import dev.revealed.train.TrainingResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Records a log for learning offline from the run of an expert.
 *
 * @param run that kept its checkpoints
 * @param expert its policy, in simulators of its task
 * @param expertReturn where it is not that of the run's highest evaluation
 * @param steps to record at least, where the log is not a replay
 */
record LogRecording(
        Kind kind,
        Path run,
        Trial expert,
        @Nullable Double expertReturn,
        @Nullable Integer steps,
        long seed) {
    private static final int STEPS = 100_000;
    private static final String FILE = "log.hdf5";

    /** Of a log. */
    enum Kind {
        MEDIUM,
        REPLAY,
        MEDIUM_EXPERT;

        /** As it is typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * The content of {@code result.json}; the log is in the same folder.
     *
     * @param mediumStep of the policy whose episodes they are, or up to which everything was logged
     * @param quartiles of the episodes' returns: lowest, first quartile, median, third, highest
     */
    record Result(
            String task,
            String mix,
            String run,
            double expertReturn,
            long mediumStep,
            double mediumReturn,
            long transitions,
            int episodes,
            double meanReturn,
            double[] quartiles,
            String dataHash,
            long seed,
            Flavour flavour,
            String file) {}

    /** Refuses runs of another command than expert. */
    static void check(Path run) {
        if (RunSpec.isIn(run)) {
            String command = RunSpec.read(run).verb();
            BadInput.when(
                    !command.equals("expert"),
                    "%s is a run of '%s', and --mix makes a log of a run of 'expert'".formatted(run, command),
                    "Name the folder that 'expert' wrote with --keep-checkpoints all, or leave --mix out.");
        }
    }

    Outcome outcome(ProgressListener listener) {
        BadInput.when(
                kind == Kind.REPLAY && steps != null,
                "--steps has no effect on a replay, which has the steps that were made",
                "Leave it out.");
        double best = expertReturn != null
                ? expertReturn
                : TrainingResult.read(run).best().bestReturn();
        EvaluationPoint medium = MixedLog.medium(run, best);
        Episodes log = kind == Kind.REPLAY
                ? MixedLog.replay(run, medium.step(), expert.environment().space())
                : played(PolicyFile.inCheckpoint(run, medium.step()), listener);
        double[] returns =
                log.all().stream().mapToDouble(Episode::total).sorted().toArray();
        double[] quartiles = new double[5];
        Arrays.setAll(quartiles, i -> returns[(int) ((long) i * (returns.length - 1) / 4)]);
        Result result = new Result(
                expert.task(),
                Item.text(kind),
                run.toString(),
                best,
                medium.step(),
                medium.meanReturn(),
                log.steps(),
                log.size(),
                log.meanReturn(),
                quartiles,
                log.hash(),
                seed,
                expert.flavour(),
                FILE);
        String title = "Log of %s on %s".formatted(Item.text(kind), expert.task());
        Table summary = Table.of(Column.text(""), Column.text(""))
                .titled(title)
                .row("transitions", Numbers.count(log.steps()))
                .row("episodes", Numbers.count(log.size()))
                .row("mean return", Numbers.significant(log.meanReturn(), 5))
                .row("quartiles of returns", quartiles(quartiles))
                .row(
                        "medium policy",
                        "step %s, return %.0f".formatted(Numbers.count(medium.step()), medium.meanReturn()))
                .row("expert's return", Numbers.significant(best, 5))
                .row("file", FILE);
        return Outcome.of(result, title)
                .table(summary)
                .writing(folder -> EpisodeFiles.writeLog(folder.file(FILE), log, expert.task()));
    }

    private static String quartiles(double[] values) {
        return String.join(
                ", ",
                Arrays.stream(values)
                        .mapToObj(each -> Numbers.significant(each, 4))
                        .toList());
    }

    private Episodes played(PolicyFile medium, ProgressListener listener) {
        int wanted = steps == null ? STEPS : BadInput.count("--steps", steps);
        int each = kind == Kind.MEDIUM ? wanted : Math.ceilDiv(wanted, 2);
        List<Episode> all = new ArrayList<>();
        play(new Trial(medium, expert.environment(), expert.pool()), each, "medium", all, listener);
        if (kind == Kind.MEDIUM_EXPERT) {
            play(expert, each, "expert", all, listener);
        }
        return new Episodes(all);
    }

    /** Episodes until there are enough steps; how many are played beyond that depends on the threads, and they are left out. */
    private void play(Trial trial, int enough, String who, List<Episode> into, ProgressListener listener) {
        RandomStream stream = RandomStream.of(seed).named(who);
        long made = 0;
        for (int first = 0; made < enough; ) {
            int round = trial.pool().size();
            for (Episode one : trial.play(first, round, false, stream).all()) {
                if (made < enough) {
                    into.add(one);
                    made += one.length();
                }
            }
            first += round;
            listener.progress("record " + trial.task(), Math.min(made, enough), enough);
        }
    }
}
