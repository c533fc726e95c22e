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

    /** Steps of {@link Kind#SGD} are {@code learningRate / k^SIGMA}, the theory's choice. */
    private static final double SIGMA = 0.5;

    private final Kind kind;
    private final double learningRate;
    private final double decay;
    private final Adam adam;

    private final double trust;

    /** @param trust as much as a step may change the reward, in the root mean square; 0 is as much as it likes */
    Ascent(Kind kind, double learningRate, double decay, double trust, int parameters) {
        this.trust = trust;
        this.kind = kind;
        this.learningRate = learningRate;
        this.decay = decay;
        adam = new Adam(Adam.Settings.of(learningRate).withCoupledDecay(decay), parameters);
    }

    /**
     * Moves a reward. How much the same step of parameters changes what is paid depends on the inputs, hundreds in one task
     * and below one in another, so it is the latter that is bounded.
     *
     * @param scale of the gradient, before the decay
     * @param k number of the step, from 1
     */
    void step(RewardModel reward, Score score, double scale, long k) {
        float[] parameters = reward.learnt().parameters();
        float[] before = parameters.clone();
        step(parameters, score.gradient(), scale, k);
        reward.changed();
        if (trust > 0) {
            double change = Math.max(
                    score.expert().change(reward.pay(score.expert().visits())),
                    score.agent().change(reward.pay(score.agent().visits())));
            if (change > trust) {
                for (int i = 0; i < before.length; i++) {
                    parameters[i] = (float) (before[i] + trust / change * (parameters[i] - before[i]));
                }
                reward.changed();
            }
        }
    }

    void step(float[] parameters, float[] gradient, double scale, long k) {
        switch (kind) {
            case ADAM_L2 -> {
                float[] down = new float[gradient.length];
                for (int i = 0; i < down.length; i++) {
                    down[i] = (float) (-scale * gradient[i]);
                }
                adam.step(parameters, down);
            }
            case SGD -> {
                double rate = learningRate / Math.pow((double) k, SIGMA);
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] += (float) (rate * (scale * gradient[i] - decay * parameters[i]));
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
