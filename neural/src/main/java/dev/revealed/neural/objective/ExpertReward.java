package dev.revealed.neural.objective;

import dev.revealed.neural.Batch;
import dev.revealed.neural.Training.ExpertRows;

/**
 * The reward of SQIL: 1 for rows of the expert, which are the last of a batch, and 0 for others.
 *
 * @param forEver what is paid besides where one of the expert's episodes terminated: what staying there is worth
 */
public record ExpertReward(ExpertRows rows, double forEver) implements Batch.Rewards {
    @Override
    public void relabel(Batch batch) {
        int first = batch.size() - rows.in(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            batch.rewards()[i] = i < first ? 0 : (float) (1 + (1 - batch.live()[i]) * forEver);
        }
    }
}
