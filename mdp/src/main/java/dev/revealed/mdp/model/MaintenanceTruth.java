package dev.revealed.mdp.model;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.Vec;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * How an agent with given parameters runs a {@link Maintenance} machine, by exact solution on a grid of index and wear.
 * Between grid points values are linear, and expectations of such values over the normal index and the uniform wear are
 * taken exactly, so that the spacing of the grid is all that separates this from the truth.
 */
public final class MaintenanceTruth {
    private static final double DEVIATIONS = 6; // the index seldom goes further
    private static final double TOLERANCE = 1e-9;
    private static final double NEGLIGIBLE = 1e-13;

    private final double[] costs; // of wear, then by choice
    private final double[] index;
    private final double[] wear;
    private final Mdp mdp;
    private final double[] continuation; // discounted, by state and choice

    /**
     * @param costs of wear, repair and replacement
     * @param variance of the index in the long run, positive
     * @param indexPoints 61 and 81 give four digits of a probability
     */
    public MaintenanceTruth(double[] costs, double variance, double discount, int indexPoints, int wearPoints) {
        this.costs = costs.clone();
        double deviation = Math.sqrt(variance);
        index = grid(-DEVIATIONS * deviation, DEVIATIONS * deviation, indexPoints);
        wear = grid(0, Maintenance.WORN_OUT, wearPoints);
        double shock = deviation * Math.sqrt(1 - Maintenance.PERSISTENCE * Maintenance.PERSISTENCE);
        double[][] indexLaw = new double[indexPoints][];
        for (int i = 0; i < indexPoints; i++) {
            double mean = Maintenance.PERSISTENCE * index[i];
            indexLaw[i] = shares(index, t -> normalExcess(mean, shock, t));
        }
        Kernel kernel = Kernel.of(indexPoints * wearPoints, Maintenance.CHOICES, (state, choice, row) -> {
            double left = Maintenance.after(wear[state % wearPoints], choice);
            double[] wearLaw = shares(wear, t -> uniformExcess(left, left + Maintenance.MOST_A_PERIOD, t));
            double[] law = indexLaw[state / wearPoints];
            for (int i = 0; i < indexPoints; i++) {
                for (int j = 0; law[i] > NEGLIGIBLE && j < wearPoints; j++) {
                    if (wearLaw[j] > 0) {
                        row.add(i * wearPoints + j, law[i] * wearLaw[j]);
                    }
                }
            }
        });
        mdp = Mdp.uniformStart(kernel, discount);
        continuation = solve();
    }

    private MaintenanceTruth(double[] costs, MaintenanceTruth like) {
        this.costs = costs.clone();
        index = like.index;
        wear = like.wear;
        mdp = like.mdp;
        continuation = solve();
    }

    /** The same with other costs of wear, repair and replacement, and an index of the same variance. */
    public MaintenanceTruth withCosts(double[] costs) {
        return new MaintenanceTruth(costs, this);
    }

    private double[] solve() {
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        double[] reward = new double[mdp.rows()];
        for (int row = 0; row < reward.length; row++) {
            int state = row / Maintenance.CHOICES;
            reward[row] = reward(index[state / wear.length], wear[state % wear.length], row % Maintenance.CHOICES);
        }
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process).solve(reward, policy, TOLERANCE).orThrow();
        double[] later = new double[reward.length];
        process.actionValues(reward, policy.values(), later);
        return Vec.plus(later, -1, reward);
    }

    private static double[] grid(double from, double to, int points) {
        return IntStream.range(0, points)
                .mapToDouble(i -> from + (to - from) * i / (points - 1))
                .toArray();
    }

    /**
     * What a random number adds to each grid point when it is shared between its neighbours, in the mean; the ends take what
     * lies beyond them.
     *
     * @param excess E max(X - t, 0), whose second differences these are
     */
    private static double[] shares(double[] grid, DoubleUnaryOperator excess) {
        int n = grid.length;
        double spacing = grid[1] - grid[0];
        double[] shares = new double[n];
        double above = 1; // the chance, shared alike, of lying at this point or beyond
        double last = excess.applyAsDouble(grid[0]);
        for (int i = 0; i < n - 1; i++) {
            double next = excess.applyAsDouble(grid[i + 1]);
            double beyond = (last - next) / spacing;
            shares[i] = Math.max(0, above - beyond);
            above = beyond;
            last = next;
        }
        shares[n - 1] = above;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            shares[i] = shares[i] > NEGLIGIBLE ? shares[i] : 0;
            sum += shares[i];
        }
        for (int i = 0; i < n; i++) {
            shares[i] /= sum;
        }
        return shares;
    }

    private static double normalExcess(double mean, double deviation, double t) {
        double u = (t - mean) / deviation;
        return deviation * Normal.density(u) + (mean - t) * Normal.cdf(-u);
    }

    private static double uniformExcess(double from, double to, double t) {
        double over = to - Math.max(from, t);
        return over <= 0 ? 0 : over * over / (2 * (to - from)) + Math.max(0, from - t);
    }

    private double reward(double z, double worn, int choice) {
        double gain = choice == Maintenance.KEEP ? 0 : z - costs[choice];
        return gain - costs[0] * Maintenance.after(worn, choice);
    }

    /** Writes the log probability of each choice. */
    public void logProbabilities(double z, double worn, double[] into) {
        double across = Math.clamp((z - index[0]) / (index[1] - index[0]), 0, index.length - 1);
        double up = Math.clamp((worn - wear[0]) / (wear[1] - wear[0]), 0, wear.length - 1);
        int i = Math.min((int) across, index.length - 2);
        int j = Math.min((int) up, wear.length - 2);
        double top = Double.NEGATIVE_INFINITY;
        for (int choice = 0; choice < Maintenance.CHOICES; choice++) {
            double low = between(i, j, up - j, choice);
            double high = between(i + 1, j, up - j, choice);
            into[choice] = reward(z, worn, choice) + low + (across - i) * (high - low);
            top = Math.max(top, into[choice]);
        }
        double sum = 0;
        for (int choice = 0; choice < Maintenance.CHOICES; choice++) {
            sum += Math.exp(into[choice] - top);
        }
        double soft = top + Math.log(sum);
        for (int choice = 0; choice < Maintenance.CHOICES; choice++) {
            into[choice] -= soft;
        }
    }

    private double between(int i, int j, double share, int choice) {
        int at = (i * wear.length + j) * Maintenance.CHOICES + choice;
        return continuation[at] + share * (continuation[at + Maintenance.CHOICES] - continuation[at]);
    }
}
