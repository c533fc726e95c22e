package dev.revealed.mdp;

import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** Draws trajectories of a policy. */
public final class Simulation {
    private final Mdp mdp;
    private final double[] policy;

    /** @param logPolicy log choice probabilities, row by row */
    public Simulation(Mdp mdp, double[] logPolicy) {
        this.mdp = mdp;
        policy = new double[logPolicy.length];
        for (int row = 0; row < policy.length; row++) {
            policy[row] = Math.exp(logPolicy[row]);
        }
    }

    public int start(RandomStream stream) {
        return stream.nextIndex(mdp.start(), 0, mdp.states());
    }

    public int act(int state, RandomStream stream) {
        return stream.nextIndex(policy, state * mdp.actions(), (state + 1) * mdp.actions());
    }

    public int move(int state, int action, RandomStream stream) {
        Kernel kernel = mdp.kernel();
        int row = state * mdp.actions() + action;
        int from = kernel.rowStart()[row];
        return kernel.successor()[from + stream.nextIndex(kernel.probability(), from, kernel.rowStart()[row + 1])];
    }

    /** One trajectory of the given number of decisions, its final state included. */
    public Trajectory trajectory(int length, RandomStream stream) {
        int[] states = new int[length + 1];
        int[] actions = new int[length];
        states[0] = start(stream);
        for (int t = 0; t < length; t++) {
            actions[t] = act(states[t], stream);
            states[t + 1] = move(states[t], actions[t], stream);
        }
        return new Trajectory(states, actions);
    }

    /** Many trajectories, the i-th from its own stream. */
    public Demonstrations demonstrations(int count, int length, RandomStream stream) {
        List<Trajectory> trajectories = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            trajectories.add(trajectory(length, stream.at(i)));
        }
        return new Demonstrations(trajectories);
    }
}
