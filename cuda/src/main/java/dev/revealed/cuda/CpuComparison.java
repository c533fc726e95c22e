package dev.revealed.cuda;

import dev.revealed.neural.Batch;
import dev.revealed.neural.Learner;
import dev.revealed.neural.Network;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.neural.objective.ExpertReward;
import dev.revealed.neural.objective.Objective;
import dev.revealed.neural.softq.InverseSoftQ;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How far updates of the GPU are from those of the CPU, from the same networks, batches and noise.
 *
 * @param loss largest relative difference of a loss in any update
 * @param change relative difference of what the updates changed, in the network where it is largest
 * @param place that network
 * @param cpu losses of the last update, and {@code gpu} likewise
 */
record CpuComparison(
        double loss, double change, String place, double firstLoss, Map<String, Double> cpu, Map<String, Double> gpu) {
    /** What the backends may differ by: losses, and the change of parameters over all the updates. */
    private static final double LOSS_TOLERANCE = 1e-3;

    private static final double CHANGE_TOLERANCE = 1e-2;
    private static final List<String> LOSSES = List.of("criticLoss", "actorLoss", "entropy", "temperature");

    /**
     * What is compared.
     *
     * @param runs of the GPU
     * @param which of them is compared
     * @param expert whose rows, the last of a batch, are that one's
     * @param scaled whether that one's networks learn as though some observations were smaller
     */
    record Case(
            Check.Size size,
            Sac.Settings settings,
            Objective objective,
            int tile,
            int runs,
            int which,
            ExpertRows expert,
            boolean scaled) {
        Case(Check.Size size, Sac.Settings settings, int tile, int runs, int which) {
            this(size, settings, Objective.STORED, tile, runs, which, ExpertRows.NONE, false);
        }

        Case with(Objective other) {
            return new Case(size, settings, other, tile, runs, which, expert, scaled);
        }

        Case with(ExpertRows rows) {
            return new Case(size, settings, objective, tile, runs, which, rows, scaled);
        }

        Case withScaledInputs() {
            return new Case(size, settings, objective, tile, runs, which, expert, true);
        }

        private Learner learner(RandomStream stream) {
            return objective instanceof Objective.Inverse(InverseSoftQ.Loss loss)
                    ? new InverseSoftQ(size.space(), settings, loss, stream)
                    : new Sac(size.space(), settings, stream, 1);
        }

        private Batch.Rewards rewards() {
            return switch (objective) {
                case Objective.Labelled labelled ->
                    labelled.network(
                            Network.random(labelled.shape(), RandomStream.of(3)).parameters(), size.space());
                case Objective.ExpertPaid paid -> new ExpertReward(expert, paid.forEver());
                case Objective.Stored _, Objective.Inverse _ -> Batch.Rewards.STORED;
            };
        }
    }

    boolean holds() {
        return loss <= LOSS_TOLERANCE && change <= CHANGE_TOLERANCE;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "losses differ by %.2e (first update %.2e), changes of parameters by %.2e (%s); last: CPU %s, GPU %s",
                loss,
                firstLoss,
                change,
                place,
                text(cpu),
                text(gpu));
    }

    static String text(Map<String, Double> losses) {
        List<String> words = new ArrayList<>();
        losses.forEach((name, value) -> words.add(String.format(Locale.ROOT, "%s %.6g", name, value)));
        return String.join(" ", words);
    }

    /** Updates from the same networks, batches and noise. */
    static CpuComparison of(Gpu gpu, Case given, int updates) {
        Check.Size size = given.size;
        Batch.Rewards rewards = given.rewards();
        int which = given.which;
        RandomStream random = RandomStream.of(7);
        Transitions rows = new Transitions(size, 400, random);
        try (Learner cpu = given.learner(RandomStream.of(5));
                CudaSac cuda = new CudaSac(
                        gpu,
                        size.space(),
                        given.settings,
                        given.objective,
                        new CudaSac.Room(1000, 400, given.expert.count()),
                        given.runs,
                        given.tile)) {
            cuda.beginAll(200);
            if (given.scaled) {
                float[] scale = new float[size.observations()];
                for (int i = 0; i < scale.length; i++) {
                    scale[i] = 1f / (1 + i % 5);
                }
                cpu.scaleInputs(scale);
                cuda.scaleInputs(which, scale);
            }
            cpu.cloneLast(given.expert.in(size.batch()), given.expert.cloning());
            if (given.expert.count() > 0) {
                cuda.expert(which, rows.batch(new int[given.expert.count()]), given.expert);
            }
            for (int i = 0; i < 5; i++) {
                cpu.update(rows.batch(draw(size.batch(), rows.count(), random)), () -> {});
            }
            cpu.diagnostics();
            Tensors start = Tensors.of(cpu::save);
            cuda.restore(which, start);
            cuda.takeGiven();
            if (rewards instanceof RewardNetwork network) {
                network.penalise(
                        network.forEver() > 0 ? 0 : 0.25f); // what is stored counts as uncertainty in some cases
                cuda.reward(which, network);
            }
            for (int run = 0; run < given.runs; run++) {
                (run == which ? rows : new Transitions(size, 400, RandomStream.of(run))).addTo(cuda, run);
                cuda.give(
                        run, draw(size.batch(), rows.count(), RandomStream.of(run)), noise(size, RandomStream.of(run)));
            }
            RandomStream noise = RandomStream.resume(start.longs("sac.noise"));
            double worst = 0;
            double firstLoss = 0;
            Map<String, Double> ours = Map.of();
            Map<String, Double> theirs = Map.of();
            for (int i = 0; i < updates; i++) {
                int[] drawn = draw(size.batch(), rows.count(), random);
                cuda.give(which, drawn, noise(size, noise));
                cuda.update(1);
                Batch batch = rows.batch(drawn);
                rewards.relabel(batch);
                cpu.update(batch, () -> {});
                ours = cpu.diagnostics();
                theirs = cuda.losses(which).byName();
                worst = worse(worst, apart(ours, theirs));
                firstLoss = i == 0 ? worst : firstLoss;
            }
            Tensors endOfCpu = Tensors.of(cpu::save);
            Tensors endOfGpu = cuda.saved(which);
            double change = 0;
            String place = "none";
            for (String network : networks(given.settings)) {
                double difference = changeApart(network, start, endOfCpu, endOfGpu);
                if (!Double.isNaN(change) && !(difference <= change)) {
                    change = difference;
                    place = network;
                }
            }
            return new CpuComparison(worst, change, place, firstLoss, ours, theirs);
        }
    }

    private static List<String> networks(Sac.Settings settings) {
        List<String> networks = new ArrayList<>(List.of("actor"));
        for (int k = 0; k < settings.critics(); k++) {
            networks.addAll(List.of("critic" + k, "target" + k));
        }
        if (settings.temperature().tuned()) {
            networks.add("temperature");
        }
        return networks;
    }

    private static double worse(double a, double b) {
        return Math.max(a, b); // a NaN in either stays
    }

    private static int[] draw(int count, int limit, RandomStream stream) {
        int[] drawn = new int[count];
        Arrays.setAll(drawn, i -> stream.nextInt(limit));
        return drawn;
    }

    private static float[] noise(Check.Size size, RandomStream stream) {
        float[] noise = new float[2 * size.batch() * size.actions()];
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (float) stream.nextGaussian();
        }
        return noise;
    }

    private static double apart(Map<String, Double> a, Map<String, Double> b) {
        double worst = 0;
        for (String name : LOSSES) {
            worst = worse(worst, apart(a.getOrDefault(name, Double.NaN), b.getOrDefault(name, Double.NaN)));
        }
        return worst;
    }

    /** Relative to the value, or to a hundredth where a mean of terms of either sign happens to be smaller. */
    private static double apart(double a, double b) {
        return Math.abs(a - b) / Math.max(Math.abs(a), 1e-2);
    }

    /** Over all arrays of a network: |change on one - change on the other| / |change|, in the Euclidean norm. */
    private static double changeApart(String network, Tensors start, Tensors one, Tensors other) {
        double difference = 0;
        double change = 0;
        for (String name : start.names()) {
            boolean parameters = name.startsWith(network + ".weight")
                    || name.startsWith(network + ".bias")
                    || name.equals(network + ".log");
            if (parameters) {
                float[] a = start.floats(name);
                float[] b = one.floats(name);
                float[] c = other.floats(name);
                for (int i = 0; i < a.length; i++) {
                    difference += Math.pow(b[i] - c[i], 2);
                    change += Math.pow(b[i] - a[i], 2);
                }
            }
        }
        return Math.sqrt(difference / change);
    }
}
