package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Item;
import dev.revealed.settings.Setting;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Soft Actor-Critic (Haarnoja et al. 2018) with clipped double critics: one update at a time, on batches that the
 * caller samples and labels with rewards.
 *
 * <p>An update is a few jobs, one after the other, whose tasks threads share. Tasks are rows of a batch, critics, or rows
 * of a weight matrix, none of which changes the order of any sum: the number of threads shows in the time taken only.
 */
public final class Sac implements Learner {

    /** What decides how an agent learns. {@link #with} changes some of it. */
    public record Settings(
            @Setting(about = "Transitions per update.", atLeast = 1, atMost = 1_000_000, example = "100")
            int batch,

            @Setting(
                    about = "Number of critics; the lowest of their values is used.",
                    atLeast = 1,
                    example = "2, which is usual")
            int critics,

            @Setting(
                    about = "Value of the next step's reward relative to this one's.",
                    atLeast = 0,
                    below = 1,
                    example = "0.99")
            double discount,

            @Setting(about = "Widths of the hidden layers.", atLeast = 1, atMost = Mlp.WIDEST, example = "256,256")
            int[] hidden,

            @Setting(
                    about = "Layer norm without gains in the critics: the sums of each hidden layer have mean 0 and"
                            + " variance 1 before ReLU.")
            boolean layerNorm,

            @Setting(
                    about =
                            "The critics' last hidden features are divided by their length, so that values are bounded by"
                                    + " the last layer's weights (Hussing et al. 2024).")
            boolean featureNorm,

            @Setting(
                    about =
                            "Decoupled weight decay of the critics, as in AdamW: an update shrinks their parameters by this"
                                    + " times `learning-rate`.",
                    atLeast = 0,
                    example = "1e-2")
            double criticDecay,

            @Setting(about = "Step size of Adam, for actor and critics.", above = 0, example = "1e-3")
            double learningRate,

            @Setting(
                    about = "Step size of Adam for the actor; same is that of the critics.",
                    above = 0,
                    none = "same",
                    example = "5e-5")
            OptionalDouble actorLearningRate,

            @Setting(
                    label = "N",
                    about =
                            "Number of updates in which the actor's step size halves, so that the policy comes to rest; 0 for"
                                    + " a fixed step size.",
                    atLeast = 0,
                    example = "60000")
            double actorHalving,

            @Setting(
                    about = "Updates of the critics for each update of the actor and of a tuned temperature.",
                    atLeast = 1,
                    atMost = 1000,
                    example = "2")
            int actorEvery,

            @Setting(
                    about = "Share of itself that a target network keeps at an update.",
                    atLeast = 0,
                    below = 1,
                    example = "0.995")
            double polyak,

            Temperature temperature) {
        /** What the papers of ML-IRL and f-IRL ran with. */
        public static final Settings PAPER = new Settings(
                100,
                2,
                0.99,
                new int[] {256, 256},
                false,
                false,
                0,
                1e-3,
                OptionalDouble.empty(),
                0,
                1,
                0.995,
                Temperature.fixed(0.2));

        private static final dev.revealed.settings.Settings<Settings> DESCRIBED =
                dev.revealed.settings.Settings.of(Settings.class);

        public Settings {
            hidden = hidden.clone();
            dev.revealed.settings.Settings.check(
                    Settings.class,
                    batch,
                    critics,
                    discount,
                    hidden,
                    layerNorm,
                    featureNorm,
                    criticDecay,
                    learningRate,
                    actorLearningRate,
                    actorHalving,
                    actorEvery,
                    polyak);
            BadInput.when(
                    actorHalving > 0 && actorHalving < 1,
                    "`actor-halving` is " + actorHalving,
                    "Give a number of updates from 1, or 0 for never.");
            BadInput.when(
                    criticDecay * learningRate >= 1,
                    "`critic-decay` is %s and `learning-rate` %s".formatted(criticDecay, learningRate),
                    "Their product is the share that an update takes from a parameter: below 1, such as 1e-5.");
            Mlp.affordable(hidden);
            int widest = Arrays.stream(hidden).max().orElse(1);
            BadInput.when(
                    (long) batch * widest > Mlp.MOST,
                    "`batch` is %d and `hidden` up to %d wide".formatted(batch, widest),
                    "Their product is at most %,d: lower one of them.".formatted(Mlp.MOST));
        }

        /** Step size of the actor's Adam, at first. */
        public double actorRate() {
            return actorLearningRate.orElse(learningRate);
        }

        /** What is left of it after so many updates. */
        public double actorShare(long updates) {
            return actorHalving == 0 ? 1 : Math.pow(2, -updates / actorHalving);
        }

        /** The shape of a critic of so many inputs. */
        public Mlp critic(int inputs) {
            return Mlp.relu(GaussianActor.sizes(inputs, hidden, 1))
                    .withLayerNorm(layerNorm)
                    .withFeatureNorm(featureNorm);
        }

        /** The same with other values for some settings, by name; a temperature that is to be tuned stops halving. */
        public Settings with(Map<String, ?> values) {
            Map<String, Object> all = new HashMap<>(values);
            if ("auto".equalsIgnoreCase(Item.text(values.get("temperature")))) {
                all.putIfAbsent("temperature-halving", 0);
            }
            return DESCRIBED.with(this, all);
        }

        public Settings withBatch(int rows) {
            return with(Map.of("batch", rows));
        }

        public Settings withCritics(int count) {
            return with(Map.of("critics", count));
        }

        public Settings withHidden(int... widths) {
            return with(Map.of("hidden", widths));
        }

        public Settings withLearningRate(double rate) {
            return with(Map.of("learning-rate", rate));
        }

        public Settings withTemperature(Temperature value) {
            return with(dev.revealed.settings.Settings.values(value));
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return dev.revealed.settings.Settings.same(this, other);
        }

        @Override
        public int hashCode() {
            return dev.revealed.settings.Settings.values(this).hashCode();
        }
    }

