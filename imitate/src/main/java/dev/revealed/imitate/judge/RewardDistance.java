package dev.revealed.imitate.judge;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Compares rewards along trajectories: Pearson's and Spearman's correlation, and the EPIC distance (Gleave et al. 2021),
 * which ignores what changes no optimal policy: a positive scale, a constant, and shaping by a potential.
 *
 * <p>The coverage distribution is that of the trajectories: their steps, and for the expectations that remove shaping,
 * actions and next states sampled independently from all steps.
 */
public final class RewardDistance {
    private static final int MOST_STEPS = 4000;

    private final Batch steps;
    private final Simulator.Space space;
    private final double discount;
    private final float[] drawnActions;
    private final float[] drawnStates;

    /**
     * @param steps to compare at; their rewards are not read
     * @param draws of action and next state for each expectation
     */
    public RewardDistance(Batch steps, Simulator.Space space, double discount, int draws, RandomStream stream) {
        this.steps = steps;
        this.space = space;
        this.discount = discount;
        drawnActions = draw(steps.actions(), steps.size(), draws, stream.named("actions"));
        drawnStates = draw(steps.nextStates(), steps.size(), draws, stream.named("states"));
    }

    private static float[] draw(float[] rows, int count, int draws, RandomStream stream) {
        int width = rows.length / count;
        float[] drawn = new float[draws * width];
        for (int k = 0; k < draws; k++) {
            System.arraycopy(rows, stream.nextInt(count) * width, drawn, k * width, width);
        }
        return drawn;
    }

    /** Steps of episodes, in their order: every so many of them where there are thousands. Unknown actions are zeros. */
    public static Batch steps(Episodes episodes, Simulator.Space space) {
        return steps(episodes, space, (int) Math.ceilDiv(episodes.steps(), MOST_STEPS), Episode::length);
    }

    /** Every so many of the first steps of each episode, the last argument saying how many those are. */
    static Batch steps(Episodes episodes, Simulator.Space space, int every, ToIntFunction<Episode> first) {
        int size = 0;
        for (Episode episode : episodes.all()) {
            size += Math.ceilDiv(first.applyAsInt(episode), every);
        }
        Batch batch = Batch.of(size, space);
        int width = space.observations();
        int actionWidth = space.actions().size();
        int row = 0;
        for (Episode episode : episodes.all()) {
            for (int t = 0; t < first.applyAsInt(episode); t += every, row++) {
                System.arraycopy(episode.observations(), t * width, batch.states(), row * width, width);
                System.arraycopy(episode.observations(), (t + 1) * width, batch.nextStates(), row * width, width);
                if (episode.actions() != null) {
                    System.arraycopy(
                            episode.actions(), t * actionWidth, batch.actions(), row * actionWidth, actionWidth);
                }
                batch.rewards()[row] = episode.rewards() == null ? Float.NaN : (float) episode.rewards()[t];
            }
        }
        Arrays.fill(batch.live(), 1); // what comes after the end is no part of the reward of a step
        return batch;
    }

    /** A reward at each step of each episode. */
    static double[][] along(Batch.Rewards reward, Episodes episodes, Simulator.Space space) {
        double[][] rewards = new double[episodes.size()][];
        for (int i = 0; i < rewards.length; i++) {
            Batch steps = steps(new Episodes(List.of(episodes.all().get(i))), space, 1, Episode::length);
            reward.relabel(steps);
            rewards[i] = doubles(steps.rewards());
        }
        return rewards;
    }

    /** Between 0, the same up to shaping, scale and a constant, and 1, the opposite; unrelated rewards are at 0.71. */
    public double epic(Batch.Rewards one, Batch.Rewards other) {
        return distance(canonical(own(one), one), canonical(own(other), other));
    }

    /** The reward of each of the steps. */
    public double[] own(Batch.Rewards reward) {
        int n = steps.size();
        Batch batch = new Batch(n, steps.states(), steps.actions(), new float[n], steps.live(), steps.nextStates());
        reward.relabel(batch);
        return doubles(batch.rewards());
    }

    /** Pearson's distance. */
    public static double distance(double[] one, double[] other) {
        return Math.sqrt(Math.max(0, (1 - Vec.correlation(one, other)) / 2));
    }

    /**
     * Canonically shaped rewards of the steps, up to a constant: R(s, a, s') + discount E R(s', A, S') - E R(s, A, S').
     *
     * @param own rewards of the steps themselves
     */
    public double[] canonical(double[] own, Batch.Rewards reward) {
        return canonical(own, expected(steps.states(), reward), expected(steps.nextStates(), reward));
    }

    /**
     * The same of a reward that is asked for at the steps and at what follows them, rather than at observations.
     *
     * @param before means at the states of the steps over {@link #drawnActions}, {@code after} at their next states
     */
    double[] canonical(double[] own, double[] before, double[] after) {
        double[] shaped = new double[own.length];
        Arrays.setAll(shaped, i -> own[i] + discount * after[i] - before[i]);
        return shaped;
    }

    /** Actions of the expectations, one after the other. */
    float[] drawnActions() {
        return drawnActions;
    }

    /** The mean reward in each of the states over the actions and next states that were drawn, the same for all. */
    private double[] expected(float[] states, Batch.Rewards reward) {
        int width = space.observations();
        int draws = drawnStates.length / width;
        Batch batch = new Batch(
                draws, new float[draws * width], drawnActions, new float[draws], new float[draws], drawnStates);
        Arrays.fill(batch.live(), 1);
        double[] means = new double[steps.size()];
        for (int i = 0; i < means.length; i++) {
            for (int k = 0; k < draws; k++) {
                System.arraycopy(states, i * width, batch.states(), k * width, width);
            }
            reward.relabel(batch);
            means[i] = Vec.mean(doubles(batch.rewards()));
        }
        return means;
    }

    static double[] doubles(float[] values) {
        return IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray();
    }

    /** Correlation of ranks; equal numbers share the mean of their ranks. */
    public static double spearman(double[] x, double[] y) {
        return Vec.correlation(ranks(x), ranks(y));
    }

    static double[] ranks(double[] x) {
        int[] order = Vec.order(x.length, i -> x[i]);
        double[] ranks = new double[x.length];
        int from = 0;
        while (from < x.length) {
            int to = from + 1;
            while (to < x.length && x[order[to]] == x[order[from]]) {
                to++;
            }
            for (int k = from; k < to; k++) {
                ranks[order[k]] = (from + to - 1) / 2.0;
            }
            from = to;
        }
        return ranks;
    }
}
