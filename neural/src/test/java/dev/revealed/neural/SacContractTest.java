package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;

class SacContractTest extends LearnerContract {
    @Override
    protected Simulator.Space space() {
        return new Simulator.Space("box", 3, new Simulator.Actions.Box(2, 1), 10);
    }

    @Override
    protected Learner learner(long seed, int threads) {
        Sac.Settings settings =
                Sac.Settings.PAPER.withHidden(8, 8).withBatch(BATCH).withTemperature(Temperature.TUNED);
        return new Sac(space(), settings, RandomStream.of(seed), threads);
    }
}
