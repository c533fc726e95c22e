package dev.revealed.neural;

import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.RandomStream;
import org.jspecify.annotations.Nullable;

/** Actions that a policy draws for the states of a batch, with all that their gradients need. */
public final class PolicyDraws {
    private final GaussianActor actor;
    private final int observations;
    private final int actions;
    private final Tape tape;
    private final float[] noise;
    /** Standard deviation times noise: how far the draw is from the mean, before squashing. */
    private final float[] spread;

    private final float[] squashed;
    private final double[] logDensity;
    private final float[] pairs;
    private @Nullable Tape reference;
    /** Of the reference policy: log density of a row's action before squashing, and minus its slope. */
    private double[] logReference = new double[0];

    private float[] pull = new float[0];

    /** For up to {@code rows} states at a time. */
    public PolicyDraws(GaussianActor actor, int rows) {
        this.actor = actor;
        observations = actor.observations();
        actions = actor.actions();
        tape = actor.network().tape(rows);
        noise = new float[rows * actions];
        spread = new float[rows * actions];
        squashed = new float[rows * actions];
        logDensity = new double[rows];
        pairs = new float[rows * (observations + actions)];
    }

    /** The passes of the policy's network. */
    public Tape tape() {
        return tape;
    }

    /** Rows of states with the actions drawn there. */
    public float[] pairs() {
        return pairs;
    }

    /** From now on densities are relative to this policy, whose parameters stay as they are now. */
    public void referTo(GaussianActor policy) {
        reference = policy.network().copy().tape(logDensity.length);
        logReference = new double[logDensity.length];
        pull = new float[noise.length];
    }

    /** log pi of the action of a row, or log pi / pi0 where there is a reference policy. */
    public double logRelative(int row) {
        return reference != null ? logDensity[row] - logReference[row] : logDensity[row];
    }

    /**
     * The reference policy's density of the actions drawn, as a density over (-1, 1). How it changes as u grows, the slope of
     * tanh aside, which pi and pi0 share: -(u - mean) / variance.
     */
    private void compare(Tape tapeOfReference, float[] states, int from, int to) {
        tapeOfReference.forward(states, from, to);
        float[] own = tape.output();
        float[] out = tapeOfReference.output();
        for (int row = from; row < to; row++) {
            logReference[row] = 0;
            for (int j = 0; j < actions; j++) {
                int at = row * actions + j;
                int mean = 2 * row * actions + j;
                double u = (double) own[mean] + spread[at];
                double logStd = GaussianActor.logStd(out[mean + actions]);
                double inverse = Elementary.exp(-logStd);
                double z = (u - out[mean]) * inverse;
                logReference[row] += GaussianActor.logNormal(z, logStd) - GaussianActor.logSlope(u);
                pull[at] = (float) (z * inverse);
            }
        }
    }

    /** Of each action, as a density over (-1, 1). */
    public double[] logDensity() {
        return logDensity;
    }

    public void drawNoise(RandomStream stream) {
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (float) stream.nextGaussian();
        }
    }

    /** Draws actions for rows {@code from} to {@code to - 1} of the states, by the noise that was drawn before. */
    public void draw(float[] states, int from, int to) {
        tape.forward(states, from, to);
        float[] out = tape.output();
        int width = observations + actions;
        for (int row = from; row < to; row++) {
            System.arraycopy(states, row * observations, pairs, row * width, observations);
            double sum = 0;
            double product = 1; // one logarithm for all corrections: the factors lie between 1 and 2
            for (int j = 0; j < actions; j++) {
                int at = row * actions + j;
                int mean = 2 * row * actions + j;
                double logStd = GaussianActor.logStd(out[mean + actions]);
                double away = Elementary.exp(logStd) * noise[at];
                double u = out[mean] + away;
                double e = Elementary.exp(-2 * Math.abs(u));
                double tanh = Math.copySign((1 - e) / (1 + e), u);
                sum += GaussianActor.logNormal(noise[at], logStd) + 2 * Math.abs(u);
                product *= 1 + e;
                spread[at] = (float) away;
                squashed[at] = (float) tanh;
                pairs[row * width + observations + j] = actor.bound() * (float) tanh;
            }
            logDensity[row] = sum + 2 * (Elementary.log(product) - actions * GaussianActor.LOG_2);
        }
        if (reference != null) {
            compare(reference, states, from, to);
        }
    }

    /** The mean of -log pi over the actions drawn. */
    public double entropy(int rows) {
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            sum -= logDensity[row];
        }
        return sum / rows;
    }

    /**
     * Gradient of the actor's loss with respect to means and log deviations. With t = tanh(u) the log density of the action
     * rises by 2 t as u grows, since the slope of tanh falls; the deviation moves u by its spread. Relative to a
     * reference policy, whose density rises likewise, what is left is how far u is from that policy's mean.
     *
     * @param rows of the batch, over which the loss is a mean
     * @param actionGradient of the value with respect to the actions
     */
    public void differentiate(double alpha, int rows, float[] actionGradient, int from, int to) {
        float[] out = tape.output();
        float[] gradient = tape.outputGradient();
        double share = 1.0 / rows;
        for (int row = from; row < to; row++) {
            for (int j = 0; j < actions; j++) {
                int at = row * actions + j;
                int mean = 2 * row * actions + j;
                double t = squashed[at];
                double slope = actor.bound() * (1 - t * t);
                double rise = reference != null ? alpha * pull[at] : 2 * alpha * t;
                double along = share * (rise - slope * actionGradient[at]);
                float raw = out[mean + actions];
                boolean inside = raw >= GaussianActor.LOG_STD_MIN && raw <= GaussianActor.LOG_STD_MAX;
                gradient[mean] = (float) along;
                gradient[mean + actions] = inside ? (float) (along * spread[at] - share * alpha) : 0;
            }
        }
    }
}
