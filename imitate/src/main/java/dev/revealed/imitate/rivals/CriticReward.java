package dev.revealed.imitate.rivals;

import dev.revealed.imitate.RewardModel;
import dev.revealed.neural.Adam;
import dev.revealed.neural.Batch;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Network;
import dev.revealed.neural.PolicyDraws;
import dev.revealed.neural.Tape;
import dev.revealed.neural.softq.InverseSoftQ;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;

/** Fits a reward network to the reward that critics imply: Q(s, a) - discount V(s'), by the smallest of the critics. */
final class CriticReward implements RewardLoop.RewardStep {
    private static final int BATCH = 256;
    private static final double LEARNING_RATE = 1e-3;

    private final int updates;
    private final InverseSoftQ.Loss loss;
    private final RewardModel reward;
    private final Adam adam;
    private final Tape tape;
    private double[] sums =
            new double[3]; // updates, squared errors, squared deviations: since they were last asked for

    CriticReward(int updates, InverseSoftQ.Loss loss, RewardModel reward) {
        this.updates = updates;
        this.loss = loss;
        this.reward = reward;
        adam = new Adam(Adam.Settings.of(LEARNING_RATE), reward.learnt().parameters().length);
        tape = reward.learnt().tape(BATCH);
    }

    /** As many updates as an iteration has, on as many rows of the expert as of the agent. */
    void learn(Tensors learner, double discount, Batch expert, Batch agent, RandomStream random) {
        double[][] wanted = {
            rewards(learner, discount, loss, expert, true, random),
            rewards(learner, discount, loss, agent, false, random)
        };
        Batch[] sides = {expert, agent};
        int width = reward.learnt().shape().inputs();
        int states = expert.states().length / expert.size();
        float[] rows = new float[BATCH * width];
        double[] targets = new double[BATCH];
        float[] gradient = new float[reward.learnt().parameters().length];
        for (int update = 0; update < updates; update++) {
            double mean = 0;
            for (int i = 0; i < BATCH; i++) {
                Batch side = sides[i % 2];
                int row = random.nextInt(side.size());
                System.arraycopy(side.states(), row * states, rows, i * width, states);
                System.arraycopy(side.actions(), row * (width - states), rows, i * width + states, width - states);
                targets[i] = wanted[i % 2][row];
                mean += targets[i] / BATCH;
            }
            reward.standardise(rows, BATCH);
            tape.forward(rows, BATCH);
            for (int i = 0; i < BATCH; i++) {
                double error = tape.output()[i] - targets[i];
                tape.outputGradient()[i] = (float) (2 * error / BATCH);
                sums[1] += error * error / BATCH;
                sums[2] += (targets[i] - mean) * (targets[i] - mean) / BATCH;
            }
            sums[0]++;
            tape.propagate(BATCH);
            tape.gradient(BATCH, gradient, false);
            adam.step(reward.learnt().parameters(), gradient);
            reward.learnt().changed();
        }
        reward.changed();
    }

    /**
     * Q(s, a) - discount V(s') of every row, by an action drawn at the next state.
     *
     * @param expert whether rows are the expert's
     */
    static double[] rewards(
            Tensors learner,
            double discount,
            InverseSoftQ.Loss loss,
            Batch batch,
            boolean expert,
            RandomStream random) {
        GaussianActor actor = GaussianActor.load(learner);
        PolicyDraws next = new PolicyDraws(actor, batch.size());
        next.drawNoise(random);
        next.draw(batch.nextStates(), 0, batch.size());
        int states = actor.observations();
        int actions = actor.actions();
        float[] pairs = new float[batch.size() * (states + actions)];
        for (int row = 0; row < batch.size(); row++) {
            System.arraycopy(batch.states(), row * states, pairs, row * (states + actions), states);
            System.arraycopy(batch.actions(), row * actions, pairs, row * (states + actions) + states, actions);
        }
        double[] here = least(learner, pairs, batch.size());
        double[] there = least(learner, next.pairs(), batch.size());
        double temperature = learner.doubles(InverseSoftQ.TEMPERATURE)[0];
        for (int row = 0; row < here.length; row++) {
            double value = there[row] - temperature * next.logDensity()[row];
            here[row] -= discount * loss.ahead(value, batch.live()[row] != 0, expert);
        }
        return here;
    }

    private static double[] least(Tensors learner, float[] pairs, int rows) {
        double[] least = new double[rows];
        for (int k = 0; learner.has("critic" + k + ".weight0"); k++) {
            Tape values = Network.load("critic" + k, learner).tape(rows);
            values.forward(pairs, rows);
            for (int row = 0; row < rows; row++) {
                double value = values.output()[row];
                least[row] = k == 0 ? value : Math.min(least[row], value);
            }
        }
        return least;
    }

    @Override
    public Map<String, Double> diagnostics() {
        Map<String, Double> found = new LinkedHashMap<>();
        if (sums[0] > 0) {
            found.put("rewardError", Math.sqrt(sums[1] / sums[0]));
            found.put("rewardDeviation", Math.sqrt(sums[2] / sums[0]));
        }
        sums = new double[sums.length];
        return found;
    }

    @Override
    public void save(String prefix, Tensors into) {
        adam.save(prefix + ".adam", into);
        into.put(prefix + ".sums", sums.clone());
    }

    @Override
    public void restore(String prefix, Tensors from) {
        adam.restore(prefix + ".adam", from);
        sums = from.doubles(prefix + ".sums").clone();
    }
}
