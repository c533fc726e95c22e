package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Training;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.ArrayList;
import java.util.List;

/**
 * Agents that live in simulators of their own on the host and learn together on one GPU. A round is some steps of every
 * simulator, shared out among threads, then the updates that are due; these run while the next round is simulated. See
 * docs/design/cuda.md for the lag, which neither threads nor other runs change.
 */
public final class CudaTraining {
    private final CudaSac sac;
    private final Training.Schedule schedule;
    private final int stepsPerRound;
    private final List<Life> lives = new ArrayList<>();
    private final Parallel.Task live = this::live;
    private long updates;
    private double owed; // updates due and not made, below one

    /**
     * @param simulators one for each run, each only used here
     * @param stepsPerRound at most what the runs may stage
     * @param streams as for {@link Training}
     */
    public CudaTraining(
            CudaSac sac,
            List<? extends Simulator> simulators,
            Training.Schedule schedule,
            int stepsPerRound,
            List<RandomStream> streams) {
        if (simulators.size() != sac.runs() || streams.size() != sac.runs()) {
            throw new IllegalArgumentException("%d simulators and %d streams for %d runs"
                    .formatted(simulators.size(), streams.size(), sac.runs()));
        }
        this.sac = sac;
        this.schedule = schedule;
        this.stepsPerRound = stepsPerRound;
        for (int run = 0; run < sac.runs(); run++) {
            lives.add(new Life(run, simulators.get(run), streams.get(run)));
        }
    }

    /** Goes on for a number of rounds. */
    public void advance(int rounds) {
        for (int round = 0; round < rounds; round++) {
            Parallel.tasks(lives.size(), live);
            int due = 0;
            if (steps() >= Math.max(1, schedule.updateAfter())) {
                owed += stepsPerRound * schedule.updatesPerStep();
                due = (int) owed;
                owed -= due;
                updates += due;
            }
            sac.update(due);
        }
    }

    private void live(int run) {
        Life life = lives.get(run);
        for (int step = 0; step < stepsPerRound; step++) {
            life.step();
        }
    }

    /** Steps of each run. */
    public long steps() {
        return lives.getFirst().steps;
    }

    /** Updates of each run that were started. */
    public long updates() {
        return updates;
    }

    /** Episodes of a run that ended since this was last asked. */
    public Training.Episodes takeEpisodes(int run) {
        Life life = lives.get(run);
        Training.Episodes taken = new Training.Episodes(
                life.ended,
                life.ended == 0 ? Double.NaN : life.sumOfReturns / life.ended,
                life.ended == 0 ? Double.NaN : (double) life.sumOfLengths / life.ended);
        life.ended = 0;
        life.sumOfReturns = 0;
        life.sumOfLengths = 0;
        return taken;
    }

    /** Hands over everything of a run but the replay's rows, under the names that {@link Training} gives. */
    public void save(int run, Tensors into) {
        sac.save(run, into);
        Life life = lives.get(run);
        into.put(
                "training.counts",
                life.steps,
                updates,
                life.episodes,
                life.episodeSteps,
                life.sumOfLengths,
                life.ended);
        into.put("training.sums", new double[] {owed, life.episodeReturn, life.sumOfReturns});
        into.put("training.state", life.state.clone());
        into.put("training.simulator", life.simulator.state());
        into.put("training.explore", life.explore.checkpoint());
        into.put("training.reset", life.resets.checkpoint());
        into.put("training.rows", life.rows.checkpoint());
    }

    /** One agent in its simulator. */
    private final class Life {
        private final int run;
        private final Simulator simulator;
        private final GaussianActor actor;
        private final RandomStream explore;
        private final RandomStream resets;
        private final RandomStream rows; // the CPU's, kept for it
        private final float[] action;
        private final float bound;
        private float[] state;
        private float[] next;
        private long steps;
        private long episodes;
        private long ended;
        private long episodeSteps;
        private long sumOfLengths;
        private double episodeReturn;
        private double sumOfReturns;

        Life(int run, Simulator simulator, RandomStream stream) {
            this.run = run;
            this.simulator = simulator;
            Simulator.Space space = simulator.space();
            actor = sac.actor(run).worker();
            bound = actor.bound();
            explore = stream.named("explore");
            resets = stream.named("reset");
            rows = stream.named("replay");
            action = new float[space.actions().size()];
            state = new float[space.observations()];
            next = new float[space.observations()];
            begin();
        }

        void step() {
            if (steps < schedule.randomSteps()) {
                for (int i = 0; i < action.length; i++) {
                    action[i] = (float) explore.nextDouble(-bound, bound);
                }
            } else {
                actor.act(state, 0, explore, action, 0);
            }
            simulator.step(action, 0);
            simulator.observe(next, 0);
            double reward = simulator.reward();
            boolean terminated = simulator.terminated();
            sac.add(run, state, action, reward, terminated, next);
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
    }
}
