package dev.revealed.cuda;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.BadInput;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Where everything lies on the device, and how much of it there is; the counterpart of struct Sac in sac.cu. */
final class Layout {
    static final int STRUCT_BYTES = 296;
    static final int SCALARS = 8;
    static final int SUMS = 8;
    static final int COUNTS = 8;
    static final int HEAD = 4;

    private static final int MOST_WIDTH = 512;
    private static final int MOST_ACTIONS = 64;
    private static final int MOST_CRITICS = 8;

    final Sac.Settings settings;
    final int observations;
    final int actions;
    final float bound;
    final int width1;
    final int width2;
    final int critics;
    final int batch;
    final int runs;
    final long capacity;
    final Mlp actorShape;
    final Mlp criticShape;

    final int criticStart;
    final int criticStride;
    final int thetaStride;
    final int rowPitch;
    final int statePitch;
    final int pairPitch;
    final int outPitch;

    /** Places of the arrays that stages hand to each other, in the order of the struct. */
    private final int[] places;

    final int workStride;
    final int noisePlace;

    Layout(Simulator.Space space, Sac.Settings settings, int runs, long capacity) {
        this.settings = settings;
        this.runs = runs;
        this.capacity = capacity;
        if (!(space.actions() instanceof Simulator.Actions.Box box)) {
            throw unsupported("the task '%s' has finitely many actions".formatted(space.name()));
        }
        if (settings.layerNorm()) {
            throw unsupported("critics with layer norm");
        }
        int[] hidden = settings.hidden();
        if (hidden.length != 2) {
            throw unsupported("%d hidden layers, where there must be two".formatted(hidden.length));
        }
        for (int width : hidden) {
            if (width % 4 != 0 || width > MOST_WIDTH) {
                throw unsupported("a hidden layer of %d, where the width must be a multiple of 4 and at most %d"
                        .formatted(width, MOST_WIDTH));
            }
        }
        if (box.size() > MOST_ACTIONS || settings.critics() > MOST_CRITICS) {
            throw unsupported("%d numbers in an action and %d critics, where at most %d and %d are possible"
                    .formatted(box.size(), settings.critics(), MOST_ACTIONS, MOST_CRITICS));
        }
        observations = space.observations();
        actions = box.size();
        bound = box.bound();
        width1 = hidden[0];
        width2 = hidden[1];
        critics = settings.critics();
        batch = settings.batch();
        actorShape = Mlp.relu(observations, width1, width2, 2 * actions);
        criticShape = Mlp.relu(observations + actions, width1, width2, 1);
        criticStart = padded(actorShape.parameters(), 32);
        criticStride = padded(criticShape.parameters(), 32);
        thetaStride = criticStart + 2 * critics * criticStride;
        rowPitch = padded(2 * observations + actions + 2, 4);
        statePitch = padded(observations, 4);
        pairPitch = padded(observations + actions, 4);
        outPitch = padded(2 * actions, 4);
        List<Integer> sizes = List.of(
                2 * batch * statePitch,
                3 * batch * pairPitch,
                batch,
                batch,
                2 * batch * actions,
                2 * batch * width1,
                2 * batch * width2,
                2 * batch * 2 * actions,
                2 * batch,
                batch * actions,
                batch * actions,
                2 * critics * batch * width1,
                2 * critics * batch * width2,
                2 * critics * batch * ((width2 + 7) / 8),
                critics * batch * 4,
                critics * batch * width2,
                critics * batch * width1,
                batch,
                batch * outPitch,
                batch * width2,
                batch * width1,
                batch,
                batch,
                batch);
        places = new int[sizes.size()];
        int end = 0;
        for (int i = 0; i < places.length; i++) {
            places[i] = end;
            end += padded(sizes.get(i), 32);
        }
        workStride = end;
        noisePlace = places[4];
    }

    private static BadInput unsupported(String what) {
        return new BadInput("the GPU does not do " + what, "Use the CPU for this, which is the default.");
    }

    static int padded(int count, int to) {
        return (count + to - 1) / to * to;
    }

    /** Where critic {@code k} begins; from {@link #critics} on these are targets. */
    int critic(int k) {
        return criticStart + k * criticStride;
    }

    long replayStride() {
        return capacity * rowPitch;
    }

    /** Bytes before the staged rows: for each run number of its first row, how many there are, updates due, nothing. */
    long headBytes() {
        return padded(HEAD * runs * Long.BYTES, 256);
    }

    long stagedBytes(int rows) {
        return headBytes() + (long) rows * runs * rowPitch * Float.BYTES;
    }

    /** Bytes on the device, all in all. */
    long bytes(int stagedRows) {
        long floats = runs * (3L * thetaStride + replayStride() + workStride + SCALARS);
        return floats * Float.BYTES
                + runs * ((SUMS + COUNTS + 1L) * Long.BYTES + (long) batch * Integer.BYTES)
                + stagedBytes(stagedRows);
    }

    /**
     * Writes the struct.
     *
     * @param pointers in its order
     */
    void write(MemorySegment into, long[] pointers, boolean given) {
        long at = 0;
        for (long pointer : pointers) {
            into.set(JAVA_LONG, at, pointer);
            at += Long.BYTES;
        }
        for (long value : new long[] {replayStride(), capacity}) {
            into.set(JAVA_LONG, at, value);
            at += Long.BYTES;
        }
        int[] sizes = {
            thetaStride,
            workStride,
            criticStart,
            criticStride,
            batch,
            observations,
            actions,
            width1,
            width2,
            critics,
            rowPitch,
            statePitch,
            pairPitch,
            outPitch
        };
        for (int value : sizes) {
            into.set(JAVA_INT, at, value);
            at += Integer.BYTES;
        }
        for (int place : places) {
            into.set(JAVA_INT, at, place);
            at += Integer.BYTES;
        }
        for (boolean flag : new boolean[] {settings.tuned(), given}) {
            into.set(JAVA_INT, at, flag ? 1 : 0);
            at += Integer.BYTES;
        }
        double[] numbers = {
            settings.discount(), 1 - settings.polyak(), bound, settings.temperature(), settings.learningRate(), -actions
        };
        for (double value : numbers) {
            into.set(JAVA_FLOAT, at, (float) value);
            at += Float.BYTES;
        }
        if (at != STRUCT_BYTES) {
            throw new IllegalStateException("%d bytes where the device expects %d".formatted(at, STRUCT_BYTES));
        }
    }
}
