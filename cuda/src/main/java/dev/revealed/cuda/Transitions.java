package dev.revealed.cuda;

import dev.revealed.neural.Batch;
import dev.revealed.numeric.RandomStream;

/** Transitions of a made-up task, the same for both backends. */
final class Transitions {
    final Check.Size size;
    final float[][] states;
    final float[][] actions;
    final float[] rewards;
    final boolean[] ends;
    final float[][] next;

    Transitions(Check.Size size, int count, RandomStream stream) {
        this.size = size;
        states = normal(count, size.observations(), stream);
        next = normal(count, size.observations(), stream);
        actions = normal(count, size.actions(), stream);
        rewards = new float[count];
        ends = new boolean[count];
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < size.actions(); j++) {
                actions[i][j] = 0.8f * (float) Math.tanh(actions[i][j]);
            }
            rewards[i] = (float) (1 + stream.nextGaussian());
            ends[i] = stream.nextDouble() < 0.1;
        }
    }

    private static float[][] normal(int count, int width, RandomStream stream) {
        float[][] values = new float[count][width];
        for (float[] row : values) {
            for (int j = 0; j < width; j++) {
                row[j] = (float) stream.nextGaussian();
            }
        }
        return values;
    }

    int count() {
        return states.length;
    }

    void addTo(CudaSac sac, int run) {
        for (int i = 0; i < count(); i++) {
            sac.add(run, states[i], actions[i], rewards[i], ends[i], next[i]);
        }
    }

    Batch batch(int[] rows) {
        Batch batch = Batch.of(rows.length, size.space());
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(states[rows[i]], 0, batch.states(), i * size.observations(), size.observations());
            System.arraycopy(next[rows[i]], 0, batch.nextStates(), i * size.observations(), size.observations());
            System.arraycopy(actions[rows[i]], 0, batch.actions(), i * size.actions(), size.actions());
            batch.rewards()[i] = rewards[rows[i]];
            batch.live()[i] = ends[rows[i]] ? 0 : 1;
        }
        return batch;
    }
}
