package dev.revealed.data.panel;

import dev.revealed.mdp.choice.ClusterSums;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up what individuals contribute to standard errors: of each the sum over its observations, and of those sums, by
 * cluster, the outer products. What was added up over pieces of a table is put together in the order of the pieces.
 */
final class PathSums implements PanelPass.Receiver {
    private final CountedPanel panel;
    private final PanelPass pass;
    private final double scale;
    private final boolean copies;
    private final double[][] contribution;
    private final double[][] outer;
    private final Map<String, double[]> clusters = new LinkedHashMap<>();
    private long single; // individuals that are clusters of their own
    private final double[] own;

    /**
     * None yet.
     *
     * @param scale what weights in the table are multiplied by
     * @param copies whether a weight is a number of independent individuals
     * @param contribution of each observation
     */
    PathSums(CountedPanel panel, PanelPass pass, double scale, boolean copies, double[][] contribution) {
        this.panel = panel;
        this.pass = pass;
        this.scale = scale;
        this.copies = copies;
        this.contribution = contribution;
        int n = contribution[0].length;
        outer = new double[n][n];
        own = new double[n];
    }

    @Override
    public void accept(IndividualRows rows, RowRules.Kept kept) {
        Arrays.fill(own, 0);
        for (int t = 0; t < kept.size(); t++) {
            add(1, contribution[panel.observation(pass, kept.before(t), kept.code(t))], own);
        }
        double weight = scale * rows.weight();
        if (rows.cluster().isEmpty()) {
            single++;
            addOuter(copies ? weight : weight * weight, own);
        } else {
            add(weight, own, clusters.computeIfAbsent(rows.cluster(), name -> new double[own.length]));
        }
    }

    private static void add(double factor, double[] terms, double[] sum) {
        for (int j = 0; j < sum.length; j++) {
            sum[j] += factor * terms[j];
        }
    }

    private void addOuter(double factor, double[] terms) {
        for (int j = 0; j < terms.length; j++) {
            add(factor * terms[j], terms, outer[j]);
        }
    }

    /** Adds what another machine has added up. */
    void merge(PieceSums piece) {
        for (int j = 0; j < outer.length; j++) {
            add(1, piece.outer()[j], outer[j]);
        }
        for (int k = 0; k < piece.clusters().size(); k++) {
            add(
                    1,
                    piece.totals()[k],
                    clusters.computeIfAbsent(piece.clusters().get(k), name -> new double[own.length]));
        }
        single += piece.single();
    }

    /** In a form that can travel, with the individuals at the edges of the piece, which are not among the sums. */
    PieceSums packed(List<PieceCounts.EdgeRows> edges) {
        return new PieceSums(
                outer, List.copyOf(clusters.keySet()), clusters.values().toArray(double[][]::new), single, edges);
    }

    ClusterSums sums() {
        clusters.values().forEach(total -> addOuter(1, total));
        return new ClusterSums(outer, single + clusters.size());
    }
}
