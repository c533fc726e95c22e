package dev.revealed.imitate;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Adam;
import dev.revealed.neural.Batch;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.SoftmaxActor;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Behaviour cloning: maximises the likelihood of the expert's actions by stochastic gradients. It ignores the dynamics and
 * is the baseline for every other method. It uses no simulator: a step of training is an update.
 */
public final class Cloning extends Training {

    /**
     * @param batch rows of a minibatch, or all there are where these are fewer
     * @param edge actions of a box count as at most this share of its bound: those on the bound are infinitely far out
     *     before squashing, and no policy reaches them
     */
    public record Settings(
            @Setting(about = "Widths of the hidden layers.", atLeast = 1, atMost = Mlp.WIDEST, example = "256,256")
            int[] hidden,

            Adam.Settings adam,
            int batch,
            double edge) {
        public Settings {
            dev.revealed.settings.Settings.check(Settings.class, hidden);
            BadInput.count("the batch", batch);
            BadInput.when(
                    !(edge > 0 && edge <= 1),
                    "the edge is " + edge,
                    "Give a share of the bound, above 0 and at most 1.");
        }

        /** The network of Soft Actor-Critic. */
        public static Settings usual() {
            return new Settings(new int[] {256, 256}, Adam.Settings.of(1e-3), 256, 0.999);
        }
    }

    /** Lower bound of the log standard deviation before squashing: for a deterministic expert it would fall without end. */
    private static final double LEAST_LOG_STD = -3;

    /** The sum of the log likelihoods of given actions, with its gradient. */
    @FunctionalInterface
    private interface Likelihood {
        double of(int rows, float[] states, float[] actions, float[] gradient);
    }

    /** The same without a gradient, of rows that begin anywhere. */
    @FunctionalInterface
    private interface Density {
        double of(int rows, float[] states, int statesAt, float[] actions, int actionsAt);
    }

    /** A policy that learns on standardised states. */
    private record ClonedPolicy(Actor actor, Network network, Likelihood likelihood) {}

    private final int batch;
    private final int width;
    private final int actionWidth;
    private final int rows;
    private final dev.revealed.mdp.Episodes expert;
    private final float[] states; // standardised
    private final float[] actions;
    private final float[] shift;
    private final float[] scale;
    private final ClonedPolicy learnt;
    private final Adam adam;
    private final float[] gradient;
    private final float[] someStates;
    private final float[] someActions;
    private final int[] order;
    private final RandomStream shuffles;
    private long shuffled = -1; // the pass that the order is of

    /** @param expert whose actions fit the space */
    public Cloning(Settings settings, dev.revealed.mdp.Episodes expert, Simulator.Space space, RandomStream stream) {
        this(settings, expert, space, stream, policy(settings, space, stream));
    }

    private Cloning(
            Settings settings,
            dev.revealed.mdp.Episodes expert,
            Simulator.Space space,
            RandomStream stream,
            Actor actor) {
        super(List.of(), actor, new Schedule(0, 1, Integer.MAX_VALUE), stream);
        expert.check(space);
        this.expert = expert;
        int longest = expert.all().stream().mapToInt(Episode::length).max().orElseThrow();
        Visits seen = Visits.of(expert, true, 1, longest, false, false);
        width = seen.width();
        actionWidth = expert.actionSize();
        rows = seen.count();
        batch = Math.min(settings.batch, rows);
        states = seen.inputs();
        shift = new float[width];
        scale = new float[width];
        seen.standardise(shift, scale);
        RewardModel.standardise(states, rows, shift, scale);
        actions = actions(expert, space, settings.edge);
        learnt = learnt(actor);
        adam = new Adam(settings.adam, learnt.network.parameters().length);
        gradient = new float[learnt.network.parameters().length];
        someStates = new float[batch * width];
        someActions = new float[batch * actionWidth];
        order = new int[rows];
        shuffles = stream.named("replay");
    }

    private static Actor policy(Settings settings, Simulator.Space space, RandomStream stream) {
        RandomStream networks = stream.named("networks");
        return switch (space.actions()) {
            case Simulator.Actions.Box _ -> GaussianActor.random(space, settings.hidden, false, networks);
            case Simulator.Actions.Choices _ -> SoftmaxActor.random(space, settings.hidden, networks);
        };
    }

    private ClonedPolicy learnt(Actor actor) {
        return switch (actor) {
            case GaussianActor box -> {
                GaussianActor worker = box.worker(batch);
                yield new ClonedPolicy(
                        box,
                        box.network(),
                        (count, seen, taken, into) -> worker.logLikelihood(count, seen, taken, LEAST_LOG_STD, into));
            }
            case SoftmaxActor choices ->
                new ClonedPolicy(choices, choices.network(), choices.worker(batch)::logLikelihood);
            default -> throw new IllegalArgumentException("an actor without a likelihood");
        };
    }

