package dev.revealed.neural;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Whole episodes of a policy. */
public final class Rollouts {
    private Rollouts() {}

    /**
     * Episodes {@code first} to {@code first + count - 1}. Each has its own random stream, {@code stream.at(its number)}, so
     * they are the same whichever simulator plays them and whatever the number of threads.
     *
     * @param simulators of one task; each plays one episode after the other
     * @param deterministic whether to take the likeliest action rather than draw one
     */
    public static Episodes of(
            Actor actor,
            List<? extends Simulator> simulators,
            long first,
            int count,
            boolean deterministic,
            RandomStream stream) {
        return play(actor, simulators, first, count, new Way(deterministic, false, true), stream);
    }

    /** The same with sampled actions, continuing up to the horizon after termination. */
    public static Episodes through(Actor actor, List<? extends Simulator> simulators, int count, RandomStream stream) {
        return play(actor, simulators, 0, count, new Way(false, true, true), stream);
    }

    /**
     * Episodes with actions drawn and without the task's rewards, for those who must not learn from them.
     *
     * @param through whether to go on up to the horizon though an episode was terminated on the way
     */
    public static Episodes unrewarded(
            Actor actor, List<? extends Simulator> simulators, int count, boolean through, RandomStream stream) {
        return play(actor, simulators, 0, count, new Way(false, through, false), stream);
    }

    /** How actions are chosen, whether episodes go on after their end, and whether rewards are kept. */
    private record Way(boolean deterministic, boolean through, boolean rewarded) {}

    private static Episodes play(
            Actor actor, List<? extends Simulator> simulators, long first, int count, Way way, RandomStream stream) {
        Episode[] episodes = new Episode[count];
        AtomicInteger next = new AtomicInteger();
        Parallel.tasks(Math.min(count, simulators.size()), who -> {
            Actor worker = actor.worker();
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                episodes[i] = play(worker, simulators.get(who), way, stream.at(first + i));
            }
        });
        return new Episodes(List.of(episodes));
    }

    private static Episode play(Actor actor, Simulator simulator, Way way, RandomStream stream) {
        Simulator.Space space = simulator.space();
        int width = space.observations();
        int actionWidth = space.actions().size();
        float[] observations = new float[(space.horizon() + 1) * width];
        float[] actions = new float[space.horizon() * actionWidth];
        double[] rewards = new double[space.horizon()];
        RandomStream noise = stream.named("explore");
        simulator.reset(stream.named("reset"));
        simulator.observe(observations, 0);
        int t = 0;
        do {
            if (way.deterministic) {
                actor.actDeterministic(observations, t * width, actions, t * actionWidth);
            } else {
                actor.act(observations, t * width, noise, actions, t * actionWidth);
            }
            simulator.step(actions, t * actionWidth);
            rewards[t] = simulator.reward();
            t++;
            simulator.observe(observations, t * width);
        } while ((way.through || !simulator.terminated()) && !simulator.truncated());
        return new Episode(
                t,
                Arrays.copyOf(observations, (t + 1) * width),
                Arrays.copyOf(actions, t * actionWidth),
                way.rewarded ? Arrays.copyOf(rewards, t) : null,
                simulator.terminated() && !way.through ? Ending.TERMINATED : Ending.TRUNCATED);
    }
}
