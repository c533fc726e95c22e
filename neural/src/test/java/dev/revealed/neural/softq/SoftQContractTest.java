package dev.revealed.neural.softq;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Learner;
import dev.revealed.neural.LearnerContract;
import dev.revealed.numeric.RandomStream;

class SoftQContractTest extends LearnerContract {
    @Override
    protected Simulator.Space space() {
        return new Simulator.Space("choices", 3, new Simulator.Actions.Choices(4), 10);
    }

    @Override
    protected Learner learner(long seed, int threads) {
        SoftQ.Settings settings = new SoftQ.Settings(new int[] {8, 8}, 1e-3, 0.9, 0.99, BATCH, 0.5, 2, true);
        return new SoftQ(space(), settings, RandomStream.of(seed), threads);
    }
}
