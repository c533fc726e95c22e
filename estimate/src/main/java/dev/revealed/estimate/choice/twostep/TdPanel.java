package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Clusters;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * A panel as temporal differences see it: individuals who go through the rows of the visited states, and what is earned
 * there.
 *
 * @param all the moves of all individuals
 * @param payoffs the features z_1..z_p of utility and, last, the part of it without theta: {@code [.][row]}
 * @param logWeight of the information cost, by row
 */
record TdPanel(
        ChoiceProblem problem,
        Visits visits,
        TdIndividuals individuals,
        TdMoves all,
        double[][] payoffs,
        double[] logWeight) {

    /** @param stream of the estimation, which deals out the individuals */
    static TdPanel of(ChoiceProblem problem, RandomStream stream) {
        ChoiceModel model = problem.model();
        Visits visits = Visits.of(problem);
        double[] weights = new double[model.utility().rows()];
        Arrays.setAll(weights, row -> model.cost().logWeight(row));
        TdIndividuals individuals = individuals(problem, visits, stream);
        return new TdPanel(
                problem, visits, individuals, individuals.all(), payoffs(model, visits), visits.gather(weights));
    }

    /** Those of a table larger than memory are asked where they are; sums by named clusters are made here. */
    private static TdIndividuals individuals(ChoiceProblem problem, Visits visits, RandomStream stream) {
        if (problem.panel().individuals() instanceof KeptIndividuals kept && !Clusters.named(problem.panel())) {
            int[] row = Observations.of(problem.model().law(), problem.panel())
                    .row()
                    .clone();
            Arrays.setAll(row, o -> own(visits, row[o]));
            return new SurveyedIndividuals(kept, row, visits.rows(), stream);
        }
        int[][] paths = problem.chosenRows();
        for (int[] path : paths) {
            Arrays.setAll(path, t -> own(visits, path[t]));
        }
        return new InMemoryIndividuals(paths, visits.rows(), stream);
    }

    /** The place of a row among those of the visited states. */
    private static int own(Visits visits, int row) {
        int actions = visits.actions();
        return row < 0 ? -1 : Arrays.binarySearch(visits.states(), row / actions) * actions + row % actions;
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
        return problem.panel().size();
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

    /** The share of the moves that lead to a state no move starts from. */
    double deadEnds() {
        boolean[] left = new boolean[visits.states().length];
        for (int from : all.from()) {
            left[from / visits.actions()] = true;
        }
        double dead = 0;
        for (int m = 0; m < all.to().length; m++) {
            dead += left[all.to()[m] / visits.actions()] ? 0 : all.times()[m];
        }
        return dead / all.total();
    }

    /** How many pairs of consecutive decisions there are. */
    long moves() {
        return Math.round(all.total());
    }
}
