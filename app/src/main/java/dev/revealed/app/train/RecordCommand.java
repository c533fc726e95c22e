package dev.revealed.app.train;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Outcome;
import dev.revealed.app.SettingOptions;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mujoco.Mujoco;
import dev.revealed.mujoco.Simulators;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Scores;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.settings.Item;
import dev.revealed.train.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes demonstrations of a policy. */
@Command(
        name = "record",
        description = {
            "Record demonstrations of a policy, as NPZ and as HDF5 in the manner of Minari (docs/guide/formats.md).",
            ""
        },
        footer = {"", "Example:", "  ./revealed record --policy hopper --episodes 10 --min-return 3000 --out demos"})
public final class RecordCommand extends BaseCommand {
    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(names = "--episodes", paramLabel = "N", description = "Episodes to keep (default: ${DEFAULT-VALUE}).")
    private int episodes = 10;

    @Option(names = "--deterministic", description = "Take the likeliest action, rather than draw one.")
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

    /** What {@code result.json} says; the files lie beside it. */
    record Result(
            String task,
            String policy,
            boolean deterministic,
            int episodes,
            int attempts,
            double meanReturn,
            double standardError,
            double[] returns,
            int[] lengths,
            String dataHash,
            long seed,
            String inertia,
            String contactForces,
            String mujoco,
            List<String> files) {}

    @Override
    protected List<SettingOptions.Group> settingGroups() {
        return List.of(new SettingOptions.Group("", TaskSettings.DESCRIBED.items(), Map.of()));
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        positive("--episodes", episodes);
        int most = most();
        PolicyOptions.Found found = policy.read(this::warn);
        TaskSettings task = TaskSettings.of(found, typedSettings(), this::warn);
        Environment environment = task.environment();
        environment.caution().ifPresent(this::warn);
        List<Episode> kept = new ArrayList<>();
        int played = 0; // those after the last one kept do not count: how many there are depends on the threads
        try (Simulators pool = task.named().simulators(Math.min(threads(), episodes), task.options())) {
            found.check(pool.get(0).space());
            while (kept.size() < episodes && played < most) {
                int round = Math.min(pool.count(), most - played);
                for (Episode episode : Rollouts.of(
                                found.actor(), pool.all(), played, round, deterministic, RandomStream.of(seed()))
                        .all()) {
                    if (kept.size() < episodes) {
                        played++;
                        if (minReturn == null || episode.total() >= minReturn) {
                            kept.add(episode);
                        }
                    }
                }
                listener.progress("record " + environment.task(), kept.size(), episodes);
            }
        }
        if (kept.size() < episodes) {
            throw new BadInput(
                    "%d of %d episodes had a return of at least %s, and %d are wanted"
                            .formatted(kept.size(), played, minReturn, episodes),
                    "Lower --min-return, raise --attempts, or train the policy longer.");
        }
        return show(task, found, new Episodes(kept), played);
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

    private Outcome show(TaskSettings task, PolicyOptions.Found found, Episodes demonstrations, int played) {
        Scores scores = Scores.of(demonstrations);
        List<String> files = List.of("demonstrations.npz", "demonstrations.hdf5");
        Table summary = Table.of(Column.text(""), Column.text(""))
                .titled("Demonstrations on " + task.task())
                .row("episodes", Numbers.count(demonstrations.size()))
                .row("played", Numbers.count(played))
                .row("mean return", Numbers.significant(scores.meanReturn(), 6))
                .row("standard error", Numbers.significant(scores.standardError(), 3))
                .row("files", String.join(", ", files));
        Result result = new Result(
                task.task(),
                found.file().toString(),
                deterministic,
                demonstrations.size(),
                played,
                scores.meanReturn(),
                scores.standardError(),
                scores.returns(),
                scores.lengths(),
                demonstrations.hash(),
                seed(),
                Item.text(task.inertia()),
                Item.text(task.contactForces()),
                Mujoco.version(),
                files);
        return Outcome.of(result, "Demonstrations on " + environment.task())
                .table(summary)
                .writing(folder -> files.forEach(name -> EpisodeFiles.write(folder.file(name), demonstrations)));
    }
}
