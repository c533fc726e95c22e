package dev.revealed.imitate;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import java.util.List;

/**
 * What a learning problem gets from its run: training, discount, simulators for rollouts, and random streams.
 *
 * @param discount that it learns with
 * @param rollouts additional simulators for whole episodes, where the problem needs them
 * @param temperature that it learns with
 * @param steps of the simulator that the whole run is to make; 0 where that is not known
 */
public record Agent(
        Training training,
        double discount,
        Temperature temperature,
        List<? extends Simulator> rollouts,
        RandomStream stream,
        long steps) {
    /** An agent that learns until somebody stops it. */
    public Agent(
            Training training,
            double discount,
            Temperature temperature,
            List<? extends Simulator> rollouts,
            RandomStream stream) {
        this(training, discount, temperature, rollouts, stream, 0);
    }
}
