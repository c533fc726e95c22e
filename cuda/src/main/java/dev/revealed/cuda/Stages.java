package dev.revealed.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.revealed.neural.Mlp;
import dev.revealed.neural.objective.Objective;
import dev.revealed.neural.softq.InverseSoftQ;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjDoubleConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The kernels of an update, each with its grid; a grid's second dimension counts runs. */
final class Stages implements AutoCloseable {
    private static final int ACTOR = 0;
    private static final int LEARNING = 1;
    private static final int ACTING = 2;
    private static final int INVERSE = 3;
    private static final int SMALL = 32;
    private static final int LARGE = 64;

    /** With more small tiles than this in all runs, large ones are faster: three for each multiprocessor of an H200. */
    private static final int MOST_SMALL = 400;

    private final Gpu gpu;
    private final Layout layout;
    private final long stream;
    private final long[] pointers;
    private final int fixedTile;
    private final long module;
    private final long append;
    private final long gather;
    private final Tiled forward;
    private final long drawActions;
    private final Tiled backwardCritics;
    private final Tiled backwardActor;
    private final long actorSlopes;
    private final long improve;
    /** Slopes of another loss of the critics; 0 where it is the squared Bellman error. */
    private final long inverseSlopes;
    /** Critics that normalise have kernels of their own. */
    private final @Nullable Normed normed;

    private record Normed(Tiled firstSums, Tiled secondSums, Tiled backward, long normalise) {}

    /** A kernel for either size of tiles, the sides of the square that a block computes of a matrix. */
    private record Tiled(String name, long small, long large) {}

    /** @param tile 32 or 64, or 0 to take for each stage what is faster; bits do not depend on it */
    Stages(Gpu gpu, Layout layout, long stream, long[] pointers, int tile) {
        this.gpu = gpu;
        this.layout = layout;
        this.stream = stream;
        this.pointers = pointers;
        this.fixedTile = tile;
        module = gpu.load("sac.cu");
        append = gpu.driver().function(module, "append");
        gather = gpu.driver().function(module, "gather");
        forward = tiled("forward");
        drawActions = gpu.driver().function(module, "drawActions");
        backwardCritics = tiled("backwardCritics");
        backwardActor = tiled("backwardActor");
        boolean norm = layout.criticShape.layerNorm() || layout.criticShape.featureNorm();
        actorSlopes = gpu.driver().function(module, norm ? "actorSlopesNormed" : "actorSlopesPlain");
        normed = norm
                ? new Normed(
                        tiled("firstSums"),
                        tiled("secondSums"),
                        tiled("backwardNormed"),
                        gpu.driver().function(module, "normalise"))
                : null;
        improve = gpu.driver().function(module, "improve");
        inverseSlopes =
                layout.objective instanceof Objective.Inverse ? gpu.driver().function(module, "inverseSlopes") : 0;
    }

    private Tiled tiled(String name) {
        return new Tiled(
                name, gpu.driver().function(module, name + SMALL), gpu.driver().function(module, name + LARGE));
    }

    /**
     * One update as a graph, ready to be launched.
     *
     * @param acts false for one in which no run's actor learns
     */
    long capture(boolean given, boolean acts) {
        try (Arena arena = Arena.ofConfined()) {
            gpu.driver().beginCapture(stream);
            try {
                update(arena, given, acts);
            } catch (CudaFailure e) {
                try {
                    gpu.driver().destroyGraph(gpu.driver().endCapture(stream));
                } catch (CudaFailure also) {
                    e.addSuppressed(also);
                }
                throw e;
            }
            long graph = gpu.driver().endCapture(stream);
            long instance = gpu.driver().instantiate(graph);
            gpu.driver().destroyGraph(graph);
            return instance;
        }
    }

    /** One update, stage after stage, waiting for each: says which one fails. */
    void updateSlowly(boolean given) {
        try (Arena arena = Arena.ofConfined()) {
            waiting = true;
            update(arena, given, true);
        } finally {
            waiting = false;
        }
    }

    private boolean waiting;

    /** Seconds that each kernel of an update takes, alone on the device, by its name and pass: means of so many updates. */
    Map<String, Double> seconds(int updates) {
        Map<String, Double> sums = new LinkedHashMap<>();
        try (Arena arena = Arena.ofConfined()) {
            clock = (name, seconds) -> sums.merge(name, seconds / updates, Double::sum);
            for (int i = 0; i < updates; i++) {
                update(arena, false, true);
            }
        } finally {
            clock = null;
        }
        return sums;
    }

    private @Nullable ObjDoubleConsumer<String> clock;

    private MemorySegment struct(Arena arena, boolean given, int rows) {
        MemorySegment struct = arena.allocate(Layout.STRUCT_BYTES, 8);
        layout.write(struct, pointers, given, rows);
        return struct;
    }

    /** Moves up to {@code rows} staged rows of each run to their places, and sets how many updates are due. */
    void append(int rows) {
        try (Arena arena = Arena.ofConfined()) {
            launch("append", append, Math.max(1, rows), 64, arena, struct(arena, false, layout.batch));
        }
    }

