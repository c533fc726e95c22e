package dev.revealed.data.model;

import dev.revealed.mdp.Reward;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A utility that formulas give and that need not be linear in its parameters. Derivatives are those of the formulas, by
 * the chain rule.
 */
final class FormulaReward implements Reward {
    private final List<String> names;
    private final List<Expression> formulas; // by action
    private final boolean[] counts; // by row: whether there is a utility
    private final IntFunction<double[]> variables; // by row

    FormulaReward(List<String> names, List<Expression> formulas, boolean[] counts, IntFunction<double[]> variables) {
        this.names = List.copyOf(names);
        this.formulas = List.copyOf(formulas);
        this.counts = counts;
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
        return counts.length;
    }

    private double at(int row, double[] theta, double[] derivative) {
        return formulas.get(row % formulas.size()).dual(variables.apply(row), theta, derivative);
    }

    @Override
    public void values(double[] theta, double[] rows) {
        double[] ignored = new double[names.size()];
        for (int row = 0; row < counts.length; row++) {
            rows[row] = counts[row] ? at(row, theta, ignored) : 0;
        }
    }

    @Override
    public void accumulate(double[] theta, double[] weight, double[] gradient) {
        double[] derivative = new double[names.size()];
        for (int row = 0; row < counts.length; row++) {
            if (counts[row] && weight[row] != 0) {
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
        Arrays.fill(rows, 0);
        for (int row = 0; row < counts.length; row++) {
            if (counts[row]) {
                at(row, theta, derivative);
                rows[row] = derivative[j];
            }
        }
    }
}
