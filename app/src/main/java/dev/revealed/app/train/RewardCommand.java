package dev.revealed.app.train;

import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.judge.PlayedStates;
import dev.revealed.imitate.judge.RewardComparison;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.Rollouts;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.train.RewardFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Says what a recovered reward pays along trajectories, and how near that is to the task's own. */
@Command(
        name = "reward",
        description = {
            "Evaluate a recovered reward along trajectories: those of a file, those a policy makes, or both.",
            "",
            "If the true reward is known, the two are compared: Pearson and Spearman correlation, EPIC distance"
                    + " (docs/guide/reward.md).",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed reward --reward imitate-hopper --data demos/hopper.npz --skip 1",
            "  ./revealed reward --reward imitate-hopper --policy imitate-hopper --task hopper --out judged",
            "  ./revealed expert --task hopper --reward imitate-hopper --out fresh"
        })
public final class RewardCommand extends PolicyCommand {
    @Option(
            names = "--reward",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the 'imitate' that recovered it, or the reward's file.")
    private Path reward = Path.of("");

    @Option(
            names = "--data",
            paramLabel = "FILE",
            description =
                    "Trajectories to evaluate the reward along, NPZ or HDF5; true rewards in the file are compared "
                            + "with it.")
    private @Nullable Path data;

    @Option(
            names = "--skip",
            paramLabel = "N",
            description = "Leave out the first N trajectories of --data, for example those the reward was learnt from.")
    private int skip;

    @ArgGroup(exclusive = false)
    private @Nullable PolicyOptions policy;

    @Option(names = "--episodes", paramLabel = "N", description = "Episodes to play with --policy" + DEFAULT)
    private int episodes = 10;

    @Option(names = "--stochastic", description = "Sample actions of --policy, instead of taking the most likely one.")
    private boolean stochastic;

    @Option(
            names = "--trajectory",
            paramLabel = "K",
            description = "The trajectory to draw, from 0, those skipped not counted (default: ${DEFAULT-VALUE}).")
    private int trajectory;

    @Option(
            names = "--discount",
            paramLabel = "X",
            description =
                    "Discount of the potential shaping that the EPIC distance ignores (default: that of the recovered reward).")
    private @Nullable Double discount;

    @Override
    @Nullable
    protected String defaultFolder() {
        return null;
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        RewardFile found = RewardFile.read(reward);
        double gamma = discount == null ? found.sac().discount() : discount;
        if (!(gamma >= 0 && gamma <= 1)) {
            throw new BadInput("--discount is " + gamma, "Give a number from 0 to 1.");
        }
        if (data == null && skip != 0) {
            throw new BadInput("--skip has no effect without --data", "Leave it out, or name a file.");
        }
        List<RewardView.Along> judged = new ArrayList<>();
        if (data != null) {
            judged.add(recorded(EpisodeFiles.in(data), found, gamma));
        }
        if (policy != null) {
            judged.add(played(policy, found, gamma));
        }
        if (judged.isEmpty()) {
            throw new BadInput(
                    "there are no trajectories to evaluate the reward along",
                    "Name a file with --data, a policy with --policy, or both.");
        }
        return RewardView.of(found, gamma, trajectory, seed(), judged);
    }

    private RewardView.Along recorded(Path file, RewardFile found, double gamma) {
        Episodes held = held(EpisodeFiles.read(Main.existing(file)));
        String name = EpisodeFiles.taskOf(file).orElse(file.toString());
        Simulator.Space space = RewardView.space(name, held, RewardView.longest(held));
        if (Task.names().contains(name)) {
            found.check(space);
        }
        return along("data", file.toString(), held, space, found, gamma, Optional.empty());
    }

    private Episodes held(Episodes all) {
        return BadInput.placed("--skip for %s".formatted(data), () -> all.after(skip));
    }

    /** One simulator plays all of them, which is then asked what other actions are paid in the states it saw. */
    private RewardView.Along played(PolicyOptions options, RewardFile found, double gamma) {
        try (Trial trial = trial(options, episodes)) {
            Simulator.Space space = trial.pool().getFirst().space();
            found.check(space); // one that does not fit is refused before anything is played
            PlayedStates states = new PlayedStates(trial.pool().getFirst());
            Episodes seen = Rollouts.of(
                    trial.policy().actor(), List.of(states), 0, episodes, !stochastic, RandomStream.of(seed()));
            return along("policy", trial.file(), seen, space, found, gamma, Optional.of(states));
        }
    }

    private RewardView.Along along(
            String name,
            String from,
            Episodes seen,
            Simulator.Space space,
            RewardFile file,
            double gamma,
            Optional<PlayedStates> asked) {
        RewardView.checkDrawn(trajectory, from, seen);
        RewardComparison judgement = RewardComparison.of(
                file.model(space).labels(), seen, space, gamma, file.absorbs(), asked, RandomStream.of(seed()));
        return new RewardView.Along(name, from, seen, judgement);
    }
}
