package dev.revealed.neural.ensemble;

/**
 * What an ensemble learns from, row after row in flat arrays.
 *
 * @param width numbers of an input
 * @param wide numbers of a target
 * @param ended whether the row terminated an episode; empty where that is not learnt
 */
public record PredictedRows(int count, int width, int wide, float[] inputs, float[] targets, boolean[] ended) {
    /** Whether terminations are learnt. */
    public boolean ends() {
        return ended.length > 0;
    }

    /** Numbers that a member gives: means, raw log variances, and the logit of a termination where that is learnt. */
    public int outputs() {
        return 2 * wide + (ends() ? 1 : 0);
    }
}
