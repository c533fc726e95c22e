package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;

/**
 * A reward that is a network: of the state alone, or of state and action, by the number of its inputs. Batches are
 * labelled with it when they are drawn, so that a reward that has changed holds for old transitions too.
 */
public final class RewardNetwork implements Batch.Rewards {
    private final Network network;
    private final int observations;
    private final int actions;
    private final double forEver;
    private float penalty;
    private Tape tape;
    private float[] pairs = {};

    /**
     * @param network read again for every batch
     * @param forEver factor of the reward of a terminal state, with a zero action, that is added to the last step:
     *     discount / (1 - discount) where terminal states are absorbing, 0 where nothing follows termination
     */
    public RewardNetwork(Network network, Simulator.Space space, double forEver) {
        this.network = network;
        this.forEver = forEver;
        observations = space.observations();
        actions = space.actions().size();
        tape = network.tape(1);
        int inputs = network.shape().inputs();
        BadInput.when(
                actions == 0 && inputs > observations,
                "the reward is of states and actions, and there are no actions to evaluate it with",
                "Give trajectories with actions, or a reward of states alone: set `reward` to state.");
        BadInput.when(
                (inputs != observations && inputs != observations + actions)
                        || network.shape().outputs() != 1,
                "a reward of %d numbers for states of %d and actions of %d".formatted(inputs, observations, actions),
                "Use one that was made for this task, of states alone or of states and actions, with one output.");
    }

    public Network network() {
        return network;
    }

    /** Factor of a terminal state's reward that is added to the last step. */
    public double forEver() {
        return forEver;
    }

    /** From now on, what transitions are stored with counts as uncertainty, and costs this much each. */
    public void penalise(float weight) {
        penalty = weight;
    }

    /** What a unit of uncertainty costs; 0 where what is stored with transitions is ignored. */
    public float penalty() {
        return penalty;
    }

    public boolean stateOnly() {
        return network.shape().inputs() == observations;
    }

    @Override
    public void relabel(Batch batch) {
        evaluate(batch.states(), batch.actions(), batch.size());
        float[] given = tape.output();
        if (penalty > 0) {
            for (int row = 0; row < batch.size(); row++) {
                batch.rewards()[row] = given[row] - penalty * batch.rewards()[row];
            }
        } else {
            System.arraycopy(given, 0, batch.rewards(), 0, batch.size());
        }
        if (forEver > 0) {
            evaluate(batch.nextStates(), new float[batch.size() * actions], batch.size());
            for (int row = 0; row < batch.size(); row++) {
                batch.rewards()[row] += (1 - batch.live()[row]) * (float) (forEver * tape.output()[row]);
            }
        }
    }

    /** The reward of each row, nothing added for what follows termination. */
    public float[] of(float[] states, float[] acts, int rows) {
        evaluate(states, acts, rows);
        return Arrays.copyOf(tape.output(), rows);
    }

    private void evaluate(float[] states, float[] acts, int rows) {
        if (tape.capacity() < rows) {
            tape = network.tape(rows);
        }
        if (stateOnly()) {
            tape.forward(states, rows);
            return;
        }
        int width = observations + actions;
        if (pairs.length < rows * width) {
            pairs = new float[rows * width];
        }
        for (int row = 0; row < rows; row++) {
            System.arraycopy(states, row * observations, pairs, row * width, observations);
            System.arraycopy(acts, row * actions, pairs, row * width + observations, actions);
        }
        tape.forward(pairs, rows);
    }
}
