package dev.revealed.mdp.choice;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Individuals observed over time, as a model codes them: their decisions and their transitions.
 *
 * @param weights what the individuals' weights mean
 * @param covariates names of what is known of each individual besides
 * @param common the moves of aggregate variables, which are the same for all individuals, period by period
 */
public record Panel(List<Individual> individuals, Weights weights, List<String> covariates, List<CommonMoves> common) {
    /** The cell of a move that is not the individual's own: it is one of the panel's common moves. */
    public static final int COMMON = -2;

    /**
     * How the aggregate variables moved from one period to the next.
     *
     * @param cells by part of the law, -1 where it is not aggregate or its move was not observed
     * @param outcomes by part, meaningless where the cell is -1
     */
    public record CommonMoves(int[] cells, int[] outcomes) {}

    /** What the weight of an individual means; with a weight of 1 for all it does not matter. */
    public enum Weights {
        /** So many individuals were observed who did the same. */
        FREQUENCY,
        /** The individual stands for so many in the population, of whom one was observed. */
        SAMPLING
    }

    /**
     * One individual. Move t, for every part of the transition law, is the one that led to the state of decision t; a move
     * past the last decision may follow.
     *
     * @param choices the decisions that count, in the states they were made in
     * @param cells {@code [part][t]}, -1 where the move was not observed (before the first period), {@link #COMMON} where
     *     it is one of the panel's common moves
     * @param outcomes {@code [part][t]}, meaningless where the cell is negative
     * @param weight positive; 1 where all count alike
     * @param cluster whom the individual depends on: all of the same cluster; empty where on nobody else
     * @param covariates what is known of the individual besides, one number for each name of the panel
     * @param unseen {@code [decision]}, decisions whose action is missing: the states before and after them, then cell and
     *     outcome of the move that led to the state before, for every part; these may be left out
     */
    public record Individual(
            String name,
            Trajectory choices,
            int[][] cells,
            int[][] outcomes,
            double weight,
            String cluster,
            double[] covariates,
            int[][] unseen) {
        public Individual {
            BadInput.when(
                    !(weight > 0 && weight < Double.POSITIVE_INFINITY),
                    "the weight of individual %s is %s".formatted(name, weight),
                    "Weights are positive; leave out individuals that do not count.");
            BadInput.when(
                    choices.actions() == null,
                    "individual %s has no decisions".formatted(name),
                    "Record the decisions.");
            boolean alike = cells.length == outcomes.length;
            for (int v = 0; alike && v < cells.length; v++) {
                alike = cells[v].length == outcomes[v].length && cells[v].length >= choices.length();
            }
            if (!alike) {
                throw new IllegalArgumentException("moves of individual %s do not fit its decisions".formatted(name));
            }
        }

        /** All actions seen. */
        public Individual(
                String name,
                Trajectory choices,
                int[][] cells,
                int[][] outcomes,
                double weight,
                String cluster,
                double[] covariates) {
            this(name, choices, cells, outcomes, weight, cluster, covariates, new int[0][]);
        }

        public Individual(String name, Trajectory choices, int[][] cells, int[][] outcomes) {
            this(name, choices, cells, outcomes, 1, "", new double[0]);
        }

        /** Whether decision t was made right after the one before it, with no gap between them. */
        public boolean follows(int t) {
            for (int[] cell : cells) {
                if (t > 0 && cell[t] != -1) {
                    return true;
                }
            }
            return false;
        }

        public Individual weighing(double other) {
            return new Individual(name, choices, cells, outcomes, other, cluster, covariates, unseen);
        }

        /** The same individual, with decisions besides of which only the states before and after are known. */
        public Individual withUnseen(int[][] pairs) {
            return new Individual(name, choices, cells, outcomes, weight, cluster, covariates, pairs);
        }

        /** The same individual with other decisions and moves, all of them seen. */
        public Individual doing(Trajectory other, int[][] otherCells, int[][] otherOutcomes) {
            return new Individual(name, other, otherCells, otherOutcomes, weight, cluster, covariates, new int[0][]);
        }
    }

    public Panel(List<Individual> individuals) {
        this(individuals, Weights.FREQUENCY, List.of());
    }

    /** Without aggregate variables. */
    public Panel(List<Individual> individuals, Weights weights, List<String> covariates) {
        this(individuals, weights, covariates, List.of());
    }

    public Panel {
        individuals = individuals instanceof KeptIndividuals ? individuals : List.copyOf(individuals);
        covariates = List.copyOf(covariates);
        common = List.copyOf(common);
        if (individuals.isEmpty()) {
            throw new BadInput("the panel has no individuals", "Give at least one with at least one decision.");
        }
    }

    /** Trajectories with every decision counted and every move read off the states. */
    public static Panel of(TransitionLaw law, Demonstrations data) {
        List<Individual> individuals = new ArrayList<>();
        for (Trajectory trajectory : data.trajectories()) {
            individuals.add(individual(law, Integer.toString(individuals.size() + 1), trajectory));
        }
        return new Panel(individuals);
    }

