package dev.revealed.train;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.TransitionLayout;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.RunSpec;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Makes logs of the usual kinds (replay, medium, medium-expert) from a run that kept its checkpoints. */
public final class MixedLog {
    private static final double SHARE = 1.0 / 3; // of the expert's return, that a medium policy has
    private static final double TOO_GOOD = 2.0 / 3; // what comes after such an evaluation is not looked at

    private MixedLog() {}

    /**
     * The step whose policy is medium: of the evaluations before the first one above two thirds of the expert's return, the
     * one closest to a third of it.
     *
     * @param expert the expert's return
     */
    public static EvaluationPoint medium(Path run, double expert) {
        TrainingResult result = TrainingResult.read(run);
        Set<Long> kept = new TreeSet<>(Checkpoints.steps(run));
        List<EvaluationPoint> before = new ArrayList<>();
        for (EvaluationPoint each : result.curve()) {
            if (each.meanReturn() > TOO_GOOD * expert) {
                break;
            }
            before.add(each);
        }
        EvaluationPoint found = before.stream()
                .min(Comparator.comparingDouble(each -> Math.abs(each.meanReturn() - SHARE * expert)))
                .orElseThrow(() -> new BadInput(
                        "the first evaluation of %s is above two thirds of %.0f already".formatted(run, expert),
                        "Train one with a smaller `evaluate-every`."));
        BadInput.when(
                !kept.contains(found.step()),
                "%s has no checkpoint of step %d, whose policy returned %.0f"
                        .formatted(run, found.step(), found.meanReturn()),
                "Train it with `keep-checkpoints` all and `checkpoint-every` as `evaluate-every`.");
        return found;
    }

    /** Everything that the agent did up to a step, with the task's rewards; the last, unfinished episodes count as truncated. */
    public static Episodes replay(Path run, long step, Simulator.Space space) {
        Checkpoints.Restored found = Checkpoints.at(run, step);
        int apart = RunSpec.read(run).settings().get("simulators") instanceof Number count ? count.intValue() : 1;
        TransitionLayout layout = TransitionLayout.of(space);
        BadInput.when(
                found.blocks().isEmpty() || found.blocks().getFirst().from() > 0,
                "the replay of %s has forgotten its first rows".formatted(run),
                "Train it with a larger `replay`.");
        int rows = Math.toIntExact(found.blocks().getLast().to());
        float[] all = new float[Math.multiplyExact(rows, layout.width())];
        for (Checkpoints.StoredBlock block : found.blocks()) {
            try (InputStream in = new BufferedInputStream(block.open())) {
                for (long row = block.from(); row < block.to(); row++) {
                    layout.read(in, row, all, (int) row * layout.width());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        List<Episode> episodes = new ArrayList<>();
        for (int first = 0; first < apart; first++) {
            for (int row = first; row < rows; ) {
                int last = row;
                while (last + apart < rows && follows(all, last, last + apart, layout)) {
                    last += apart;
                }
                episodes.add(episode(all, row, last, apart, layout));
                row = last + apart;
            }
        }
        return new Episodes(episodes);
    }

    /** Whether a row begins where the other one led. */
    private static boolean follows(float[] all, int row, int next, TransitionLayout layout) {
        int at = row * layout.width();
        int then = next * layout.width();
        return all[at + layout.live()] != 0
                && Arrays.equals(
                        all, at + layout.nextState(), at + layout.width(), all, then, then + layout.observations());
    }

    private static Episode episode(float[] all, int first, int last, int apart, TransitionLayout layout) {
        int steps = (last - first) / apart + 1;
        int wide = layout.observations();
        int acts = layout.actions();
        float[] observations = new float[(steps + 1) * wide];
        float[] actions = new float[steps * acts];
        double[] rewards = new double[steps];
        for (int t = 0; t < steps; t++) {
            int at = (first + t * apart) * layout.width();
            System.arraycopy(all, at, observations, t * wide, wide);
            System.arraycopy(all, at + wide, actions, t * acts, acts);
            rewards[t] = all[at + layout.reward()];
        }
        int end = last * layout.width();
        System.arraycopy(all, end + layout.nextState(), observations, steps * wide, wide);
        boolean terminated = all[end + layout.live()] == 0;
        return new Episode(steps, observations, actions, rewards, terminated ? Ending.TERMINATED : Ending.TRUNCATED);
    }
}
