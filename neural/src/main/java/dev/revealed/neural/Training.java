package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.function.IntConsumer;

/**
 * An agent that lives in one simulator and learns as it goes: a step of the simulator, then the updates that are due. The
 * step runs beside the first of them and acts with the policy before it, a lag of one update that is the same whatever
 * the number of threads; see docs/design/engine.md.
 */
public final class Training {

    /**
     * When to act at random and when to learn.
     *
     * @param randomSteps first steps, whose actions are drawn from all there are
     * @param updateAfter steps before the first update
     * @param updatesPerStep may be a fraction
     * @param replay transitions to remember
     */
    public record Schedule(int batch, long randomSteps, long updateAfter, double updatesPerStep, int replay) {}

    /**
     * Episodes that ended since this was last asked.
     *
     * @param meanReturn by the task's own reward; NaN where no episode ended
     */
    public record Episodes(long count, double meanReturn, double meanLength) {}

    private final Simulator simulator;
    private final Learner learner;
    private final Actor actor;
    private final Schedule schedule;
    private final Replay replay;
    private final Batch batch;
    private final Runnable act = this::act;

    private RandomStream explore;
    private RandomStream resets;
    private RandomStream rows;

    private float[] state;
    private float[] next;
    private final float[] action;
    private double reward;
    private boolean terminated;

    private long steps;
    private long updates;
    private long episodes;
    private double owed; // updates due and not made, below one
    private double episodeReturn;
    private long episodeSteps;
    private double sumOfReturns;
    private long sumOfLengths;
    private long ended;

    /** A first episode begins at once. */
    public Training(Simulator simulator, Learner learner, Schedule schedule, RandomStream stream) {
        this.simulator = simulator;
        this.learner = learner;
        this.actor = learner.actor().worker();
        this.schedule = schedule;
        Simulator.Space space = simulator.space();
        this.replay = new Replay(space, schedule.replay);
        this.batch = Batch.of(schedule.batch, space);
        this.explore = stream.named("explore");
        this.resets = stream.named("reset");
        this.rows = stream.named("replay");
        this.state = new float[space.observations()];
        this.next = new float[space.observations()];
        this.action = new float[space.actions().size()];
        begin();
    }

    /** Goes on for a number of steps under a reward; tells after each how many were made. */
    public void advance(long count, Batch.Rewards rewards, IntConsumer after) {
        for (int i = 1; i <= count; i++) {
            tick(rewards);
            after.accept(i);
        }
    }

    private void tick(Batch.Rewards rewards) {
        boolean learn = steps >= Math.max(1, schedule.updateAfter);
        owed += learn ? schedule.updatesPerStep : 0;
        if (owed < 1) {
            act();
        } else {
            update(rewards, act);
            while (owed >= 1) {
                update(rewards, () -> {});
            }
        }
        remember();
    }

    private void update(Batch.Rewards rewards, Runnable beside) {
        replay.sample(rows, batch);
        rewards.relabel(batch);
        learner.update(batch, beside);
        owed--;
        updates++;
    }

    /** One step of the simulator; {@link #remember} does the rest once nobody draws from the replay. */
    private void act() {
        if (steps < schedule.randomSteps) {
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

    private void remember() {
        replay.add(state, action, reward, terminated, next);
        steps++;
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

    public long steps() {
        return steps;
    }

    public long updates() {
        return updates;
    }

    public Replay replay() {
        return replay;
    }

    /** Episodes that ended since this was last asked. */
    public Episodes takeEpisodes() {
        Episodes taken = new Episodes(
                ended,
                ended == 0 ? Double.NaN : sumOfReturns / ended,
                ended == 0 ? Double.NaN : (double) sumOfLengths / ended);
        ended = 0;
        sumOfReturns = 0;
        sumOfLengths = 0;
        return taken;
    }

    /** Hands over everything but the replay's rows, which are too many to write anew each time. */
    public void save(Tensors into) {
        learner.save(into);
        into.put("training.counts", steps, updates, episodes, episodeSteps, sumOfLengths, ended);
        into.put("training.sums", new double[] {owed, episodeReturn, sumOfReturns});
        into.put("training.state", state);
        into.put("training.simulator", simulator.state());
        into.put("training.explore", explore.checkpoint());
        into.put("training.reset", resets.checkpoint());
        into.put("training.rows", rows.checkpoint());
    }

    /** Goes on from there; the replay's rows are read by the caller. */
    public void restore(Tensors from) {
        learner.restore(from);
        long[] counts = from.longs("training.counts");
        steps = counts[0];
        updates = counts[1];
        episodes = counts[2];
        episodeSteps = counts[3];
        sumOfLengths = counts[4];
        ended = counts[5];
        double[] sums = from.doubles("training.sums");
        owed = sums[0];
        episodeReturn = sums[1];
        sumOfReturns = sums[2];
        from.into("training.state", state);
        simulator.restore(from.doubles("training.simulator"));
        explore = RandomStream.resume(from.longs("training.explore"));
        resets = RandomStream.resume(from.longs("training.reset"));
        rows = RandomStream.resume(from.longs("training.rows"));
    }
}
