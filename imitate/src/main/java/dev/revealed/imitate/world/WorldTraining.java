package dev.revealed.imitate.world;

import dev.revealed.neural.Adam;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.Tape;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Learns a world from a log by maximum likelihood. Members differ in their first weights and in the order of their
 * minibatches. A part of the log is held out: each member keeps the parameters with the best held-out likelihood, and training
 * stops when no member has improved for some epochs.
 */
public final class WorldTraining {

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

            @Setting(about = "Rows of a minibatch.", atLeast = 1)
            int batch,

            @Setting(about = "Learning rate of Adam.", above = 0, example = "1e-3")
            double learningRate,

            @Setting(about = "Pull of weights towards zero, as in AdamW.", atLeast = 0, example = "1e-2")
            double decay) {
        /** Modest sizes, for two cores. */
        public static final Settings USUAL = new Settings(5, 4, new int[] {200, 200, 200}, 60, 5, 0.1, 256, 1e-3, 1e-2);

        public Settings {
            hidden = hidden.clone();
            dev.revealed.settings.Settings.check(
                    Settings.class, members, elites, hidden, epochs, patience, heldOut, batch, learningRate, decay);
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
    private final RandomStream stream;
    private final int[] training;
    private final int[] heldOut;
    private final WorldModel.Standards standards;
    private final List<Member> members = new ArrayList<>();
    private int epochs;
    private int idle; // epochs since a member improved
    private Epoch last = new Epoch(0, Double.NaN, new double[0], new double[0]);

    /** @param learntEnds whether terminations are learnt, rather than given by a rule */
    public WorldTraining(Settings settings, TransitionRows log, boolean learntEnds, RandomStream stream) {
        this.settings = settings;
        this.log = log;
        this.learntEnds = learntEnds;
        this.stream = stream.named("world");
        int[] order = shuffled(log.count(), this.stream.named("held-out"));
        int out = Math.clamp(Math.round(settings.heldOut * log.count()), 1, MOST_HELD_OUT);
        BadInput.when(
                log.count() - out < settings.batch,
                "the log has %d transitions, %d of them held out, and a minibatch has %d"
                        .formatted(log.count(), out, settings.batch),
                "Give a longer log, or lower `batch`.");
        heldOut = Arrays.copyOf(order, out);
        training = Arrays.copyOfRange(order, out, order.length);
        Arrays.sort(heldOut);
        Arrays.sort(training);
        standards = WorldModel.Standards.of(log, training);
        Mlp shape = WorldModel.shape(log.observations(), log.actions(), settings.hidden, learntEnds);
        for (int m = 0; m < settings.members; m++) {
            members.add(new Member(shape, this.stream.named("member").at(m)));
        }
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

    /** One more pass over the log, by every member; members share the threads there are. */
    public Epoch epoch() {
        double[] losses = new double[members.size()];
        double[] after = new double[members.size()];
        Parallel.tasks(members.size(), m -> {
            losses[m] = members.get(m).pass(epochs);
            after[m] = members.get(m).heldOutLoss();
        });
        idle++;
        for (int m = 0; m < after.length; m++) {
            if (members.get(m).keep(after[m])) {
                idle = 0;
            }
        }
        epochs++;
        last = new Epoch(
                epochs,
                Arrays.stream(losses).average().orElseThrow(),
                after,
                members.stream().mapToDouble(member -> member.best).toArray());
        return last;
    }

    /** The last epoch; empty before the first. */
    public Epoch last() {
        return last;
    }

    /** The world as it is now: each member at its best, the best of them its elites. */
    public WorldModel world() {
        int[] elites = IntStream.range(0, members.size())
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(m -> members.get(m).best)
                        .thenComparing(Comparator.naturalOrder()))
                .limit(settings.elites)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
        List<Network> best = members.stream()
                .map(member -> new Network(member.network.shape(), member.kept.clone()))
                .toList();
        return new WorldModel(log.observations(), log.actions(), standards, best, elites, learntEnds);
    }

    /** Everything that later epochs depend on. */
    public void save(Tensors into) {
        into.put("world.log", log.checksum());
        into.put("world.epochs", epochs, idle);
        into.put("world.last", new double[] {last.training});
        into.put("world.heldOut", last.heldOut);
        for (int m = 0; m < members.size(); m++) {
            members.get(m).save("world.training" + m, into);
        }
    }

    public void restore(Tensors from) {
        BadInput.when(
                from.longs("world.log")[0] != log.checksum(),
                "the log is another than when the run was started",
                "Put the first one back, or begin another run in another folder.");
        epochs = (int) from.longs("world.epochs")[0];
        idle = (int) from.longs("world.epochs")[1];
        for (int m = 0; m < members.size(); m++) {
            members.get(m).restore("world.training" + m, from);
        }
        last = new Epoch(
                epochs,
                from.doubles("world.last")[0],
                from.doubles("world.heldOut"),
                members.stream().mapToDouble(member -> member.best).toArray());
    }

    /** One network of the ensemble, in training. */
    private final class Member {
        private final RandomStream orders;
        private final Network network;
        private final Adam adam;
        private final Tape tape;
        private final float[] gradient;
        private final float[] inputs;
        private final float[] targets;
        private final boolean[] ended;
        private float[] kept;
        private double best = Double.POSITIVE_INFINITY;

        Member(Mlp shape, RandomStream stream) {
            orders = stream.named("order");
            network = Network.random(shape, stream.named("network"));
            kept = network.parameters().clone();
            adam = new Adam(
                    Adam.Settings.of(settings.learningRate).withDecoupledDecay(settings.decay),
                    network.parameters().length);
            tape = network.tape(settings.batch);
            gradient = new float[network.parameters().length];
            inputs = new float[settings.batch * log.width()];
            targets = new float[settings.batch * log.observations()];
            ended = new boolean[learntEnds ? settings.batch : 0];
        }

        double pass(int epoch) {
            int[] order = shuffled(training.length, orders.at(epoch));
            int batches = training.length / settings.batch; // rows that fill no minibatch wait for another epoch
            double sum = 0;
            for (int b = 0; b < batches; b++) {
                for (int i = 0; i < settings.batch; i++) {
                    load(training[order[b * settings.batch + i]], i);
                }
                tape.forward(inputs, settings.batch);
                double loss = Gaussian.loss(
                        settings.batch, log.observations(), tape.output(), targets, ended, tape.outputGradient());
                if (!Double.isFinite(loss)) {
                    throw new DivergenceFailure((long) epoch * batches + b + 1, "loss of the world model", loss);
                }
                sum += loss;
                tape.propagate(settings.batch);
                tape.gradient(settings.batch, gradient, false);
                adam.step(network.parameters(), gradient);
                network.changed();
            }
            return sum / batches;
        }

        private void load(int row, int i) {
            int wide = log.observations();
            int width = log.width();
            standards.inputs(log.pairs(), row * width, 1, inputs, i * width);
            for (int j = 0; j < wide; j++) {
                float change = log.next()[row * wide + j] - log.pairs()[row * width + j];
                targets[i * wide + j] =
                        (change - standards.mean()[j]) / standards.deviation()[j];
            }
            if (learntEnds) {
                ended[i] = log.ended()[row];
            }
        }

        double heldOutLoss() {
            double sum = 0;
            for (int from = 0; from < heldOut.length; from += settings.batch) {
                int rows = Math.min(settings.batch, heldOut.length - from);
                for (int i = 0; i < rows; i++) {
                    load(heldOut[from + i], i);
                }
                tape.forward(inputs, rows);
                sum += rows * Gaussian.loss(rows, log.observations(), tape.output(), targets, ended, new float[0]);
            }
            return sum / heldOut.length;
        }

        /** Keeps the parameters where they are the best so far; says whether they are by enough to matter. */
        boolean keep(double loss) {
            boolean worth = loss < best - WORTH * log.observations();
            if (loss < best) {
                best = loss;
                kept = network.parameters().clone();
            }
            return worth;
        }

        void save(String prefix, Tensors into) {
            network.save(prefix, into);
            adam.save(prefix + ".adam", into);
            into.put(prefix + ".kept", kept.clone());
            into.put(prefix + ".best", new double[] {best});
        }

        void restore(String prefix, Tensors from) {
            network.restore(prefix, from);
            adam.restore(prefix + ".adam", from);
            from.into(prefix + ".kept", kept);
            best = from.doubles(prefix + ".best")[0];
        }
    }
}
