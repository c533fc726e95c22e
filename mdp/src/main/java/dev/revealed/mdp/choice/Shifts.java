package dev.revealed.mdp.choice;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A variable that moves along its grid by one of a few shifts, each with an unknown probability, and stops at the ends:
 * Rust's mileage. The last shift's probability is one less the others. A cell is where the variable stands; its outcomes
 * are the different places it may go to, of which an end of the grid gathers several shifts.
 */
public final class Shifts implements TransitionFamily {
    /** What one less the others may come to where nothing is left. */
    private static final double ROUNDING = 1e-14;

    private final List<String> names;
    private final int shifts;
    private final int[][] outcomeOf;
    private final int[][] destination;

    /**
     * @param names of the probabilities of all shifts but the last
     * @param size of the grid
     */
    public Shifts(List<String> names, int[] shifts, int size) {
        if (shifts.length != names.size() + 1) {
            throw new BadInput(
                    "%d probabilities are named for %d shifts".formatted(names.size(), shifts.length),
                    "Name all but the last, which is one less the others.");
        }
        this.names = List.copyOf(names);
        this.shifts = shifts.length;
        outcomeOf = new int[size][shifts.length];
        destination = new int[size][];
        for (int x = 0; x < size; x++) {
            int at = x;
            int[] to = Arrays.stream(shifts)
                    .map(shift -> Math.clamp(at + shift, 0, size - 1))
                    .toArray();
            destination[x] = Arrays.stream(to).distinct().toArray();
            List<Integer> places = Arrays.stream(destination[x]).boxed().toList();
            Arrays.setAll(outcomeOf[x], j -> places.indexOf(to[j]));
        }
    }

    /** The move of a variable from the cell it is in. */
    public TransitionLaw.Part part(TransitionLaw.Cell from) {
        return new TransitionLaw.Part(this, from, (s, a, o) -> destination(from.of(s, a), o));
    }

    /** Where an outcome leads. */
    public int destination(int cell, int outcome) {
        return destination[cell][outcome];
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public int cells() {
        return destination.length;
    }

    @Override
    public int outcomes(int cell) {
        return destination[cell].length;
    }

    @Override
    public void at(double[] phi, int cell, double[] p) {
        Arrays.fill(p, 0, outcomes(cell), 0);
        double rest = 1;
        for (int j = 0; j < shifts; j++) {
            double share = j < shifts - 1 ? phi[j] : Math.abs(rest) < ROUNDING ? 0 : rest;
            p[outcomeOf[cell][j]] += share;
            rest -= share;
        }
    }

    @Override
    public void derivative(double[] phi, int cell, int k, double[] dp) {
        Arrays.fill(dp, 0, outcomes(cell), 0);
        dp[outcomeOf[cell][k]] += 1;
        dp[outcomeOf[cell][shifts - 1]] -= 1;
    }

    /** Shares of the shifts; where an end of the grid hides which it was, by expectation and maximisation. */
    @Override
    public double[] fit(double[][] counts) {
        double[] shares = new double[shifts];
        Arrays.fill(shares, 1.0 / shifts);
        for (int iteration = 0; iteration < 10_000; iteration++) {
            double[] expected = new double[shifts];
            double total = 0;
            for (int cell = 0; cell < counts.length; cell++) {
                double[] p = new double[outcomes(cell)];
                for (int j = 0; j < shifts; j++) {
                    p[outcomeOf[cell][j]] += shares[j];
                }
                for (int j = 0; j < shifts; j++) {
                    int o = outcomeOf[cell][j];
                    expected[j] += counts[cell][o] == 0 ? 0 : counts[cell][o] * shares[j] / p[o];
                }
                total += Arrays.stream(counts[cell]).sum();
            }
            if (total == 0) {
                throw TransitionFamily.unobserved(names);
            }
            double change = 0;
            for (int j = 0; j < shifts; j++) {
                change = Math.max(change, Math.abs(expected[j] / total - shares[j]));
                shares[j] = expected[j] / total;
            }
            if (change < 1e-14) {
                break;
            }
        }
        return Arrays.copyOf(shares, shifts - 1);
    }

    /**
     * On the shifts that occur: one that was never seen is known to be as good as impossible, and lends no variance to the
     * others. The likeliest stands for one less the rest.
     */
    @Override
    public double[][] influence(double[] phi, double[][] counts, double[] direction) {
        double[] shares = Arrays.copyOf(phi, shifts);
        shares[shifts - 1] = 1 - Arrays.stream(phi).sum();
        int reference = IntStream.range(0, shifts)
                .reduce((j, k) -> shares[k] > shares[j] ? k : j)
                .orElseThrow();
        int[] free = IntStream.range(0, shifts)
                .filter(j -> j != reference && shares[j] > 1e-12)
                .toArray();
        double[] along = Arrays.copyOf(direction, shifts);
        double[] wanted = Arrays.stream(free)
                .mapToDouble(j -> along[j] - along[reference])
                .toArray();
        double[][] information = new double[free.length][free.length];
        double[][][] scores = new double[cells()][][];
        for (int cell = 0; cell < scores.length; cell++) {
            double[] p = probabilities(phi, cell);
            double n = Arrays.stream(counts[cell]).sum();
            scores[cell] = new double[p.length][free.length];
            for (int o = 0; o < p.length; o++) {
                for (int f = 0; f < free.length && p[o] > 1e-12; f++) {
                    double own = outcomeOf[cell][free[f]] == o ? 1 : 0;
                    double less = outcomeOf[cell][reference] == o ? 1 : 0;
                    scores[cell][o][f] = (own - less) / p[o];
                }
                for (int f = 0; f < free.length; f++) {
                    for (int g = 0; g < free.length; g++) {
                        information[f][g] += n * p[o] * scores[cell][o][f] * scores[cell][o][g];
                    }
                }
            }
        }
        double[] solved = free.length == 0 ? wanted : Dense.solvePositive(information, wanted);
        double[][] table = new double[cells()][];
        for (int cell = 0; cell < table.length; cell++) {
            double[][] own = scores[cell];
            table[cell] =
                    Arrays.stream(own).mapToDouble(s -> Vec.dot(s, solved)).toArray();
        }
        return table;
    }
}
