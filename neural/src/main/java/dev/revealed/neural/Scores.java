package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;

/** Returns and lengths of whole episodes, by the task's own reward. */
public record Scores(double[] returns, int[] lengths) {

    /**
     * One episode in each of the simulators, each with chance of its own: the same scores whatever the number of threads.
     *
     * @param deterministic whether to take the likeliest action rather than draw one
     */
    public static Scores of(
            Actor actor, List<? extends Simulator> simulators, boolean deterministic, RandomStream stream) {
        Scores scores = new Scores(new double[simulators.size()], new int[simulators.size()]);
        Actor[] workers = new Actor[simulators.size()];
        Arrays.setAll(workers, i -> actor.worker());
        Parallel.tasks(
                simulators.size(), i -> scores.play(workers[i], simulators.get(i), deterministic, stream.at(i), i));
        return scores;
    }

    private void play(Actor actor, Simulator simulator, boolean deterministic, RandomStream stream, int i) {
        Simulator.Space space = simulator.space();
        float[] observation = new float[space.observations()];
        float[] action = new float[space.actions().size()];
        RandomStream noise = stream.named("explore");
        simulator.reset(stream.named("reset"));
        do {
            simulator.observe(observation, 0);
            if (deterministic) {
                actor.actDeterministic(observation, 0, action, 0);
            } else {
                actor.act(observation, 0, noise, action, 0);
            }
            simulator.step(action, 0);
            returns[i] += simulator.reward();
            lengths[i]++;
        } while (!simulator.terminated() && !simulator.truncated());
    }

    public double meanReturn() {
        return Arrays.stream(returns).average().orElse(Double.NaN);
    }

    public double meanLength() {
        return Arrays.stream(lengths).average().orElse(Double.NaN);
    }

    /** Of the mean return; NaN for a single episode. */
    public double standardError() {
        double mean = meanReturn();
        double squares =
                Arrays.stream(returns).map(r -> (r - mean) * (r - mean)).sum();
        return Math.sqrt(squares / (returns.length - 1.0) / returns.length);
    }
}
