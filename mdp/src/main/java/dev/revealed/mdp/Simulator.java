package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Optional;

/**
 * A decision process that is known only through its steps, such as a physics simulator. One thread at a time; what it
 * owns (native memory, perhaps) is freed by {@link #close}. Observations and actions are single precision, as networks
 * take them; what the simulator computes with is its own affair.
 */
public interface Simulator extends AutoCloseable {

    /** What an agent may do: a cube of numbers, or one of a few choices (then the action is one number, its index). */
    sealed interface Actions {
        /** How many numbers an action is. */
        int size();

        /**
         * Numbers between -bound and bound.
         *
         * @param size 0 where something is known of observations alone
         */
        record Box(int size, float bound) implements Actions {
            public Box {
                BadInput.when(
                        size < 0, "the number of actions is " + size, "Give 0 or more."); // 0: of data without actions
                BadInput.positive("the bound of actions", bound);
            }
        }

        /** One of {@code count} choices. */
        record Choices(int count) implements Actions {
            public Choices {
                BadInput.count("the number of choices", count);
            }

            @Override
            public int size() {
                return 1;
            }
        }
    }

    /**
     * What a simulator looks like from outside.
     *
     * @param name lower-case name of the task
     * @param observations how many numbers an observation is
     * @param horizon steps after which an episode is cut off, which is not its end
     */
    record Space(String name, int observations, Actions actions, int horizon) {
        public Space {
            BadInput.when(name.isBlank(), "the simulator has no name", "Give it one, in lower case.");
            BadInput.count("the number of observations", observations);
            BadInput.count("the horizon", horizon);
        }
    }

    /** Whether an episode terminates with a step, by the observation after it alone. Threads may share it. */
    @FunctionalInterface
    interface Termination {
        /** Of the observation at {@code observations[offset ...]}. */
        boolean at(float[] observations, int offset);
    }

    /**
     * A simulator in which many short rollouts step together: a learnt world. Agents that learn in it take all rollouts of a
     * round at once, each up to {@link #length} steps, and need the other methods only for whole episodes.
     */
    interface Batched extends Simulator {
        /** Rollouts of a round. */
        int rollouts();

        /** Steps of a rollout, unless it terminates before. */
        int length();

        /** Writes the first observations of a round. */
        void begin(RandomStream stream, float[] states);

        /**
         * One step of the first {@code rows} rollouts. Results do not depend on the number of threads.
         *
         * @param actions that the agent chose; a log writes those that were taken in their place
         * @param stored becomes what transitions are remembered with in the place of a reward
         */
        void step(
                int rows,
                float[] states,
                float[] actions,
                RandomStream stream,
                float[] next,
                double[] stored,
                boolean[] terminated);
    }

    /** A system that is known from recordings: it has sizes, and cannot be stepped. */
    interface Recorded extends Simulator {
        private static UnsupportedOperationException notHere() {
            return new UnsupportedOperationException("recordings do not answer to actions");
        }

        @Override
        default void reset(RandomStream stream) {
            throw notHere();
        }

        @Override
        default void step(float[] actions, int offset) {
            throw notHere();
        }

        @Override
        default void observe(float[] into, int offset) {
            throw notHere();
        }

        @Override
        default double reward() {
            throw notHere();
        }

        @Override
        default boolean terminated() {
            throw notHere();
        }

        @Override
        default boolean truncated() {
            throw notHere();
        }

        @Override
        default double[] state() {
            throw notHere();
        }

        @Override
        default void restore(double[] state) {
            throw notHere();
        }
    }

    Space space();

    /** The rule by which its episodes terminate, where the observation after a step decides it; none where it is not known. */
    default Optional<Termination> termination() {
        return Optional.empty();
    }

    /** Begins an episode. */
    void reset(RandomStream stream);

    /**
     * One step with the action at {@code actions[offset ...]}. A terminated episode may be stepped on up to the horizon, for
     * rollouts that go on through the end; what happens after the horizon is not defined.
     */
    void step(float[] actions, int offset);

    /** Writes what is seen now to {@code into[offset ...]}. */
    void observe(float[] into, int offset);

    /** The task's own reward for the last step. */
    double reward();

    /** Whether the last step terminated the episode: nothing is worth anything afterwards. */
    boolean terminated();

    /** Whether the last step reached the horizon, and no step before: what would have come is worth as much as ever. */
    boolean truncated();

    /** Everything that the next steps depend on, for a checkpoint; of the same length every time. */
    double[] state();

    /** Goes on from where {@link #state} was taken, to the last bit. */
    void restore(double[] state);

    /** Frees what it owns, if anything; harmless the second time. */
    @Override
    default void close() {}
}
