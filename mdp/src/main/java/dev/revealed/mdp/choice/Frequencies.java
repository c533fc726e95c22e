package dev.revealed.mdp.choice;

import dev.revealed.mdp.Reward;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.List;

/**
 * Probabilities that nothing ties together: in every cell each outcome has its own, and the data's shares are their
 * estimates. The parameters are the probabilities of all outcomes but the last, cell by cell.
 *
 * <p>A cell never visited says nothing of its probabilities. They are then all equal: a choice, not an estimate.
 */
public record Frequencies(int cells, int outcomes, Naming naming) implements TransitionFamily {
    private static final int MOST_PARAMETERS = 1_000_000;

    /** What the probability of an outcome in a cell is called. */
    @FunctionalInterface
    public interface Naming {
        String of(int cell, int outcome);
    }

    public Frequencies {
        if ((long) cells * (outcomes - 1) > MOST_PARAMETERS) {
            throw new BadInput(
                    "%d cells of %d outcomes have more than %d frequencies".formatted(cells, outcomes, MOST_PARAMETERS),
                    "Use a coarser grid, or a law with few parameters.");
        }
    }

    @Override
    public List<String> names() {
        return new Reward.LazyNames(first(cells), i -> naming.of(i / (outcomes - 1), i % (outcomes - 1)));
    }

    @Override
    public int outcomes(int cell) {
        return outcomes;
    }

    private int first(int cell) {
        return cell * (outcomes - 1);
    }

    @Override
    public void at(double[] phi, int cell, double[] p) {
        double rest = 1;
        for (int o = 0; o < outcomes - 1; o++) {
            p[o] = phi[first(cell) + o];
            rest -= p[o];
        }
        p[outcomes - 1] = Math.abs(rest) < 1e-12 ? 0 : rest; // shares that sum to one but for rounding
    }

    @Override
    public void derivative(double[] phi, int cell, int k, double[] dp) {
        Arrays.fill(dp, 0, outcomes, 0);
        if (k / (outcomes - 1) == cell) {
            dp[k - first(cell)] = 1;
            dp[outcomes - 1] = -1;
        }
    }

    @Override
    public double[] fit(double[][] counts) {
        double[] phi = new double[parameters()];
        for (int cell = 0; cell < cells; cell++) {
            double n = Arrays.stream(counts[cell]).sum();
            for (int o = 0; o < outcomes - 1; o++) {
                phi[first(cell) + o] = n == 0 ? 1.0 / outcomes : counts[cell][o] / n;
            }
        }
        return phi;
    }

    /** In how many cells nothing was observed. */
    public int unvisited(double[][] counts) {
        return (int) Arrays.stream(counts)
                .filter(cell -> Arrays.stream(cell).sum() == 0)
                .count();
    }

    @Override
    public void accumulate(double[] phi, int cell, double weight, double[] given, double[] gradient, int first) {
        for (int o = 0; o < outcomes - 1; o++) {
            gradient[first + first(cell) + o] += weight * (given[o] - given[outcomes - 1]);
        }
    }

    @Override
    public double[] score(double[] phi, int cell, int outcome) {
        double p = probabilities(phi, cell)[outcome];
        double[] score = new double[parameters()];
        if (outcome < outcomes - 1) {
            score[first(cell) + outcome] = 1 / p;
        } else {
            Arrays.fill(score, first(cell), first(cell + 1), -1 / p);
        }
        return score;
    }

    /** The inverse information of a cell is (diag(p) - p p') / n: what one outcome adds to its shares is (1 - p) / n. */
    @Override
    public double[][] influence(double[] phi, double[][] counts, double[] direction) {
        double[][] table = new double[cells][outcomes];
        for (int cell = 0; cell < cells; cell++) {
            double n = Arrays.stream(counts[cell]).sum();
            if (n == 0) {
                continue;
            }
            double mean = 0;
            for (int o = 0; o < outcomes - 1; o++) {
                mean += direction[first(cell) + o] * phi[first(cell) + o];
            }
            for (int o = 0; o < outcomes; o++) {
                table[cell][o] = ((o < outcomes - 1 ? direction[first(cell) + o] : 0) - mean) / n;
            }
        }
        return table;
    }
}
