package dev.revealed.neural;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import java.util.Arrays;

/** Returns and lengths of whole episodes, by the task's own reward. */
public record Scores(double[] returns, int[] lengths) {
    /** Of no episode: no mean is a number. */
    public static final Scores NONE = new Scores(new double[0], new int[0]);

    /** Of episodes that have rewards. */
    public static Scores of(Episodes episodes) {
        return new Scores(
                episodes.all().stream().mapToDouble(Episode::total).toArray(),
                episodes.all().stream().mapToInt(Episode::length).toArray());
    }

    public double meanReturn() {
        return Arrays.stream(returns).average().orElse(Double.NaN);
    }

    public double meanLength() {
        return Arrays.stream(lengths).average().orElse(Double.NaN);
    }

    /** Of the mean return; NaN for fewer than two episodes. */
    public double standardError() {
        double mean = meanReturn();
        double squares =
                Arrays.stream(returns).map(r -> (r - mean) * (r - mean)).sum();
        return Math.sqrt(squares / (returns.length - 1.0) / returns.length);
    }

    /** Of all episodes together. */
    public long steps() {
        return Arrays.stream(lengths).asLongStream().sum();
    }
}
