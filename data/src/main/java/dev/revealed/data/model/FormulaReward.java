package dev.revealed.data.model;

import dev.revealed.mdp.Reward;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A utility that formulas give and that need not be linear in its parameters. Derivatives are those of the formulas, by
 * the chain rule.
 */
final class FormulaReward implements Reward {
    private final List<String> names;
    private final @Nullable Expression[] formulas; // by row; null where there is no utility
    private final IntFunction<double[]> variables; // by row

    FormulaReward(List<String> names, @Nullable Expression[] formulas, IntFunction<double[]> variables) {
        this.names = List.copyOf(names);
        this.formulas = formulas;
        this.variables = variables;
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public boolean stateOnly() {
        return false;
    }

    @Override
    public int rows() {
        return formulas.length;
    }

    /** The value of a row, and its derivatives; zero where there is no utility. */
    private double at(int row, double[] theta, double[] derivative) {
        Expression formula = formulas[row];
        if (formula == null) {
            Arrays.fill(derivative, 0);
            return 0;
        }
        return formula.dual(variables.apply(row), theta, derivative);
    }

    @Override
    public void values(double[] theta, double[] rows) {
        double[] ignored = new double[names.size()];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = at(row, theta, ignored);
        }
    }

    @Override
    public void accumulate(double[] theta, double[] weight, double[] gradient) {
        double[] derivative = new double[names.size()];
        for (int row = 0; row < weight.length; row++) {
            if (weight[row] != 0) {
                at(row, theta, derivative);
                for (int j = 0; j < derivative.length; j++) {
                    gradient[j] += weight[row] * derivative[j];
                }
            }
        }
    }

    @Override
    public void derivative(double[] theta, int j, double[] rows) {
        double[] derivative = new double[names.size()];
        for (int row = 0; row < rows.length; row++) {
            at(row, theta, derivative);
            rows[row] = derivative[j];
        }
    }

    /** All at once, since a formula's derivatives come together. */
    @Override
    public double[][] derivatives(double[] theta) {
        double[][] columns = new double[names.size()][formulas.length];
        double[] derivative = new double[names.size()];
        for (int row = 0; row < formulas.length; row++) {
            at(row, theta, derivative);
            for (int j = 0; j < derivative.length; j++) {
                columns[j][row] = derivative[j];
            }
        }
        return columns;
    }
}
