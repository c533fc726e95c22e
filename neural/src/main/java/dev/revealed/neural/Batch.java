package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;

/**
 * Transitions sampled from the replay buffer, row after row in flat arrays that every update fills again.
 *
 * @param live 0 where the episode terminated with this step, else 1
 */
public record Batch(int size, float[] states, float[] actions, float[] rewards, float[] live, float[] nextStates) {

    public static Batch of(int size, Simulator.Space space) {
        int states = size * space.observations();
        int actions = size * space.actions().size();
        return new Batch(
                size, new float[states], new float[actions], new float[size], new float[size], new float[states]);
    }

    /** Fills rows from {@code first} on with rows of another batch of the same task, drawn uniformly with replacement. */
    void draw(int first, Batch from, RandomStream stream) {
        for (int i = first; i < size; i++) {
            copy(i, from, stream.nextInt(from.size));
        }
    }

    /** These rows of it, in this order. */
    public Batch select(int... rows) {
        Batch chosen = new Batch(
                rows.length,
                new float[rows.length * (states.length / size)],
                new float[rows.length * (actions.length / size)],
                new float[rows.length],
                new float[rows.length],
                new float[rows.length * (states.length / size)]);
        for (int i = 0; i < rows.length; i++) {
            chosen.copy(i, this, rows[i]);
        }
        return chosen;
    }

    private void copy(int i, Batch from, int row) {
        int wide = states.length / size;
        int acts = actions.length / size;
        System.arraycopy(from.states, row * wide, states, i * wide, wide);
        System.arraycopy(from.actions, row * acts, actions, i * acts, acts);
        rewards[i] = from.rewards[row];
        live[i] = from.live[row];
        System.arraycopy(from.nextStates, row * wide, nextStates, i * wide, wide);
    }

    /** Refuses a batch of another size. */
    public void expect(int rows) {
        if (size != rows) {
            throw new IllegalArgumentException("a batch of %d where %d are expected".formatted(size, rows));
        }
    }

    /** The current reward: what an agent learns from when it is not the task's own. */
    @FunctionalInterface
    public interface Rewards {
        /** Leaves the rewards as they were stored: the task's own. */
        Rewards STORED = batch -> {};

        /** Writes {@link Batch#rewards} for the transitions of the batch. */
        void relabel(Batch batch);
    }
}
