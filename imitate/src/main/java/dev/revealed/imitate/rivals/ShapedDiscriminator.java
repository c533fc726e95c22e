package dev.revealed.imitate.rivals;

import dev.revealed.imitate.RewardModel;
import dev.revealed.neural.Adam;
import dev.revealed.neural.GradientPenalty;
import dev.revealed.neural.Tape;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Map;

/**
 * AIRL's discriminator: D = e^(f/T) / (e^(f/T) + pi(a|s)) with f = g(s) + discount h(s') - h(s), where g is the reward that is
 * recovered, h takes up what shaping can explain, and T is the learner's temperature: with f its advantage, the best policy
 * is e^(f/T). The logit is f / T - log pi.
 */
final class ShapedDiscriminator implements RewardLoop.RewardStep {

    /**
     * Transitions of one side.
     *
     * @param rewardInputs what g sees: states, or states and actions
     * @param live 1 where the next state counts, 0 where the episode terminated
     * @param logDensity of each action under the current policy, cut to what is allowed
     */
    record Transitions(
            int count, float[] rewardInputs, float[] states, float[] nextStates, float[] live, double[] logDensity) {}

    private final Discriminator.Settings settings;
    private final double discount;
    private final RewardModel reward;
    private final RewardModel shaping;
    private final Adam rewardAdam;
    private final Adam shapingAdam;
    private final Tape rewardTape;
    private final Tape shapingTape; // states, then next states
    private final GradientPenalty rewardSlopes;
    private final GradientPenalty shapingSlopes;
    private final int inputs;
    private final int states;
    private final DiscriminatorMeans means = new DiscriminatorMeans();

    ShapedDiscriminator(Discriminator.Settings settings, double discount, RewardModel reward, RewardModel shaping) {
        this.settings = settings;
        this.discount = discount;
        this.reward = reward;
        this.shaping = shaping;
        Adam.Settings adam = Adam.Settings.of(settings.learningRate());
        rewardAdam = new Adam(adam, reward.learnt().parameters().length);
        shapingAdam = new Adam(adam, shaping.learnt().parameters().length);
        rewardTape = reward.learnt().tape(2 * settings.batch());
        shapingTape = shaping.learnt().tape(4 * settings.batch());
        rewardSlopes = new GradientPenalty(reward.learnt(), settings.batch(), settings.penaltySlope());
        shapingSlopes = new GradientPenalty(shaping.learnt(), settings.batch(), settings.penaltySlope());
        inputs = reward.learnt().shape().inputs();
        states = shaping.learnt().shape().inputs();
    }

    /** As many updates as an iteration has, on rows drawn uniformly, for a policy of that temperature. */
    void learn(Transitions expert, Transitions agent, double temperature, RandomStream stream, long steps) {
        int n = settings.batch();
        Batch batch = new Batch(n);
        float[] rewardGradient = new float[reward.learnt().parameters().length];
        float[] shapingGradient = new float[shaping.learnt().parameters().length];
        for (int update = 0; update < settings.updates(); update++) {
            for (int i = 0; i < n; i++) {
                batch.put(i, expert, stream.nextInt(expert.count));
                batch.put(n + i, agent, stream.nextInt(agent.count));
            }
            batch.standardise();
            double loss = loss(batch, temperature, rewardGradient, shapingGradient);
            double penalty = 0;
            if (settings.penalty() > 0) { // of both: a steep h would tell expert and agent apart in the place of g
                float[] rows = Discriminator.between(batch.inputs, n, inputs, stream);
                float[] places = Discriminator.between(batch.places, n, states, stream);
                penalty = rewardSlopes.add(rows, n, settings.penalty(), rewardGradient)
                        + shapingSlopes.add(places, n, settings.penalty(), shapingGradient);
            }
            means.add(loss, batch.right / (2.0 * n), penalty, steps);
            rewardAdam.step(reward.learnt().parameters(), rewardGradient);
            shapingAdam.step(shaping.learnt().parameters(), shapingGradient);
            reward.learnt().changed();
            shaping.learnt().changed();
        }
        reward.changed();
        shaping.changed();
    }

    /** A minibatch: {@code n} rows of the expert, then {@code n} of the agent. */
    final class Batch {
        private final int n;
        private final float[] inputs;
        private final float[] places; // states of all rows, then next states
        private final float[] live;
        private final double[] logDensity;
        private int right;

        Batch(int n) {
            this.n = n;
            inputs = new float[2 * n * ShapedDiscriminator.this.inputs];
            places = new float[4 * n * states];
            live = new float[2 * n];
            logDensity = new double[2 * n];
        }

        void put(int to, Transitions from, int row) {
            int width = ShapedDiscriminator.this.inputs;
            System.arraycopy(from.rewardInputs, row * width, inputs, to * width, width);
            System.arraycopy(from.states, row * states, places, to * states, states);
            System.arraycopy(from.nextStates, row * states, places, (2 * n + to) * states, states);
            live[to] = from.live[row];
            logDensity[to] = from.logDensity[row];
        }

        /** Once all rows are put. */
        void standardise() {
            reward.standardise(inputs, 2 * n);
            shaping.standardise(places, 4 * n);
        }
    }

    /**
     * The logistic loss as for {@link Discriminator#loss}.
     *
     * @param rewardGradient becomes the gradient of g's parameters, {@code shapingGradient} that of h's
     */
    double loss(Batch batch, double temperature, float[] rewardGradient, float[] shapingGradient) {
        int n = batch.n;
        rewardTape.forward(batch.inputs, 2 * n);
        shapingTape.forward(batch.places, 4 * n);
        float[] g = rewardTape.output();
        float[] h = shapingTape.output();
        double loss = 0;
        batch.right = 0;
        for (int i = 0; i < 2 * n; i++) {
            double ahead = discount * batch.live[i];
            double logit = (g[i] + ahead * h[2 * n + i] - h[i]) / temperature - batch.logDensity[i];
            int sign = i < n ? -1 : 1;
            double slope = sign * Logistic.sigmoid(sign * logit) / (n * temperature);
            loss += Logistic.softplus(sign * logit) / n;
            batch.right += logit > 0 == i < n ? 1 : 0;
            rewardTape.outputGradient()[i] = (float) slope;
            shapingTape.outputGradient()[i] = (float) -slope;
            shapingTape.outputGradient()[2 * n + i] = (float) (ahead * slope);
        }
        rewardTape.propagate(2 * n);
        rewardTape.gradient(2 * n, rewardGradient, false);
        shapingTape.propagate(4 * n);
        shapingTape.gradient(4 * n, shapingGradient, false);
        return loss;
    }

    @Override
    public Map<String, Double> diagnostics() {
        return means.take();
    }

    @Override
    public void save(String prefix, Tensors into) {
        rewardAdam.save(prefix + ".reward.adam", into);
        shapingAdam.save(prefix + ".shaping.adam", into);
        Tensors shaped = Tensors.of(shaping::save);
        shaped.names().forEach(name -> into.put(prefix + ".shaping." + name, shaped.get(name)));
        means.save(prefix, into);
    }

    @Override
    public void restore(String prefix, Tensors from) {
        rewardAdam.restore(prefix + ".reward.adam", from);
        shapingAdam.restore(prefix + ".shaping.adam", from);
        shaping.restore(from.under(prefix + ".shaping."));
        means.restore(prefix, from);
    }
}
