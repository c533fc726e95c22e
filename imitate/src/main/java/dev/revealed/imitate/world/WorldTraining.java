package dev.revealed.imitate.world;

import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.ensemble.Ensemble;
import dev.revealed.neural.ensemble.PredictedRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Learns a world from a log by maximum likelihood. Members differ in their first weights and in the order of their
 * minibatches. A part of the log is held out: each member keeps the parameters with the best held-out likelihood, and training
 * stops when no member has improved for some epochs.
 */
public final class WorldTraining implements AutoCloseable {

    /** Everything that decides what is learnt from a log. */
    public record Settings(
            @Setting(about = "Networks of the ensemble.", atLeast = 2, atMost = 100)
            int members,

            @Setting(about = "Members that predict: those with the best held-out likelihood.", atLeast = 1)
            int elites,

            @Setting(about = "Widths of the hidden layers.", atLeast = 1, atMost = Mlp.WIDEST, example = "200,200,200")
            int[] hidden,

            @Setting(about = "Passes over the log, at most.", atLeast = 1)
            int epochs,

            @Setting(about = "Epochs without an improvement of any member, after which training stops.", atLeast = 1)
            int patience,

            @Setting(about = "Share of the log that is held out.", above = 0, below = 1, example = "0.1")
            double heldOut,

            @Setting(
                    about =
                            "Share of demonstrations (`demos`) among the rows of a pass, at least: they are repeated as often as that "
                                    + "takes, because the world has to be accurate where the expert goes.",
                    atLeast = 0,
                    below = 1,
                    example = "0.25")
            double demoShare,

            @Setting(about = "Rows of a minibatch.", atLeast = 1)
            int batch,

            @Setting(about = "Learning rate of Adam.", above = 0, example = "1e-3")
            double learningRate,

            @Setting(about = "Decoupled weight decay, as in AdamW.", atLeast = 0, example = "1e-2")
            double decay) {
        /** Modest sizes, for two cores. */
        public static final Settings USUAL =
                new Settings(5, 4, new int[] {200, 200, 200}, 60, 5, 0.1, 0.25, 256, 1e-3, 1e-2);

        /** The reference's sizes for most logs; it decays weights otherwise. */
        public static final Settings PAPER =
                new Settings(7, 5, new int[] {200, 200, 200, 200}, 1000, 5, 0.2, 0, 256, 1e-3, 1e-2);

        public Settings {
            hidden = hidden.clone();
            dev.revealed.settings.Settings.check(
                    Settings.class,
                    members,
                    elites,
                    hidden,
                    epochs,
                    patience,
                    heldOut,
                    demoShare,
                    batch,
                    learningRate,
                    decay);
            BadInput.when(
                    elites > members,
                    "`elites` is %d, and there are %d `members`".formatted(elites, members),
                    "Give at most as many.");
        }
    }

    /** A member improves where its held-out loss falls by more than this, in nats per number of the state. */
    private static final double WORTH = 1e-3;

    private static final int MOST_HELD_OUT = 50_000; // rows: more make no better estimate of the likelihood

    /**
     * An epoch.
     *
     * @param training mean loss of all members over the epoch, in nats per row without the constant
     * @param heldOut loss of each member after it
     * @param best lowest held-out loss of each member so far
     */
    public record Epoch(int epoch, double training, double[] heldOut, double[] best) {}

    private final Settings settings;
    private final TransitionRows log;
    private final boolean learntEnds;
    private final int[] passed; // rows of a pass; demonstrations may come several times
    private final int[] heldOut;
    private final WorldModel.Standards standards;
    private final Mlp shape;
    private final List<RandomStream> orders;
    private final float[][] kept; // of each member the best parameters so far
    private final double[] best; // and their loss
    private final Ensemble ensemble;
    private int epochs;
    private int idle; // epochs since a member improved
    private Epoch last = new Epoch(0, Double.NaN, new double[0], new double[0]);

    /** On the processor. */
    public WorldTraining(Settings settings, TransitionRows log, boolean learntEnds, RandomStream stream) {
        this(settings, log, learntEnds, Ensemble.Maker.PROCESSOR, stream);
    }

    /** @param learntEnds whether terminations are learnt, rather than given by a rule */
    public WorldTraining(
            Settings settings, TransitionRows log, boolean learntEnds, Ensemble.Maker maker, RandomStream stream) {
        this.settings = settings;
        this.log = log;
        this.learntEnds = learntEnds;
        RandomStream own = stream.named("world");
        int[] order = shuffled(log.count(), own.named("held-out"));
        int out = Math.clamp(Math.round(settings.heldOut * log.count()), 1, MOST_HELD_OUT);
        BadInput.when(
                log.count() - out < settings.batch,
                "the log has %d transitions, %d of them held out, and a minibatch has %d"
                        .formatted(log.count(), out, settings.batch),
                "Give a longer log, or lower `batch`.");
        heldOut = Arrays.copyOf(order, out);
        int[] training = Arrays.copyOfRange(order, out, order.length);
        Arrays.sort(heldOut);
        Arrays.sort(training);
        standards = WorldModel.Standards.of(log, training);
        passed = passed(training);
        shape = WorldModel.shape(log.observations(), log.actions(), settings.hidden, learntEnds);
        List<RandomStream> members = IntStream.range(0, settings.members)
                .mapToObj(m -> own.named("member").at(m))
                .toList();
        orders = members.stream().map(member -> member.named("order")).toList();
        ensemble = maker.of(
                shape,
                standardised(),
                new Ensemble.Settings(settings.batch, settings.learningRate, settings.decay),
                members.stream().map(member -> member.named("network")).toList());
        kept = new float[settings.members][];
        Arrays.setAll(kept, ensemble::parameters);
        best = new double[settings.members];
        Arrays.fill(best, Double.POSITIVE_INFINITY);
    }

