package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.stream.LongStream;

/**
 * An agent's interaction with one environment: a step, then the transition it made. Random numbers depend on nothing but the
 * stream and the number of steps. Simulators are stepped one transition at a time; in a {@link Simulator.Batched} all rollouts
 * of a round are made at once, and their transitions handed over one after the other.
 */
public abstract sealed class Interaction {

    /** Where transitions go; the arrays are the caller's and change afterwards. */
    @FunctionalInterface
    public interface Memory {
        void add(float[] state, float[] action, double reward, boolean terminated, float[] nextState);
    }

    /** With a simulator of either kind, which begins at once. */
    static Interaction of(Simulator simulator, Actor actor, int replay, RandomStream stream) {
        return simulator instanceof Simulator.Batched batched
                ? new InRollouts(batched, actor, stream)
                : new InEpisodes(simulator, actor, replay, stream);
    }

    abstract Simulator.Space space();

    /** From now on another policy acts. */
    abstract void actBy(Actor policy);

    /**
     * One step; {@link #remember} does the rest.
     *
     * @param random whether to draw from all actions there are, rather than to ask the policy
     */
    public abstract void act(boolean random);

    /**
     * Hands over the transition of the last step, and begins another episode where that one was its last.
     *
     * @param row number of the transition in the replay
     */
    public abstract void remember(Memory memory, long row);

    /** Adds the episodes that ended since this was last asked to a sum. */
    abstract void takeEpisodes(Training.Episodes.Sum into);

    /** Episodes that ended, of which the replay still has a row, in their order. */
    abstract Collection<EpisodeRows> recorded();

    abstract void save(String prefix, Tensors into);

    abstract void restore(String prefix, Tensors from);

    private static void drawAny(Simulator.Actions actions, RandomStream stream, float[] into, int from, int to) {
        switch (actions) {
            case Simulator.Actions.Box box -> {
                for (int i = from; i < to; i++) {
                    into[i] = (float) stream.nextDouble(-box.bound(), box.bound());
                }
            }
            case Simulator.Actions.Choices choices -> {
                for (int i = from; i < to; i++) {
                    into[i] = stream.nextInt(choices.count());
                }
            }
        }
    }

    /** Episodes one after the other. Where they ended is recorded for as long as the replay holds them. */
    private static final class InEpisodes extends Interaction {
        private static final String EPISODES = ".episodes"; // in checkpoints: last row, length, terminated

        private final Simulator simulator;
        private Actor actor;
        private final float[] action;
        private RandomStream explore;
        private RandomStream resets;
        private float[] state;
        private float[] next;
        private double reward;
        private boolean terminated;

        private final int replay;
        private final Deque<EpisodeRows> recorded = new ArrayDeque<>(); // in the order they ended
        private long episodes;
        private int episodeSteps;
        private double episodeReturn;
        private long ended; // since they were last asked for, with their sums
        private long sumOfLengths;
        private double sumOfReturns;

        /**
         * A first episode begins at once.
         *
         * @param replay rows that are remembered, of all environments together
         */
        InEpisodes(Simulator simulator, Actor actor, int replay, RandomStream stream) {
            this.replay = replay;
            this.simulator = simulator;
            this.actor = actor;
            Simulator.Space space = simulator.space();
            explore = stream.named("explore");
            resets = stream.named("reset");
            state = new float[space.observations()];
            next = new float[space.observations()];
            action = new float[space.actions().size()];
            begin();
        }

        @Override
        Simulator.Space space() {
            return simulator.space();
        }

        @Override
        void actBy(Actor policy) {
            actor = policy;
        }

        @Override
        public void act(boolean random) {
            if (random) {
                drawAny(simulator.space().actions(), explore, action, 0, action.length);
            } else {
                actor.act(state, 0, explore, action, 0);
            }
            simulator.step(action, 0);
            simulator.observe(next, 0);
            reward = simulator.reward();
            terminated = simulator.terminated();
        }

