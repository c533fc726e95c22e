package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An agent that learns on the processor: a step of a simulator, then the updates for it. The step runs concurrently
 * with the first of them and acts with the policy before it, a lag of one update that is the same whatever the number
 * of threads; see docs/design/engine.md.
 */
public final class CpuTraining extends Training {
    private final Learner learner;
    private final Replay replay;
    private final Batch batch;
    private final Interaction.Memory memory;
    private final Runnable act = this::act;
    private @Nullable Batch expert;
    private int expertRows; // of a batch, its last ones

    /**
     * A first episode begins at once.
     *
     * @param simulators take a step each in turn
     * @param learner closed with the agent
     */
    public CpuTraining(List<? extends Simulator> simulators, Learner learner, Schedule schedule, RandomStream stream) {
        schedule.check(learner.batch());
        super(simulators, learner.actor(), schedule, stream);
        this.learner = learner;
        Simulator.Space space = simulators.getFirst().space();
        replay = new Replay(space, schedule.replay());
        memory = replay::add;
        batch = Batch.of(learner.batch(), space);
    }

    @Override
    public void advance(long count, Batch.Rewards rewards, IntConsumer after) {
        for (int i = 1; i <= count; i++) {
            tick(rewards);
            after.accept(i);
        }
    }

    private void tick(Batch.Rewards rewards) {
        int due = due(1);
        if (due == 0) {
            act();
        } else {
            update(rewards, act);
            for (int i = 1; i < due; i++) {
                update(rewards, () -> {});
            }
        }
        turn().remember(memory, steps()); // only now: no update reads the replay
        countSteps(1);
    }

    private void update(Batch.Rewards rewards, Runnable concurrent) {
        replay.sample(rows(), batch, batch.size() - expertRows);
        if (expert != null) {
            batch.draw(batch.size() - expertRows, expert, rows());
        }
        rewards.relabel(batch);
        learner.update(batch, concurrent);
    }

    @Override
    public void learnFrom(Batch transitions, ExpertRows rows) {
        expert = transitions;
        expertRows = rows.in(batch.size());
        learner.cloneLast(expertRows, rows.cloning());
    }

    @Override
    public void scaleInputs(float[] scale) {
        learner.scaleInputs(scale);
    }

    @Override
    public void referTo(GaussianActor reference) {
        learner.referTo(reference);
    }

    private void act() {
        turn().act(random(steps()));
    }

    /** Whose turn it is. */
    private Interaction turn() {
        return environments().get((int) (steps() % environments().size()));
    }

    public Replay replay() {
        return replay;
    }

    @Override
    public Actor policy() {
        return learner.actor().snapshot();
    }

    @Override
    public Map<String, Double> diagnostics() {
        return learner.diagnostics();
    }

    @Override
    public long remembered() {
        return replay.added();
    }

    @Override
    public void writeRows(long from, long to, OutputStream out) throws IOException {
        replay.write(from, to, out);
    }

    @Override
    public void readRows(long from, long to, InputStream in) throws IOException {
        replay.read(from, to, in);
    }

    @Override
    protected void copyRows(long from, long to, float[] into) {
        replay.copy(from, to, into);
    }

    @Override
    public void save(Tensors into) {
        learner.save(into);
        super.save(into);
    }

    @Override
    public void restore(Tensors from) {
        learner.restore(from);
        super.restore(from);
    }

    @Override
    public void close() {
        learner.close();
    }
}
