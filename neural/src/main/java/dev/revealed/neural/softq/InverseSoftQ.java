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
import dev.revealed.neural.PolicyDraws;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Tape;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import java.util.Arrays;
import java.util.Map;

/**
 * Inverse soft Q-learning (IQ-Learn, Garg et al. 2021): an actor as in Soft Actor-Critic, and critics whose own rewards
 * Q(s, a) - discount V(s') are made large along the expert's rows, with a chi-square regulariser. Rewards of the batch are
 * not looked at; its last rows, as many as {@link #cloneLast} says, are the expert's.
 */
public final class InverseSoftQ implements Learner {

    /** What is subtracted besides the expert's rewards: two estimates of what the policy is worth from its start. */
    public enum Term {
        /** (1 - discount) V(s) at the expert's states. */
        V0,
        /** V(s) - discount V(s') along all rows. */
        VALUE
    }

    /** Actions of the agent's rows that the regulariser looks at. */
    public enum Actions {
        /** Those that were taken. */
        STORED,
        /** Those that the policy draws there now. */
        DRAWN
    }

    /** What a state after termination is worth. */
    public enum End {
        /** Nothing, as published. */
        ZERO,
        /** After rows of the agent the least that a value may be, after the expert's the most. */
        LIMIT
    }

    /** The critics' loss. */
    public record Loss(
            @Setting(
                    name = "iq-term",
                    label = "WHAT",
                    about =
                            "Term of the critics' loss that balances the expert's rewards: v0, the value of the expert's "
                                    + "states, or value, the values of all rows less those of their next states.")
            Term term,

            @Setting(
                    name = "iq-regulariser",
                    about =
                            "Strength of the chi-square regulariser: the squared rewards of all rows have the weight 1 / (4 "
                                    + "x this).",
                    above = 0,
                    example = "0.5")
            double regulariser,

            @Setting(
                    name = "iq-target",
                    about = "Whether values of next states come from target networks, through which no gradient flows; "
                            + "otherwise from the critics themselves.")
            boolean target,

            @Setting(
                    name = "iq-actions",
                    label = "WHAT",
                    about =
                            "Actions of the agent's rows in the regulariser: drawn, sampled from the current policy, as in "
                                    + "the reference code; or stored, those that were taken.")
            Actions actions,

            @Setting(
                    name = "iq-value-limit",
                    about =
                            "Bound of the absolute values of next states, as in LS-IQ. Without it they grow, and with them "
                                    + "the loss of rows that terminate. 0 for no limit.",
                    atLeast = 0,
                    example = "50")
            double valueLimit,

            @Setting(
                    name = "iq-end",
                    label = "WHAT",
                    about =
                            "Value after termination: zero, as published, where the agent learns to terminate if its other"
                                    + " rewards are negative; or limit, minus `iq-value-limit` after rows of the agent and plus"
                                    + " that after the expert's, as in LS-IQ.")
            End end) {
        public Loss {
            dev.revealed.settings.Settings.check(Loss.class, term, regulariser, target, actions, valueLimit, end);
        }

        /** The same with other values for some settings, by name. */
        public Loss with(Map<String, ?> values) {
            return dev.revealed.settings.Settings.of(Loss.class).with(this, values);
        }

        /** What comes after a row: a value if the episode goes on, and what its end is worth. */
        public double ahead(double value, boolean live, boolean expert) {
            return live ? cut(value, valueLimit) : expert ? endWorth() : -endWorth();
        }

        /** What an end is worth to the expert, and costs the agent. */
        public double endWorth() {
            return end == End.ZERO ? 0 : valueLimit;
        }

        /** A value of a next state, cut to that distance from zero; 0 for no limit. */
        private static double cut(double value, double limit) {
            return limit > 0 && Math.abs(value) > limit ? Math.copySign(limit, value) : value;
        }

        /** Refuses settings of the learner that it does not go with. */
        public void check(Sac.Settings settings) {
            BadInput.when(
                    settings.temperature().tuned(),
                    "`temperature` is auto, and iq-learn cannot tune it",
                    "Give `temperature` a number, such as 0.01.");
            BadInput.when(
                    settings.actorEvery() != 1,
                    "`actor-every` is %d, and iq-learn updates its actor with its critics"
                            .formatted(settings.actorEvery()),
                    "Leave out `actor-every`.");
        }

        /** Weight of a squared reward in a mean over rows. */
        public double squareWeight() {
            return 1 / (4 * regulariser);
        }
    }

    /** The name of the current temperature among what is saved. */
    public static final String TEMPERATURE = "iq.temperature";

