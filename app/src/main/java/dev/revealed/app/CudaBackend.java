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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Agents on one GPU. Those of the same sizes and settings learn in one grid; grids of different ones share the device. */
final class CudaBackend implements Backend {
    private final Gpu gpu;
    private final Map<List<Object>, CudaSac> groups = new LinkedHashMap<>();

    private CudaBackend(Gpu gpu) {
        this.gpu = gpu;
    }

    private record Group(Simulator.Space space, ExpertRun.Plan plan, int runs) {
        Group withOneMore(int most) {
            return new Group(space, plan, Math.min(most, runs + 1));
        }

        long bytes() {
            return CudaSac.bytes(space, plan.sac(), null, plan.remembered(), CudaTraining.ROUND, runs);
        }
    }

    /**
     * Room for these runs, or for the first {@code atOnce} of each kind.
     *
     * @param say is told what memory they take, before any is taken
     */
    static Backend of(List<ExpertRun.Plan> plans, int atOnce, Consumer<String> say) {
        Gpu.Found found = Gpu.find();
        Gpu gpu = found.gpu()
                .orElseThrow(() -> new BadInput(
                        "no GPU can be used: " + found.reason(),
                        "Leave --device out: the CPU is the default. './revealed gpu' says what there is."));
        Map<List<Object>, Group> wanted = new LinkedHashMap<>();
        for (ExpertRun.Plan plan : plans) {
            Simulator.Space space = space(plan);
            wanted.merge(key(space, plan), new Group(space, plan, 1), (old, one) -> old.withOneMore(atOnce));
        }
        checkMemory(List.copyOf(wanted.values()), gpu.freeMemory(), gpu.name(), say);
        CudaBackend backend = new CudaBackend(gpu);
        boolean complete = false;
        try {
            wanted.forEach((key, group) -> backend.groups.put(
                    key,
                    new CudaSac(
                            gpu,
                            group.space,
                            group.plan.sac(),
                            group.plan.remembered(),
                            CudaTraining.ROUND,
                            group.runs)));
            complete = true;
        } finally {
            if (!complete) {
                backend.close();
            }
        }
        return backend;
    }

    private static void checkMemory(List<Group> groups, long free, String gpu, Consumer<String> say) {
        long needed = 0;
        List<String> parts = new ArrayList<>();
        for (Group group : groups) {
            needed += group.bytes();
            parts.add("%d of %s".formatted(group.runs, group.space.name()));
        }
        String told = "%s: runs at once %s; they take %.2f GiB of its memory, of which %.1f GiB are free"
                .formatted(gpu, String.join(", ", parts), needed / GIB, free / GIB);
        if (needed > 0.95 * free) {
            throw new BadInput(told, "Take fewer at a time with --at-once, or keep fewer transitions with --replay.");
        }
        say.accept(told + ".");
    }

    private static Simulator.Space space(ExpertRun.Plan plan) {
        try (Simulator simulator = plan.simulators().get()) {
            return simulator.space();
        }
    }

    /** All that runs of one grid have in common. */
    private static List<Object> key(Simulator.Space space, ExpertRun.Plan plan) {
        Sac.Settings sac = plan.sac();
        return List.of(
                space,
                Arrays.toString(sac.hidden()),
                sac.learningRate(),
                sac.discount(),
                sac.polyak(),
                sac.batch(),
                sac.temperature(),
                sac.tuned(),
                sac.critics(),
                sac.layerNorm(),
                plan.remembered());
    }

    @Override
    public Training training(ExpertRun.Plan plan, List<Simulator> simulators, RandomStream stream, int threads) {
        CudaSac sac =
                Objects.requireNonNull(groups.get(key(simulators.getFirst().space(), plan)), "planned before");
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
        groups.values().forEach(CudaSac::close);
    }
}
