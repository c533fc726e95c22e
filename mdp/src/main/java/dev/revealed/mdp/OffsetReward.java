package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.List;

/** A reward with a part that is known: r = offset(s, a) + free(s, a; theta). */
public final class OffsetReward implements Reward {
    private final Reward free;
    private final double[] offset;

    /** @param offset the known part, row by row */
    public OffsetReward(Reward free, double[] offset) {
        if (offset.length != free.rows()) {
            throw new IllegalArgumentException("%d known rewards for %d rows".formatted(offset.length, free.rows()));
        }
        for (int row = 0; row < offset.length; row++) {
            BadInput.finite("the known reward of row " + row, offset[row]);
        }
        this.free = free;
        this.offset = offset.clone();
    }

    @Override
    public int parameters() {
        return free.parameters();
    }

    @Override
    public int rows() {
        return offset.length;
    }

    @Override
    public List<String> names() {
        return free.names();
    }

    @Override
    public boolean stateOnly() {
        return false;
    }

    @Override
    public double[] initial(RandomStream stream) {
        return free.initial(stream);
    }

    @Override
    public void values(double[] theta, double[] rows) {
        free.values(theta, rows);
        for (int row = 0; row < offset.length; row++) {
            rows[row] += offset[row];
        }
    }

    @Override
    public void accumulate(double[] theta, double[] weight, double[] gradient) {
        free.accumulate(theta, weight, gradient);
    }

    @Override
    public void derivative(double[] theta, int j, double[] rows) {
        free.derivative(theta, j, rows);
    }
}
