package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;

/**
 * A reward with a part that is known: r = offset(s, a) + free(s, a; theta).
 *
 * @param offset the known part, row by row
 */
public record OffsetReward(Reward free, double[] offset) implements Reward.Derived {
    public OffsetReward {
        if (offset.length != free.rows()) {
            throw new IllegalArgumentException("%d known rewards for %d rows".formatted(offset.length, free.rows()));
        }
        for (int row = 0; row < offset.length; row++) {
            BadInput.finite("the known reward of row " + row, offset[row]);
        }
        offset = offset.clone();
    }

    @Override
    public void values(double[] theta, double[] rows) {
        free.values(theta, rows);
        Vec.axpy(1, offset, rows);
    }
}
