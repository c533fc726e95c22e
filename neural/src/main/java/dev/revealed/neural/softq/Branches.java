package dev.revealed.neural.softq;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;

/**
 * The last states that an agent visited, each with the next state after every choice under the same random numbers: the
 * simulator is restored for each choice. Differences between choices then have little noise (common random numbers).
 */
final class Branches {
    private final Simulator simulator;
    private final int observations;
    private final int choices;
    private final int horizon;
    private final int capacity;
    private final float[] states;
    private final float[] nexts;
    private final RandomStream explore;
    private final RandomStream resets;
    private final float[] action = new float[1];
    private long added;
    private long episodes;
    private int age;

    /** A first episode begins at once. */
    Branches(Simulator simulator, int capacity, RandomStream stream) {
        this.simulator = simulator;
        Simulator.Space space = simulator.space();
        observations = space.observations();
        choices = Successors.choices(space);
        horizon = space.horizon();
        this.capacity = capacity;
        states = new float[capacity * observations];
        nexts = new float[capacity * choices * observations];
        explore = stream.named("explore");
        resets = stream.named("reset");
        simulator.reset(resets.at(0));
    }

    long steps() {
        return added;
    }

    private int size() {
        return (int) Math.min(added, capacity);
    }

    /** One step of the agent's life, with its alternatives. */
    void step(Actor actor, boolean random) {
        int row = (int) (added % capacity);
        simulator.observe(states, row * observations);
        if (random) {
            action[0] = explore.nextInt(choices);
        } else {
            actor.act(states, row * observations, explore, action, 0);
        }
        int taken = (int) action[0];
        double[] here = simulator.state();
        for (int i = 1; i <= choices; i++) {
            int choice = (taken + i) % choices; // the one taken comes last, and the life goes on from there
            action[0] = choice;
            simulator.restore(here);
            simulator.step(action, 0);
            simulator.observe(nexts, (row * choices + choice) * observations);
            if (simulator.terminated()) {
                throw new BadInput(
                        "an episode of '%s' terminated"
                                .formatted(simulator.space().name()),
                        "Successor features are learnt on processes that never end.");
            }
        }
        added++;
        if (++age == horizon) {
            age = 0;
            simulator.reset(resets.at(++episodes));
        }
    }

    /** Fills rows drawn uniformly: {@code count} states, and what follows each choice in each of them. */
    void sample(RandomStream stream, int count, float[] into, float[] nextInto) {
        int branch = choices * observations;
        for (int i = 0; i < count; i++) {
            int row = stream.nextInt(size());
            System.arraycopy(states, row * observations, into, i * observations, observations);
            System.arraycopy(nexts, row * branch, nextInto, i * branch, branch);
        }
    }
}
