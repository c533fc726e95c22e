package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;

/**
 * One life in one simulator: a step, the transition it made, and at the end of an episode the next one. Chance depends on
 * nothing but the stream and the number of steps.
 */
public final class Life {

    /** Where transitions go; the arrays are the caller's and change afterwards. */
    @FunctionalInterface
    public interface Memory {
        void add(float[] state, float[] action, double reward, boolean terminated, float[] nextState);
    }

    private final Simulator simulator;
    private final Actor actor;
    private final float[] action;
    private RandomStream explore;
    private RandomStream resets;
    private float[] state;
    private float[] next;
    private double reward;
    private boolean terminated;

    private long episodes;
    private long episodeSteps;
    private double episodeReturn;
    private long ended; // since somebody took them, with their sums
    private long sumOfLengths;
    private double sumOfReturns;

    /** A first episode begins at once. */
    public Life(Simulator simulator, Actor actor, RandomStream stream) {
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

    /** Hands over the transition of the last step, and begins another episode where that one was its last. */
    public void remember(Memory memory) {
        memory.add(state, action, reward, terminated, next);
        episodeSteps++;
        episodeReturn += reward;
        if (terminated || simulator.truncated()) {
            sumOfReturns += episodeReturn;
            sumOfLengths += episodeSteps;
            ended++;
            episodes++;
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

    void save(String prefix, Tensors into) {
        into.put(prefix + ".counts", episodes, episodeSteps, sumOfLengths, ended);
        into.put(prefix + ".sums", new double[] {episodeReturn, sumOfReturns});
        into.put(prefix + ".state", state.clone());
        into.put(prefix + ".simulator", simulator.state());
        into.put(prefix + ".explore", explore.checkpoint());
        into.put(prefix + ".reset", resets.checkpoint());
    }

    void restore(String prefix, Tensors from) {
        long[] counts = from.longs(prefix + ".counts");
        episodes = counts[0];
        episodeSteps = counts[1];
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
