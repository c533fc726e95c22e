package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.stats.ChiSquared;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Whether choices in groups of states are those that the model predicts: the chi-squared test of Andrews (1988). Observed less
 * predicted counts of all cells, a group and an action each, are compared with their covariance, which takes into account
 * that the parameters were estimated from the same choices, in one step or two. Pearson's statistic would not be
 * chi-squared.
 *
 * @param by the state variable whose values make the groups
 * @param statistic chi-squared in large samples where the model holds
 * @param df degrees of freedom: the rank of the covariance
 */
public record FitTest(String by, List<Cell> cells, double statistic, int df, double pValue) {
    private static final int GROUPS = 10;

    /** Fewer expected choices of an action than this, and groups are put together. */
    private static final double LEAST = 5;

    /** Eigenvalues below this share of the largest are zero. */
    private static final double RANK = 1e-9;

    /** How often an action was chosen in a group of states, and how often the model expects it there. */
    public record Cell(String group, String action, double observed, double expected) {}

    /** @param by a state variable: its values make up to ten groups with about as many decisions each */
    public static FitTest of(ChoiceProblem problem, Fit fit, String by) {
        BadInput.when(
                fit.kind() == Fit.Kind.OTHER,
                "the chi-squared test of fit needs maximum likelihood",
                "Estimate by nfxp, ml-irl, npl or mpec.");
        ChoiceModel model = problem.model();
        List<String> names = model.space().variables().stream()
                .map(StateSpace.Variable::name)
                .toList();
        int variable = Closest.place(
                "there is no state variable '%s' to group by".formatted(by), by, names, "The state variables are");
        BadInput.when(
                problem.panel().weighted() && problem.panel().weights() == Panel.Weights.SAMPLING,
                "the chi-squared test of fit does not hold with sampling weights",
                "Test without weights.");
        problem.panel().needActions("The chi-squared test of fit");
        return new Test(problem, fit, variable).run(by);
    }

    /** The model solved at the estimate, and what follows for cells of a group and an action each. */
    private static final class Test {
        private final ChoiceProblem problem;
        private final ChoiceModel model;
        private final int actions;
        private final FirstStage first;
        private final boolean joint;
        private final RowScores solved;
        private final double[][] scores;
        private final double[] visits;
        private final Groups groups;
        private final int cells;

        Test(ChoiceProblem problem, Fit fit, int variable) {
            this.problem = problem;
            model = problem.model();
            actions = model.actions().size();
            first = problem.firstStage();
            joint = fit.kind() == Fit.Kind.FULL_LIKELIHOOD;
            boolean law = joint || FirstStage.shown(fit.phi()) > 0;
            solved = new RowScores(model, problem.choiceCounts(), fit.phi(), law);
            double[] at = law ? fit.parameters() : fit.theta();
            solved.solve(at);
            scores = solved.scores(at);
            visits = problem.visits();
            groups = Groups.of(model, visits, solved.policy().policy(), variable);
            cells = groups.names.size() * actions;
        }

        FitTest run(String by) {
            double[] policy = solved.policy().policy();
            double[] counts = problem.choiceCounts();
            double[] observed = new double[cells];
            double[] expected = new double[cells];
            double[][] slope = new double[cells][scores.length];
            for (int row = 0; row < counts.length; row++) {
                int state = row / actions;
                if (visits[state] > 0) {
                    int cell = cell(row);
                    observed[cell] += counts[row];
                    expected[cell] += visits[state] * policy[row];
                    for (int j = 0; policy[row] > 0 && j < scores.length; j++) {
                        slope[cell][j] -= visits[state] * policy[row] * scores[j][row];
                    }
                }
            }
            double[] difference = Vec.plus(observed, -1, expected);
            Dense.Eigen eigen = Dense.symmetricEigen(covariance(policy, slope));
            double largest = eigen.values()[cells - 1];
            double statistic = 0;
            int rank = 0;
            for (int k = 0; k < cells; k++) {
                if (eigen.values()[k] > RANK * largest) {
                    double along = Vec.dot(eigen.vectors()[k], difference);
                    statistic += along * along / eigen.values()[k];
                    rank++;
                }
            }
            List<Cell> table = new ArrayList<>();
            for (int cell = 0; cell < cells; cell++) {
                if (observed[cell] + expected[cell] > 0) {
                    table.add(new Cell(
                            groups.names.get(cell / actions),
                            model.actions().get(cell % actions),
                            observed[cell],
                            expected[cell]));
                }
            }
            return new FitTest(by, table, statistic, rank, rank == 0 ? 1 : ChiSquared.upperTail(statistic, rank));
        }

        private int cell(int row) {
            return groups.of[row / actions] * actions + row % actions;
        }

