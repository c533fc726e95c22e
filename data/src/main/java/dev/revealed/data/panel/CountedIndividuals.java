package dev.revealed.data.panel;

import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.mdp.choice.ObservationCounts;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The individuals of a table that was counted. Their paths are read again from the table when somebody first asks for them,
 * and then kept on disk.
 */
final class CountedIndividuals extends KeptIndividuals {
    private final ObservationCounts counts;
    private final ObservationCounts all; // those that paths speak of
    private final int[] rank; // of each of those among the counts; empty where they are the same
    private final int actions;
    private final boolean sampled;
    private final double scale; // weights are multiples of this
    private final Paths paths;
    private final int size;
    private final int[] times; // copies of each individual; empty where one of each
    private final boolean asWeights;
    private int @Nullable [] upTo; // copies up to each individual

    /** The paths, read when first asked for. */
    private static final class Paths {
        private @Nullable Supplier<IndividualStore> reading;
        private @Nullable IndividualStore store;

        Paths(Supplier<IndividualStore> reading) {
            this.reading = reading;
        }

        synchronized IndividualStore get() {
            IndividualStore known = store;
            if (known == null && reading != null) {
                known = reading.get();
                store = known;
                reading = null;
            }
            if (known == null) {
                throw new IllegalStateException("the individuals could not be read");
            }
            return known;
        }
    }

    /**
     * Of a table.
     *
     * @param sampled whether weights are sampling weights
     * @param scale what weights in the table are multiplied by
     * @param reading reads the paths
     */
    CountedIndividuals(
            ObservationCounts counts, int actions, boolean sampled, double scale, Supplier<IndividualStore> reading) {
        this.counts = counts;
        this.all = counts;
        this.rank = new int[0];
        this.actions = actions;
        this.sampled = sampled;
        this.scale = scale;
        this.paths = new Paths(reading);
        this.size = whole(counts.individuals());
        this.times = new int[0];
        this.asWeights = false;
    }

    /** Some of the individuals of another. */
    private CountedIndividuals(
            CountedIndividuals of, ObservationCounts counts, int[] rank, int size, int[] times, boolean asWeights) {
        this.counts = counts;
        this.all = of.all;
        this.rank = rank;
        this.actions = of.actions;
        this.sampled = of.sampled;
        this.scale = of.scale;
        this.paths = of.paths;
        this.size = size;
        this.times = times;
        this.asWeights = asWeights;
    }

    private static int whole(long individuals) {
        BadInput.when(
                individuals > Integer.MAX_VALUE,
                "the panel has %d individuals".formatted(individuals),
                "Draw at most %d of them.".formatted(Integer.MAX_VALUE));
        return (int) individuals;
    }

    @Override
    public ObservationCounts counts() {
        return counts;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Panel.Individual get(int i) {
        int at = i;
        if (times.length > 0) {
            int[] sums = upTo();
            int found = Arrays.binarySearch(sums, i);
            at = found >= 0 ? found + 1 : -found - 1;
            while (copies(at) == 0) {
                at++;
            }
        }
        IndividualStore store = paths.get();
        IndividualStore.Reader reader = store.new Reader();
        reader.read(at);
        return individual(reader, asWeights ? times[at] : scale * reader.weight);
    }

    private int copies(int individual) {
        return asWeights ? Math.min(1, times[individual]) : times[individual];
    }

    private int[] upTo() {
        int[] sums = upTo;
        if (sums == null) {
            sums = new int[times.length];
            int sum = 0;
            for (int k = 0; k < times.length; k++) {
                sum += copies(k);
                sums[k] = sum;
            }
            upTo = sums;
        }
        return sums;
    }

    private Panel.Individual individual(IndividualStore.Reader reader, double weight) {
        int n = reader.length;
        int decisions = reader.last < 0 ? n : n - 1;
        int parts = all.cell()[0].length;
        int[] states = new int[n];
        int[] chosen = new int[decisions];
        int[][] cells = new int[parts][n];
        int[][] outcomes = new int[parts][n];
        for (int t = 0; t < n; t++) {
            int o = reader.path[t];
            states[t] = t < decisions ? all.row()[o] / actions : reader.last;
            if (t < decisions) {
                chosen[t] = all.row()[o] % actions;
            }
            for (int v = 0; v < parts; v++) {
                cells[v][t] = all.cell()[o][v];
                outcomes[v][t] = Math.max(0, all.outcome()[o][v]);
            }
        }
        return new Panel.Individual(
                reader.name(),
                new Trajectory(states, chosen),
                cells,
                outcomes,
                weight,
                reader.cluster,
                reader.known.clone());
    }

    @Override
    public void forEachPath(PathVisitor visitor) {
        IndividualStore store = paths.get();
        IndividualStore.Reader reader = store.new Reader();
        int n = 0;
        for (int i = 0; i < store.size(); i++) {
            int copies = times.length == 0 ? 1 : copies(i);
            if (copies > 0) {
                reader.read(i);
            }
            for (int t = 0; copies > 0 && rank.length > 0 && t < reader.length; t++) {
                reader.path[t] = rank[reader.path[t]];
            }
            for (int c = 0; c < copies; c++) {
                visitor.see(n++, asWeights ? times[i] : scale * reader.weight, reader.path, reader.length);
            }
        }
    }

    @Override
    public KeptIndividuals drawn(int[] drawn, boolean weights) {
        if (times.length > 0) {
            throw new IllegalStateException("individuals drawn from drawn ones");
        }
        IndividualStore store = paths.get();
        IndividualStore.Reader reader = store.new Reader();
        double[] count = new double[all.size()];
        double[] squares = new double[all.size()];
        int copies = 0;
        long decisions = 0;
        double total = 0;
        for (int i = 0; i < drawn.length; i++) {
            if (drawn[i] > 0) {
                reader.read(i);
                double weight = weights ? 1 : scale * reader.weight;
                double sum = weight * drawn[i];
                double square = sampled ? weight * sum : sum;
                for (int t = 0; t < reader.length; t++) {
                    count[reader.path[t]] += sum;
                    squares[reader.path[t]] += square;
                }
                long own = reader.last < 0 ? reader.length : reader.length - 1L;
                copies += weights ? 1 : drawn[i];
                decisions += weights ? own : own * drawn[i];
                total += sum;
            }
        }
        int[] ranks = new int[all.size()];
        int n = 0;
        for (int o = 0; o < ranks.length; o++) {
            ranks[o] = count[o] > 0 ? n++ : -1;
        }
        return new CountedIndividuals(
                this,
                all.counting(count, squares, copies, decisions, total).occurring(),
                ranks,
                copies,
                drawn.clone(),
                weights);
    }
}
