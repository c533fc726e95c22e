package dev.revealed.neural.softq;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Adam;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Critic;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Learner;
import dev.revealed.neural.Losses;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.SoftmaxActor;
import dev.revealed.neural.WorkerPool;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Soft Q-learning for finitely many choices (Haarnoja et al. 2017): Q(s, a) is moved towards r + discount V(s'), where V is
 * the temperature times the log of the sum of exp(Q / temperature) under slowly following targets. The policy is the
 * softmax of Q, so there is no actor to train.
 */
public final class SoftQ implements Learner {

    /**
     * @param hidden widths of the hidden layers
     * @param polyak share of themselves that target networks keep at an update
     * @param networks how many, of which the smallest value counts; two keep noise from passing for value
     */
    public record Settings(
            int[] hidden,
            double learningRate,
            double discount,
            double polyak,
            int batch,
            double temperature,
            int networks,
            boolean layerNorm) {
        public Settings {
            BadInput.discount(discount);
            BadInput.when(!(temperature > 0), "the temperature is " + temperature, "Give a positive one, such as 0.2.");
            BadInput.when(
                    batch < 1 || networks < 1,
                    "a batch of %d for %d networks".formatted(batch, networks),
                    "Use at least one of each.");
            hidden = hidden.clone();
        }
    }

    private final Settings settings;
    private final int choices;
    private final Critic[] critics;
    private final SoftmaxActor actor;
    private final WorkerPool workers;
    private final Losses.Sum sums = new Losses.Sum();
    private final double[] values;
    private long updates;
    private Batch batch;
    private Runnable concurrent = SoftQ::nothing;

    private final IntConsumer valueBatch = this::valueBatch;
    private final IntConsumer improve = this::improve;

    private static void nothing() {}

    /** With two threads, where there are as many processors. */
    public SoftQ(Simulator.Space space, Settings settings, RandomStream stream) {
        this(space, settings, stream, Math.min(2, Runtime.getRuntime().availableProcessors()));
    }

    /** Initial weights come from {@code stream.named("networks")}; updates use no random numbers. */
    public SoftQ(Simulator.Space space, Settings settings, RandomStream stream, int threads) {
        if (!(space.actions() instanceof Simulator.Actions.Choices finite)) {
            throw new BadInput(
                    "the actions of the task '%s' are numbers".formatted(space.name()),
                    "Soft Q-learning needs finitely many; use Soft Actor-Critic.");
        }
        this.settings = settings;
        choices = finite.count();
        RandomStream networks = stream.named("networks");
        Mlp shape = Mlp.relu(GaussianActor.sizes(space.observations(), settings.hidden(), choices))
                .withLayerNorm(settings.layerNorm());
        Adam.Settings adam = Adam.Settings.of(settings.learningRate());
        critics = Critic.random(settings.networks(), shape, adam, settings.batch(), settings.batch(), networks);
        actor = new SoftmaxActor(
                Arrays.stream(critics).map(critic -> critic.network()).toArray(Network[]::new), settings.temperature());
        values = new double[choices];
        batch = Batch.of(0, space);
        workers = new WorkerPool(threads);
    }

    public Settings settings() {
        return settings;
    }

    @Override
    public int batch() {
        return settings.batch();
    }

    @Override
    public void scaleInputs(float[] scale) {
        Critic.scaleInputs(critics, scale);
    }

    @Override
    public SoftmaxActor actor() {
        return actor;
    }

    /** Means since this was last asked; the actor's loss is 0. */
    public Losses losses() {
        return sums.takeMeans();
    }

    @Override
    public Map<String, Double> diagnostics() {
        return losses().byName();
    }

    @Override
    public void update(Batch transitions, Runnable meanwhile) {
        transitions.expect(settings.batch());
        batch = transitions;
        concurrent = meanwhile;
        workers.run(1 + critics.length, valueBatch);
        errors();
        workers.run(critics.length, improve);
        updates++;
        concurrent = SoftQ::nothing;
    }

    private void valueBatch(int task) {
        if (task == 0) {
            concurrent.run();
        } else {
            Critic critic = critics[task - 1];
            critic.targetTape().forward(batch.nextStates(), batch.size());
            critic.tape().forward(batch.states(), batch.size());
        }
    }

    private void errors() {
        int n = batch.size();
        double loss = 0;
        double mean = 0;
        double entropy = 0;
        for (Critic critic : critics) {
            Arrays.fill(critic.tape().outputGradient(), 0, n * choices, 0);
        }
        for (int row = 0; row < n; row++) {
            for (int a = 0; a < choices; a++) {
                values[a] = Critic.lowestTarget(critics, row * choices + a);
            }
            double soft = SoftmaxActor.softMaximum(values, settings.temperature());
            double target = batch.rewards()[row] + settings.discount() * batch.live()[row] * soft;
            int taken = row * choices + BadInput.index("choice", (long) batch.actions()[row], choices);
            for (Critic critic : critics) {
                double error = critic.tape().output()[taken] - target;
                loss += error * error / n;
                critic.tape().outputGradient()[taken] = (float) (2 * error / n);
            }
            mean += (double) critics[0].tape().output()[taken] / n;
            entropy += entropy(soft) / n;
        }
        if (!Double.isFinite(loss)) {
            throw new DivergenceFailure(updates + 1, "critic loss", loss);
        }
        sums.add(loss, 0, entropy, settings.temperature(), mean);
    }

    /** Of the softmax of the values, whose soft maximum is known: log-probabilities are what values fall short of it. */
    private double entropy(double soft) {
        double sum = 0;
        for (double value : values) {
            double log = (value - soft) / settings.temperature();
            sum -= Math.exp(log) * log;
        }
        return sum;
    }

    private void improve(int k) {
        critics[k].improve(batch.size(), (float) (1 - settings.polyak()));
    }

    @Override
    public void save(Tensors into) {
        Critic.save(critics, into);
        into.put("softq.updates", updates);
        into.put("softq.losses", sums.checkpoint());
    }

    @Override
    public void restore(Tensors from) {
        Critic.restore(critics, from);
        updates = from.longs("softq.updates")[0];
        sums.restore(from.doubles("softq.losses"));
    }

    @Override
    public void close() {
        workers.close();
    }
}
