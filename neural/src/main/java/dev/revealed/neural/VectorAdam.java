package dev.revealed.neural;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/** {@link Adam}'s step on vector instructions, to the bits of its plain loop; in one pass, since memory is the limit. */
final class VectorAdam {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

    private VectorAdam() {}

    /** Takes the step for as many of {@code count} parameters as fill whole vectors; says how many. */
    static int apply(
            Adam adam,
            float[] parameters,
            int at,
            float[] gradient,
            int gradientAt,
            int count,
            float rate,
            float @Nullable [] target,
            float pull) {
        int whole = SPECIES.loopBound(count);
        if (target == null) {
            for (int k = 0; k < whole; k += SPECIES.length()) {
                step(adam, parameters, at + k, gradient, gradientAt + k, rate);
            }
        } else {
            for (int k = 0; k < whole; k += SPECIES.length()) {
                FloatVector p = step(adam, parameters, at + k, gradient, gradientAt + k, rate);
                FloatVector t = FloatVector.fromArray(SPECIES, target, at + k);
                t.add(p.sub(t).mul(pull)).intoArray(target, at + k);
            }
        }
        return whole;
    }

    private static FloatVector step(
            Adam adam, float[] parameters, int at, float[] gradient, int gradientAt, float rate) {
        FloatVector p = FloatVector.fromArray(SPECIES, parameters, at);
        FloatVector g = FloatVector.fromArray(SPECIES, gradient, gradientAt).add(p.mul(adam.coupled));
        FloatVector m =
                FloatVector.fromArray(SPECIES, adam.first, at).mul(adam.beta1).add(g.mul(adam.fresh1));
        FloatVector v = FloatVector.fromArray(SPECIES, adam.second, at)
                .mul(adam.beta2)
                .add(g.mul(g).mul(adam.fresh2));
        m = m.blend(0, m.abs().compare(VectorOperators.LT, Adam.FLUSH));
        v = v.blend(0, v.compare(VectorOperators.LT, Adam.FLUSH));
        m.intoArray(adam.first, at);
        v.intoArray(adam.second, at);
        FloatVector scale = v.sqrt().mul(adam.rootCorrection).add(adam.epsilon);
        FloatVector moved = p.mul(adam.keep).sub(m.mul(rate).div(scale));
        moved.intoArray(parameters, at);
        return moved;
    }
}