    private final Sac.Settings settings;
    private final Loss loss;
    private final int observations;
    private final int actions;
    private final GaussianActor actor;
    private final Adam actorAdam;
    private final float[] actorGradient;
    private final Critic[] critics;
    private final PolicyDraws next;
    private final PolicyDraws current;
    private final float[] pairs; // as stored, then next states, then states with actions drawn there
    private final float[] pairGradient;
    private final float[] actionGradient;
    private final Losses.Sum sums = new Losses.Sum();
    private RandomStream noise;
    private long updates;
    private int expertRows;

    /** Initial weights come from {@code stream.named("networks")}, noise of updates from {@code stream.named("noise")}. */
    public InverseSoftQ(Simulator.Space space, Sac.Settings settings, Loss loss, RandomStream stream) {
        if (!(space.actions() instanceof Simulator.Actions.Box box)) {
            throw new BadInput(
                    "the task '%s' has finitely many actions".formatted(space.name()),
                    "Inverse soft Q-learning needs actions that are numbers between bounds.");
        }
        loss.check(settings);
        this.settings = settings;
        this.loss = loss;
        observations = space.observations();
        actions = box.size();
        RandomStream networks = stream.named("networks");
        actor = GaussianActor.random(space, settings.hidden(), false, networks.named("actor"));
        actorAdam =
                new Adam(Adam.Settings.of(settings.actorRate()), actor.network().parameters().length);
        actorGradient = new float[actor.network().parameters().length];
        int rows = settings.batch();
        Mlp shape = settings.critic(observations + actions);
        Adam.Settings adam = Adam.Settings.of(settings.learningRate()).withDecoupledDecay(settings.criticDecay());
        critics = Critic.random(settings.critics(), shape, adam, 3 * rows, rows, networks);
        noise = stream.named("noise");
        next = new PolicyDraws(actor, rows);
        current = new PolicyDraws(actor, rows);
        pairs = new float[3 * rows * (observations + actions)];
        pairGradient = new float[rows * actions];
        actionGradient = new float[rows * actions];
    }

    @Override
    public void cloneLast(int rows, double weight) {
        expertRows = rows;
    }

    @Override
    public int batch() {
        return settings.batch();
    }

    @Override
    public void scaleInputs(float[] scale) {
        actor.network().scaleInputs(scale);
        actorAdam.pace(scale, actor.network().shape().out(0));
        Critic.scaleInputs(critics, scale);
    }

    @Override
    public GaussianActor actor() {
        return actor;
    }

    @Override
    public Map<String, Double> diagnostics() {
        return sums.takeMeans().byName();
    }

    @Override
    public void update(Batch batch, Runnable beside) {
        batch.expect(settings.batch());
        beside.run();
        int n = batch.size();
        double alpha = settings.temperature().after(updates);
        next.drawNoise(noise);
        current.drawNoise(noise);
        double criticLoss = criticLoss(batch, alpha);
        double value = 0;
        for (int row = 0; row < n; row++) {
            value += (double) critics[0].tape().output()[row] / n;
        }
        for (Critic critic : critics) {
            critic.improve(3 * n, (float) (1 - settings.polyak()));
        }
        double actorLoss = improveActor(n, alpha);
        sums.add(criticLoss, actorLoss, current.entropy(n), alpha, value);
        updates++;
    }

    /** The critics' loss by the noise that was drawn last; every critic's gradient of its outputs is set. */
    double criticLoss(Batch batch, double alpha) {
        int n = batch.size();
        next.draw(batch.nextStates(), 0, n);
        current.draw(batch.states(), 0, n);
        int width = observations + actions;
        for (int row = 0; row < n; row++) {
            System.arraycopy(batch.states(), row * observations, pairs, row * width, observations);
            System.arraycopy(batch.actions(), row * actions, pairs, row * width + observations, actions);
        }
        System.arraycopy(next.pairs(), 0, pairs, n * width, n * width);
        System.arraycopy(current.pairs(), 0, pairs, 2 * n * width, n * width);
        for (Critic critic : critics) {
            critic.tape().forward(pairs, 3 * n);
            Arrays.fill(critic.tape().outputGradient(), 0, 3 * n, 0);
            if (loss.target) {
                critic.targetTape().forward(next.pairs(), n);
            }
        }
        double sum = 0;
        for (int row = 0; row < n; row++) {
            sum += rowLoss(batch, row, alpha);
        }
        if (!Double.isFinite(sum)) {
            throw new DivergenceFailure(updates + 1, "critic loss", sum);
        }
        return sum;
    }

