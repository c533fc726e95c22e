package dev.revealed.data;

import dev.revealed.mdp.choice.Panel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a panel says of its individuals besides their decisions, and what it may lack.
 *
 * @param weight the column of weights, one number for each individual
 * @param kind what the weights mean
 * @param cluster the column that says which individuals depend on each other
 * @param gaps whether periods of an individual may be missing
 * @param missing what becomes of rows that lack their action
 * @param aggregate state variables that are the same for all individuals of a period
 * @param covariates columns with a number that is known of each individual
 */
public record PanelStructure(
        Optional<String> weight,
        Panel.Weights kind,
        Optional<String> cluster,
        boolean gaps,
        Missing missing,
        List<String> aggregate,
        List<String> covariates) {

    /** What becomes of rows that lack their action, but for the last of an individual. */
    public enum Missing {
        REFUSED,
        /** They are left out, with the moves from and to them. */
        DROPPED,
        /** All actions are summed over that lead to the next state. */
        INTEGRATED;

        /** As a model file names it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Individuals who count alike, are independent of each other and were observed in every period. */
    public static final PanelStructure PLAIN = new PanelStructure(
            Optional.empty(), Panel.Weights.FREQUENCY, Optional.empty(), false, Missing.REFUSED, List.of(), List.of());

    public PanelStructure {
        aggregate = List.copyOf(aggregate);
        covariates = List.copyOf(covariates);
    }

    /** Whether rows must be held together to be understood, so that it is not enough to count them. */
    public boolean needsRows() {
        return !aggregate.isEmpty() || missing == Missing.INTEGRATED;
    }

    List<String> columns() {
        return Stream.of(weight.stream(), cluster.stream(), covariates.stream())
                .flatMap(names -> names)
                .toList();
    }

    /** What the columns say of an individual; without a cluster it is its own, and what is not known of it is 0. */
    Map<String, String> of(Panel.Individual one) {
        Map<String, String> cells = new LinkedHashMap<>();
        weight.ifPresent(column -> cells.put(column, Place.plain(one.weight())));
        cluster.ifPresent(column -> cells.put(column, one.cluster().isEmpty() ? one.name() : one.cluster()));
        for (int c = 0; c < covariates.size(); c++) {
            cells.put(covariates.get(c), Place.plain(c < one.covariates().length ? one.covariates()[c] : 0));
        }
        return cells;
    }

    /** Collects what rows say of individuals. */
    Reader reader(List<String> columns) {
        return new Reader(this, columns);
    }

    /** Collects what the rows of a file say of individuals. */
    static final class Reader {
        private final int weight;
        private final int cluster;
        private final int[] covariate;
        private final Doubles weights = new Doubles();
        private final List<String> clusters = new ArrayList<>();
        private final Doubles[] covariates;

        private Reader(PanelStructure structure, List<String> columns) {
            weight = structure.weight.map(columns::indexOf).orElse(-1);
            cluster = structure.cluster.map(columns::indexOf).orElse(-1);
            covariate = structure.covariates.stream().mapToInt(columns::indexOf).toArray();
            covariates =
                    structure.covariates.stream().map(name -> new Doubles()).toArray(Doubles[]::new);
        }

        void read(TableRows csv) {
            if (weight >= 0) {
                weights.add(csv.number(weight));
            }
            if (cluster >= 0) {
                clusters.add(csv.text(cluster));
            }
            for (int c = 0; c < covariate.length; c++) {
                covariates[c].add(csv.number(covariate[c]));
            }
        }

        double weight(int row) {
            return weight < 0 ? 1 : weights.get(row);
        }

        String cluster(int row) {
            return cluster < 0 ? "" : clusters.get(row);
        }

        double[] covariates(int row) {
            double[] own = new double[covariates.length];
            for (int c = 0; c < own.length; c++) {
                own[c] = covariates[c].get(row);
            }
            return own;
        }
    }
}
