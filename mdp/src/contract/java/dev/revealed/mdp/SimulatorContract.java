package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.numeric.RandomStream;
import org.junit.jupiter.api.Test;

/** What learners rely on in every {@link Simulator}. A test of an implementation extends this class. */
public abstract class SimulatorContract {
    private static final int STEPS = 60;

    /** A new simulator, the same at every call. */
    protected abstract Simulator simulator();

    /** What is seen and reported after a step. */
    private record Seen(float[] observation, double reward, boolean terminated, boolean truncated) {
        static Seen of(Simulator simulator) {
            float[] observation = new float[simulator.space().observations()];
            simulator.observe(observation, 0);
            return new Seen(observation, simulator.reward(), simulator.terminated(), simulator.truncated());
        }

        boolean ended() {
            return terminated || truncated;
        }
    }

    private static float[] action(Simulator simulator, RandomStream random) {
        float[] action = new float[simulator.space().actions().size()];
        switch (simulator.space().actions()) {
            case Simulator.Actions.Box box -> {
                for (int i = 0; i < action.length; i++) {
                    action[i] = (float) random.nextDouble(-box.bound(), box.bound());
                }
            }
            case Simulator.Actions.Choices choices -> action[0] = random.nextInt(choices.count());
        }
        return action;
    }

    /** Steps with random actions; an episode that ended is followed by the next. */
    private static Seen[] play(Simulator simulator, int steps, RandomStream random) {
        Seen[] seen = new Seen[steps];
        RandomStream resets = random.named("reset");
        RandomStream actions = random.named("actions");
        for (int t = 0; t < steps; t++) {
            simulator.step(action(simulator, actions), 0);
            seen[t] = Seen.of(simulator);
            if (seen[t].ended()) {
                simulator.reset(resets.at(t));
            }
        }
        return seen;
    }

    @Test
    void theSameSeedGivesTheSameBytes() {
        try (Simulator one = simulator();
                Simulator other = simulator()) {
            play(other, 7, RandomStream.of(9)); // what happened before a reset does not matter
            one.reset(RandomStream.of(3));
            other.reset(RandomStream.of(3));
            assertThat(Seen.of(one)).usingRecursiveComparison().isEqualTo(Seen.of(other));
            assertThat(play(one, STEPS, RandomStream.of(4)))
                    .usingRecursiveComparison()
                    .isEqualTo(play(other, STEPS, RandomStream.of(4)));
        }
    }

    @Test
    void goesOnFromASavedStateToTheLastBit() {
        try (Simulator one = simulator();
                Simulator other = simulator()) {
            one.reset(RandomStream.of(3));
            play(one, 5, RandomStream.of(4));
            double[] state = one.state();
            assertThat(one.state()).isEqualTo(state);
            other.reset(RandomStream.of(8));
            other.restore(state);
            assertThat(other.state()).isEqualTo(state);
            assertThat(Seen.of(other)).usingRecursiveComparison().isEqualTo(Seen.of(one));
            Seen[] first = play(one, STEPS, RandomStream.of(6));
            assertThat(play(other, STEPS, RandomStream.of(6)))
                    .usingRecursiveComparison()
                    .isEqualTo(first);
            one.restore(state);
            assertThat(play(one, STEPS, RandomStream.of(6)))
                    .usingRecursiveComparison()
                    .isEqualTo(first);
        }
    }

    /** Sizes are those of the space, numbers are finite, and nothing beside them is read or written. */
    @Test
    void observationsAndActionsHaveTheSizesOfTheSpace() {
        try (Simulator simulator = simulator();
                Simulator other = simulator()) {
            int observations = simulator.space().observations();
            simulator.reset(RandomStream.of(3));
            other.reset(RandomStream.of(3));
            RandomStream actions = RandomStream.of(5);
            for (int t = 0; t < STEPS && !simulator.terminated() && !simulator.truncated(); t++) {
                float[] action = action(simulator, actions);
                float[] within = new float[action.length + 2];
                within[0] = Float.NaN;
                within[action.length + 1] = Float.NaN;
                System.arraycopy(action, 0, within, 1, action.length);
                simulator.step(action, 0);
                other.step(within, 1);
                float[] seen = new float[observations + 2];
                seen[0] = Float.NaN;
                seen[observations + 1] = Float.NaN;
                other.observe(seen, 1);
                assertThat(seen[0]).isNaN();
                assertThat(seen[observations + 1]).isNaN();
                Seen plain = Seen.of(simulator);
                for (int i = 0; i < observations; i++) {
                    assertThat(Float.isFinite(plain.observation[i])).isTrue();
                    assertThat(seen[i + 1]).isEqualTo(plain.observation[i]);
                }
                assertThat(Double.isFinite(plain.reward)).isTrue();
            }
        }
    }

    /** A new episode has not ended; one that is not terminated is truncated at the horizon and at no other step. */
    @Test
    void anEpisodeEndsAtTheHorizonAtTheLatest() {
        try (Simulator simulator = simulator()) {
            int horizon = simulator.space().horizon();
            for (int episode = 0; episode < 3; episode++) {
                simulator.reset(RandomStream.of(episode));
                assertThat(Seen.of(simulator).ended()).isFalse();
                RandomStream actions = RandomStream.of(20 + episode);
                int t = 0;
                do {
                    simulator.step(action(simulator, actions), 0);
                    t++;
                    assertThat(t).isLessThanOrEqualTo(horizon);
                    assertThat(simulator.truncated()).isEqualTo(t == horizon && !terminatedInstead(simulator));
                } while (!simulator.terminated() && !simulator.truncated());
            }
        }
    }

    /** At the horizon a simulator may report a termination alone. */
    private static boolean terminatedInstead(Simulator simulator) {
        return simulator.terminated() && !simulator.truncated();
    }

    /** Steps after a termination are possible up to the horizon: rollouts may go on through it. */
    @Test
    void canBeSteppedThroughATermination() {
        try (Simulator simulator = simulator()) {
            int horizon = simulator.space().horizon();
            simulator.reset(RandomStream.of(1));
            RandomStream actions = RandomStream.of(2);
            for (int t = 1; t <= horizon; t++) {
                assertThat(simulator.truncated()).as("before step %d", t).isFalse();
                simulator.step(action(simulator, actions), 0);
            }
            Seen last = Seen.of(simulator);
            assertThat(last.ended()).isTrue();
            for (float number : last.observation) {
                assertThat(Float.isFinite(number)).isTrue();
            }
        }
    }

    @Test
    void canBeClosedTwice() {
        Simulator simulator = simulator();
        simulator.reset(RandomStream.of(1));
        simulator.close();
        simulator.close();
    }
}
