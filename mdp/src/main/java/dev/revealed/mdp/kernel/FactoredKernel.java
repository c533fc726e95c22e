package dev.revealed.mdp.kernel;

import dev.revealed.mdp.Kernel;
import dev.revealed.numeric.Buckets;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.sparse.ProductMatrix;

/** The kernel of a law under which each state variable moves by itself, given the state and the action. */
public final class FactoredKernel implements Kernel.Operator {
    private final ProductMatrix product;
    private final int[] tuple; // by row: which row of the product it is
    private final Buckets rows; // of each row of the product
    private final double size;

    /** @param tuple by row s*A + a the row of the product that moves it */
    public FactoredKernel(ProductMatrix product, int[] tuple) {
        this(product, tuple, Buckets.of(tuple, product.rows()));
    }

    private FactoredKernel(ProductMatrix product, int[] tuple, Buckets rows) {
        this.product = product;
        this.tuple = tuple;
        this.rows = rows;
        double all = 0;
        for (int t = 0; t < product.rows(); t++) {
            all += product.entries(t) * (rows.start()[t + 1] - rows.start()[t]);
        }
        size = all;
    }

    /** The same rows with other probabilities. */
    public FactoredKernel with(ProductMatrix other) {
        return new FactoredKernel(other, tuple, rows);
    }

    public ProductMatrix product() {
        return product;
    }

    @Override
    public void expect(int layer, double[] values, double[] into) {
        double[] expected = product.times(values);
        Parallel.range(tuple.length, (from, to) -> {
            for (int row = from; row < to; row++) {
                into[row] = expected[tuple[row]];
            }
        });
    }

    @Override
    public void push(int layer, double[] flow, double[] next) {
        double[] back = product.transposedTimes(byTuple(flow));
        System.arraycopy(back, 0, next, 0, back.length);
    }

    /** Sums over the rows that move alike. */
    public double[] byTuple(double[] flow) {
        double[] sums = new double[product.rows()];
        Parallel.range(sums.length, (from, to) -> {
            for (int t = from; t < to; t++) {
                double sum = 0;
                for (int k = rows.start()[t]; k < rows.start()[t + 1]; k++) {
                    sum += flow[rows.row()[k]];
                }
                sums[t] = sum;
            }
        });
        return sums;
    }

    @Override
    public int draw(int row, RandomStream stream) {
        return product.draw(tuple[row], stream);
    }

    @Override
    public void entries(int row, Kernel.Row out) {
        product.entries(tuple[row], out::add);
    }

    @Override
    public boolean leads(int row, int successor) {
        return product.positive(tuple[row], successor);
    }

    @Override
    public double size() {
        return size;
    }
}
