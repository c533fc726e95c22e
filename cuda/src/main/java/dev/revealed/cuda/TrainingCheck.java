package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Whether whole agents learn on the GPU, alone and among other runs, and resume from checkpoints, on either device. */
final class TrainingCheck {
    private static final int REPLAY = 900; // less than the steps, so that it goes round
    private final Gpu gpu;
    private final Consumer<String> out;
    private final Sac.Settings settings;
    private final int steps;
    private final Training.Schedule schedule;

    TrainingCheck(Gpu gpu, boolean small, Consumer<String> out) {
        this.gpu = gpu;
        this.out = out;
        settings = Sac.Settings.PAPER.withHidden(64, 64).withBatch(small ? 20 : 64);
        steps = small ? 1040 : 5040;
        schedule = new Training.Schedule(500, small ? 0.05 : 1, REPLAY);
    }

    /** What a run came to: its state, and its returns at first and at last. */
    private record Outcome(Tensors state, double first, double last) {}

    private CudaSac sac(int runs, int tile) {
        return new CudaSac(
                gpu,
                HalvingTask.SPACE,
                settings,
                Objective.STORED,
                CudaSac.Room.of(REPLAY, CudaTraining.ROUND),
                runs,
                tile);
    }

    private Training joined(CudaSac sac, int copies, long seed) {
        List<Simulator> simulators = new ArrayList<>();
        for (int i = 0; i < copies; i++) {
            simulators.add(new HalvingTask());
        }
        return CudaTraining.join(sac, settings(seed), simulators, schedule, RandomStream.of(seed));
    }

    /** Seed 3 has all that runs of one grid may have of their own. */
    private Sac.Settings settings(long seed) {
        return seed != 3
                ? settings
                : settings.with(Map.of(
                        "learning-rate", 5e-4,
                        "actor-learning-rate", 2e-4,
                        "critic-decay", 1e-2,
                        "polyak", 0.99,
                        "temperature", 0.1,
                        "temperature-halving", 300));
    }

    private Outcome live(Training agent) {
        agent.advance(500, Batch.Rewards.STORED, made -> {});
        double first = agent.takeEpisodes().meanReturn();
        agent.advance(steps - 1000 - 7, Batch.Rewards.STORED, made -> {}); // not a multiple of a round
        agent.takeEpisodes();
        agent.advance(507, Batch.Rewards.STORED, made -> {});
        double last = agent.takeEpisodes().meanReturn();
        return new Outcome(Tensors.of(agent::save), first, last);
    }

    private Outcome alone(int copies, long seed, int tile) {
        try (CudaSac sac = sac(1, tile);
                Training agent = joined(sac, copies, seed)) {
            return live(agent);
        }
    }

    /** Seeds 1 to {@code runs} side by side, each on a thread of its own; an exception stands for a run that failed. */
    private List<Object> together(int runs, long failing) {
        try (CudaSac sac = sac(runs, 64)) {
            List<Training> agents = new ArrayList<>();
            List<CompletableFuture<Object>> ends = new ArrayList<>();
            for (long seed = 1; seed <= runs; seed++) {
                agents.add(joined(sac, 1, seed));
            }
            for (int i = 0; i < runs; i++) {
                Training agent = agents.get(i);
                boolean fails = i + 1 == failing;
                CompletableFuture<Object> end = new CompletableFuture<>();
                ends.add(end);
                Thread.ofPlatform().daemon().start(() -> {
                    try (agent) {
                        if (fails) {
                            agent.advance(650, Batch.Rewards.STORED, made -> {});
                            throw new IllegalStateException("this run was to fail");
                        }
                        end.complete(live(agent));
                    } catch (RuntimeException | Error e) {
                        end.complete(e);
                    }
                });
            }
            List<Object> outcomes = new ArrayList<>();
            for (CompletableFuture<Object> end : ends) {
                outcomes.add(end.join());
            }
            return outcomes;
        }
    }

    /** It learns, and gives the same bits twice, alone and among runs of other settings, one of which fails. */
    void amongOthers() {
        Outcome alone = alone(1, 2, 32);
        Outcome other = alone(1, 3, 32);
        Check.requireSame(alone.state, alone(1, 2, 32).state, "the second time %s differs");
        for (long failing : new long[] {0, 1}) {
            List<Object> all = together(3, failing);
            boolean failed = failing == 0 || all.getFirst() instanceof IllegalStateException;
            Check.require(failed, "the run that was to fail did not");
            Check.require(all.get(1) instanceof Outcome, "among other runs: " + all.get(1));
            String problem = "among other runs %s differs" + (failing == 0 ? "" : " when one fails");
            Check.requireSame(alone.state, ((Outcome) all.get(1)).state, problem);
            Check.requireSame(other.state, ((Outcome) all.get(2)).state, "with other settings, " + problem);
        }
        learnt(alone);
    }