        @Override
        public void remember(Memory memory, long row) {
            memory.add(state, action, reward, terminated, next);
            episodeSteps++;
            episodeReturn += reward;
            if (terminated || simulator.truncated()) {
                sumOfReturns += episodeReturn;
                sumOfLengths += episodeSteps;
                ended++;
                episodes++;
                recorded.addLast(new EpisodeRows(row, episodeSteps, terminated));
                while (recorded.getFirst().last() <= row - replay) {
                    recorded.removeFirst();
                }
                begin();
            } else {
                float[] swap = state;
                state = next;
                next = swap;
            }
        }

        private void begin() {
            simulator.reset(resets.at(episodes));
            simulator.observe(state, 0);
            episodeReturn = 0;
            episodeSteps = 0;
        }

        @Override
        void takeEpisodes(Training.Episodes.Sum into) {
            into.add(ended, sumOfReturns, sumOfLengths);
            ended = 0;
            sumOfReturns = 0;
            sumOfLengths = 0;
        }

        @Override
        Collection<EpisodeRows> recorded() {
            return recorded;
        }

        @Override
        void save(String prefix, Tensors into) {
            LongStream rows = recorded.stream()
                    .flatMapToLong(one -> LongStream.of(one.last(), one.length(), one.terminated() ? 1 : 0));
            into.put(prefix + EPISODES, rows.toArray());
            into.put(prefix + ".counts", episodes, episodeSteps, sumOfLengths, ended);
            into.put(prefix + ".sums", new double[] {episodeReturn, sumOfReturns});
            into.put(prefix + ".state", state.clone());
            into.put(prefix + ".simulator", simulator.state());
            into.put(prefix + ".explore", explore.checkpoint());
            into.put(prefix + ".reset", resets.checkpoint());
        }

        @Override
        void restore(String prefix, Tensors from) {
            BadInput.when(
                    !from.has(prefix + EPISODES),
                    "the checkpoint was written by an older version of Revealed, which did not record where episodes ended",
                    "Finish the run with that version, or start it again.");
            recorded.clear();
            long[] rows = from.longs(prefix + EPISODES);
            for (int i = 0; i < rows.length; i += 3) {
                recorded.addLast(new EpisodeRows(rows[i], (int) rows[i + 1], rows[i + 2] == 1));
            }
            long[] counts = from.longs(prefix + ".counts");
            episodes = counts[0];
            episodeSteps = (int) counts[1];
            sumOfLengths = counts[2];
            ended = counts[3];
            double[] sums = from.doubles(prefix + ".sums");
            episodeReturn = sums[0];
            sumOfReturns = sums[1];
            from.into(prefix + ".state", state);
            simulator.restore(from.doubles(prefix + ".simulator"));
            explore = RandomStream.resume(from.longs(prefix + ".explore"));
            resets = RandomStream.resume(from.longs(prefix + ".reset"));
        }
    }

    /**
     * Rounds of rollouts, made all at once by the policy as it is when the round before is used up. A round's chunks have
     * random streams of their own, so threads may share them. Rollouts are no episodes: none are recorded.
     */
    private static final class InRollouts extends Interaction {
        private static final int CHUNK = 256; // rows that one thread acts for at a time

        private final Simulator.Batched simulator;
        private final List<GaussianActor> actors = new ArrayList<>(); // one for each chunk
        private final TransitionLayout layout;
        private RandomStream explore;
        private RandomStream starts;
        private long rounds;
        private float[] made = new float[0]; // transitions of the round
        private int count;
        private int next;
        private final float[] state;
        private final float[] action;
        private final float[] after;

        InRollouts(Simulator.Batched simulator, Actor actor, RandomStream stream) {
            this.simulator = simulator;
            layout = TransitionLayout.of(simulator.space());
            explore = stream.named("explore");
            starts = stream.named("reset");
            state = new float[layout.observations()];
            action = new float[layout.actions()];
            after = new float[layout.observations()];
            actBy(actor);
        }

        @Override
        Simulator.Space space() {
            return simulator.space();
        }

