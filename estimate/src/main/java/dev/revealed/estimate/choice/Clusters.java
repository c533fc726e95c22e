package dev.revealed.estimate.choice;

import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Which individuals of a panel depend on each other, and what that makes of sums over them. Without clusters each
 * individual is one of its own; where its weight is a frequency it stands for so many, each independent of the others.
 *
 * @param members the individuals of each cluster, by their numbers
 * @param named whether the panel says who belongs together
 */
public record Clusters(Panel panel, int[][] members, boolean named) {

    public static Clusters of(Panel panel) {
        Map<String, List<Integer>> byName = new LinkedHashMap<>();
        for (int i = 0; i < panel.size(); i++) {
            String cluster = panel.individuals().get(i).cluster();
            byName.computeIfAbsent(cluster.isEmpty() ? "\0" + i : cluster, k -> new ArrayList<>())
                    .add(i);
        }
        int[][] members = byName.values().stream()
                .map(own -> own.stream().mapToInt(i -> i).toArray())
                .toArray(int[][]::new);
        return new Clusters(
                panel,
                members,
                panel.individuals().stream().anyMatch(one -> !one.cluster().isEmpty()));
    }

    private boolean copies() {
        return !named && panel.weights() == Panel.Weights.FREQUENCY;
    }

    /** How many independent clusters there are. */
    public double count() {
        return copies() ? panel.totalWeight() : members.length;
    }

    /** The usual small-sample factor for clusters. */
    public double correction() {
        double n = count();
        return n > 1 ? n / (n - 1) : Double.NaN;
    }

    /** Covariance of the weighted sum over individuals of what each contributes, {@code [individual][parameter]}. */
    public double[][] covariance(double[][] contribution) {
        int p = contribution[0].length;
        double[][] sum = new double[p][p];
        for (int[] own : members) {
            if (copies()) {
                Observations.addOuter(panel.individuals().get(own[0]).weight(), contribution[own[0]], sum);
                continue;
            }
            double[] total = new double[p];
            for (int i : own) {
                Vec.axpy(panel.individuals().get(i).weight(), contribution[i], total);
            }
            Observations.addOuter(1, total, sum);
        }
        return sum;
    }

    /** The mean of what individuals contribute, each with its weight. */
    public double[] mean(double[][] contribution) {
        double[] mean = new double[contribution[0].length];
        double all = panel.totalWeight();
        for (int i = 0; i < contribution.length; i++) {
            Vec.axpy(panel.individuals().get(i).weight() / all, contribution[i], mean);
        }
        return mean;
    }

    /** A panel of as many clusters, drawn with replacement; {@code next} draws a number below its argument. */
    public Panel drawn(IntUnaryOperator next) {
        if (copies() && panel.weighted()) { // copies are drawn one by one
            double[] upTo = new double[members.length];
            double sum = 0;
            for (int i = 0; i < upTo.length; i++) {
                sum += panel.individuals().get(i).weight();
                upTo[i] = sum;
            }
            int n = (int) Math.round(sum);
            Map<Integer, Integer> counts = new HashMap<>();
            for (int k = 0; k < n; k++) {
                int at = Arrays.binarySearch(upTo, next.applyAsInt(n) + 0.5);
                counts.merge(at >= 0 ? at : -at - 1, 1, Integer::sum);
            }
            return panel.with(IntStream.range(0, upTo.length)
                    .filter(counts::containsKey)
                    .mapToObj(i -> panel.individuals().get(i).weighing(counts.getOrDefault(i, 0)))
                    .toList());
        }
        int[] draw = new int[members.length];
        Arrays.setAll(draw, k -> next.applyAsInt(draw.length));
        return panel.drawn(
                Arrays.stream(draw).flatMap(k -> Arrays.stream(members[k])).toArray());
    }
}
