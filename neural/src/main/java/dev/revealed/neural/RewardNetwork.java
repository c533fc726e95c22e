package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;

/**
 * A reward that a network gives: of the state alone, or of state and action, whichever number of inputs it has. Batches are
 * labelled with it when they are drawn, so that a reward that has changed holds for old transitions too.
 */
public final class RewardNetwork implements Batch.Rewards {
    private final Network network;
    private final int observations;
    private final int actions;
    private Tape tape;
    private float[] pairs = {};

    /** @param network read anew for every batch */
    public RewardNetwork(Network network, Simulator.Space space) {
        this.network = network;
        observations = space.observations();
        actions = space.actions().size();
        tape = network.tape(1);
        int inputs = network.shape().inputs();
        if ((inputs != observations && inputs != observations + actions)
                || network.shape().outputs() != 1) {
            throw new BadInput(
                    "a reward of %d numbers for states of %d and actions of %d"
                            .formatted(inputs, observations, actions),
                    "Use one that was made for this task, of states alone or of states and actions, with one output.");
        }
    }

    public Network network() {
        return network;
    }

    public boolean stateOnly() {
        return network.shape().inputs() == observations;
    }

    @Override
    public void relabel(Batch batch) {
        int rows = batch.size();
        if (tape.capacity() < rows) {
            tape = network.tape(rows);
            pairs = new float[rows * (observations + actions)];
        }
        if (stateOnly()) {
            tape.forward(batch.states(), rows);
        } else {
            int width = observations + actions;
            for (int row = 0; row < rows; row++) {
                System.arraycopy(batch.states(), row * observations, pairs, row * width, observations);
                System.arraycopy(batch.actions(), row * actions, pairs, row * width + observations, actions);
            }
            tape.forward(pairs, rows);
        }
        System.arraycopy(tape.output(), 0, batch.rewards(), 0, rows);
    }
}
