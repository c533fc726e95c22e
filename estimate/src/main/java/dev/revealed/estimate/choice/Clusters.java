package dev.revealed.estimate.choice;

import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.mdp.choice.ObservationCounts;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Buckets;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Which individuals of a panel depend on each other, and what that makes of sums over them. Without clusters each
 * individual is one of its own; where its weight is a frequency it stands for so many, each independent of the others.
 * Common moves of a period depend on nobody: contributions are those of individuals, then of periods ({@link Panel#units}).
 *
 * @param of the cluster of each individual, numbered in order of first appearance; empty where none is named
 * @param size how many clusters there are
 * @param named whether the panel says who belongs together
 */
public record Clusters(Panel panel, int[] of, int size, boolean named) {

    public static Clusters of(Panel panel) {
        if (!named(panel)) {
            return new Clusters(panel, new int[0], panel.size(), false);
        }
        Map<String, Integer> known = new HashMap<>();
        int[] of = new int[panel.size()];
        int size = 0;
        int i = 0;
        for (Panel.Individual one : panel.individuals()) {
            Integer cluster = one.cluster().isEmpty() ? null : known.putIfAbsent(one.cluster(), size);
            of[i++] = cluster == null ? size++ : cluster;
        }
        return new Clusters(panel, of, size, true);
    }

    /** Whether a panel says who belongs together. */
    public static boolean named(Panel panel) {
        return panel.counts()
                .map(ObservationCounts::clustered)
                .orElseGet(() -> panel.individuals().stream()
                        .anyMatch(one -> !one.cluster().isEmpty()));
    }

    /** Whether the weight of an individual is a number of individuals, each independent of the others. */
    public static boolean copies(Panel panel) {
        return panel.weights() == Panel.Weights.FREQUENCY && !named(panel);
    }

    /** How many independent clusters there are. */
    public static double count(Panel panel) {
        if (copies(panel)) {
            return panel.totalWeight();
        }
        OptionalLong known =
                panel.individuals() instanceof KeptIndividuals kept ? kept.clusters() : OptionalLong.empty();
        return known.isPresent() ? known.getAsLong() : of(panel).size;
    }

    /** The usual small-sample factor for clusters. */
    public static double correction(Panel panel) {
        double n = count(panel);
        return n > 1 ? n / (n - 1) : Double.NaN;
    }

    private boolean copies() {
        return !named && panel.weights() == Panel.Weights.FREQUENCY;
    }

    /** Adds up what units contribute, one after the other, into the covariance of their weighted sum. */
    public final class Sum {
        private final double[][] outer;
        private final double[][] totals; // by cluster, where some are named
        private final double[] own;

        private Sum(int parameters) {
            outer = new double[parameters][parameters];
            totals = new double[named ? size : 0][parameters];
            own = new double[parameters];
        }

        public void add(int unit, double weight, double[] contribution) {
            if (copies()) {
                Observations.addOuter(weight, contribution, outer);
            } else if (named && unit < of.length) {
                Vec.axpy(weight, contribution, totals[of[unit]]);
            } else {
                Arrays.fill(own, 0);
                Vec.axpy(weight, contribution, own);
                Observations.addOuter(1, own, outer);
            }
        }

        public double[][] covariance() {
            for (double[] total : totals) {
                Observations.addOuter(1, total, outer);
            }
            return outer;
        }
    }

    /** An empty sum of vectors of so many numbers. */
    public Sum sum(int parameters) {
        return new Sum(parameters);
    }

    /** Covariance of the weighted sum over units of what each contributes, {@code [unit][parameter]}. */
    public double[][] covariance(double[][] contribution) {
        Sum sum = sum(contribution[0].length);
        double[] weights = weights();
        for (int i = 0; i < contribution.length; i++) {
            sum.add(i, weights[i], contribution[i]);
        }
        return sum.covariance();
    }

    private double[] weights() {
        double[] weights = new double[panel.units()];
        Arrays.fill(weights, 1);
        if (panel.weighted()) {
            int i = 0;
            for (Panel.Individual one : panel.individuals()) {
                weights[i++] = one.weight();
            }
        }
        return weights;
    }

    /** The mean of what units contribute, each with its weight, by individual. */
    public double[] mean(double[][] contribution) {
        double[] mean = new double[contribution[0].length];
        double[] weights = weights();
        double all = panel.totalWeight();
        for (int i = 0; i < contribution.length; i++) {
            Vec.axpy(weights[i] / all, contribution[i], mean);
        }
        return mean;
    }

    /**
     * A panel of as many clusters, drawn with replacement; {@code next} draws a number below its argument. Where variables
     * are aggregate, periods are drawn likewise, with their common moves.
     */
    public Panel drawn(IntUnaryOperator next) {
        Panel drawn = drawnIndividuals(next);
        int periods = panel.common().size();
        return periods == 0
                ? drawn
                : drawn.moving(IntStream.range(0, periods)
                        .mapToObj(i -> panel.common().get(next.applyAsInt(periods)))
                        .toList());
    }

    private Panel drawnIndividuals(IntUnaryOperator next) {
        if (copies() && panel.weighted()) { // copies are drawn one by one
            return drawnCopies(next);
        }
        int[] draw = new int[size];
        Arrays.setAll(draw, k -> next.applyAsInt(size));
        if (!named) {
            return panel.drawn(draw);
        }
        Buckets members = Buckets.of(of, size);
        return panel.drawn(Arrays.stream(draw)
                .flatMap(k -> Arrays.stream(members.row(), members.start()[k], members.start()[k + 1]))
                .toArray());
    }

    private Panel drawnCopies(IntUnaryOperator next) {
        double[] upTo = weights();
        for (int i = 1; i < upTo.length; i++) {
            upTo[i] += upTo[i - 1];
        }
        double all = upTo[upTo.length - 1];
        BadInput.when(
                all > Integer.MAX_VALUE,
                "the frequencies add up to %.0f individuals, too many to be resampled".formatted(all),
                "Use standard errors by `cluster`, or sampling weights.");
        int n = (int) Math.round(all);
        int[] times = new int[upTo.length];
        for (int k = 0; k < n; k++) {
            int at = Arrays.binarySearch(upTo, next.applyAsInt(n) + 0.5);
            times[at >= 0 ? at : -at - 1]++;
        }
        return panel.individuals() instanceof KeptIndividuals kept
                ? panel.with(kept.weighing(times))
                : panel.with(IntStream.range(0, times.length)
                        .filter(i -> times[i] > 0)
                        .mapToObj(i -> panel.individuals().get(i).weighing(times[i]))
                        .toList());
    }
}
