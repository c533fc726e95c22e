package dev.revealed.imitate;

import dev.revealed.neural.Adam;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;

/** Steps up the likelihood. */
public final class Ascent {
    /** How a gradient becomes a step. */
    public enum Kind {
        /** Adam, with decay as a part of the gradient. */
        ADAM_L2,
        /** The gradient itself, by steps that fall as the theory has them. */
        SGD
    }

    /** How the reward is learnt. */
    public record Settings(
            @Setting(
                    name = "optimiser",
                    label = "WHAT",
                    about =
                            "Of the reward: adam-l2, as in the reference code, or sgd, whose steps fall with the root of"
                                    + " their number, as in the theory.")
            Kind kind,

            @Setting(name = "reward-learning-rate", about = "Step size of the reward's optimiser.", above = 0)
            double learningRate,

            @Setting(name = "reward-decay", about = "Weight decay of the reward.", atLeast = 0, example = "1e-3")
            double decay,

            @Setting(
                    name = "loss-scale",
                    about = "Factor of the reward's gradient; with adam-l2 it only matters relative to the decay.",
                    above = 0)
            double scale) {
        public Settings {
            dev.revealed.settings.Settings.check(Settings.class, kind, learningRate, decay, scale);
        }
    }

    /** Steps of {@link Kind#SGD} are {@code learningRate / k^SIGMA}, the theory's choice. */
    private static final double SIGMA = 0.5;

    private final Settings settings;
    private final Adam adam;

    Ascent(Settings settings, int parameters) {
        this.settings = settings;
        adam = new Adam(Adam.Settings.of(settings.learningRate).withCoupledDecay(settings.decay), parameters);
    }

    /** @param k number of the step, from 1 */
    void step(RewardModel reward, Score score, long k) {
        step(reward.learnt().parameters(), score.gradient(), k);
        reward.changed();
    }

    void step(float[] parameters, float[] gradient, long k) {
        switch (settings.kind) {
            case ADAM_L2 -> {
                float[] down = new float[gradient.length];
                for (int i = 0; i < down.length; i++) {
                    down[i] = (float) (-settings.scale * gradient[i]);
                }
                adam.step(parameters, down);
            }
            case SGD -> {
                double rate = settings.learningRate / Math.pow((double) k, SIGMA);
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] += (float) (rate * (settings.scale * gradient[i] - settings.decay * parameters[i]));
                }
            }
        }
    }

    void save(Tensors into) {
        adam.save("reward.adam", into);
    }

    void restore(Tensors from) {
        adam.restore("reward.adam", from);
    }
}
