package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Diverged;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether whole agents learn on the GPU, alone and beside others, and go on from checkpoints, on either side. */
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
        return new CudaSac(gpu, HalfOf.SPACE, settings, null, REPLAY, CudaTraining.ROUND, runs, tile);
    }

    private Training joined(CudaSac sac, int copies, long seed) {
        List<Simulator> simulators = new ArrayList<>();
        for (int i = 0; i < copies; i++) {
            simulators.add(new HalfOf());
        }
        return CudaTraining.join(sac, simulators, schedule, RandomStream.of(seed));
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

    /** It learns, does so twice in the same way, and in the same way beside others, one of which fails. */
    @Nullable
    String besideOthers() {
        Outcome alone = alone(1, 2, 32);
        String again = Check.difference(alone.state, alone(1, 2, 32).state);
        if (again != null) {
            return "the second time %s differs".formatted(again);
        }
        for (long failing : new long[] {0, 1}) {
            List<Object> all = together(3, failing);
            if (failing != 0 && !(all.getFirst() instanceof IllegalStateException)) {
                return "the run that was to fail did not";
            }
            if (!(all.get(1) instanceof Outcome beside)) {
                return "beside others: " + all.get(1);
            }
            String difference = Check.difference(alone.state, beside.state);
            if (difference != null) {
                return "beside others %s differs%s".formatted(difference, failing == 0 ? "" : " when one fails");
            }
        }
        return learnt(alone);
    }

    /** A place that another run has left, diverged even, is as good as new; and one that diverges is not saved. */
    @Nullable
    String inTurn() {
        Outcome alone = alone(1, 2, 32);
        try (CudaSac sac = sac(1, 32)) {
            List<HalfOf> costly = List.of(new HalfOf(1e60)); // more than a float can hold
            try (Training broken = CudaTraining.join(sac, costly, schedule, RandomStream.of(2))) {
                broken.advance(600, Batch.Rewards.STORED, made -> {});
                broken.save(new Tensors());
                return "a run of infinite rewards was saved";
            } catch (Diverged e) {
                out.accept("  " + e.getMessage());
            }
            try (Training next = joined(sac, 1, 2)) {
                String difference = Check.difference(alone.state, live(next).state);
                return difference == null ? null : "in a place that was used %s differs".formatted(difference);
            }
        }
    }

    /** Actions at random lose 4.2 a step; what is left at a temperature of 0.2 is 0.1 a step. */
    private @Nullable String learnt(Outcome outcome) {
        out.accept(
                String.format(Locale.ROOT, "  mean return %.3f at first, %.3f at last", outcome.first, outcome.last));
        return steps < 5000 || (outcome.first < -25 && outcome.last > -5) ? null : "it did not learn";
    }

    /** Two simulators for one run: twice the same, and it learns. */
    @Nullable
    String manySimulators() {
        Outcome one = alone(2, 5, 32);
        String difference = Check.difference(one.state, alone(2, 5, 32).state);
        return difference == null ? learnt(one) : "the second time %s differs".formatted(difference);
    }

    /** Goes on from a checkpoint as if nothing had happened; on the processor, and from there back again. */
    @Nullable
    String resumes() throws IOException {
        Tensors whole = new Tensors();
        Tensors half = new Tensors();
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        long from;
        long to;
        try (CudaSac sac = sac(1, 32);
                Training agent = joined(sac, 1, 7)) {
            agent.advance(1010, Batch.Rewards.STORED, made -> {});
            agent.save(half);
            from = agent.oldest();
            to = agent.remembered();
            agent.writeRows(from, to, rows);
            agent.advance(600, Batch.Rewards.STORED, made -> {});
            agent.diagnostics(); // takes the losses, as whoever goes on does
            agent.save(whole);
        }
        byte[] kept = rows.toByteArray();
        try (CudaSac sac = sac(1, 32);
                Training agent = joined(sac, 1, 8)) {
            String problem = goOn(agent, half, from, to, kept);
            String difference = Check.difference(whole, Tensors.of(agent::save));
            if (problem != null || difference != null) {
                return problem != null ? problem : "after a checkpoint %s differs".formatted(difference);
            }
        }
        Tensors onProcessor = new Tensors();
        rows.reset();
        try (Training agent = new CpuTraining(
                List.of(new HalfOf()),
                new Sac(HalfOf.SPACE, settings, RandomStream.of(8), 1),
                schedule,
                RandomStream.of(8))) {
            String problem = goOn(agent, half, from, to, kept);
            if (problem != null) {
                return "on the processor " + problem;
            }
            agent.save(onProcessor);
            from = agent.oldest();
            to = agent.remembered();
            agent.writeRows(from, to, rows);
        }
        try (CudaSac sac = sac(1, 32);
                Training agent = joined(sac, 1, 9)) {
            String problem = goOn(agent, onProcessor, from, to, rows.toByteArray());
            return problem == null ? null : "back from the processor " + problem;
        }
    }

    private static @Nullable String goOn(Training agent, Tensors state, long from, long to, byte[] rows) {
        agent.restore(state);
        try {
            agent.readRows(from, to, new ByteArrayInputStream(rows));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long steps = agent.steps();
        long updates = agent.updates();
        agent.advance(600, Batch.Rewards.STORED, made -> {});
        if (agent.steps() != steps + 600 || agent.remembered() != steps + 600 || agent.updates() <= updates) {
            return "it has %d steps, %d rows and %d updates"
                    .formatted(agent.steps(), agent.remembered(), agent.updates());
        }
        double loss = agent.diagnostics().getOrDefault("criticLoss", Double.NaN);
        return Double.isFinite(loss) ? null : "its loss is " + loss;
    }
}
