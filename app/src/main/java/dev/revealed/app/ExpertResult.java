package dev.revealed.app;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code result.json} of an expert says.
 *
 * @param meanReturn of the last policy's last test, deterministic
 * @param seconds over all commands that worked on it
 * @param device on which it was made; all that worked on it, in their order
 * @param updatesPerSecond over all of them, tests and checkpoints included
 * @param timeShares of the last command's time, by name; on a GPU what was simulation and what was waiting, and for how
 *     much of it the device was busy, with all runs it had
 * @param reward the file of the recovered reward it learnt, where that is not the task's own; returns are by the task's own
 */
record ExpertResult(
        String task,
        long steps,
        long updates,
        double meanReturn,
        double standardError,
        double[] returns,
        int[] lengths,
        double bestReturn,
        long bestStep,
        double seconds,
        double updatesPerSecond,
        Map<String, Double> timeShares,
        int threads,
        String device,
        long seed,
        String version,
        String inertia,
        String contactForces,
        String mujoco,
        List<TrainingRun.Point> curve,
        Optional<String> reward)
        implements Trained {
    /** The same for one who learnt another reward than the task's own. */
    ExpertResult onReward(String file) {
        return new ExpertResult(
                task,
                steps,
                updates,
                meanReturn,
                standardError,
                returns,
                lengths,
                bestReturn,
                bestStep,
                seconds,
                updatesPerSecond,
                timeShares,
                threads,
                device,
                seed,
                version,
                inertia,
                contactForces,
                mujoco,
                curve,
                Optional.of(file));
    }

    @Override
    public Outcome show() {
        return ExpertView.of(this);
    }
}