    /** Rows to learn from, of which demonstrations have the share that is asked for, or more. */
    private int[] passed(int[] training) {
        int first = log.count() - log.demonstrations();
        int[] demonstrated = Arrays.stream(training).filter(row -> row >= first).toArray();
        double wanted = settings.demoShare / (1 - settings.demoShare) * (training.length - demonstrated.length);
        int more = demonstrated.length == 0 ? 0 : (int) Math.max(0, Math.ceil(wanted / demonstrated.length) - 1);
        int[] all =
                Arrays.copyOf(training, Math.addExact(training.length, Math.multiplyExact(more, demonstrated.length)));
        for (int i = 0; i < more; i++) {
            System.arraycopy(demonstrated, 0, all, training.length + i * demonstrated.length, demonstrated.length);
        }
        return all;
    }

    /** The log as members see it. */
    private PredictedRows standardised() {
        int wide = log.observations();
        int width = log.width();
        float[] inputs = new float[log.pairs().length];
        standards.inputs(log.pairs(), 0, log.count(), inputs, 0);
        float[] targets = new float[log.next().length];
        for (int row = 0; row < log.count(); row++) {
            for (int j = 0; j < wide; j++) {
                float change = log.next()[row * wide + j] - log.pairs()[row * width + j];
                targets[row * wide + j] =
                        (change - standards.mean()[j]) / standards.deviation()[j];
            }
        }
        return new PredictedRows(log.count(), width, wide, inputs, targets, learntEnds ? log.ended() : new boolean[0]);
    }

    private static int[] shuffled(int count, RandomStream stream) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int j = stream.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    /** Rows that are held out. */
    public int[] heldOut() {
        return heldOut.clone();
    }

    public int epochs() {
        return epochs;
    }

    /** Whether it has come to its end. */
    public boolean finished() {
        return epochs >= settings.epochs || idle >= settings.patience;
    }

    /** One more pass over the log, by every member; rows that fill no minibatch wait for another epoch. */
    public Epoch epoch() {
        int[][] rows = new int[settings.members][];
        for (int m = 0; m < rows.length; m++) {
            rows[m] = shuffled(passed.length, orders.get(m).at(epochs));
            for (int i = 0; i < passed.length; i++) {
                rows[m][i] = passed[rows[m][i]];
            }
        }
        double[] losses = ensemble.pass(rows);
        double[] after = ensemble.losses(heldOut);
        idle++;
        for (int m = 0; m < after.length; m++) {
            if (after[m] < best[m] - WORTH * log.observations()) {
                idle = 0;
            }
            if (after[m] < best[m]) {
                best[m] = after[m];
                kept[m] = ensemble.parameters(m);
            }
        }
        epochs++;
        last = new Epoch(epochs, Arrays.stream(losses).average().orElseThrow(), after, best.clone());
        return last;
    }

    /** The last epoch; empty before the first. */
    public Epoch last() {
        return last;
    }

    /** The world as it is now: each member at its best, the best of them its elites. */
    public WorldModel world() {
        int[] elites = IntStream.range(0, kept.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(m -> best[m]).thenComparing(Comparator.naturalOrder()))
                .limit(settings.elites)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
        List<Network> members = Arrays.stream(kept)
                .map(parameters -> new Network(shape, parameters.clone()))
                .toList();
        return new WorldModel(log.observations(), log.actions(), standards, members, elites, learntEnds);
    }

    /** Everything that later epochs depend on. */
    public void save(Tensors into) {
        into.put("world.log", log.checksum());
        into.put("world.epochs", epochs, idle);
        into.put("world.last", new double[] {last.training});
        into.put("world.heldOut", last.heldOut);
        for (int m = 0; m < kept.length; m++) {
            String prefix = "world.training" + m;
            ensemble.save(m, prefix, into);
            into.put(prefix + ".kept", kept[m].clone());
            into.put(prefix + ".best", new double[] {best[m]});
        }
    }

    public void restore(Tensors from) {
        BadInput.when(
                from.longs("world.log")[0] != log.checksum(),
                "the log is another than when the run was started",
                "Restore the original one, or begin another run in another folder.");
        epochs = (int) from.longs("world.epochs")[0];
        idle = (int) from.longs("world.epochs")[1];
        for (int m = 0; m < kept.length; m++) {
            String prefix = "world.training" + m;
            ensemble.restore(m, prefix, from);
            from.into(prefix + ".kept", kept[m]);
            best[m] = from.doubles(prefix + ".best")[0];
        }
        last = new Epoch(epochs, from.doubles("world.last")[0], from.doubles("world.heldOut"), best.clone());
    }

    @Override
    public void close() {
        ensemble.close();
    }
}
