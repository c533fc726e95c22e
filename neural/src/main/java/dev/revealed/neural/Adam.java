package dev.revealed.neural;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Gemm;
import dev.revealed.numeric.Tensors;
import org.jspecify.annotations.Nullable;

/**
 * Adam (Kingma and Ba 2015) over one flat array of parameters. Moments below 1e-30 become zero: those of dead units would
 * otherwise turn subnormal, which halves the speed of everything.
 */
public final class Adam {

    /**
     * @param decay pulls parameters towards zero
     * @param coupled whether the pull goes through the moments (L2 added to the gradient) or past them (AdamW)
     */
    public record Settings(
            double learningRate, double beta1, double beta2, double epsilon, double decay, boolean coupled) {

        public Settings {
            BadInput.positive("the learning rate", learningRate);
            for (double beta : new double[] {beta1, beta2}) {
                BadInput.when(
                        !(beta >= 0 && beta < 1),
                        "a beta is " + beta,
                        "Give a number from 0 up to, but not including, 1.");
            }
            BadInput.positive("epsilon", epsilon);
            BadInput.notNegative("the decay", decay);
        }

        /** The learning rate times {@code share} in the step of this number, with the first moment's correction. */
        public float rate(long step, double share) {
            return (float) (share * learningRate / (1 - Math.pow(beta1, (double) step)));
        }

        /** The correction of the second moment's root in that step. */
        public float rootCorrection(long step) {
            return (float) (1 / Math.sqrt(1 - Math.pow(beta2, (double) step)));
        }

        /** What decoupled decay leaves of a parameter. */
        public float keep() {
            return coupled ? 1 : (float) (1 - learningRate * decay);
        }

        public static Settings of(double learningRate) {
            return new Settings(learningRate, 0.9, 0.999, 1e-8, 0, false);
        }

        /** A pull past the moments: a step shrinks parameters by the weight times the learning rate. */
        public Settings withDecoupledDecay(double weight) {
            return new Settings(learningRate, beta1, beta2, epsilon, weight, false);
        }

        /** L2 added to the gradient before the moments see it. */
        public Settings withCoupledDecay(double weight) {
            return new Settings(learningRate, beta1, beta2, epsilon, weight, true);
        }
    }

    static final float FLUSH = 1e-30f;

    private final Settings settings;
    final float[] first;
    final float[] second;
    final float beta1;
    final float beta2;
    /** What gradients get of the first moment, and their squares of the second. */
    final float fresh1;

    final float fresh2;
    final float epsilon;
    /** L2 that is added to the gradient. */
    final float coupled;
    /** What decoupled decay leaves of a parameter. */
    final float keep;

    float rate;
    float rootCorrection;
    private long steps;
    private float[] paces = {};
    private int rowWidth = 1;

    public Adam(Settings settings, int parameters) {
        this.settings = settings;
        first = new float[parameters];
        second = new float[parameters];
        beta1 = (float) settings.beta1;
        beta2 = (float) settings.beta2;
        fresh1 = (float) (1 - settings.beta1);
        fresh2 = (float) (1 - settings.beta2);
        epsilon = (float) settings.epsilon;
        coupled = settings.coupled ? (float) settings.decay : 0;
        keep = settings.keep();
    }

    /**
     * From now on the learning rate of the first rows of {@code width} parameters each is multiplied by {@code factors}, one
     * for each row.
     */
    public void pace(float[] factors, int width) {
        paces = factors.clone();
        rowWidth = width;
    }

    /** Steps taken so far. */
    public long steps() {
        return steps;
    }

    /** One step down the gradient. */
    public void step(float[] parameters, float[] gradient) {
        step(parameters, gradient, 1);
    }

    /** The same with the learning rate times {@code share}. */
    public void step(float[] parameters, float[] gradient, double share) {
        begin(share);
        apply(parameters, 0, gradient, parameters.length, null, 0);
    }

    /** Begins a step that {@link #apply} then takes piece by piece, with the learning rate times {@code share}. */
    void begin(double share) {
        steps++;
        rate = settings.rate(steps, share);
        rootCorrection = settings.rootCorrection(steps);
    }

    /**
     * Takes the step for {@code count} parameters from {@code at} on and lets {@code target} follow them: target = (1 - pull)
     * target + pull parameter.
     */
    void apply(float[] parameters, int at, float[] gradient, int count, float @Nullable [] target, float pull) {
        int end = at + count;
        for (int from = at; from < end; ) {
            int row = from / rowWidth;
            boolean paced = row < paces.length;
            int to = paced ? Math.min(end, (row + 1) * rowWidth) : end;
            apply(parameters, from, gradient, from - at, to - from, paced ? paces[row] : 1, target, pull);
            from = to;
        }
    }

    /** One row of the step: gradients from {@code gradientAt} on, and the learning rate times {@code pace}. */
    private void apply(
            float[] parameters,
            int at,
            float[] gradient,
            int gradientAt,
            int count,
            float pace,
            float @Nullable [] target,
            float pull) {
        float paced = rate * pace;
        int done = Gemm.VECTORS
                ? VectorAdam.apply(this, parameters, at, gradient, gradientAt, count, paced, target, pull)
                : 0;
        for (int k = done; k < count; k++) {
            int i = at + k;
            float p = parameters[i];
            float g = gradient[gradientAt + k] + coupled * p;
            float m = beta1 * first[i] + fresh1 * g;
            float v = beta2 * second[i] + fresh2 * (g * g);
            m = Math.abs(m) < FLUSH ? 0 : m;
            v = v < FLUSH ? 0 : v;
            first[i] = m;
            second[i] = v;
            p = keep * p - paced * m / ((float) Math.sqrt(v) * rootCorrection + epsilon);
            parameters[i] = p;
            if (target != null) {
                target[i] += pull * (p - target[i]);
            }
        }
    }

    public void save(String prefix, Tensors into) {
        into.put(prefix + ".first", first.clone());
        into.put(prefix + ".second", second.clone());
        into.put(prefix + ".steps", steps);
    }

    public void restore(String prefix, Tensors from) {
        from.into(prefix + ".first", first);
        from.into(prefix + ".second", second);
        steps = from.longs(prefix + ".steps")[0];
    }
}
