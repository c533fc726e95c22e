package dev.revealed.imitate.judge;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.Optional;

/**
 * A recovered reward along trajectories, compared with the true reward where that is known; NaN where it is not.
 *
 * @param rewards of each step of each trajectory
 * @param returns their sums, with what comes after the end where the reward goes on there
 * @param deviation of the rewards, all steps together
 * @param pearson correlation with the true rewards, all steps together; {@code spearman} that of the ranks
 * @param returnPearson correlation of returns, where there are three trajectories or more
 * @param epic distance, where actions are known too
 * @param explained how much of the true reward a regression explains, which stands for it in the EPIC distance; NaN where
 *     the simulator was asked instead
 */
public record RewardComparison(
        double[][] rewards,
        double[] returns,
        double mean,
        double deviation,
        double pearson,
        double spearman,
        double returnPearson,
        double epic,
        double explained) {
    private static final int DRAWS = 64;

    /**
     * @param reward of a step alone, whatever comes after the end
     * @param absorb whether a terminated trajectory counts as staying in its last state until the horizon; returns of
     *     trajectories of different lengths can only be compared that way
     */
    public static RewardComparison of(
            Batch.Rewards reward,
            Episodes episodes,
            Simulator.Space space,
            double discount,
            boolean absorb,
            RandomStream stream) {
        return of(reward, episodes, space, discount, absorb, Optional.empty(), stream);
    }

    /** @param asked the simulator that played the episodes, which tells the true reward of any action in their states */
    public static RewardComparison of(
            Batch.Rewards reward,
            Episodes episodes,
            Simulator.Space space,
            double discount,
            boolean absorb,
            Optional<PlayedStates> asked,
            RandomStream stream) {
        double[][] rewards = RewardDistance.along(reward, episodes, space);
        double[] all = Arrays.stream(rewards).flatMapToDouble(Arrays::stream).toArray();
        double[] returns = new double[rewards.length];
        for (int i = 0; i < returns.length; i++) {
            Episode episode = episodes.all().get(i);
            boolean stays = absorb && episode.ending() == Ending.TERMINATED;
            returns[i] = Arrays.stream(rewards[i]).sum()
                    + (stays ? (space.horizon() - episode.length()) * afterEnd(reward, episode, space) : 0);
        }
        double mean = Vec.mean(all);
        double deviation = Vec.deviation(all);
        double nothing = Double.NaN;
        if (!episodes.hasRewards()) {
            return new RewardComparison(rewards, returns, mean, deviation, nothing, nothing, nothing, nothing, nothing);
        }
        double[] truth = episodes.all().stream()
                .flatMapToDouble(episode -> Arrays.stream(episode.rewards()))
                .toArray();
        double[] trueReturns =
                episodes.all().stream().mapToDouble(Episode::total).toArray();
        double epic = nothing;
        double explained = nothing;
        if (asked.isPresent()) {
            int every = PlayedStates.every(episodes);
            Batch steps = RewardDistance.steps(episodes, space, every, PlayedStates::askable);
            RewardDistance fidelity = new RewardDistance(steps, space, discount, DRAWS, stream);
            PlayedStates.Means means = asked.get().means(episodes, every, fidelity.drawnActions());
            epic = RewardDistance.distance(
                    fidelity.canonical(fidelity.own(reward), reward),
                    fidelity.canonical(means.own(), means.before(), means.after()));
        } else if (episodes.hasActions()) {
            Batch steps = RewardDistance.steps(episodes, space);
            RegressionReward recorded = RegressionReward.of(steps);
            RewardDistance fidelity = new RewardDistance(steps, space, discount, DRAWS, stream);
            explained = recorded.explained();
            epic = RewardDistance.distance(
                    fidelity.canonical(fidelity.own(reward), reward),
                    fidelity.canonical(RewardDistance.doubles(steps.rewards()), recorded));
        }
        double pearson = Vec.correlation(all, truth);
        double spearman = RewardDistance.spearman(all, truth);
        double ofReturns = returns.length < 3 ? nothing : Vec.correlation(returns, trueReturns);
        return new RewardComparison(rewards, returns, mean, deviation, pearson, spearman, ofReturns, epic, explained);
    }

    /** The reward of staying where an episode ended, with an action of zeros. */
    private static double afterEnd(Batch.Rewards reward, Episode episode, Simulator.Space space) {
        Batch last = Batch.of(1, space);
        int width = space.observations();
        System.arraycopy(episode.observations(), episode.length() * width, last.states(), 0, width);
        System.arraycopy(last.states(), 0, last.nextStates(), 0, width);
        last.live()[0] = 1;
        reward.relabel(last);
        return last.rewards()[0];
    }
}
