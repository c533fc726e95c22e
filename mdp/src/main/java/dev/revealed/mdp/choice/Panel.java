package dev.revealed.mdp.choice;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Individuals observed over time, seen through a model: their decisions, and how chance moved them. */
public record Panel(List<Individual> individuals) {

    /**
     * One individual. Move t, for every part of the transition law, is the one that led to the state of decision t; a move
     * past the last decision may follow.
     *
     * @param choices the decisions that count, in the states they were made in
     * @param cells {@code [part][t]}, -1 where the move was not observed (before the first period)
     * @param outcomes {@code [part][t]}, meaningless where the cell is -1
     */
    public record Individual(String name, Trajectory choices, int[][] cells, int[][] outcomes) {
        public Individual {
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
    }

    public Panel {
        individuals = List.copyOf(individuals);
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

    /** Number of decisions that count. */
    public long decisions() {
        return individuals.stream().mapToLong(i -> i.choices().length()).sum();
    }

    public Demonstrations choices() {
        return new Demonstrations(individuals.stream().map(Individual::choices).toList());
    }

    /** How often each outcome was observed in each cell of each part: {@code [part][cell][outcome]}. */
    public double[][][] moves(TransitionLaw law) {
        double[][][] counts = new double[law.parts().size()][][];
        for (int v = 0; v < counts.length; v++) {
            TransitionFamily family = law.parts().get(v).family();
            counts[v] = new double[family.cells()][];
            Arrays.setAll(counts[v], cell -> new double[family.outcomes(cell)]);
            for (Individual individual : individuals) {
                int[] cells = individual.cells()[v];
                for (int t = 0; t < cells.length; t++) {
                    if (cells[t] >= 0) {
                        counts[v][cells[t]][individual.outcomes()[v][t]]++;
                    }
                }
            }
        }
        return counts;
    }

    /** The individuals drawn, some perhaps more than once: a bootstrap sample. */
    public Panel drawn(int[] draw) {
        return new Panel(Arrays.stream(draw).mapToObj(individuals::get).toList());
    }
}
