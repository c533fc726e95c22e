package dev.revealed.imitate;

import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.settings.Item;

/** The learning problem of a method whose reward is a network that takes a step after each block of training. */
public interface LoopProblem extends RewardProblem {

    /** The parts of a method's settings that such a loop needs. */
    interface Parts {
        RewardModel.Settings reward();

        ExpertAndAgent.Settings sampling();

        RewardProblem.PolicySettings learner();

        /** Rows of the expert in the learner's batches: none for rewards of states. */
        default ExpertRows expertRows(Demonstrations shown) {
            return learner().expertRows(shown.episodes(), reward().stateOnly());
        }
    }

    /** Settings of the loop. */
    Parts loop();

    @Override
    default String rewardOf() {
        return Item.text(loop().reward().of());
    }

    @Override
    default ExpertAndAgent.Settings sampling() {
        return loop().sampling();
    }

    @Override
    default RewardProblem.PolicySettings learner() {
        return loop().learner();
    }

    @Override
    default ExpertRows expertRows() {
        return loop().expertRows(shown());
    }
}
