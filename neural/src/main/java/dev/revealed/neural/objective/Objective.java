package dev.revealed.neural.objective;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.neural.softq.InverseSoftQ;

/**
 * The objective of the critics: rewards that are stored or given by a network, or the loss of IQ-Learn. A GPU needs to
 * know it beforehand; runs of one launch have the same.
 */
public sealed interface Objective {
    /** Rewards that are stored with transitions. */
    Objective STORED = new Stored();

    /** Rewards that are stored with transitions: the simulator's. */
    record Stored() implements Objective {}

    /**
     * Rewards that a network gives when batches are drawn.
     *
     * @param forEver as for {@link RewardNetwork}
     */
    record Labelled(Mlp shape, double forEver) implements Objective {
        public static Labelled by(RewardNetwork network) {
            return new Labelled(network.network().shape(), network.forEver());
        }

        /** Such a reward of these parameters. */
        public RewardNetwork network(float[] parameters, Simulator.Space space) {
            return new RewardNetwork(new Network(shape, parameters), space, forEver);
        }
    }

    /** Rewards of an {@link ExpertReward}, with its {@code forEver}. */
    record ExpertPaid(double forEver) implements Objective {}

    /** No rewards: the loss of inverse soft Q-learning. */
    record Inverse(InverseSoftQ.Loss loss) implements Objective {}
}