    /** What a row adds to the loss, a mean over critics, and to the gradients of their outputs. */
    private double rowLoss(Batch batch, int row, double alpha) {
        int n = batch.size();
        boolean expert = row >= n - expertRows;
        double ofExpert = expert ? 1.0 / expertRows : 0;
        int here = Critic.lowest(critics, 2 * n + row);
        int there = Critic.lowest(critics, n + row);
        double ahead = settings.discount() * batch.live()[row];
        double seenAhead = (loss.target ? Critic.lowestTarget(critics, row) : output(there, n + row))
                - alpha * next.logDensity()[row];
        boolean live = batch.live()[row] != 0;
        double following = settings.discount() * loss.ahead(seenAhead, live, expert);
        boolean cut = Loss.cut(seenAhead, loss.valueLimit) != seenAhead;
        double value = output(here, 2 * n + row) - alpha * current.logDensity()[row];
        double v0 = loss.term == Term.V0 ? (1 - settings.discount()) * ofExpert : 1.0 / n;
        double vNext = loss.term == Term.V0 ? 0 : 1.0 / n;
        double square = loss.squareWeight() / n;
        double sum = v0 * value - vNext * following;
        double slopeHere = v0;
        double slopeAhead = -ahead * vNext;
        if (loss.actions == Actions.DRAWN && !expert) {
            double reward = output(here, 2 * n + row) - following;
            double slope = 2 * square * reward;
            sum += square * reward * reward;
            slopeHere += slope;
            slopeAhead -= ahead * slope;
        } else {
            for (int k = 0; k < critics.length; k++) {
                double reward = output(k, row) - following;
                double slope = (-ofExpert + 2 * square * reward) / critics.length;
                sum += (-ofExpert * reward + square * reward * reward) / critics.length;
                critics[k].tape().outputGradient()[row] = (float) slope;
                slopeAhead -= ahead * slope;
            }
        }
        critics[here].tape().outputGradient()[2 * n + row] = (float) slopeHere;
        if (!loss.target) {
            critics[there].tape().outputGradient()[n + row] = cut ? 0 : (float) slopeAhead;
        }
        return sum;
    }

    private double output(int k, int row) {
        return critics[k].tape().output()[row];
    }

    /** As in Soft Actor-Critic: through the critic that is lowest at each row. */
    private double improveActor(int n, double alpha) {
        for (Critic critic : critics) {
            critic.tape().forward(current.pairs(), n);
        }
        double sum = 0;
        for (int k = 0; k < critics.length; k++) {
            Tape tape = critics[k].tape();
            for (int row = 0; row < n; row++) {
                tape.outputGradient()[row] = 1;
            }
            tape.propagate(n);
            tape.inputGradient(0, n, observations, pairGradient);
            for (int row = 0; row < n; row++) {
                if (Critic.lowest(critics, row) == k) {
                    System.arraycopy(pairGradient, row * actions, actionGradient, row * actions, actions);
                    sum += (alpha * current.logDensity()[row] - output(k, row)) / n;
                }
            }
        }
        if (!Double.isFinite(sum)) {
            throw new DivergenceFailure(updates + 1, "actor loss", sum);
        }
        current.differentiate(alpha, n, actionGradient, 0, n);
        current.tape().propagate(n);
        current.tape().gradient(n, actorGradient, false);
        actorAdam.step(actor.network().parameters(), actorGradient, settings.actorShare(updates));
        actor.network().changed();
        return sum;
    }

    /** The gradient of a critic's parameters that {@link #criticLoss} left behind. */
    float[] criticGradient(int k) {
        int rows = 3 * settings.batch();
        float[] gradient = new float[critics[k].network().parameters().length];
        critics[k].tape().propagate(rows);
        critics[k].tape().gradient(rows, gradient, false);
        return gradient;
    }

    Network critic(int k) {
        return critics[k].network();
    }

    PolicyDraws next() {
        return next;
    }

    PolicyDraws current() {
        return current;
    }

    /** Under the names that Soft Actor-Critic has, by which forks and measurements know them. */
    @Override
    public void save(Tensors into) {
        actor.save(into);
        actorAdam.save("actor.adam", into);
        Critic.save(critics, into);
        into.put("sac.noise", noise.checkpoint());
        into.put("sac.updates", updates);
        into.put(TEMPERATURE, new double[] {settings.temperature().after(updates)});
        into.put("sac.losses", sums.checkpoint());
    }

    @Override
    public void restore(Tensors from) {
        actor.network().restore("actor", from);
        actorAdam.restore("actor.adam", from);
        Critic.restore(critics, from);
        noise = RandomStream.resume(from.longs("sac.noise"));
        updates = from.longs("sac.updates")[0];
        sums.restore(from.doubles("sac.losses"));
    }

    @Override
    public void close() {}
}
