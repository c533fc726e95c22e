package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Interaction;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.neural.TransitionLayout;
import dev.revealed.neural.WorkerPool;
import dev.revealed.neural.objective.ExpertReward;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Training on a GPU, possibly among other runs. A round is some steps in its simulators, then the updates that are due for
 * them, which the device makes while the next round is simulated. See docs/design/cuda.md for the lag, which
 * neither threads nor other runs change.
 */
public final class CudaTraining extends Training {
    /** Steps of a round: as many as the reference code makes between its updates. */
    public static final int ROUND = 50;

    private final CudaSac sac;
    private final int run;
    private final WorkerPool workers;
    private final IntConsumer interact = this::interact;
    private final RecentRows recent;
    private int roundSteps;
    private final double busyBefore;
    private long simulating;
    private long waiting;
    private boolean closed;

    private CudaTraining(
            CudaSac sac, int run, List<? extends Simulator> simulators, Schedule schedule, RandomStream stream) {
        super(simulators, sac.actor(run), schedule, stream);
        this.sac = sac;
        this.run = run;
        busyBefore = sac.busySeconds();
        workers = new WorkerPool(simulators.size());
        recent = new RecentRows(TransitionLayout.of(simulators.getFirst().space()));
    }

    /**
     * Takes a place on the device, waiting for one where all are taken.
     *
     * @param sac with room for {@link #ROUND} rows between turns, and for as many transitions as the schedule remembers
     * @param settings of this run, which may differ from those of others in what is not {@link CudaSac#common}
     * @param simulators each steps on a thread of its own
     */
    public static CudaTraining join(
            CudaSac sac,
            Sac.Settings settings,
            List<? extends Simulator> simulators,
            Schedule schedule,
            RandomStream stream) {
        int run = sac.join(stream, settings);
        try {
            return new CudaTraining(sac, run, simulators, schedule, stream);
        } catch (RuntimeException | Error e) {
            sac.leave(run); // others would wait for it for ever
            throw e;
        }
    }

    @Override
    public void advance(long count, Batch.Rewards rewards, IntConsumer after) {
        label(rewards);
        for (long made = 0; made < count; ) {
            roundSteps = (int) Math.min(ROUND, count - made);
            long start = System.nanoTime();
            workers.run(environments().size(), interact);
            long simulated = System.nanoTime();
            int due = due(roundSteps); // as many as on the processor, where updates and steps run concurrently
            countSteps(roundSteps);
            recent.put(sac, run, remembered(), roundSteps);
            sac.turn(run, roundSteps, due);
            simulating += simulated - start;
            waiting += System.nanoTime() - simulated;
            made += roundSteps;
            after.accept((int) made);
        }
    }

    private void label(Batch.Rewards rewards) {
        boolean known = switch (sac.objective()) {
            case Objective.Stored _, Objective.Inverse _ -> rewards == Batch.Rewards.STORED;
            case Objective.Labelled _ -> rewards instanceof RewardNetwork;
            case Objective.ExpertPaid paid ->
                rewards instanceof ExpertReward reward && reward.forEver() == paid.forEver();
        };
        BadInput.when(!known, "the GPU cannot compute such a reward", "Use the CPU for this, which is the default.");
        if (rewards instanceof RewardNetwork reward) {
            sac.reward(run, reward);
        }
    }

    @Override
    public void learnFrom(Batch transitions, ExpertRows rows) {
        sac.expert(run, transitions, rows);
    }

    @Override
    public void scaleInputs(float[] scale) {
        sac.scaleInputs(run, scale);
    }

    /** The steps of one simulator in this round: simulators take turns, as they do on the processor. */
    private void interact(int which) {
        Interaction environment = environments().get(which);
        int count = environments().size();
        for (int next = Math.floorMod(which - steps(), count); next < roundSteps; next += count) {
            int row = next; // among the transitions that wait for the next turn
            environment.act(random(steps() + row));
            environment.remember(
                    (state, action, reward, terminated, nextState) ->
                            sac.put(run, row, state, action, reward, terminated, nextState),
                    steps() + row);
        }
    }

    @Override
    public GaussianActor policy() {
        return sac.policy(run);
    }

    @Override
    public Map<String, Double> diagnostics() {
        return sac.losses(run).byName();
    }

    @Override
    public Map<String, Double> seconds() {
        return Map.of(
                "simulating",
                simulating * 1e-9,
                "waiting for its turn",
                waiting * 1e-9,
                "GPU busy",
                sac.busySeconds() - busyBefore);
    }

    @Override
    public long remembered() {
        return sac.added(run);
    }

    @Override
    public void writeRows(long from, long to, OutputStream out) throws IOException {
        sac.writeRows(run, from, to, out);
    }

    @Override
    public void readRows(long from, long to, InputStream in) throws IOException {
        sac.readRows(run, from, to, in);
    }

    @Override
    protected void copyRows(long from, long to, float[] into) {
        if (recent.have(from)) {
            recent.copy(from, to, into);
        } else {
            sac.copyRows(run, from, to, into);
        }
    }

    @Override
    public void save(Tensors into) {
        sac.save(run, into);
        super.save(into);
    }

    @Override
    public void restore(Tensors from) {
        sac.restore(run, from);
        super.restore(from);
    }

    /** Gives its place back; harmless the second time. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            sac.leave(run);
            workers.close();
        }
    }
}
