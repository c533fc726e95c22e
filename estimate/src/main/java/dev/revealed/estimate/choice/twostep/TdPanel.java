package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A panel as temporal differences see it: paths through the rows of the visited states, and what is earned there.
 *
 * @param paths {@code [individual][t]}, the row of each decision
 * @param payoffs the features z_1..z_p of utility and, last, the part of it without theta: {@code [.][row]}
 * @param logWeight of the information cost, by row
 */
record TdPanel(ChoiceProblem problem, Visits visits, int[][] paths, double[][] payoffs, double[] logWeight) {

    static TdPanel of(ChoiceProblem problem) {
        ChoiceModel model = problem.model();
        Visits visits = Visits.of(problem);
        double[] weights = new double[model.utility().rows()];
        Arrays.setAll(weights, row -> model.cost().logWeight(row));
        return new TdPanel(
                problem, visits, paths(problem.panel(), visits), payoffs(model, visits), visits.gather(weights));
    }

    private static int[][] paths(Panel panel, Visits visits) {
        List<Panel.Individual> individuals = panel.individuals();
        int[][] paths = new int[individuals.size()][];
        for (int i = 0; i < paths.length; i++) {
            int[] states = individuals.get(i).choices().states();
            int[] chosen = individuals.get(i).choices().actions();
            paths[i] = new int[chosen == null ? 0 : chosen.length];
            for (int t = 0; chosen != null && t < chosen.length; t++) {
                paths[i][t] = Arrays.binarySearch(visits.states(), states[t]) * visits.actions() + chosen[t];
            }
        }
        return paths;
    }

    private static double[][] payoffs(ChoiceModel model, Visits visits) {
        Reward utility = model.utility();
        double[] zero = new double[utility.parameters()];
        double[] offset = new double[utility.rows()];
        utility.values(zero, offset);
        return Stream.concat(Arrays.stream(utility.derivatives(zero)), Stream.of(offset))
                .map(visits::gather)
                .toArray(double[][]::new);
    }

    int size() {
        return paths.length;
    }

    int parameters() {
        return payoffs.length - 1;
    }

    double discount() {
        return problem.model().discount();
    }

    double temperature() {
        return problem.model().cost().temperature();
    }

    /** Pairs of consecutive decisions. */
    long moves() {
        return Arrays.stream(paths)
                .mapToLong(path -> Math.max(0, path.length - 1))
                .sum();
    }
}
