package dev.revealed.neural.ensemble;

import dev.revealed.neural.Adam;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.Mlp;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.List;

/**
 * Networks of one shape in training. Each learns the same rows in an order of its own, by Adam on minibatches, and what it
 * computes does not depend on the others. See {@link Gaussian} for the loss.
 */
public interface Ensemble extends AutoCloseable {

    /**
     * How members learn.
     *
     * @param batch rows of a minibatch
     * @param decay pull of weights towards zero, as in AdamW
     */
    record Settings(int batch, double learningRate, double decay) {
        /** Of the optimiser of each member. */
        public Adam.Settings adam() {
            return Adam.Settings.of(learningRate).withDecoupledDecay(decay);
        }
    }

    /** Makes ensembles on some device. */
    interface Maker {
        /** @param streams one for each member, which its initial network is drawn from */
        Ensemble of(Mlp shape, PredictedRows rows, Settings settings, List<RandomStream> streams);

        /** On the processor. */
        Maker PROCESSOR = CpuEnsemble::new;
    }

    /**
     * One pass by every member.
     *
     * @param orders for each member the rows that it takes; those that fill no minibatch are left out
     * @return for each member the mean loss over its minibatches, in nats per row without the constant
     * @throws DivergenceFailure where a loss is not finite
     */
    double[] pass(int[][] orders);

    /** The mean loss of each member over these rows. */
    double[] losses(int[] rows);

    /** A copy of a member's parameters. */
    float[] parameters(int member);

    /** Everything that a member's later steps depend on. */
    void save(int member, String prefix, Tensors into);

    void restore(int member, String prefix, Tensors from);

    @Override
    void close();
}
