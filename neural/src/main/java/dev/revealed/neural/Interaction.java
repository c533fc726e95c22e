package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.stream.LongStream;

/**
 * An agent's interaction with one environment: a step, the transition it made, and at the end of an episode the next one.
 * Random numbers depend on nothing but the stream and the number of steps. Where episodes ended is recorded for as long as the
 * replay holds them.
 */
public final class Interaction {

    /** Where transitions go; the arrays are the caller's and change afterwards. */
    @FunctionalInterface
    public interface Memory {
        void add(float[] state, float[] action, double reward, boolean terminated, float[] nextState);
    }

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
    Interaction(Simulator simulator, Actor actor, int replay, RandomStream stream) {
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

    Simulator.Space space() {
        return simulator.space();
    }

    /** From now on another policy acts. */
    void actBy(Actor policy) {
        actor = policy;
    }

    /**
     * One step of the simulator; {@link #remember} does the rest.
     *
     * @param random whether to draw from all actions there are, rather than to ask the policy
     */
    public void act(boolean random) {
        if (random) {
            anyAction();
        } else {
            actor.act(state, 0, explore, action, 0);
        }
        simulator.step(action, 0);
        simulator.observe(next, 0);
        reward = simulator.reward();
        terminated = simulator.terminated();
    }

    private void anyAction() {
        switch (simulator.space().actions()) {
            case Simulator.Actions.Box box -> {
                for (int i = 0; i < action.length; i++) {
                    action[i] = (float) explore.nextDouble(-box.bound(), box.bound());
                }
            }
            case Simulator.Actions.Choices choices -> action[0] = explore.nextInt(choices.count());
        }
    }

    /**
     * Hands over the transition of the last step, and begins another episode where that one was its last.
     *
     * @param row number of the transition in the replay
     */
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

    /** Adds the episodes that ended since this was last asked to a sum. */
    void takeEpisodes(Training.Episodes.Sum into) {
        into.add(ended, sumOfReturns, sumOfLengths);
        ended = 0;
        sumOfReturns = 0;
        sumOfLengths = 0;
    }

    /** Episodes that ended, of which the replay still has a row, in their order. */
    Collection<EpisodeRows> recorded() {
        return recorded;
    }

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