    /** Into how many tasks threads cut the rows of a batch: enough to balance the load with the concurrent task. */
    private static final int TASKS = 5;

    private final Settings settings;
    private final int observations;
    private final int actions;
    private final double targetEntropy;
    private final GaussianActor actor;
    private final Adam actorAdam;
    private final Critic[] critics;
    private final EntropyWeight temperature;
    private final WorkerPool workers;
    /** Rows of a batch in one task; a multiple of four, as the kernels like it. */
    private final int chunk;

    private RandomStream noise;
    private long updates;
    private double meanValue; // of the first critic over the batch
    private double valueSize; // mean of the same values without their signs
    private final Losses.Sum sums = new Losses.Sum();

    private final PolicyDraws next;
    private final PolicyDraws current;
    /** Rows [s, a] as stored, with a as drawn now, and those of the next state. */
    private final float[] stored;

    private final int[] rowOf;
    private final int[] groupStart;
    private final float[] actionGradient;
    private final float[] groupGradient;
    private final Steps actorSteps;

    private int cloned; // last rows of a batch
    private double cloning;
    private Batch batch;
    private boolean acts; // whether the actor learns in this update
    private Runnable concurrent = Sac::nothing;

    private final IntConsumer drawActions = this::drawActions;
    private final IntConsumer valueBatch = this::valueBatch;
    private final IntConsumer improveCritic = this::improveCritic;
    private final IntConsumer differentiateValue = this::differentiateValue;
    private final IntConsumer propagateActor = this::propagateActor;
    private final IntConsumer improveActor = this::improveActor;

    private static void nothing() {}

    /** With two threads, where there are as many processors. */
    public Sac(Simulator.Space space, Settings settings, RandomStream stream) {
        this(space, settings, stream, Math.min(2, Runtime.getRuntime().availableProcessors()));
    }

    /**
     * Initial weights come from {@code stream.named("networks")}, noise of updates from {@code stream.named("noise")}.
     *
     * @param threads how many share the work of an update; no more work than there are critics, but at least two
     */
    public Sac(Simulator.Space space, Settings settings, RandomStream stream, int threads) {
        if (!(space.actions() instanceof Simulator.Actions.Box box)) {
            throw new BadInput(
                    "the task '%s' has finitely many actions".formatted(space.name()),
                    "Soft Actor-Critic needs actions that are numbers between bounds; use soft Q-learning.");
        }
        this.settings = settings;
        observations = space.observations();
        actions = box.size();
        targetEntropy = -actions;
        RandomStream networks = stream.named("networks");
        actor = GaussianActor.random(space, settings.hidden(), false, networks.named("actor"));
        actorAdam =
                new Adam(Adam.Settings.of(settings.actorRate()), actor.network().parameters().length);
        int rows = settings.batch();
        Mlp shape = settings.critic(observations + actions);
        Adam.Settings adam = Adam.Settings.of(settings.learningRate()).withDecoupledDecay(settings.criticDecay());
        critics = Critic.random(settings.critics(), shape, adam, rows, rows, networks);
        temperature = new EntropyWeight(settings);
        noise = stream.named("noise");
        next = new PolicyDraws(actor, rows);
        current = new PolicyDraws(actor, rows);
        stored = new float[rows * (observations + actions)];
        rowOf = new int[rows];
        groupStart = new int[critics.length + 1];
        actionGradient = new float[rows * actions];
        groupGradient = new float[rows * actions];
        actorSteps = new Steps(actor.network().shape());
        batch = Batch.of(0, space);
        workers = new WorkerPool(Math.min(threads, Math.max(2, critics.length)));
        chunk = threads == 1 ? rows : Math.max(4, (rows / TASKS + 3) / 4 * 4);
    }

