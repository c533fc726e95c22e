package dev.revealed.neural;

import dev.revealed.numeric.Tensors;

/** The weight of entropy: set beforehand, or tuned by Adam on its logarithm so that entropy meets its target. */
final class Temperature {
    private final boolean tuned;
    private final double first;
    private final double halving;
    private final float[] log = {0};
    private final float[] gradient = {0};
    private final Adam adam;

    Temperature(Sac.Settings settings) {
        tuned = settings.tuned();
        first = settings.temperature();
        halving = settings.halving();
        adam = new Adam(Adam.Settings.of(settings.learningRate()), 1);
    }

    /** After so many updates. */
    double value(long updates) {
        return tuned ? Math.exp(log[0]) : halving == 0 ? first : first * Math.pow(2, -updates / halving);
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
