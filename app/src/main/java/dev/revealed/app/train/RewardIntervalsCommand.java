package dev.revealed.app.train;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.judge.RewardEnsemble;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.RunFiles;
import dev.revealed.train.RewardFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Says how sure a recovered reward is, by rewards recovered from resampled demonstrations. */
@Command(
        name = "reward-intervals",
        description = {
            "Intervals of a recovered reward along a trajectory, from rewards that were recovered with 'imitate --bootstrap'.",
            "",
            "Each reward is first standardised to mean 0 and standard deviation 1 on the trajectories of "
                    + "--data, since constant and scale are not identified (docs/guide/uncertainty.md).",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed imitate --task hopper --demos demos/hopper.npz --bootstrap --seeds 1-10 --out drawn",
            "  ./revealed reward-intervals --reward drawn --data demos/hopper.npz --out sure",
            "  ./revealed reward-intervals --reward drawn/seed-1 --reward drawn/seed-2 --data demos/hopper.npz"
        })
public final class RewardIntervalsCommand extends BaseCommand {
    @Option(
            names = "--reward",
            required = true,
            paramLabel = "DIR",
            description = "Folder of a run of 'imitate', folder of several runs, or a reward's file; may be repeated.")
    private List<Path> rewards = List.of();

    @Option(
            names = "--data",
            required = true,
            paramLabel = "FILE",
            description = "Trajectories of the expert, NPZ or HDF5.")
    private Path data = Path.of("");

    @Option(names = "--trajectory", paramLabel = "K", description = "The trajectory to draw, from 0" + DEFAULT)
    private int trajectory;

    @Option(names = "--level", paramLabel = "X", description = "Level of the intervals (default: ${DEFAULT-VALUE}).")
    private double level = 0.95;

    @Override
    @Nullable
    protected String defaultFolder() {
        return null;
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        if (!(level > 0 && level < 1)) {
            throw new BadInput("--level is " + level, "Give a number between 0 and 1, such as 0.95.");
        }
        List<RewardFile> files = new ArrayList<>();
        for (Path each : rewards) {
            files.addAll(files(each));
        }
        if (files.size() < 2) {
            throw new BadInput(
                    "%s holds one reward, which does not show how rewards vary".formatted(rewards.getFirst()),
                    "Give two or more, such as the folder of 'imitate --bootstrap --seeds 1-10'.");
        }
        Episodes episodes = EpisodeFiles.read(Main.existing(EpisodeFiles.in(data)));
        RewardView.checkDrawn(trajectory, data, episodes);
        long drawn = files.stream()
                .filter(file -> file.notes().containsKey(RewardFile.BOOTSTRAP))
                .count();
        if (drawn < files.size()) {
            caution(
                    "%d of %d rewards were recovered from the demonstrations as they are: they vary by training randomness alone"
                            .formatted(files.size() - drawn, files.size()));
        }
        Simulator.Space space = RewardView.space(data, episodes, RewardView.longest(episodes));
        RewardEnsemble ensemble = RewardEnsemble.of(
                files.stream().map(file -> file.model(space).labels()).toList(), episodes, space);
        return RewardIntervalsView.of(files, data, episodes, ensemble, trajectory, level);
    }

    /** The reward of a run, or those of the runs in a folder, by their names. */
    private static List<RewardFile> files(Path where) {
        if (!Files.isDirectory(where) || Files.exists(where.resolve(RunFiles.REWARD))) {
            return List.of(RewardFile.read(where));
        }
        try (Stream<Path> inside = Files.list(where)) {
            List<RewardFile> found = inside.filter(run -> Files.exists(run.resolve(RunFiles.REWARD)))
                    .sorted()
                    .map(RewardFile::read)
                    .toList();
            return found.isEmpty() ? List.of(RewardFile.read(where)) : found; // which says what is missing
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
