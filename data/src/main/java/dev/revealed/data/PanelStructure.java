package dev.revealed.data;

import dev.revealed.mdp.choice.Panel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a panel says of its individuals besides their decisions, and what it may lack.
 *
 * @param weight the column of weights, one number for each individual
 * @param kind what the weights mean
 * @param cluster the column that says which individuals depend on each other
 * @param gaps whether periods of an individual may be missing
 * @param missing whether rows may lack their action; they are then left out
 * @param aggregate state variables that are the same for all individuals of a period
 * @param covariates columns with a number that is known of each individual
 */
public record PanelStructure(
        Optional<String> weight,
        Panel.Weights kind,
        Optional<String> cluster,
        boolean gaps,
        boolean missing,
        List<String> aggregate,
        List<String> covariates) {

    /** Individuals who count alike, are independent of each other and were observed in every period. */
    public static final PanelStructure PLAIN = new PanelStructure(
            Optional.empty(), Panel.Weights.FREQUENCY, Optional.empty(), false, false, List.of(), List.of());

    public PanelStructure {
        aggregate = List.copyOf(aggregate);
        covariates = List.copyOf(covariates);
    }

    List<String> columns() {
        return Stream.of(weight.stream(), cluster.stream(), covariates.stream())
                .flatMap(names -> names)
                .toList();
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
