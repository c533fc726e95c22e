package dev.revealed.neural;

import dev.revealed.numeric.Tensors;

/** The weight of entropy: set beforehand, or tuned by Adam on its logarithm so that entropy meets its target. */
final class EntropyWeight {
    private final Temperature temperature;
    private final float[] log = {0};
    private final float[] gradient = {0};
    private final Adam adam;

    EntropyWeight(Sac.Settings settings) {
        temperature = settings.temperature();
        adam = new Adam(Adam.Settings.of(settings.learningRate()), 1);
    }

    /** After so many updates. */
    double value(long updates) {
        return temperature.tuned() ? Math.exp(log[0]) : temperature.after(updates);
    }

    /** Falls while there is more entropy than wanted. */
    void adapt(double excess) {
        if (temperature.tuned()) {
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