        @Override
        void actBy(Actor policy) {
            if (!(policy instanceof GaussianActor batches)) {
                throw new BadInput(
                        "policies with finite actions act one observation at a time, and a learnt world has batches",
                        "Learn in a world whose actions are numbers between bounds.");
            }
            actors.clear();
            for (int i = 0; i < Math.ceilDiv(simulator.rollouts(), CHUNK); i++) {
                actors.add(batches.worker(CHUNK));
            }
        }

        @Override
        public void act(boolean random) {
            if (next == count) {
                round(random);
            }
        }

        private void round(boolean random) {
            int wide = layout.observations();
            int acts = layout.actions();
            int rows = simulator.rollouts();
            float[] states = new float[rows * wide];
            float[] actions = new float[rows * acts];
            float[] then = new float[rows * wide];
            double[] stored = new double[rows];
            boolean[] terminated = new boolean[rows];
            RandomStream noise = explore.at(rounds);
            simulator.begin(starts.at(rounds), states);
            if (made.length == 0) {
                made = new float[Math.multiplyExact(rows * simulator.length(), layout.width())];
            }
            count = 0;
            next = 0;
            for (int t = 0; t < simulator.length() && rows > 0; t++) {
                choose(random, rows, states, noise.at(t), actions);
                simulator.step(rows, states, actions, noise.named("step").at(t), then, stored, terminated);
                int alive = 0;
                for (int row = 0; row < rows; row++) {
                    int at = count++ * layout.width();
                    System.arraycopy(states, row * wide, made, at, wide);
                    System.arraycopy(actions, row * acts, made, at + wide, acts);
                    made[at + layout.reward()] = (float) stored[row];
                    made[at + layout.live()] = terminated[row] ? 0 : 1;
                    System.arraycopy(then, row * wide, made, at + layout.nextState(), wide);
                    if (!terminated[row]) {
                        System.arraycopy(then, row * wide, states, alive++ * wide, wide);
                    }
                }
                rows = alive;
            }
            rounds++;
        }

        private void choose(boolean random, int rows, float[] states, RandomStream stream, float[] actions) {
            int wide = layout.observations();
            int acts = layout.actions();
            Parallel.tasks(Math.ceilDiv(rows, CHUNK), chunk -> {
                int from = chunk * CHUNK;
                int to = Math.min(rows, from + CHUNK);
                RandomStream own = stream.at(chunk);
                if (random) {
                    drawAny(simulator.space().actions(), own, actions, from * acts, to * acts);
                } else {
                    actors.get(chunk).act(to - from, states, from * wide, own, actions, from * acts);
                }
            });
        }

        @Override
        public void remember(Memory memory, long row) {
            int at = next++ * layout.width();
            System.arraycopy(made, at, state, 0, state.length);
            System.arraycopy(made, at + layout.observations(), action, 0, action.length);
            System.arraycopy(made, at + layout.nextState(), after, 0, after.length);
            memory.add(state, action, made[at + layout.reward()], made[at + layout.live()] == 0, after);
        }

        @Override
        void takeEpisodes(Training.Episodes.Sum into) {}

        @Override
        Collection<EpisodeRows> recorded() {
            return List.of();
        }

        @Override
        void save(String prefix, Tensors into) {
            int width = layout.width();
            into.put(prefix + ".made", Arrays.copyOfRange(made, next * width, count * width));
            into.put(prefix + ".rounds", rounds);
            into.put(prefix + ".explore", explore.checkpoint());
            into.put(prefix + ".reset", starts.checkpoint());
        }

        @Override
        void restore(String prefix, Tensors from) {
            float[] left = from.floats(prefix + ".made");
            int most = simulator.rollouts() * simulator.length() * layout.width();
            made = Arrays.copyOf(left, Math.max(most, left.length));
            next = 0;
            count = left.length / layout.width();
            rounds = from.longs(prefix + ".rounds")[0];
            explore = RandomStream.resume(from.longs(prefix + ".explore"));
            starts = RandomStream.resume(from.longs(prefix + ".reset"));
        }
    }
}
