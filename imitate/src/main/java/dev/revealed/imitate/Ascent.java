package dev.revealed.imitate;

import dev.revealed.neural.Adam;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import java.util.Set;

/** Steps of the reward that increase the likelihood: the reward step of Algorithm 1. */
public final class Ascent {
    /** How a gradient becomes a step. */
    public enum Kind {
        /** Adam, with decay as a part of the gradient. */
        ADAM_L2,
        /** The gradient itself, by a constant step that is smaller the longer the run is: Theorem 1. */
        SGD_CONSTANT,
        /** The gradient itself, by steps that fall with the root of their number. */
        SGD_DECAYING
    }

    /** How the reward is learnt. */
    public record Settings(
            @Setting(
                    name = "optimiser",
                    label = "WHAT",
                    about = "Optimiser of the reward: adam-l2, sgd-constant (Theorem 1) or sgd-decaying.")
            Kind kind,

            @Setting(name = "reward-learning-rate", about = "Step size of the reward's optimiser.", above = 0)
            double learningRate,

            @Setting(name = "reward-decay", about = "Weight decay of the reward.", atLeast = 0, example = "1e-3")
            double decay,

            @Setting(
                    name = "loss-scale",
                    about = "Factor of the reward's gradient; with adam-l2 it only matters relative to the decay.",
                    above = 0)
            double scale,

            @Setting(
                    name = "reward-halvings",
                    about = "Number of times that `reward-learning-rate` halves over the run with adam-l2, so that the"
                            + " reward comes to rest; 0 leaves it as it is, and so does a run without a set length.",
                    atLeast = 0,
                    atMost = 50,
                    example = "5")
            double halvings) {
        public Settings {
            dev.revealed.settings.Settings.check(Settings.class, kind, learningRate, decay, scale, halvings);
        }

        /** Refuses what has no effect, where it was given by name. */
        public void check(Set<String> named) {
            BadInput.when(
                    named.contains("reward-halvings") && halvings > 0 && kind != Kind.ADAM_L2,
                    "`reward-halvings` has no effect on SGD, whose step sizes follow a rule of their own",
                    "Leave it out, or choose `optimiser` adam-l2.");
        }
    }

    private static final double SIGMA = 0.5; // Theorem 1's, at which policy and reward converge alike
    private static final String PLANNED = "reward.planned"; // in checkpoints

    private final Settings settings;
    private final Adam adam;
    private long planned;

    /** @param planned reward steps of the whole run; 0 where that is not known and no step depends on it */
    Ascent(Settings settings, int parameters, long planned) {
        this.settings = settings;
        BadInput.when(
                settings.kind == Kind.SGD_CONSTANT && planned < 1,
                "`optimiser` sgd-constant needs to know how long the run is: its step depends on it",
                "Give the agent the steps of the run, or choose sgd-decaying.");
        this.planned = planned;
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
                adam.step(parameters, down, planned == 0 ? 1 : Math.pow(2, -settings.halvings * (k - 1) / planned));
            }
            case SGD_CONSTANT -> climb(parameters, gradient, planned);
            case SGD_DECAYING -> climb(parameters, gradient, k);
        }
    }

    private void climb(float[] parameters, float[] gradient, long number) {
        double rate = settings.learningRate / Math.pow((double) number, SIGMA);
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] += (float) (rate * (settings.scale * gradient[i] - settings.decay * parameters[i]));
        }
    }

    void save(Tensors into) {
        adam.save("reward.adam", into);
        if (dependsOnLength()) {
            into.put(PLANNED, planned);
        }
    }

    private boolean dependsOnLength() {
        return settings.kind == Kind.SGD_CONSTANT || settings.halvings > 0;
    }

    /** A run that is made longer keeps the steps of its first length. */
    void restore(Tensors from) {
        adam.restore("reward.adam", from);
        if (from.has(PLANNED)) {
            planned = from.longs(PLANNED)[0];
        }
    }
}