    public Settings settings() {
        return settings;
    }

    /** Updates made so far. */
    public long updates() {
        return updates;
    }

    @Override
    public int batch() {
        return settings.batch();
    }

    @Override
    public void cloneLast(int rows, double weight) {
        cloned = rows;
        cloning = weight;
    }

    @Override
    public void scaleInputs(float[] scale) {
        actor.network().scaleInputs(scale);
        actorAdam.pace(scale, actor.network().shape().out(0));
        Critic.scaleInputs(critics, scale);
    }

    /** The reference policy must have the actions' bound, and its parameters stay as they are now. */
    @Override
    public void referTo(GaussianActor reference) {
        BadInput.when(
                settings.temperature().tuned(),
                "with a reference policy there is no entropy to tune the temperature to",
                "Give `temperature` a number, or leave out `reference`.");
        BadInput.when(
                reference.observations() != observations
                        || reference.actions() != actions
                        || reference.bound() != actor.bound(),
                "the reference policy takes %d observations to %d actions up to %s, and the task has %d, %d and %s"
                        .formatted(
                                reference.observations(),
                                reference.actions(),
                                reference.bound(),
                                observations,
                                actions,
                                actor.bound()),
                "Choose a policy of the same task with `reference`.");
        next.referTo(reference);
        current.referTo(reference);
    }

    /** The policy with the current parameters. */
    @Override
    public GaussianActor actor() {
        return actor;
    }

    public double temperature() {
        return temperature.value(updates);
    }

    /** Means since this was last asked. */
    public Losses losses() {
        return sums.takeMeans();
    }

    @Override
    public Map<String, Double> diagnostics() {
        return losses().byName();
    }

    /**
     * One update of critics and targets, and where it is their turn of actor and temperature.
     *
     * @param transitions as many as the settings say, with the rewards to learn from
     * @param meanwhile runs once, on some thread, at the same time, and is over before the actor changes
     */
    @Override
    public void update(Batch transitions, Runnable meanwhile) {
        transitions.expect(settings.batch());
        batch = transitions;
        concurrent = meanwhile;
        acts = (updates + 1) % settings.actorEvery() == 0;
        next.drawNoise(noise);
        current.drawNoise(noise); // whether it is used or not, so that the stream does not depend on turns
        workers.run(1 + 2 * chunks(), drawActions);
        workers.run(critics.length, valueBatch);
        double alpha = temperature.value(updates);
        double criticLoss = critics(alpha);
        workers.run(critics.length, improveCritic);
        double actorLoss = 0;
        double entropy = 0;
        if (acts) {
            actorLoss = actorLoss(alpha);
            workers.run(groupChunks(), differentiateValue);
            workers.run(chunks(), propagateActor);
            actorAdam.begin(settings.actorShare(updates));
            workers.run(actorSteps.count(), improveActor);
            entropy = current.entropy(batch.size());
            temperature.adapt(entropy - targetEntropy);
        }
        int every = settings.actorEvery(); // an update of the actor counts for those since its last one
        sums.add(criticLoss, every * actorLoss, every * entropy, alpha, meanValue);
        updates++;
        concurrent = Sac::nothing;
    }

    private int chunks() {
        return (batch.size() + chunk - 1) / chunk;
    }

    /** Task 0 is the concurrent task; then chunks of next states, then of states. */
    private void drawActions(int task) {
        if (task == 0) {
            if (acts) {
                actorSteps.transpose(actor.network());
            }
            concurrent.run();
        } else {
            int from = (task - 1) % chunks() * chunk;
            int to = Math.min(batch.size(), from + chunk);
            if (task - 1 < chunks()) {
                next.draw(batch.nextStates(), from, to);
            } else {
                if (acts) {
                    current.draw(batch.states(), from, to);
                }
                concatenate(batch.states(), batch.actions(), stored, from, to);
            }
        }
    }

    private void concatenate(float[] states, float[] acts, float[] into, int from, int to) {
        int width = observations + actions;
        for (int row = from; row < to; row++) {
            System.arraycopy(states, row * observations, into, row * width, observations);
            System.arraycopy(acts, row * actions, into, row * width + observations, actions);
        }
    }

    private void valueBatch(int k) {
        critics[k].targetTape().forward(next.pairs(), batch.size());
        critics[k].tape().forward(stored, batch.size());
    }

