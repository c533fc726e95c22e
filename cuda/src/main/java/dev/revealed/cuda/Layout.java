package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.neural.TransitionLayout;
import dev.revealed.neural.objective.Objective;
import dev.revealed.neural.softq.InverseSoftQ;
import dev.revealed.numeric.BadInput;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where everything lies on the device, and how much of it there is; the counterpart of struct Sac in sac.cu. */
final class Layout {
    static final int STRUCT_BYTES = 400;
    static final int SCALARS = 12;
    static final int SETTINGS = 12;
    static final int SUMS = 8;
    static final int COUNTS = 8;
    static final int HEAD = 4;
    private static final int NORMS = 8;

    private static final int POINTERS = 15;
    private static final int PAIRS =
            3; // of each row of a batch: next state, state as stored, state with an action drawn now

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
    /** Transitions of an expert that each run has room for. */
    final int expertCount;

    final Mlp actorShape;
    final Mlp criticShape;
    final Objective objective;
    /** Null where no network gives rewards. */
    final @Nullable Mlp rewardShape;
    /** Rows that the reward networks see: next states too, where their worth goes on after an end. */
    final int rewardRows;

    /** Rows that critics learn from at once. */
    final int criticRows;

    final int criticStart;
    final int criticStride;
    final int thetaStride;
    /** Numbers of a run's reward network, and what uncertainty costs, with their padding; 0 where there is none. */
    final int rewardStride;

    /** A row of the replay, without its padding. */
    final TransitionLayout row;

    final int rowPitch;
    final int statePitch;
    final int pairPitch;
    final int outPitch;

    /** Places of the arrays that stages hand to each other, in the order of the struct. */
    private final int[] places;

    final int workStride;
    final int noisePlace;
    /** Rewards of the last batch. */
    final int rewardPlace;

    Layout(Simulator.Space space, Sac.Settings settings, int runs, long capacity) {
        this(space, settings, Objective.STORED, runs, capacity);
    }

    Layout(Simulator.Space space, Sac.Settings settings, Objective objective, int runs, long capacity) {
        this(space, settings, objective, runs, capacity, 0);
    }