    private void update(Arena arena, boolean given, boolean acts) {
        int n = layout.batch;
        int critics = layout.critics;
        MemorySegment struct = struct(arena, given, n);
        launch("gather", gather, n, 128, arena, struct);
        forward(arena, struct, ACTOR, 2 * n, 1, layout.rewardShape);
        launch("drawActions", drawActions, Math.ceilDiv(acts ? 2 * n : n, 4), 256, arena, struct);
        int pieces = critics * pieces(layout.observations + layout.actions, 1) + (acts ? 0 : 1);
        if (layout.objective instanceof Objective.Inverse(InverseSoftQ.Loss loss)) {
            MemorySegment three = struct(arena, given, layout.criticRows); // batches as one
            critics(arena, three, INVERSE, loss.target() ? 2 * critics : critics, layout.criticRows);
            improve(arena, three, INVERSE, pieces);
        } else {
            critics(arena, struct, LEARNING, 2 * critics, n);
            improve(arena, struct, LEARNING, pieces);
        }
        if (!acts) {
            return;
        }
        critics(arena, struct, ACTING, critics, n);
        launch("actorSlopes", actorSlopes, n, 256, arena, struct);
        launch(backwardActor, tile -> tiles(n, layout.width1, tile), arena, struct);
        improve(arena, struct, ACTOR, pieces(layout.observations, 2 * layout.actions) + 1);
    }

    /** @param reward the reward network, which processes its rows in the same stages */
    private void forward(Arena arena, MemorySegment struct, int pass, int rows, int networks, @Nullable Mlp reward) {
        int[] widths = {layout.width1, layout.width2};
        for (int layer = 0; layer < widths.length; layer++) {
            int out = widths[layer];
            int more = reward == null ? 0 : reward.out(layer);
            launch(
                    forward,
                    tile -> networks * tiles(rows, out, tile) + tiles(layout.rewardRows, more, tile),
                    arena,
                    struct,
                    pass,
                    layer + 1);
        }
    }

    /** Critics, and while learning their targets, to their values and back. */
    private void critics(Arena arena, MemorySegment struct, int pass, int networks, int n) {
        IntUnaryOperator first = tile -> tiles(n, layout.width1, tile);
        IntUnaryOperator back = tile -> layout.critics * first.applyAsInt(tile);
        if (normed == null) {
            forward(arena, struct, pass, n, networks, null);
            inverseSlopes(arena, struct, pass);
            launch(backwardCritics, back, arena, struct, pass);
            return;
        }
        int centres = networks * Math.ceilDiv(layout.width1 + 1, 32);
        launch(normed.firstSums, tile -> networks * first.applyAsInt(tile) + centres, arena, struct, pass);
        launch(normed.secondSums, tile -> networks * tiles(n, layout.width2, tile), arena, struct, pass);
        inverseSlopes(arena, struct, pass);
        launch(normed.backward, back, arena, struct, pass);
        if (pass != ACTING) {
            launch("normalise", normed.normalise, layout.critics * n, 128, arena, struct);
        }
    }

    private void inverseSlopes(Arena arena, MemorySegment struct, int pass) {
        if (pass == INVERSE) {
            launch("inverseSlopes", inverseSlopes, Math.ceilDiv(layout.batch, 128), 128, arena, struct);
        }
    }

    private void improve(Arena arena, MemorySegment struct, int pass, int blocks) {
        launch("improve", improve, blocks, 256, arena, struct, pass);
    }

    private static int tiles(int rows, int columns, int tile) {
        return Math.ceilDiv(rows, tile) * Math.ceilDiv(columns, tile);
    }

    /** Tiles of the weights of a network's three layers, then its biases, 32 at a time. */
    private int pieces(int in, int out) {
        int wide1 = layout.width1;
        int wide2 = layout.width2;
        return tiles(in, wide1, SMALL)
                + tiles(wide1, wide2, SMALL)
                + tiles(wide2, out, SMALL)
                + Math.ceilDiv(wide1, 32)
                + Math.ceilDiv(wide2, 32)
                + Math.ceilDiv(out, 32);
    }

    /** @param blocks how many there are, by the size of tiles */
    private void launch(Tiled kernel, IntUnaryOperator blocks, Arena arena, MemorySegment struct, int... more) {
        int tile = fixedTile != 0 ? fixedTile : layout.runs * blocks.applyAsInt(SMALL) > MOST_SMALL ? LARGE : SMALL;
        long function = tile == SMALL ? kernel.small : kernel.large;
        launch(kernel.name, function, blocks.applyAsInt(tile), 256, arena, struct, more);
    }

    private void launch(
            String name, long kernel, int blocks, int threads, Arena arena, MemorySegment struct, int... more) {
        MemorySegment arguments = arena.allocate(ADDRESS, 1 + more.length);
        arguments.setAtIndex(ADDRESS, 0, struct);
        for (int i = 0; i < more.length; i++) {
            arguments.setAtIndex(ADDRESS, 1 + i, arena.allocateFrom(JAVA_INT, more[i]));
        }
        Runnable work = () -> gpu.driver().launch(kernel, blocks, layout.runs, threads, arguments, stream);
        if (clock == null) {
            work.run();
        } else {
            String passes = Arrays.stream(more).mapToObj(pass -> " " + pass).collect(Collectors.joining());
            clock.accept(name + passes, gpu.driver().seconds(stream, work));
        }
        if (waiting) {
            try {
                gpu.driver().synchronize(stream);
            } catch (CudaFailure e) {
                throw new IllegalStateException("in the kernel " + name, e);
            }
        }
    }

    @Override
    public void close() {
        gpu.driver().unloadModule(module);
    }
}
