package dev.revealed.imitate.rivals;

import dev.revealed.imitate.ExpertAndAgent;
import dev.revealed.imitate.Features;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.Score;
import dev.revealed.imitate.VisitRewards;
import dev.revealed.imitate.Visits;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import java.util.Map;

/**
 * f-IRL's gradient (Ni et al. 2020): the covariance, over trajectories, of the sum of what a divergence weighs each row
 * with and the sum of reward gradients. What rows weigh depends on how much likelier they are under the expert than under
 * the agent, which a classifier estimates.
 */
final class DivergenceScoring implements Imitation.Scoring {
    private static final String PREFIX = "f-irl"; // in checkpoints
    private static final String CLASSIFIER = PREFIX + ".classifier."; // likewise

    private final FIrl.Divergence divergence;
    private final ExpertAndAgent sides;
    private final boolean scaled;
    private final RewardModel ratio;
    private final Discriminator classifier;

    /**
     * @param ratio whose learnt network gives the log of the ratio of densities
     * @param scaled whether its inputs are scaled by what is seen first
     */
    DivergenceScoring(
            FIrl.Divergence divergence,
            Discriminator.Settings settings,
            ExpertAndAgent sides,
            RewardModel ratio,
            boolean scaled) {
        this.divergence = divergence;
        this.sides = sides;
        this.ratio = ratio;
        this.scaled = scaled;
        classifier = new Discriminator(settings, ratio);
    }

    @Override
    public Score at(
            RewardModel reward, Visits expert, Episodes episodes, Visits agent, RandomStream random, boolean first) {
        Features features = Features.of(agent);
        if (first && scaled) {
            ratio.scale(sides.shown(), features);
        }
        classifier.learn(expert, agent, random, 0);
        float[] gradient = new float[reward.learnt().parameters().length];
        Score.add(reward, weighed(RewardLoop.paid(ratio, expert), RewardLoop.paid(ratio, agent), episodes), gradient);
        VisitRewards paid = RewardLoop.paid(reward, expert);
        VisitRewards earned = RewardLoop.paid(reward, agent);
        return new Score(
                gradient,
                paid.mean() - earned.mean(),
                paid,
                earned,
                sides.features().distance(features),
                sides.length(episodes));
    }

    /** Rows of both sides with their weights in the gradient, by the log ratio of each. */
    private Visits weighed(VisitRewards expert, VisitRewards agent, Episodes episodes) {
        int width = expert.visits().width();
        int split = expert.rewards().length;
        int count = split + agent.rewards().length;
        float[] inputs = Arrays.copyOf(expert.visits().inputs(), count * width);
        System.arraycopy(agent.visits().inputs(), 0, inputs, split * width, (count - split) * width);
        float[] ratios = Arrays.copyOf(expert.rewards(), count);
        System.arraycopy(agent.rewards(), 0, ratios, split, count - split);
        int[] lengths = new int[sides.demonstrations().size() + episodes.size()];
        double[] chances = new double[lengths.length];
        int at = 0;
        int row = 0;
        for (Episode one : sides.demonstrations().all()) {
            lengths[at] = sides.rows(one);
            for (int end = row + lengths[at]; row < end; row++) {
                chances[at] += expert.visits().weights()[row] / 2; // half of all, resampled as the demonstrations are
            }
            at++;
        }
        for (Episode one : episodes.all()) {
            lengths[at] = sides.rows(one);
            chances[at++] = 0.5 / episodes.size();
        }
        float[] weights = covariance(divergence, ratios, lengths, chances);
        return new Visits(count, width, inputs, weights);
    }

    /**
     * Weights of rows such that the weighted sum of any numbers of rows is the covariance, over trajectories, of their means and
     * the means of what the divergence makes of the ratios. Means rather than sums: a trajectory that ended early counts as
     * much as a whole one, else rows of an agent that falls would hardly be learnt from.
     *
     * @param ratios log of the ratio of densities for each row, trajectory after trajectory
     * @param lengths rows of each trajectory, and {@code chances} how probable it is
     */
    static float[] covariance(FIrl.Divergence divergence, float[] ratios, int[] lengths, double[] chances) {
        double[] means = new double[lengths.length];
        double mean = 0;
        int row = 0;
        for (int i = 0; i < lengths.length; i++) {
            for (int end = row + lengths[i]; row < end; row++) {
                means[i] += divergence.of(ratios[row]) / lengths[i];
            }
            mean += chances[i] * means[i];
        }
        float[] weights = new float[ratios.length];
        row = 0;
        for (int i = 0; i < lengths.length; i++) {
            float weight = (float) (chances[i] * (means[i] - mean) / lengths[i]);
            Arrays.fill(weights, row, row + lengths[i], weight);
            row += lengths[i];
        }
        return weights;
    }

    @Override
    public Map<String, Double> diagnostics() {
        return classifier.diagnostics();
    }

    @Override
    public void save(Tensors into) {
        Tensors saved = Tensors.of(ratio::save);
        saved.names().forEach(name -> into.put(CLASSIFIER + name, saved.get(name)));
        classifier.save(PREFIX, into);
    }

    @Override
    public void restore(Tensors from) {
        ratio.restore(from.under(CLASSIFIER));
        classifier.restore(PREFIX, from);
    }
}
