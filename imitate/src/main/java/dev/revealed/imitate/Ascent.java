package dev.revealed.imitate;

import dev.revealed.neural.Adam;
import dev.revealed.numeric.Tensors;
import java.util.Locale;

/** Steps up the likelihood. */
public final class Ascent {
    /** How a gradient becomes a step. */
    public enum Kind {
        /** Adam, with decay as a part of the gradient. */
        ADAM_L2,
        /** The gradient itself, by steps that fall as the theory has them. */
        SGD;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * @param kind of optimiser (quirk Q5)
     * @param learningRate of it, and {@code decay} pulls parameters towards zero
     * @param scale of the gradient, before the decay; with Adam it matters beside that alone (quirk Q4)
     */
    public record Settings(Kind kind, double learningRate, double decay, double scale) {}

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
