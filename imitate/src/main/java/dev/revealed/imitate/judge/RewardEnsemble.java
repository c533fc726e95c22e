package dev.revealed.imitate.judge;

import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.stats.StudentT;
import java.util.Arrays;
import java.util.List;

/**
 * Rewards recovered from resampled demonstrations, to see how much they vary. A reward is identified up to a constant and a
 * positive scale at best, so each is standardised to mean 0 and standard deviation 1 over all steps of the trajectories
 * first: what still varies is which steps it prefers, and by how much relative to others.
 *
 * @param standardised rewards of each member, trajectory and step
 */
public record RewardEnsemble(double[][][] standardised) {
    /** From so many members on, intervals are percentiles. */
    private static final int MANY = 100;

    /**
     * @param members recovered from resampled demonstrations; rewards of single steps, without what follows termination
     * @param episodes of the expert
     */
    public static RewardEnsemble of(List<? extends Batch.Rewards> members, Episodes episodes, Simulator.Space space) {
        BadInput.when(members.size() < 2, "one reward does not show how rewards vary", "Give two or more, better ten.");
        return standardise(members.stream()
                .map(member -> RewardDistance.along(member, episodes, space))
                .toArray(double[][][]::new));
    }

    static RewardEnsemble standardise(double[][][] members) {
        return new RewardEnsemble(
                Arrays.stream(members).map(RewardEnsemble::standardise).toArray(double[][][]::new));
    }

    /**
     * Rewards of all steps of all trajectories, less their mean and over their deviation; zeros where they are everywhere
     * the same.
     */
    public static double[][] standardise(double[][] rewards) {
        double[] all = flat(rewards);
        double mean = Vec.mean(all);
        double deviation = Vec.deviation(all);
        return Arrays.stream(rewards)
                .map(each -> Arrays.stream(each)
                        .map(r -> deviation == 0 ? 0 : (r - mean) / deviation)
                        .toArray())
                .toArray(double[][]::new);
    }

    private static double[] flat(double[][] rewards) {
        return Arrays.stream(rewards).flatMapToDouble(Arrays::stream).toArray();
    }

    public int size() {
        return standardised.length;
    }

    /** The mean of the members at each step of a trajectory. */
    public double[] mean(int trajectory) {
        double[] mean = new double[standardised[0][trajectory].length];
        for (double[][] member : standardised) {
            Vec.axpy(1.0 / size(), member[trajectory], mean);
        }
        return mean;
    }

    /**
     * A pointwise interval at each step of a trajectory: mean of the members plus and minus their standard deviation times the
     * quantile of Student's t; from a hundred members on, percentiles.
     */
    public Interval[] intervals(int trajectory, double level) {
        double[] mean = mean(trajectory);
        Interval[] intervals = new Interval[mean.length];
        double[] draws = new double[size()];
        double reach = StudentT.quantile(0.5 + level / 2, size() - 1);
        for (int t = 0; t < intervals.length; t++) {
            for (int m = 0; m < draws.length; m++) {
                draws[m] = standardised[m][trajectory][t];
            }
            double deviation = Vec.standardError(draws) * Math.sqrt(draws.length);
            intervals[t] = size() >= MANY
                    ? Interval.percentile(draws, level)
                    : new Interval(mean[t] - reach * deviation, mean[t] + reach * deviation);
        }
        return intervals;
    }

    /**
     * The mean correlation between two members: 1 where all are the same, 0 where they are unrelated. A constant reward has
     * correlation 0 with every other.
     */
    public double agreement() {
        double sum = 0;
        for (int m = 0; m < size(); m++) {
            double[] one = flat(standardised[m]);
            for (int other = 0; other < m; other++) {
                sum += Vec.dot(one, flat(standardised[other])) / one.length;
            }
        }
        return sum / (size() * (size() - 1) / 2.0);
    }
}
