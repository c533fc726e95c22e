package dev.revealed.train;

import dev.revealed.cuda.CudaSac;
import dev.revealed.cuda.CudaTraining;
import dev.revealed.cuda.Gpu;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Agents on one GPU. Those of one shape learn in one grid; grids of different shapes share the device. */
public final class CudaBackend implements Backend {
    /**
     * Most runs of a grid. While the runs of one wait for each other, or for the processor, the GPU learns for those of
     * another.
     */
    private static final int GRID = 8;

    private final Gpu gpu;
    private final Map<Kind, List<CudaSac>> grids = new LinkedHashMap<>();
    private final Consumer<String> say;

    private CudaBackend(Gpu gpu, Consumer<String> say) {
        this.gpu = gpu;
        this.say = say;
    }

    /** All that runs of one grid have in common. Step sizes, temperatures and the like may differ. */
    record Kind(Simulator.Space space, Sac.Settings sac, Objective objective, int kept, int expert) {
        static Kind of(Simulator.Space space, TrainingPlan plan) {
            return new Kind(
                    space,
                    CudaSac.common(plan.sac()),
                    plan.problem().objective(space, plan.sac().discount()),
                    plan.kept(),
                    plan.problem().expertRows().count());
        }

        long bytes(int runs) {
            return Arrays.stream(split(runs))
                    .mapToLong(some -> CudaSac.bytes(space, sac, objective, room(), some))
                    .sum();
        }

        private CudaSac grid(Gpu gpu, int runs) {
            return new CudaSac(gpu, space, sac, objective, room(), runs);
        }

        private CudaSac.Room room() {
            return new CudaSac.Room(kept, CudaTraining.ROUND, expert);
        }
    }

    /** How many runs each grid gets: the fewest grids that hold all, of nearly the same size. */
    static int[] split(int runs) {
        int[] sizes = new int[Math.ceilDiv(runs, GRID)];
        for (int i = 0; i < runs; i++) {
            sizes[i % sizes.length]++;
        }
        return sizes;
    }

    /** How many runs of a kind may be under way at a time, and the name of the first, empty where it is the only one. */
    record Share(int runs, String first) {
        private Share another(int most) {
            return new Share(Math.min(most, runs + 1), first);
        }
    }

    /**
     * The GPU of this machine.
     *
     * @param otherwise how the CPU is used instead, in a sentence
     */
    public static Gpu gpu(String otherwise) {
        Gpu.Found found = Gpu.find();
        return found.gpu()
                .orElseThrow(() ->
                        new BadInput("no GPU can be used: " + found.reason(), otherwise + " Or: " + found.remedy()));
    }

    /**
     * Room for these runs, or for the first {@code atOnce} of each kind.
     *
     * @param plans by the names of the runs
     * @param say hears what memory they take, before any is taken, and what goes wrong when it is given back
     */
    public static Backend of(Gpu gpu, Map<String, TrainingPlan> plans, int atOnce, Consumer<String> say) {
        Map<Kind, Share> wanted = kinds(plans, atOnce);
        say.accept(memory(wanted, gpu.freeMemory(), gpu.name()));
        CudaBackend backend = new CudaBackend(gpu, say);
        try {
            wanted.forEach((kind, share) -> {
                List<CudaSac> grids = new ArrayList<>();
                backend.grids.put(kind, grids);
                for (int runs : split(share.runs)) {
                    grids.add(kind.grid(gpu, runs));
                }
            });
            return backend;
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
    }

    /** How many of each kind may be under way at a time; a run that a GPU cannot make is named. */
    static Map<Kind, Share> kinds(Map<String, TrainingPlan> plans, int atOnce) {
        Map<Kind, Share> kinds = new LinkedHashMap<>();
        plans.forEach((name, plan) -> {
            try (Simulator simulator = plan.environment().simulators().get()) {
                Kind kind = Kind.of(simulator.space(), plan);
                kind.bytes(1); // refuses what a GPU cannot do
                kinds.compute(kind, (same, had) -> had == null ? new Share(1, name) : had.another(atOnce));
            } catch (BadInput e) {
                throw name.isEmpty() ? e : e.in(name);
            }
        });
        return kinds;
    }

    /** What so many runs take of the GPU's memory: one line, or a refusal where that is too much. */
    static String memory(Map<Kind, Share> wanted, long free, String gpu) {
        long needed = 0;
        int runs = 0;
        List<String> parts = new ArrayList<>();
        List<String> shares = new ArrayList<>();
        for (Map.Entry<Kind, Share> each : wanted.entrySet()) {
            Share share = each.getValue();
            long bytes = each.getKey().bytes(share.runs);
            needed += bytes;
            runs += share.runs;
            parts.add("%d of %s".formatted(share.runs, each.getKey().space.name()));
            shares.add("%d as %s: %s".formatted(share.runs, share.first, ReplayMemory.size((double) bytes)));
        }
        String words = "%s: runs at once %s; they take %s of its memory, of which %s are free"
                .formatted(gpu, String.join(", ", parts), ReplayMemory.size((double) needed), ReplayMemory.size((double)
                        free));
        if (needed > 0.95 * free) { // graphs and kernels take some, too
            throw runs == 1
                    ? new BadInput(words, "Keep fewer transitions with `replay`.")
                    : new BadInput(
                            "%s (%s)".formatted(words, String.join(", ", shares)),
                            "Take fewer at a time with `at-once`, or keep fewer transitions with `replay`.");
        }
        return words + ".";
    }

    @Override
    public Training training(TrainingPlan plan, List<Simulator> simulators, RandomStream stream, int threads) {
        List<CudaSac> kind =
                Objects.requireNonNull(grids.get(Kind.of(simulators.getFirst().space(), plan)), "planned before");
        synchronized (kind) { // whoever comes next sees the place taken
            CudaSac sac = Collections.max(kind, Comparator.comparingInt(CudaSac::free));
            return CudaTraining.join(sac, plan.sac(), simulators, plan.schedule(), stream);
        }
    }

    @Override
    public boolean evaluatesAlongside() {
        return true;
    }

    @Override
    public String device() {
        return gpu.name();
    }

    @Override
    public void close() {
        closeAll(grids.values().stream().flatMap(List::stream).toList(), say);
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