    /**
     * @param expertCount transitions of an expert, which lie behind the {@code capacity} rows of a run
     */
    Layout(
            Simulator.Space space,
            Sac.Settings settings,
            Objective objective,
            int runs,
            long capacity,
            int expertCount) {
        this.expertCount = expertCount;
        this.settings = settings;
        this.objective = objective;
        if (objective instanceof Objective.Inverse(InverseSoftQ.Loss loss)) {
            loss.check(settings);
        }
        Mlp reward = objective instanceof Objective.Labelled labelled ? labelled.shape() : null;
        this.rewardShape = reward;
        this.runs = runs;
        this.capacity = capacity;
        if (!(space.actions() instanceof Simulator.Actions.Box box)) {
            throw unsupported("the task '%s' has finitely many actions".formatted(space.name()));
        }
        int[] hidden = settings.hidden();
        if (hidden.length != 2) {
            throw unsupported(layers(hidden.length) + ", where there must be two");
        }
        for (int width : hidden) {
            requireWidth("a hidden layer", width);
        }
        if (box.size() > MOST_ACTIONS || settings.critics() > MOST_CRITICS) {
            throw unsupported("%d numbers in an action and %d critics, where at most %d and %d are possible"
                    .formatted(box.size(), settings.critics(), MOST_ACTIONS, MOST_CRITICS));
        }
        observations = space.observations();
        actions = box.size();
        if (reward != null) {
            requireReward(reward);
        }
        rewardRows = forEver() > 0 ? 2 * settings.batch() : settings.batch();
        rewardStride = reward == null ? 0 : padded(reward.parameters() + 1, 32);
        bound = box.bound();
        width1 = hidden[0];
        width2 = hidden[1];
        critics = settings.critics();
        batch = settings.batch();
        criticRows = objective instanceof Objective.Inverse ? PAIRS * batch : batch;
        actorShape = Mlp.relu(observations, width1, width2, 2 * actions);
        criticShape = settings.critic(observations + actions);
        boolean normed = criticShape.layerNorm() || criticShape.featureNorm();
        criticStart = padded(actorShape.parameters(), 32);
        criticStride = padded(criticShape.parameters(), 32);
        thetaStride = criticStart + 2 * critics * criticStride;
        row = TransitionLayout.of(space);
        rowPitch = padded(row.width(), 4);
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
                2 * critics * criticRows * width1,
                2 * critics * criticRows * width2,
                2 * critics * criticShares(width2),
                critics * criticRows * 4,
                critics * criticRows * width2,
                critics * criticRows * width1,
                batch,
                batch * outPitch,
                batch * width2,
                batch * width1,
                batch,
                batch,
                batch,
                reward == null ? 0 : rewardRows * reward.out(0),
                reward == null ? 0 : rewardRows * eighths(reward.out(1)),
                normed ? 2 * critics * (width1 + 4) : 0,
                normed ? 2 * critics * 2 * criticShares(width1) : 0,
                normed ? 2 * critics * 3 * criticShares(width2) : 0,
                normed ? critics * 2 * criticShares(width1) : 0,
                normed ? critics * criticRows * NORMS : 0);
        places = new int[sizes.size()];
        int end = 0;
        for (int i = 0; i < places.length; i++) {
            places[i] = end;
            end += padded(sizes.get(i), 32);
        }
        workStride = end;
        noisePlace = places[4];
        rewardPlace = places[2];
    }

    /** Every 8 numbers of a critic's layer give their share of what a row comes to. */
    private int criticShares(int width) {
        return criticRows * eighths(width);
    }

    private static int eighths(int width) {
        return (width + 7) / 8;
    }

    /** What the reward of a terminal state is worth besides, where rewards are not those of the replay. */
    private double forEver() {
        return switch (objective) {
            case Objective.Labelled labelled -> labelled.forEver();
            case Objective.ExpertPaid paid -> paid.forEver();
            case Objective.Stored _, Objective.Inverse _ -> 0;
        };
    }

    private static void requireWidth(String what, int width) {
        if (width % 4 != 0 || width > MOST_WIDTH) {
            throw unsupported("%s of %d, where the width must be a multiple of 4 and at most %d"
                    .formatted(what, width, MOST_WIDTH));
        }
    }

    private void requireReward(Mlp reward) {
        if (reward.layers() != 3) {
            throw unsupported(
                    "a reward network with %s, where there must be two".formatted(layers(reward.layers() - 1)));
        }
        if (reward.layerNorm() || reward.featureNorm()) {
            throw unsupported("a reward network with layer norm or feature norm");
        }
        requireWidth("a reward network's hidden layer", reward.out(0));
        requireWidth("a reward network's hidden layer", reward.out(1));
        if (reward.inputs() != observations && reward.inputs() != observations + actions) {
            throw unsupported("a reward network of %d inputs, where the state has %d numbers and the action %d"
                    .formatted(reward.inputs(), observations, actions));
        }
        if (reward.outputs() != 1 || reward.activation(2) != Mlp.Activation.NONE) {
            throw unsupported("a reward network with %d outputs and %s after them, where there must be one and NONE"
                    .formatted(reward.outputs(), reward.activation(2)));
        }
    }

    private static String layers(int hidden) {
        return hidden == 1 ? "1 hidden layer" : hidden + " hidden layers";
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

    /** The settings in which runs of one grid may differ, in the order of sac.cu. */
    float[] settings(Sac.Settings of, ExpertRows expert) {
        Temperature temperature = of.temperature();
        double[] values = {
            1 - of.polyak(),
            temperature.first(),
            temperature.halving() == 0 ? 0 : 1 / temperature.halving(),
            of.learningRate(),
            of.actorRate(),
            1 - of.learningRate() * of.criticDecay(),
            expert.cloning(),
            expert.in(batch),
            of.actorEvery(),
            of.actorHalving() == 0 ? 0 : 1 / of.actorHalving()
        };
        float[] narrowed = new float[SETTINGS];
        for (int i = 0; i < values.length; i++) {
            narrowed[i] = (float) values[i];
        }
        return narrowed;
    }

    /**
     * Settings that runs of one grid must have in common. The others are those of {@link Sac.Settings#PAPER}, which is what
     * makes the settings of such runs equal.
     */
    static Sac.Settings common(Sac.Settings settings) {
        Sac.Settings same = Sac.Settings.PAPER;
        return settings.with(Map.of(
                        "learning-rate", same.learningRate(),
                        "actor-learning-rate", "same",
                        "actor-halving", same.actorHalving(),
                        "actor-every", same.actorEvery(),
                        "critic-decay", same.criticDecay(),
                        "polyak", same.polyak()))
                .withTemperature(settings.temperature().tuned() ? Temperature.TUNED : same.temperature());
    }

    long replayStride() {
        return (capacity + expertCount) * rowPitch;
    }

    /** Bytes before the staged rows: for each run number of its first row, how many there are, updates due, its rows of the expert. */
    long headBytes() {
        return padded(HEAD * runs * Long.BYTES, 256);
    }

    long stagedBytes(int rows) {
        return headBytes() + (long) rows * runs * rowPitch * Float.BYTES;
    }

    /** Bytes on the device, all in all. */
    long bytes(int stagedRows) {
        long floats = runs
                * (3L * thetaStride + rewardStride + replayStride() + workStride + statePitch + SCALARS + SETTINGS);
        return floats * Float.BYTES
                + runs * ((SUMS + COUNTS + 1L) * Long.BYTES + (long) batch * Integer.BYTES)
                + stagedBytes(stagedRows);
    }

    /**
     * Writes the struct.
     *
     * @param pointers in its order; that of the reward networks is 0 where there are none
     * @param rows of a batch: {@link #batch}, or {@link #criticRows}
     */
    void write(MemorySegment into, long[] pointers, boolean given, int rows) {
        if (pointers.length != POINTERS) {
            throw new IllegalArgumentException("%d pointers".formatted(pointers.length));
        }
        ByteBuffer out = into.asByteBuffer().order(ByteOrder.nativeOrder());
        Arrays.stream(pointers).forEach(out::putLong);
        out.putLong(replayStride()).putLong(capacity);
        boolean tuned = settings.temperature().tuned();
        Mlp reward = rewardShape;
        integers(out, thetaStride, workStride, criticStart, criticStride, rows, observations, actions, width1, width2);
        integers(out, critics, rowPitch, statePitch, pairPitch, outPitch);
        integers(out, places);
        integers(out, tuned ? 1 : 0, given ? 1 : 0, settings.layerNorm() ? 1 : 0, settings.featureNorm() ? 1 : 0);
        if (reward == null) {
            integers(out, new int[7]);
        } else {
            integers(out, rewardStride, reward.inputs(), reward.out(0), reward.out(1));
            integers(out, activation(reward.activation(0)), activation(reward.activation(1)));
            integers(out, output(reward.output()));
        }
        InverseSoftQ.Loss inverse = objective instanceof Objective.Inverse(InverseSoftQ.Loss loss) ? loss : null;
        integers(out, objective instanceof Objective.ExpertPaid ? 1 : 0);
        if (inverse == null) {
            integers(out, new int[3]);
        } else {
            integers(out, inverse.term() == InverseSoftQ.Term.V0 ? 1 : 2, inverse.target() ? 1 : 0);
            integers(out, inverse.actions() == InverseSoftQ.Actions.DRAWN ? 1 : 0);
        }
        double[] numbers = {
            settings.discount(),
            bound,
            -actions,
            reward != null ? reward.clamp() : inverse == null ? 0 : inverse.valueLimit(),
            inverse == null ? forEver() : inverse.endWorth(),
            inverse == null ? 0 : inverse.squareWeight()
        };
        Arrays.stream(numbers).forEach(number -> out.putFloat((float) number));
        if (padded(out.position(), Long.BYTES) != STRUCT_BYTES) {
            throw new IllegalStateException(
                    "%d bytes where the device expects %d".formatted(out.position(), STRUCT_BYTES));
        }
    }

    private static void integers(ByteBuffer out, int... values) {
        Arrays.stream(values).forEach(out::putInt);
    }

    /** By its number on the device. */
    private static int activation(Mlp.Activation activation) {
        return switch (activation) {
            case NONE -> 0;
            case RELU -> 1;
            case TANH -> 2;
        };
    }

    /** Likewise. */
    private static int output(Mlp.Output output) {
        return switch (output) {
            case PLAIN -> 0;
            case SOFTPLUS -> 1;
            case LOG_SIGMOID -> 2;
        };
    }
}