    private float[] actions(dev.revealed.mdp.Episodes expert, Simulator.Space space, double edge) {
        float[] all = new float[rows * actionWidth];
        int at = 0;
        for (Episode episode : expert.all()) {
            float[] own = episode.actions();
            if (own == null) {
                throw new BadInput(
                        "the demonstrations have no actions, and there is nothing to clone",
                        "Name demonstrations with actions, or estimate a reward of states, with `reward` state.");
            }
            System.arraycopy(own, 0, all, at, own.length);
            at += own.length;
        }
        if (space.actions() instanceof Simulator.Actions.Box(int _, float bound)) {
            float most = (float) (edge * bound);
            for (int i = 0; i < all.length; i++) {
                all[i] = Math.clamp(all[i], -most, most);
            }
        }
        return all;
    }

    /** @param rewards are not asked */
    @Override
    public void advance(long count, Batch.Rewards rewards, IntConsumer after) {
        for (int made = 1; made <= count; made++) {
            update();
            after.accept(made);
        }
    }

    private void update() {
        int perPass = rows / batch; // rows that fill no minibatch are left for another pass
        int place = (int) (updates() % perPass);
        shuffle(updates() / perPass);
        for (int i = 0; i < batch; i++) {
            int row = order[place * batch + i];
            System.arraycopy(states, row * width, someStates, i * width, width);
            System.arraycopy(actions, row * actionWidth, someActions, i * actionWidth, actionWidth);
        }
        double likelihood = learnt.likelihood.of(batch, someStates, someActions, gradient);
        if (!Double.isFinite(likelihood)) {
            throw new DivergenceFailure(updates() + 1, "log likelihood", likelihood);
        }
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] /= -batch;
        }
        adam.step(learnt.network.parameters(), gradient);
        learnt.network.changed();
        countSteps(1);
        due(1);
    }

    /** The order of a pass, which depends on its number alone. */
    private void shuffle(long pass) {
        if (pass == shuffled) {
            return;
        }
        shuffled = pass;
        RandomStream stream = shuffles.at(pass);
        for (int i = 0; i < rows; i++) {
            int j = stream.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
    }

    /** As it is now, a function of plain states. */
    @Override
    public Actor policy() {
        Actor copy = learnt.actor.snapshot();
        learnt.network.fold(shift, scale, learnt(copy).network);
        return copy;
    }

    /** The {@link #logLikelihood} of the policy as it is now. */
    @Override
    public Map<String, Double> diagnostics() {
        return Map.of("logLikelihood", logLikelihood(policy()));
    }

    /**
     * The log-likelihood per step of all demonstrations under a policy, which takes plain states. Actions count as they do in
     * learning, see {@link Settings#edge}; the policy's deviations are its own.
     */
    double logLikelihood(Actor policy) {
        Density density = density(policy);
        double sum = 0;
        int at = 0; // of the first row of the episode
        for (Episode episode : expert.all()) {
            for (int t = 0; t < episode.length(); t += batch) {
                int count = Math.min(batch, episode.length() - t);
                sum += density.of(count, episode.observations(), t * width, actions, (at + t) * actionWidth);
            }
            at += episode.length();
        }
        return sum / rows;
    }

    private Density density(Actor policy) {
        return switch (policy) {
            case GaussianActor box -> box.worker(batch)::logDensity;
            case SoftmaxActor choices -> choices.worker(batch)::logProbability;
            default -> throw new IllegalArgumentException("an actor without a likelihood");
        };
    }

    @Override
    public long remembered() {
        return 0;
    }

    @Override
    public void writeRows(long from, long to, OutputStream out) {
        // the demonstrations are all there is to remember
    }

    @Override
    public void readRows(long from, long to, InputStream in) {
        // the demonstrations are all there is to remember
    }

    @Override
    protected void copyRows(long from, long to, float[] into) {
        // the demonstrations are all there is to remember
    }

    @Override
    public void save(Tensors into) {
        super.save(into);
        learnt.network.save("clone", into);
        adam.save("clone.adam", into);
        policy().save(into); // for those who look on
    }

    @Override
    public void restore(Tensors from) {
        super.restore(from);
        learnt.network.restore("clone", from);
        adam.restore("clone.adam", from);
    }

    @Override
    public void close() {
        // nothing was taken
    }
}
