package dev.revealed.imitate;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Adam;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Network;
import dev.revealed.neural.SoftmaxActor;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.function.IntConsumer;

/**
 * Behaviour cloning: the policy under which the expert's actions are likeliest, by stochastic gradients. It never asks what
 * the actions lead to, and is the floor that every other method has to clear.
 */
public final class Cloning {

    /**
     * @param hidden widths of the policy's hidden layers
     * @param updates of the policy, each on one minibatch
     * @param batch rows of a minibatch
     * @param edge actions of a box count as at most this share of its bound: those on the bound are infinitely far out
     *     before squashing, and no policy reaches them
     */
    public record Settings(int[] hidden, Adam.Settings adam, int updates, int batch, double edge) {
        /** The network of Soft Actor-Critic. */
        public static Settings usual() {
            return new Settings(new int[] {256, 256}, Adam.Settings.of(1e-3), 10_000, 256, 0.999);
        }
    }

    /**
     * A policy and how likely it finds what it was shown.
     *
     * @param logLikelihood of an action, on average over the updates of the last pass
     */
    public record Clone(Actor policy, double logLikelihood) {}

    /** The sum of the log likelihoods of given actions, with its gradient. */
    @FunctionalInterface
    private interface Likelihood {
        double of(int rows, float[] states, float[] actions, float[] gradient);
    }

    private final Settings settings;
    private final int width;
    private final int actionWidth;
    private final int rows;
    private final float[] states;
    private final float[] actions;
    private final float[] shift;
    private final float[] scale;

    private Cloning(Settings settings, Episodes expert, Simulator.Space space) {
        this.settings = settings;
        int longest = expert.all().stream().mapToInt(Episode::length).max().orElseThrow();
        Visits seen = Visits.of(expert, true, 1, longest, false, false);
        width = seen.width();
        actionWidth = expert.actionSize();
        rows = seen.count();
        states = seen.inputs();
        shift = new float[width];
        scale = new float[width];
        seen.standardise(shift, scale);
        RewardModel.standardise(states, rows, shift, scale);
        actions = actions(expert, space);
    }

    private float[] actions(Episodes expert, Simulator.Space space) {
        float[] all = new float[rows * actionWidth];
        int at = 0;
        for (Episode episode : expert.all()) {
            float[] own = episode.actions();
            if (own == null) {
                throw new BadInput(
                        "the demonstrations have no actions, and there is nothing to clone",
                        "Name demonstrations with actions, or estimate a reward of states, with --reward state.");
            }
            System.arraycopy(own, 0, all, at, own.length);
            at += own.length;
        }
        if (space.actions() instanceof Simulator.Actions.Box(int _, float bound)) {
            float most = (float) (settings.edge * bound);
            for (int i = 0; i < all.length; i++) {
                all[i] = Math.clamp(all[i], -most, most);
            }
        }
        return all;
    }

    /**
     * @param expert whose actions fit the space
     * @param made told how many updates were made
     */
    public static Clone of(
            Settings settings, Episodes expert, Simulator.Space space, RandomStream stream, IntConsumer made) {
        Cloning cloning = new Cloning(settings, expert, space);
        RandomStream networks = stream.named("networks");
        int batch = Math.min(settings.batch, cloning.rows);
        return switch (space.actions()) {
            case Simulator.Actions.Box _ -> {
                GaussianActor actor = GaussianActor.random(space, settings.hidden, false, networks);
                double likelihood = cloning.fit(actor.network(), actor.worker(batch)::logLikelihood, stream, made);
                yield new Clone(actor, likelihood);
            }
            case Simulator.Actions.Choices _ -> {
                SoftmaxActor actor = SoftmaxActor.random(space, settings.hidden, networks);
                double likelihood = cloning.fit(actor.network(), actor.worker(batch)::logLikelihood, stream, made);
                yield new Clone(actor, likelihood);
            }
        };
    }

    /** Learns on standardised states and leaves the network as the same function of plain ones. */
    private double fit(Network network, Likelihood likelihood, RandomStream stream, IntConsumer made) {
        RandomStream shuffle = stream.named("replay");
        Adam adam = new Adam(settings.adam, network.parameters().length);
        float[] gradient = new float[network.parameters().length];
        int batch = Math.min(settings.batch, rows);
        int perPass = rows / batch;
        float[] someStates = new float[batch * width];
        float[] someActions = new float[batch * actionWidth];
        int[] order = new int[rows];
        for (int i = 0; i < rows; i++) {
            order[i] = i;
        }
        double sum = 0;
        int counted = 0;
        for (int update = 0; update < settings.updates; update++) {
            int place = update % perPass; // rows that fill no minibatch are left for another pass
            if (place == 0) {
                shuffle(order, shuffle);
            }
            for (int i = 0; i < batch; i++) {
                int row = order[place * batch + i];
                System.arraycopy(states, row * width, someStates, i * width, width);
                System.arraycopy(actions, row * actionWidth, someActions, i * actionWidth, actionWidth);
            }
            double logLikelihood = likelihood.of(batch, someStates, someActions, gradient);
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] /= -batch;
            }
            adam.step(network.parameters(), gradient);
            network.changed();
            if (update >= settings.updates - perPass) {
                sum += logLikelihood;
                counted += batch;
            }
            made.accept(update + 1);
        }
        network.copy().fold(shift, scale, network);
        return sum / counted;
    }

    private static void shuffle(int[] order, RandomStream stream) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = stream.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
    }
}
