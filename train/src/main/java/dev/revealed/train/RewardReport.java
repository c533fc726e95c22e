package dev.revealed.train;

import dev.revealed.imitate.judge.RewardComparison;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@code result.json} about a recovered reward along trajectories.
 *
 * @param learntOn the task, where it is known
 * @param inputs what the reward is of
 */
public record RewardReport(
        String reward, @Nullable String learntOn, String inputs, double discount, long seed, List<Measured> along) {
    /** Along the trajectories of one source. */
    public record Measured(
            String name,
            String from,
            String dataHash,
            int trajectories,
            long steps,
            double meanReward,
            double deviation,
            double[] returns,
            double[] trueReturns,
            double pearson,
            double spearman,
            double returnPearson,
            double epic,
            double explained) {
        public static Measured of(String name, String from, Episodes episodes, RewardComparison judgement) {
            return new Measured(
                    name,
                    from,
                    episodes.hash(),
                    episodes.size(),
                    episodes.steps(),
                    judgement.mean(),
                    judgement.deviation(),
                    judgement.returns(),
                    episodes.all().stream().mapToDouble(Episode::total).toArray(),
                    judgement.pearson(),
                    judgement.spearman(),
                    judgement.returnPearson(),
                    judgement.epic(),
                    judgement.explained());
        }
    }
}
