package dev.revealed.mdp;

import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Simulates trajectories of a policy. */
public final class Simulation {
    private final Mdp mdp;
    private final double[] policy;

    /** @param logPolicy log choice probabilities, row by row */
    public Simulation(Mdp mdp, double[] logPolicy) {
        this.mdp = mdp;
        policy = Arrays.stream(logPolicy).map(Math::exp).toArray();
    }

    public int start(RandomStream stream) {
        return stream.nextIndex(mdp.start(), 0, mdp.states());
    }

    public int act(int state, RandomStream stream) {
        return stream.nextIndex(policy, state * mdp.actions(), (state + 1) * mdp.actions());
    }

    public int move(int state, int action, RandomStream stream) {
        return mdp.kernel().draw(state * mdp.actions() + action, stream);
    }

    /**
     * One trajectory of the given number of decisions, its final state included; fewer where a process without discount
     * ends before, but one at least.
     */
    public Trajectory trajectory(int length, RandomStream stream) {
        int[] states = new int[length + 1];
        int[] actions = new int[length];
        states[0] = start(stream);
        int t = 0;
        do {
            actions[t] = act(states[t], stream);
            states[t + 1] = move(states[t], actions[t], stream);
            t++;
        } while (t < length && Arrays.binarySearch(mdp.ends(), states[t]) < 0);
        return new Trajectory(Arrays.copyOf(states, t + 1), Arrays.copyOf(actions, t));
    }

    /** Many trajectories, the i-th from its own stream. */
    public Demonstrations demonstrations(int count, int length, RandomStream stream) {
        return new Demonstrations(IntStream.range(0, count)
                .mapToObj(i -> trajectory(length, stream.at(i)))
                .toList());
    }
}
