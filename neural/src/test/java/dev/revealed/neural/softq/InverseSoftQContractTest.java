package dev.revealed.neural.softq;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Learner;
import dev.revealed.neural.LearnerContract;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.RandomStream;

class InverseSoftQContractTest extends LearnerContract {
    @Override
    protected Simulator.Space space() {
        return new Simulator.Space("box", 3, new Simulator.Actions.Box(2, 1), 10);
    }

    @Override
    protected Learner learner(long seed, int threads) {
        Sac.Settings settings = Sac.Settings.PAPER.withHidden(8, 8).withBatch(BATCH);
        InverseSoftQ learner = new InverseSoftQ(
                space(),
                settings,
                new InverseSoftQ.Loss(
                        InverseSoftQ.Term.VALUE, 0.5, true, InverseSoftQ.Actions.DRAWN, 50, InverseSoftQ.End.ZERO),
                RandomStream.of(seed));
        learner.cloneLast(BATCH / 2, 0);
        return learner;
    }
}
