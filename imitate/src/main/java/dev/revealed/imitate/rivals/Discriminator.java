package dev.revealed.imitate.rivals;

import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.Visits;
import dev.revealed.neural.Adam;
import dev.revealed.neural.GradientPenalty;
import dev.revealed.neural.Tape;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import java.util.Map;

/**
 * A classifier that distinguishes the expert's rows from the agent's: its network gives the logit x of D = 1 / (1 +
 * e^-x), the probability that a row is the expert's. Trained on minibatches of as many rows of each, by the logistic
 * loss and a penalty on slopes between them (Gulrajani et al. 2017).
 */
final class Discriminator implements RewardLoop.RewardStep {

    /** How it learns. */
    record Settings(
            @Setting(
                    name = "discriminator-updates",
                    about = "Updates of the discriminator in an iteration.",
                    atLeast = 1,
                    example = "100")
            int updates,

            @Setting(
                    name = "discriminator-batch",
                    about = "Rows of the expert in an update of the discriminator, and as many of the agent.",
                    atLeast = 1,
                    atMost = 1_000_000,
                    example = "256")
            int batch,

            @Setting(
                    name = "discriminator-learning-rate",
                    about = "Step size of the discriminator's Adam.",
                    above = 0,
                    example = "3e-4")
            double learningRate,

            @Setting(
                    name = "gradient-penalty",
                    about = "Weight of the squared difference between the discriminator's slope and `penalty-slope`, on"
                            + " lines between rows of expert and agent; 0 leaves it out.",
                    atLeast = 0,
                    example = "10")
            double penalty,

            @Setting(
                    about =
                            "Slope of the discriminator that `gradient-penalty` pulls towards, per unit of the inputs after "
                                    + "`reward-inputs`: 1 as published, 0 for the smoothest.",
                    atLeast = 0,
                    example = "1")
            double penaltySlope) {
        Settings {
            dev.revealed.settings.Settings.check(Settings.class, updates, batch, learningRate, penalty, penaltySlope);
        }
    }

    private final Settings settings;
    private final RewardModel model;
    private final Adam adam;
    private final Tape tape;
    private final GradientPenalty slopes;
    private final float[] gradient;
    private final DiscriminatorMeans means = new DiscriminatorMeans();

    /** @param model whose learnt network gives the logits */
    Discriminator(Settings settings, RewardModel model) {
        this.settings = settings;
        this.model = model;
        int parameters = model.learnt().parameters().length;
        adam = new Adam(Adam.Settings.of(settings.learningRate), parameters);
        tape = model.learnt().tape(2 * settings.batch);
        slopes = new GradientPenalty(model.learnt(), settings.batch, settings.penaltySlope);
        gradient = new float[parameters];
    }

    /** As many updates as an iteration has. */
    void learn(Visits expert, Visits agent, RandomStream stream, long steps) {
        Visits.Sampler experts = new Visits.Sampler(expert);
        Visits.Sampler agents = new Visits.Sampler(agent);
        int n = settings.batch;
        int width = expert.width();
        float[] rows = new float[2 * n * width];
        for (int update = 0; update < settings.updates; update++) {
            experts.draw(stream, n, rows, 0);
            agents.draw(stream, n, rows, n);
            model.standardise(rows, 2 * n);
            double loss = loss(rows, n, gradient);
            double penalty = 0;
            if (settings.penalty > 0) {
                penalty = slopes.add(between(rows, n, width, stream), n, settings.penalty, gradient);
            }
            means.add(loss, right(n), penalty, steps);
            adam.step(model.learnt().parameters(), gradient);
            model.learnt().changed();
        }
        model.changed();
    }

    static float[] between(float[] rows, int n, int width, RandomStream stream) {
        float[] points = new float[n * width];
        for (int i = 0; i < n; i++) {
            float share = stream.nextFloat();
            for (int j = 0; j < width; j++) {
                points[i * width + j] = share * rows[i * width + j] + (1 - share) * rows[(n + i) * width + j];
            }
        }
        return points;
    }

    /**
     * The logistic loss: the mean of -log D over the first {@code n} rows, the expert's, plus the mean of -log(1 - D) over the
     * next {@code n}, the agent's.
     *
     * @param rows as the network takes them
     * @param into becomes its gradient
     */
    double loss(float[] rows, int n, float[] into) {
        tape.forward(rows, 2 * n);
        double loss = 0;
        for (int i = 0; i < 2 * n; i++) {
            double x = tape.output()[i];
            int sign = i < n ? -1 : 1;
            loss += Logistic.softplus(sign * x) / n;
            tape.outputGradient()[i] = (float) (sign * Logistic.sigmoid(sign * x) / n);
        }
        tape.propagate(2 * n);
        tape.gradient(2 * n, into, false);
        return loss;
    }

    /** Share of the rows of the last loss that are on their side. */
    private double right(int n) {
        int right = 0;
        for (int i = 0; i < 2 * n; i++) {
            right += tape.output()[i] > 0 == i < n ? 1 : 0;
        }
        return right / (2.0 * n);
    }

    @Override
    public Map<String, Double> diagnostics() {
        return means.take();
    }

    @Override
    public void save(String prefix, Tensors into) {
        adam.save(prefix + ".adam", into);
        means.save(prefix, into);
    }

    @Override
    public void restore(String prefix, Tensors from) {
        adam.restore(prefix + ".adam", from);
        means.restore(prefix, from);
    }
}
