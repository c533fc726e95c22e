package dev.revealed.app;

import dev.revealed.cuda.CudaSac;
import dev.revealed.cuda.CudaTraining;
import dev.revealed.cuda.Gpu;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Agents on one GPU. Those of the same sizes and settings learn in one grid; grids of different ones share the device. */
final class CudaBackend implements Backend {
    private final Gpu gpu;
    private final Map<Kind, CudaSac> grids = new LinkedHashMap<>();
    private final Consumer<String> say;

    private CudaBackend(Gpu gpu, Consumer<String> say) {
        this.gpu = gpu;
        this.say = say;
    }

    /** All that runs of one grid have in common. */
    record Kind(Simulator.Space space, Sac.Settings sac, int remembered) {
        static Kind of(Simulator.Space space, ExpertRun.Plan plan) {
            return new Kind(space, plan.sac(), plan.remembered());
        }

        long bytes(int runs) {
            return CudaSac.bytes(space, sac, null, remembered, CudaTraining.ROUND, runs);
        }
    }

    /**
     * Room for these runs, or for the first {@code atOnce} of each kind.
     *
     * @param say is told what memory they take, before any is taken, and what goes wrong when it is given back
     */
    static Backend of(List<ExpertRun.Plan> plans, int atOnce, Consumer<String> say) {
        Gpu.Found found = Gpu.find();
        Gpu gpu = found.gpu()
                .orElseThrow(() -> new BadInput(
                        "no GPU can be used: " + found.reason(),
                        "Leave --device out: the CPU is the default. './revealed gpu' says what there is."));
        Map<Kind, Integer> wanted = kinds(plans, atOnce);
        say.accept(memory(wanted, gpu.freeMemory(), gpu.name()));
        CudaBackend backend = new CudaBackend(gpu, say);
        boolean complete = false;
        try {
            wanted.forEach((kind, runs) -> backend.grids.put(
                    kind, new CudaSac(gpu, kind.space, kind.sac, kind.remembered, CudaTraining.ROUND, runs)));
            complete = true;
        } finally {
            if (!complete) {
                backend.close();
            }
        }
        return backend;
    }

    /** How many of each kind may be under way at a time. */
    static Map<Kind, Integer> kinds(List<ExpertRun.Plan> plans, int atOnce) {
        Map<Kind, Integer> kinds = new LinkedHashMap<>();
        for (ExpertRun.Plan plan : plans) {
            try (Simulator simulator = plan.simulators().get()) {
                kinds.merge(Kind.of(simulator.space(), plan), 1, (had, one) -> Math.min(atOnce, had + one));
            }
        }
        return kinds;
    }

    /** What so many runs take of the GPU's memory: one line, or a complaint where that is too much. */
    static String memory(Map<Kind, Integer> wanted, long free, String gpu) {
        long needed = 0;
        List<String> parts = new ArrayList<>();
        for (Map.Entry<Kind, Integer> each : wanted.entrySet()) {
            needed += each.getKey().bytes(each.getValue());
            parts.add("%d of %s".formatted(each.getValue(), each.getKey().space.name()));
        }
        String told = "%s: runs at once %s; they take %s of its memory, of which %s are free"
                .formatted(gpu, String.join(", ", parts), ReplayMemory.size((double) needed), ReplayMemory.size((double)
                        free));
        if (needed > 0.95 * free) { // graphs and kernels take some, too
            throw new BadInput(told, "Take fewer at a time with --at-once, or keep fewer transitions with --replay.");
        }
        return told + ".";
    }

    @Override
    public Training training(ExpertRun.Plan plan, List<Simulator> simulators, RandomStream stream, int threads) {
        CudaSac sac =
                Objects.requireNonNull(grids.get(Kind.of(simulators.getFirst().space(), plan)), "planned before");
        return CudaTraining.join(sac, simulators, plan.schedule(), stream);
    }

    @Override
    public boolean testsBeside() {
        return true;
    }

    @Override
    public String device() {
        return gpu.name();
    }

    @Override
    public void close() {
        closeAll(grids.values(), say);
    }

    /** All of them, whatever happens: a device that gave up must not cost anybody what the runs have made. */
    static void closeAll(Collection<? extends AutoCloseable> all, Consumer<String> say) {
        for (AutoCloseable one : all) {
            try {
                one.close();
            } catch (Exception e) {
                say.accept("the GPU's memory could not be given back: " + e.getMessage());
            }
        }
    }
}
