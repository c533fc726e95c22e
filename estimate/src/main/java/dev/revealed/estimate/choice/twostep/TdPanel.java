package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.choice.ChoiceModel;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
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
        int actions = visits.actions();
        int[][] paths = problem.chosenRows();
        for (int[] path : paths) {
            Arrays.setAll(
                    path, t -> Arrays.binarySearch(visits.states(), path[t] / actions) * actions + path[t] % actions);
        }
        return new TdPanel(problem, visits, paths, payoffs(model, visits), visits.gather(weights));
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

    /** The pairs of consecutive decisions of some individuals, each as the rows it leads from and to. */
    List<int[]> movesOf(int[] individuals) {
        return Arrays.stream(individuals)
                .mapToObj(i -> paths[i])
                .flatMap(path -> IntStream.range(1, path.length).mapToObj(t -> new int[] {path[t - 1], path[t]}))
                .toList();
    }

    /** How many moves of some individuals start at each row. */
    double[] departures(int[] individuals) {
        double[] departures = new double[visits.rows()];
        for (int i : individuals) {
            for (int t = 0; t + 1 < paths[i].length; t++) {
                departures[paths[i][t]]++;
            }
        }
        return departures;
    }

    /** The share of the moves that lead to a state no move starts from. */
    double deadEnds() {
        boolean[] left = new boolean[visits.states().length];
        for (int[] path : paths) {
            for (int t = 0; t + 1 < path.length; t++) {
                left[path[t] / visits.actions()] = true;
            }
        }
        double dead = 0;
        for (int[] path : paths) {
            for (int t = 1; t < path.length; t++) {
                dead += left[path[t] / visits.actions()] ? 0 : 1;
            }
        }
        return dead / moves();
    }

    /** How many pairs of consecutive decisions there are. */
    long moves() {
        return Arrays.stream(paths)
                .mapToLong(path -> Math.max(0, path.length - 1))
                .sum();
    }
}
