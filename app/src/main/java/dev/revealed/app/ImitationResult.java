package dev.revealed.app;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What {@code result.json} of an imitation says.
 *
 * @param countedSteps every step whose data was learnt from, reward rollouts included; {@code evaluationSteps} are apart
 * @param meanReturn of the last policy by the task's own reward, which no learning sees
 * @param chosenStep of the policy that {@code --checkpoint best} names, chosen without that reward
 * @param bestReturn on the way, of all tests: for comparison, since nobody who lacks the reward could choose it
 * @param expertReturn of the demonstrations, where their rewards are known
 * @param likelihoodGap and {@code featureDistance} as in the last line of metrics
 */
record ImitationResult(
        String task,
        String demos,
        String demosHash,
        int trajectories,
        String reward,
        String preset,
        String afterEnd,
        long seed,
        long iterations,
        long steps,
        long countedSteps,
        long evaluationSteps,
        long updates,
        double meanReturn,
        double standardError,
        double[] returns,
        int[] lengths,
        double chosenReturn,
        double chosenStandardError,
        long chosenStep,
        double bestReturn,
        long bestStep,
        double expertReturn,
        double ratio,
        double likelihoodGap,
        double featureDistance,
        double entropy,
        double seconds,
        double secondsPerIteration,
        Map<String, Double> timeShares,
        int threads,
        String device,
        String version,
        String inertia,
        String contactForces,
        String mujoco,
        List<TrainingRun.Point> curve,
        List<Imitator.Mark> marks)
        implements Trained {
    @Override
    public List<TrainingRun.Point> countedCurve() {
        return IntStream.range(0, curve.size())
                .mapToObj(i -> new TrainingRun.Point(
                        marks.get(i).countedSteps(),
                        curve.get(i).meanReturn(),
                        curve.get(i).standardError()))
                .toList();
    }

    @Override
    public Outcome show() {
        return ImitationView.of(this);
    }
}