    /** One trajectory with every decision counted and every move read off the states. */
    public static Individual individual(TransitionLaw law, String name, Trajectory choices) {
        int[] actions = choices.actions();
        if (actions == null) {
            throw new BadInput("individual %s has no decisions".formatted(name), "Record the decisions.");
        }
        int[] states = choices.states();
        int parts = law.parts().size();
        int[][] cells = new int[parts][states.length];
        int[][] outcomes = new int[parts][states.length];
        for (int v = 0; v < parts; v++) {
            cells[v][0] = -1;
            for (int t = 1; t < states.length; t++) {
                int from = states[t - 1];
                int action = actions[t - 1];
                cells[v][t] = law.parts().get(v).cell().of(from, action);
                outcomes[v][t] = law.outcome(v, from, action, states[t]);
                if (outcomes[v][t] < 0) {
                    throw law.impossible(v, from, Integer.toString(action), states[t], "")
                            .in("individual %s, decision %d".formatted(name, t));
                }
            }
        }
        return new Individual(name, choices, cells, outcomes);
    }

    public int size() {
        return individuals.size();
    }

    /** What errors of estimates come from, each independent of the others: individuals, then periods with common moves. */
    public int units() {
        return size() + common.size();
    }

    /** What the panel counts, where its individuals are not held in memory. */
    public Optional<ObservationCounts> counts() {
        return individuals instanceof KeptIndividuals kept ? Optional.of(kept.counts()) : Optional.empty();
    }

    /** Number of decisions that count. */
    public long decisions() {
        return counts().map(ObservationCounts::decisions)
                .orElseGet(() -> individuals.stream()
                        .mapToLong(i -> i.choices().length())
                        .sum());
    }

    /** SHA-256 of the content, the provenance every result carries: of the paths, or of what was counted. */
    public String hash() {
        return counts().map(ObservationCounts::hash).orElseGet(() -> choices().hash());
    }

    public Demonstrations choices() {
        return new Demonstrations(individuals.stream().map(Individual::choices).toList());
    }

    /** The decisions in stretches without gaps, as many of each individual as it has. */
    public Demonstrations spells() {
        return hasGaps()
                ? new Demonstrations(individuals.stream()
                        .flatMap(one -> spells(one).stream())
                        .toList())
                : choices();
    }

    private static List<Trajectory> spells(Individual one) {
        List<Trajectory> spells = new ArrayList<>();
        int[] states = one.choices().states();
        int[] actions = one.choices().actions();
        int begin = 0;
        for (int t = 1; actions != null && t <= actions.length; t++) {
            if (t == actions.length || !one.follows(t)) {
                boolean last = t == actions.length;
                spells.add(new Trajectory(
                        Arrays.copyOfRange(states, begin, last ? states.length : t),
                        Arrays.copyOfRange(actions, begin, t)));
                begin = t;
            }
        }
        return spells;
    }

    /** Whether some individual was not observed for a while. */
    public boolean hasGaps() {
        return counts().map(ObservationCounts::gaps)
                .orElseGet(() -> individuals.stream()
                        .anyMatch(one ->
                                IntStream.range(1, one.choices().length()).anyMatch(t -> !one.follows(t))));
    }

    /** Decisions whose action is missing and is to be summed over. */
    public long unseen() {
        return individuals instanceof KeptIndividuals // none, and their paths are not read for that
                ? 0
                : individuals.stream().mapToLong(one -> one.unseen.length).sum();
    }

    /** Refuses missing actions on behalf of somebody who does not sum over them. */
    public void needActions(String who) {
        BadInput.when(
                unseen() > 0,
                "%s does not sum over missing actions, and the panel has %d".formatted(who, unseen()),
                "Use nfxp, or say missing: dropped under data: in the model.");
    }

    /** Whether some individuals count more than others. */
    public boolean weighted() {
        return counts().map(ObservationCounts::weighted)
                .orElseGet(() -> individuals.stream().anyMatch(one -> one.weight != 1));
    }

    public double totalWeight() {
        return counts().map(ObservationCounts::totalWeight)
                .orElseGet(() ->
                        individuals.stream().mapToDouble(Individual::weight).sum());
    }

    /** The same with other individuals. */
    public Panel with(List<Individual> others) {
        return new Panel(others, weights, covariates, common);
    }

    /** The same with other moves of the aggregate variables. */
    public Panel moving(List<CommonMoves> others) {
        return new Panel(individuals, weights, covariates, others);
    }

    /** How often each outcome was observed in each cell of each part: {@code [part][cell][outcome]}. */
    public double[][][] moves(TransitionLaw law) {
        double[][][] counts = new double[law.parts().size()][][];
        for (int v = 0; v < counts.length; v++) {
            TransitionFamily family = law.parts().get(v).family();
            counts[v] = new double[family.cells()][];
            Arrays.setAll(counts[v], cell -> new double[family.outcomes(cell)]);
            Optional<ObservationCounts> known = counts();
            if (known.isPresent()) {
                known.get().addMoves(v, counts[v]);
                continue;
            }
            for (CommonMoves period : common) {
                if (period.cells[v] >= 0) {
                    counts[v][period.cells[v]][period.outcomes[v]]++;
                }
            }
            for (Individual individual : individuals) {
                int[] cells = individual.cells()[v];
                for (int t = 0; t < cells.length; t++) {
                    if (cells[t] >= 0) {
                        counts[v][cells[t]][individual.outcomes()[v][t]] += individual.weight;
                    }
                }
                for (int[] decision : individual.unseen) {
                    if (decision.length > 2 && decision[2 + 2 * v] >= 0) {
                        counts[v][decision[2 + 2 * v]][decision[3 + 2 * v]] += individual.weight;
                    }
                }
            }
        }
        return counts;
    }

    /** The individuals drawn, some perhaps more than once: a bootstrap sample. */
    public Panel drawn(int[] draw) {
        if (individuals instanceof KeptIndividuals kept) {
            return with(kept.drawn(draw));
        }
        return with(Arrays.stream(draw).mapToObj(individuals::get).toList());
    }
}
