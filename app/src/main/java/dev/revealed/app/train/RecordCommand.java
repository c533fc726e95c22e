package dev.revealed.app.train;

import dev.revealed.app.Outcome;
import dev.revealed.app.film.EpisodeFilm;
import dev.revealed.app.film.FilmFile;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.Scores;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.train.TrainingResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes demonstrations of a policy. */
@Command(
        name = "record",
        description = {
            "Record demonstrations of a policy, as NPZ and as HDF5 in Minari's layout (docs/guide/formats.md).",
            "",
            "Actions are sampled from the policy, unless --deterministic is given.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed record --policy hopper --episodes 10 --min-return 3000 --out demos",
            "  ./revealed record --zoo hopper --episodes 5 --out demos",
            "  ./revealed record --policy hopper --episodes 1 --deterministic --video hopper.gif --out demos",
            "  ./revealed expert --task hopper --keep-checkpoints all --out hopper",
            "  ./revealed record --mix replay --policy hopper --out log"
        })
public final class RecordCommand extends PolicyCommand {
    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(names = "--episodes", paramLabel = "N", description = "Episodes to keep (default: ${DEFAULT-VALUE}).")
    private int episodes = 10;

    @Option(names = "--deterministic", description = "Take the most likely action, instead of sampling.")
    private boolean deterministic;

    @Option(
            names = "--min-return",
            paramLabel = "X",
            description = "Keep only episodes with at least this return (default: all).")
    private @Nullable Double minReturn;

    @Option(
            names = "--attempts",
            paramLabel = "N",
            description = "Episodes to play at most for --min-return (default: ten times as many as wanted).")
    private @Nullable Integer attempts;

    @Option(
            names = "--mix",
            paramLabel = "KIND",
            description =
                    "Record a log for learning offline, of an expert that was trained with --keep-checkpoints all. "
                            + "medium: episodes of the policy at about a third of the expert's return; replay: all transitions "
                            + "of training up to there; medium-expert: half medium, half the expert.")
    private LogRecording.@Nullable Kind mix;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "With --mix medium and medium-expert, steps to record at least (default: 100000).")
    private @Nullable Integer steps;

    @Option(
            names = "--expert-return",
            paramLabel = "X",
            description = "With --mix, the expert's return (default: the highest evaluation of the run).")
    private @Nullable Double expertReturn;

    @Option(
            names = "--video",
            paramLabel = "FILE",
            description =
                    "Film the first episode that is kept: .mp4 (with ffmpeg, else .gif), .gif, or without an ending a folder"
                            + " of pictures. Robots need chromium; gym: environments draw themselves"
                            + " (--task-args '{\"render_mode\": \"rgb_array\"}').")
    private @Nullable Path video;

    /** The content of {@code result.json}; the demonstrations are in the same folder. */
    record Result(
            String task,
            String policy,
            boolean deterministic,
            int episodes,
            int attempts,
            TrainingResult.Last scores,
            String dataHash,
            long seed,
            Flavour flavour,
            List<String> files) {}

    @Override
    protected Outcome outcome(ProgressListener listener) {
        if (mix != null) {
            return log(mix, listener);
        }
        BadInput.when(
                steps != null || expertReturn != null,
                "--steps and --expert-return have no effect without --mix",
                "Leave them out, or say which log to record.");
        positive("--episodes", episodes);
        int most = most();
        FilmFile film = video == null ? null : new FilmFile(video);
        List<Episode> kept = new ArrayList<>();
        int first = 0; // number of the first that was kept
        int played = 0; // those after the last one kept do not count: how many there are depends on the threads
        try (Trial trial = trial(policy, episodes)) {
            while (kept.size() < episodes && played < most) {
                int round = Math.min(trial.pool().size(), most - played);
                for (Episode episode : trial.play(played, round, deterministic, RandomStream.of(seed()))
                        .all()) {
                    if (kept.size() < episodes) {
                        played++;
                        if (minReturn == null || episode.total() >= minReturn) {
                            first = kept.isEmpty() ? played - 1 : first;
                            kept.add(episode);
                        }
                    }
                }
                listener.progress("record " + trial.task(), kept.size(), episodes);
            }
            if (kept.size() < episodes) {
                throw new BadInput(
                        "%d of %d episodes had a return of at least %s, and %d are wanted"
                                .formatted(kept.size(), played, minReturn, episodes),
                        "Lower --min-return, raise --attempts, or train the policy longer.");
            }
            if (film != null) {
                String world = trial.environment().flavour().getOrDefault("world", trial.task());
                EpisodeFilm episode = new EpisodeFilm(
                        trial.environment(),
                        world,
                        trial.policy().actor(),
                        first,
                        deterministic,
                        RandomStream.of(seed()));
                notice("Film: " + episode.write(film, listener, this::caution));
            }
            return show(trial, new Episodes(kept), played);
        }
    }

    private Outcome log(LogRecording.Kind kind, ProgressListener listener) {
        for (String other : List.of("episodes", "deterministic", "min-return", "attempts", "video")) {
            BadInput.when(
                    typedOptions().containsKey(other),
                    "--%s has no effect with --mix".formatted(other),
                    "Leave it out: a log has whole episodes with sampled actions.");
        }
        if (typedOptions().containsKey("policy")) { // else it is one of the zoo
            LogRecording.check(policy.folder());
        }
        try (Trial expert = trial(policy, threads())) {
            return new LogRecording(kind, policy.folder(), expert, expertReturn, steps, seed()).outcome(listener);
        }
    }

    private int most() {
        if (attempts == null) {
            return minReturn == null ? episodes : Math.multiplyExact(10, episodes);
        }
        if (minReturn == null) {
            throw new BadInput("--attempts has no effect without --min-return", "Leave it out, or name a return.");
        }
        if (attempts < episodes) {
            throw new BadInput(
                    "--attempts is %d, and %d episodes are wanted".formatted(attempts, episodes),
                    "Give at least as many as --episodes.");
        }
        return attempts;
    }

    private Outcome show(Trial trial, Episodes demonstrations, int played) {
        TrainingResult.Last scores = TrainingResult.Last.of(Scores.of(demonstrations));
        List<String> files = List.of(EpisodeFiles.RECORDED, "demonstrations.hdf5");
        String title = "Demonstrations on " + trial.task();
        Table summary = Table.of(Column.text(""), Column.text(""))
                .titled(title)
                .row("episodes", Numbers.count(demonstrations.size()))
                .row("played", Numbers.count(played))
                .row("mean return", Numbers.significant(scores.meanReturn(), 6))
                .row("standard error", Numbers.significant(scores.standardError(), 3))
                .row("actions", deterministic ? "deterministic" : "drawn at random")
                .row("files", String.join(", ", files));
        int size = demonstrations.size();
        String hash = demonstrations.hash();
        Flavour flavour = trial.flavour();
        Result result = new Result(
                trial.task(), trial.file(), deterministic, size, played, scores, hash, seed(), flavour, files);
        return Outcome.of(result, title)
                .table(summary)
                .writing(folder ->
                        files.forEach(name -> EpisodeFiles.write(folder.file(name), demonstrations, trial.task())));
    }
}
