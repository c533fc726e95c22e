package dev.revealed.data.panel;

import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ClusterSums;
import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.mdp.choice.ObservationCounts;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.Survey;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
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
    private final int[] draw; // numbers of the individuals; empty where all are there
    private final int[] weights; // by number, in place of their own; empty where there are none
    private final Elsewhere elsewhere;
    private volatile OptionalLong clusters = OptionalLong.empty();

    /** Those who read the rows; see {@link #sums} and {@link #survey}. */
    interface Elsewhere {
        /** Nobody does but this program. */
        Elsewhere NOWHERE = new Elsewhere() {
            @Override
            public Optional<ClusterSums> sums(double[][] contribution, boolean copies) {
                return Optional.empty();
            }

            @Override
            public Optional<Survey> survey(String name, Survey.Answer answer) {
                return Optional.empty();
            }
        };

        Optional<ClusterSums> sums(double[][] contribution, boolean copies);

        Optional<Survey> survey(String name, Survey.Answer answer);
    }

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
     * @param elsewhere other machines, where there are some
     */
    CountedIndividuals(
            ObservationCounts counts,
            int actions,
            boolean sampled,
            double scale,
            Supplier<IndividualStore> reading,
            Elsewhere elsewhere) {
        this.elsewhere = elsewhere;
        this.counts = counts;
        this.all = counts;
        this.rank = new int[0];
        this.actions = actions;
        this.sampled = sampled;
        this.scale = scale;
        this.paths = new Paths(reading);
        this.draw = new int[0];
        this.weights = new int[0];
    }

    /** Some of the individuals of another. */
    private CountedIndividuals(CountedIndividuals of, ObservationCounts counts, int[] rank, int[] draw, int[] weights) {
        this.counts = counts;
        this.all = of.all;
        this.rank = rank;
        this.actions = of.actions;
        this.sampled = of.sampled;
        this.scale = of.scale;
        this.paths = of.paths;
        this.draw = draw;
        this.weights = weights;
        this.elsewhere = Elsewhere.NOWHERE;
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
    public Optional<ClusterSums> sums(double[][] contribution, boolean copies) {
        Optional<ClusterSums> sums = elsewhere.sums(contribution, copies);
        sums.ifPresent(found -> clusters = OptionalLong.of(found.clusters()));
        return sums;
    }

    @Override
    public Survey survey(String name, Survey.Answer answer) {
        return elsewhere.survey(name, answer).orElseGet(() -> super.survey(name, answer));
    }

    @Override
    public OptionalLong clusters() {
        return clusters;
    }

    @Override
    public int size() {
        return draw.length > 0 ? draw.length : whole(counts.individuals());
    }

    private int number(int i) {
        return draw.length > 0 ? draw[i] : i;
    }

    private double weight(int number, IndividualStore.Reader reader) {
        return weights.length > 0 ? weights[number] : scale * reader.weight;
    }

    @Override
    public Panel.Individual get(int i) {
        IndividualStore.Reader reader = paths.get().new Reader(1 << 12);
        int number = number(Objects.checkIndex(i, size()));
        reader.read(number);
        return individual(reader, weight(number, reader));
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
        IndividualStore.Reader reader = paths.get().new Reader();
        for (int i = 0; i < size(); i++) {
            int number = number(i);
            reader.read(number);
            for (int t = 0; rank.length > 0 && t < reader.length; t++) {
                reader.path[t] = rank[reader.path[t]];
            }
            visitor.see(i, weight(number, reader), reader.path, reader.length);
        }
    }

    @Override
    public KeptIndividuals drawn(int[] drawn) {
        int[] times = new int[size()];
        int[] first = new int[size()]; // draws are numbered; which of them is the individual's first?
        for (int k = drawn.length - 1; k >= 0; k--) {
            times[drawn[k]]++;
            first[drawn[k]] = k;
        }
        return some(times, first, drawn.clone(), new int[0]);
    }

    @Override
    public KeptIndividuals weighing(int[] others) {
        int[] numbers =
                IntStream.range(0, others.length).filter(i -> others[i] > 0).toArray();
        int[] order = new int[others.length];
        Arrays.setAll(order, i -> i);
        return some(others, order, numbers, others.clone());
    }

    /** Goes through the file once and counts each individual so many times; observations are ordered as the draws are. */
    private KeptIndividuals some(int[] times, int[] order, int[] numbers, int[] newWeights) {
        if (draw.length > 0) {
            throw new IllegalStateException("individuals drawn from drawn ones");
        }
        IndividualStore.Reader reader = paths.get().new Reader();
        double[] count = new double[all.size()];
        double[] squares = new double[all.size()];
        long[] seen = new long[all.size()];
        Arrays.fill(seen, Long.MAX_VALUE);
        long decisions = 0;
        double total = 0;
        boolean copies = newWeights.length == 0;
        for (int i = 0; i < times.length; i++) {
            if (times[i] > 0) {
                reader.read(i);
                double weight = copies ? scale * reader.weight : 1;
                double sum = weight * times[i];
                double square = sampled ? weight * sum : sum;
                long place = (long) order[i] << 32;
                for (int t = 0; t < reader.length; t++) {
                    int o = reader.path[t];
                    count[o] += sum;
                    squares[o] += square;
                    seen[o] = Math.min(seen[o], place | t);
                }
                long own = reader.last < 0 ? reader.length : reader.length - 1L;
                decisions += copies ? own * times[i] : own;
                total += sum;
            }
        }
        int[] which = IntStream.range(0, count.length)
                .filter(o -> count[o] > 0)
                .boxed()
                .sorted(Comparator.comparingLong(o -> seen[o]))
                .mapToInt(o -> o)
                .toArray();
        int[] ranks = new int[count.length];
        Arrays.fill(ranks, -1);
        for (int r = 0; r < which.length; r++) {
            ranks[which[r]] = r;
        }
        return new CountedIndividuals(
                this, all.some(which, count, squares, numbers.length, decisions, total), ranks, numbers, newWeights);
    }
}