    /** Sets every critic's gradient of the squared Bellman error, and gives the sum of their errors. */
    private double critics(double alpha) {
        int n = batch.size();
        double loss = 0;
        meanValue = 0;
        valueSize = 0;
        for (int row = 0; row < n; row++) {
            double ahead = Critic.lowestTarget(critics, row) - alpha * next.logRelative(row);
            double target = batch.rewards()[row] + settings.discount() * batch.live()[row] * ahead;
            double value = critics[0].tape().output()[row];
            meanValue += value / n;
            valueSize += Math.abs(value) / n;
            for (Critic critic : critics) {
                float q = critic.tape().output()[row];
                double error = q - target;
                loss += error * error / n;
                critic.tape().outputGradient()[row] = (float) (2 * error / n);
            }
        }
        if (!Double.isFinite(loss)) {
            throw new DivergenceFailure(updates + 1, "critic loss", loss);
        }
        return loss;
    }

    private void improveCritic(int k) {
        critics[k].improve(batch.size(), (float) (1 - settings.polyak()));
        if (acts) {
            critics[k].tape().forward(current.pairs(), batch.size());
        }
    }

    /** Groups rows by the critic that is smallest there, through which alone their gradients go. */
    private double actorLoss(double alpha) {
        int n = batch.size();
        double loss = 0;
        int at = 0;
        for (int k = 0; k < critics.length; k++) {
            groupStart[k] = at;
            for (int row = 0; row < n; row++) {
                if (Critic.lowest(critics, row) == k) {
                    rowOf[at++] = row;
                    loss += (alpha * current.logRelative(row)
                                    - critics[k].tape().output()[row])
                            / n;
                }
            }
        }
        groupStart[critics.length] = at;
        if (!Double.isFinite(loss)) {
            throw new DivergenceFailure(updates + 1, "actor loss", loss);
        }
        return loss;
    }

    private int groupChunks() {
        return critics.length * chunks();
    }

    private void differentiateValue(int task) {
        int k = task / chunks();
        int from = groupStart[k] + task % chunks() * chunk;
        int to = Math.min(groupStart[k + 1], from + chunk);
        if (from >= to) {
            return;
        }
        Tape tape = critics[k].tape();
        for (int i = from; i < to; i++) {
            tape.outputGradient()[i] = 1;
        }
        tape.propagate(from, to, rowOf);
        tape.inputGradient(from, to, observations, groupGradient);
        for (int i = from; i < to; i++) {
            System.arraycopy(groupGradient, i * actions, actionGradient, rowOf[i] * actions, actions);
        }
    }

    private void propagateActor(int task) {
        int from = task * chunk;
        int to = Math.min(batch.size(), from + chunk);
        current.differentiate(temperature.value(updates), batch.size(), actionGradient, from, to);
        if (cloning > 0) {
            addCloningSlopes(Math.max(from, batch.size() - cloned), to);
        }
        current.tape().propagate(from, to, null);
    }

    private void improveActor(int task) {
        actorSteps.take(
                task, current.tape(), batch.size(), actorAdam, actor.network().parameters(), null, 0);
    }

    /** Everything the next updates depend on. */
    @Override
    public void save(Tensors into) {
        actor.save(into);
        actorAdam.save("actor.adam", into);
        Critic.save(critics, into);
        temperature.save(into);
        into.put("sac.noise", noise.checkpoint());
        into.put("sac.updates", updates);
        into.put("sac.losses", sums.checkpoint());
    }

    @Override
    public void restore(Tensors from) {
        actor.restore(from);
        actorAdam.restore("actor.adam", from);
        Critic.restore(critics, from);
        temperature.restore(from);
        noise = RandomStream.resume(from.longs("sac.noise"));
        updates = from.longs("sac.updates")[0];
        sums.restore(from.doubles("sac.losses"));
    }

    @Override
    public void close() {
        workers.close();
    }

    /**
     * Adds the slopes of half the squared distance between mean actions and those of the batch, as shares of the bound, times
     * the mean size of the batch's values: these grow as rewards are learnt, and their mean may be near 0.
     */
    private void addCloningSlopes(int from, int to) {
        float[] out = current.tape().output();
        float[] gradient = current.tape().outputGradient();
        float pull = (float) (cloning * valueSize / cloned);
        for (int row = from; row < to; row++) {
            for (int j = 0; j < actions; j++) {
                int mean = 2 * row * actions + j;
                float t = Tape.tanh(out[mean]);
                float away = t - batch.actions()[row * actions + j] / actor.bound();
                gradient[mean] += pull * away * (1 - t * t);
            }
        }
    }
}