        /**
         * Covariance of observed less predicted counts, as the model expects it. A choice moves the counts, and through
         * the estimate the prediction; a move of chance only the latter.
         */
        private double[][] covariance(double[] policy, double[][] slope) {
            int thetas = model.utility().parameters();
            double[][] choices = solved.information(); // of theta, or of theta and phi
            double[][] moves = movesInformation();
            int own = joint ? scores.length : thetas;
            double[][] information = new double[own][];
            for (int j = 0; j < own; j++) {
                information[j] = Arrays.copyOf(choices[j], own);
                for (int k = thetas; joint && j >= thetas && k < own; k++) {
                    information[j][k] += moves[j - thetas][k - thetas];
                }
            }
            double[][] inverse = Dense.inverse(information)
                    .orElseThrow(() -> new BadInput(
                            "the choices do not tell all parameters apart, so there is no test of fit",
                            "Leave out parameters."));
            double[][] ofOwn = Dense.multiply(columns(slope, 0, own), inverse);
            double[][] sum = new double[cells][cells];
            for (int row = 0; row < policy.length; row++) {
                int state = row / actions;
                if (visits[state] > 0 && policy[row] > 0) {
                    double[] moved = Dense.multiply(ofOwn, Arrays.copyOf(Observations.at(scores, row), own));
                    for (int a = 0; a < actions; a++) {
                        int other = state * actions + a;
                        moved[cell(other)] += (other == row ? 1 : 0) - policy[other];
                    }
                    Observations.addOuter(visits[state] * policy[row], moved, sum);
                }
            }
            if (moves.length > 0) {
                addMoves(slope, choices, moves, ofOwn, sum);
            }
            return sum;
        }

        private void addMoves(
                double[][] slope, double[][] choices, double[][] moves, double[][] ofOwn, double[][] sum) {
            int thetas = model.utility().parameters();
            double[][] through;
            double[][] variance;
            if (joint) { // by I^-1 times the score of the moves
                through = columns(ofOwn, thetas, scores.length);
                variance = moves;
            } else { // by phi itself, and by theta at the rate -A^-1 C
                double[][] cross = columns(Arrays.copyOf(choices, thetas), thetas, scores.length);
                double[][] byTheta = Dense.multiply(ofOwn, cross);
                through = columns(slope, thetas, scores.length);
                for (int cell = 0; cell < cells; cell++) {
                    through[cell] = Vec.plus(through[cell], -1, byTheta[cell]);
                }
                variance = Dense.inverse(moves).orElse(new double[0][]);
            }
            if (variance.length > 0) {
                double[][] half = Dense.multiply(through, variance);
                for (int c = 0; c < cells; c++) {
                    for (int d = 0; d < cells; d++) {
                        sum[c][d] += Vec.dot(half[c], through[d]);
                    }
                }
            }
        }

        /** Information of the moves about the law; of no parameters where they are too many to be told of. */
        private double[][] movesInformation() {
            int size = scores.length - model.utility().parameters();
            double[][] all = new double[size][size];
            TransitionLaw law = model.law();
            for (int v = 0; size > 0 && v < law.parts().size(); v++) {
                double[][] own = law.parts().get(v).family().information(law.of(v, solved.phi()), first.moves()[v]);
                for (int k = 0; k < own.length; k++) {
                    System.arraycopy(own[k], 0, all[law.first(v) + k], law.first(v), own.length);
                }
            }
            return all;
        }

        private static double[][] columns(double[][] matrix, int from, int to) {
            return Arrays.stream(matrix)
                    .map(row -> Arrays.copyOfRange(row, from, to))
                    .toArray(double[][]::new);
        }
    }

    /** Which group of a variable's values each state belongs to. */
    private record Groups(int[] of, List<String> names) {
        /** Groups of neighbouring values with enough decisions, in which every action is expected at least five times. */
        static Groups of(ChoiceModel model, double[] visits, double[] policy, int variable) {
            StateSpace space = model.space();
            int actions = model.actions().size();
            double[] values = space.variables().get(variable).values();
            double[][] expected = new double[values.length][actions];
            for (int row = 0; row < policy.length; row++) {
                expected[space.coordinate(row / actions, variable)][row % actions] +=
                        visits[row / actions] * policy[row];
            }
            double enough = Vec.sum(visits) / GROUPS;
            List<Integer> ends = new ArrayList<>();
            double[] sum = new double[actions];
            for (int x = 0; x < values.length; x++) {
                Vec.axpy(1, expected[x], sum);
                if (Vec.sum(sum) >= enough && Arrays.stream(sum).allMatch(e -> e == 0 || e >= LEAST)) {
                    ends.add(x);
                    Arrays.fill(sum, 0);
                }
            }
            if (ends.isEmpty() || ends.getLast() < values.length - 1) { // a rest joins the group before it
                if (!ends.isEmpty() && Vec.sum(sum) > 0) {
                    ends.removeLast();
                }
                ends.add(values.length - 1);
            }
            int[] group = new int[values.length];
            List<String> names = new ArrayList<>();
            int from = 0;
            for (int end : ends) {
                Arrays.fill(group, from, end + 1, names.size());
                names.add(shown(values[from]) + (from == end ? "" : " to " + shown(values[end])));
                from = end + 1;
            }
            int[] of = new int[space.size()];
            Arrays.setAll(of, s -> group[space.coordinate(s, variable)]);
            return new Groups(of, names);
        }

        private static String shown(double value) {
            return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.4g", value);
        }
    }
}
