package dev.revealed.imitate.world;

import dev.revealed.imitate.ExpertAndAgent;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.Score;
import dev.revealed.imitate.VisitRewards;
import dev.revealed.imitate.Visits;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The gradient of the likelihood, which the penalty does not change; and what a unit of uncertainty costs from then on: a
 * multiple of the standard deviation of the reward over expert and agent.
 */
final class PenalisedScoring implements Imitation.Scoring {
    private static final String COST = "offline.cost"; // in checkpoints
    private static final String DATA = "offline.data"; // likewise

    private final ExpertAndAgent sides;
    private final double weight;
    private final long checksum;
    private @Nullable RewardNetwork labels;
    private double cost;

    /** @param checksum of world and log, by which others are noticed on resume */
    PenalisedScoring(ExpertAndAgent sides, double weight, long checksum) {
        this.sides = sides;
        this.weight = weight;
        this.checksum = checksum;
    }

    /** What labels the learner's batches. */
    void label(RewardNetwork network) {
        labels = network;
    }

    @Override
    public Score at(
            RewardModel reward, Visits expert, Episodes episodes, Visits agent, RandomStream random, boolean first) {
        Score score = Score.of(reward, expert, sides.features(), agent, sides.length(episodes));
        cost = weight * deviation(score.expert(), score.agent());
        penalise();
        return score;
    }

    private void penalise() {
        if (labels != null) {
            labels.penalise((float) cost);
        }
    }

    /** Over both, each of them half. */
    static double deviation(VisitRewards expert, VisitRewards agent) {
        double mean = (expert.mean() + agent.mean()) / 2;
        double squares = 0;
        for (VisitRewards side : new VisitRewards[] {expert, agent}) {
            for (int row = 0; row < side.rewards().length; row++) {
                double away = side.rewards()[row] - mean;
                squares += 0.5 * side.visits().weights()[row] * away * away;
            }
        }
        return Math.sqrt(squares);
    }

    @Override
    public Map<String, Double> diagnostics() {
        return Map.of("uncertaintyCost", cost);
    }

    @Override
    public void save(Tensors into) {
        into.put(COST, new double[] {cost});
        into.put(DATA, checksum);
    }

    @Override
    public void restore(Tensors from) {
        BadInput.when(
                from.longs(DATA)[0] != checksum,
                "the world or the log is another than when the run was started",
                "Restore the original ones, or begin another run in another folder.");
        cost = from.doubles(COST)[0];
        penalise();
    }
}
