package dev.revealed.neural;

import dev.revealed.numeric.Tensors;

/** The weight of entropy: fixed, or tuned by Adam on its logarithm so that entropy meets its target. */
final class Temperature {
    private final boolean tuned;
    private final double fixed;
    private final float[] log = {0};
    private final float[] gradient = {0};
    private final Adam adam;

    Temperature(Sac.Settings settings) {
        tuned = settings.tuned();
        fixed = settings.temperature();
        adam = new Adam(Adam.Settings.of(settings.learningRate()), 1);
    }

    double value() {
        return tuned ? Math.exp(log[0]) : fixed;
    }

    /** Falls while there is more entropy than wanted. */
    void adapt(double excess) {
        if (tuned) {
            gradient[0] = (float) excess;
            adam.step(log, gradient);
        }
    }

    void save(Tensors into) {
        into.put("temperature.log", log.clone());
        adam.save("temperature.adam", into);
    }

    void restore(Tensors from) {
        from.into("temperature.log", log);
        adam.restore("temperature.adam", from);
    }
}