    /** A place that another run has left, diverged even, is as good as new; and one that diverges is not saved. */
    void inTurn() {
        Outcome alone = alone(1, 2, 32);
        try (CudaSac sac = sac(1, 32)) {
            List<HalvingTask> costly = List.of(new HalvingTask(1e60)); // more than a float can hold
            try (Training broken = CudaTraining.join(sac, settings, costly, schedule, RandomStream.of(2))) {
                broken.advance(600, Batch.Rewards.STORED, made -> {});
                broken.save(new Tensors());
                Check.require(false, "a run of infinite rewards was saved");
            } catch (DivergenceFailure e) {
                out.accept("  " + e.getMessage());
            }
            try (Training next = joined(sac, 1, 2)) {
                Check.requireSame(alone.state, live(next).state, "in a place that was used %s differs");
            }
        }
    }

    /** Actions at random lose 4.2 a step; what is left at a temperature of 0.2 is 0.1 a step. */
    private void learnt(Outcome outcome) {
        out.accept(
                String.format(Locale.ROOT, "  mean return %.3f at first, %.3f at last", outcome.first, outcome.last));
        Check.require(steps < 5000 || (outcome.first < -25 && outcome.last > -5), "it did not learn");
    }

    /** Two simulators for one run: twice the same, and it learns. */
    void manySimulators() {
        Outcome one = alone(2, 5, 32);
        Check.requireSame(one.state, alone(2, 5, 32).state, "the second time %s differs");
        learnt(one);
    }

    /** Goes on from a checkpoint as if nothing had happened; on the processor, and from there back again. */
    void resumes() throws IOException {
        Kept half;
        Tensors whole;
        try (CudaSac sac = sac(1, 32);
                Training agent = joined(sac, 1, 7)) {
            agent.advance(1010, Batch.Rewards.STORED, made -> {});
            half = Kept.of(agent);
            agent.advance(600, Batch.Rewards.STORED, made -> {});
            agent.diagnostics(); // takes the losses, as whoever goes on does
            whole = Tensors.of(agent::save);
        }
        try (CudaSac sac = sac(1, 32);
                Training agent = joined(sac, 1, 8)) {
            goOn(agent, half, "");
            Check.requireSame(whole, Tensors.of(agent::save), "after a checkpoint %s differs");
        }
        Kept onProcessor;
        Sac cpu = new Sac(HalvingTask.SPACE, settings, RandomStream.of(8), 1);
        try (Training agent = new CpuTraining(List.of(new HalvingTask()), cpu, schedule, RandomStream.of(8))) {
            goOn(agent, half, "on the processor ");
            onProcessor = Kept.of(agent);
        }
        try (CudaSac sac = sac(1, 32);
                Training agent = joined(sac, 1, 9)) {
            goOn(agent, onProcessor, "back from the processor ");
        }
    }

    /** What a checkpoint keeps: the state, and the rows of the replay. */
    private record Kept(Tensors state, long from, long to, byte[] rows) {
        static Kept of(Training agent) throws IOException {
            Tensors state = Tensors.of(agent::save);
            ByteArrayOutputStream rows = new ByteArrayOutputStream();
            agent.writeRows(agent.oldest(), agent.remembered(), rows);
            return new Kept(state, agent.oldest(), agent.remembered(), rows.toByteArray());
        }
    }

    private static void goOn(Training agent, Kept kept, String where) throws IOException {
        agent.restore(kept.state);
        agent.readRows(kept.from, kept.to, new ByteArrayInputStream(kept.rows));
        long steps = agent.steps();
        long updates = agent.updates();
        agent.advance(600, Batch.Rewards.STORED, made -> {});
        Check.require(
                agent.steps() == steps + 600 && agent.remembered() == steps + 600 && agent.updates() > updates,
                where
                        + "it has %d steps, %d rows and %d updates"
                                .formatted(agent.steps(), agent.remembered(), agent.updates()));
        double loss = agent.diagnostics().getOrDefault("criticLoss", Double.NaN);
        Check.require(Double.isFinite(loss), where + "its loss is " + loss);
    }
}
