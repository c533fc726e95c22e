package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.FitTest;
import dev.revealed.estimate.choice.inference.HeldOut;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.types.TypesEstimator;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.KnownProbabilities;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Actions that are missing and summed over. */
class MissingActionsTest {
    private static final ChoiceProblem WHOLE = Machines.problem(0.9, 150, 20, 3);

    /** A panel without every third action, which is to be summed over or left out. */
    private static Panel blanked(Panel panel, boolean integrated) {
        List<Panel.Individual> all = new ArrayList<>();
        for (Panel.Individual one : panel.individuals()) {
            int[] states = one.choices().states();
            int[] actions = Objects.requireNonNull(one.choices().actions());
            int[] kept =
                    IntStream.range(0, actions.length).filter(t -> t % 3 != 1).toArray();
            List<int[]> unseen = new ArrayList<>();
            int[][] cells = new int[one.cells().length][kept.length];
            int[][] outcomes = new int[cells.length][kept.length];
            for (int k = 0; k < kept.length; k++) {
                for (int v = 0; v < cells.length; v++) {
                    boolean after = kept[k] % 3 == 2; // a missing action
                    cells[v][k] = after ? -1 : one.cells()[v][kept[k]];
                    outcomes[v][k] = one.outcomes()[v][kept[k]];
                }
            }
            for (int t = 1; t + 1 < states.length; t += 3) {
                unseen.add(new int[] {states[t], states[t + 1]});
            }
            Panel.Individual seen = one.doing(
                    new Trajectory(
                            Arrays.stream(kept).map(t -> states[t]).toArray(),
                            Arrays.stream(kept).map(t -> actions[t]).toArray()),
                    cells,
                    outcomes);
            all.add(integrated ? seen.withUnseen(unseen.toArray(int[][]::new)) : seen);
        }
        return panel.with(all);
    }

    private static Estimate fit(ChoiceProblem problem, StandardErrors kind) {
        return new ChoiceEstimator(NestedFixedPoint.standard().full(true), kind)
                .fit(problem, 1)
                .estimate();
    }

    /** Standard errors lie between those without the rows and those with all actions, and the truth is recovered. */
    @ParameterizedTest
    @EnumSource(
            value = StandardErrors.class,
            names = {"OPG", "HESSIAN", "SANDWICH", "CLUSTER"})
    void tellsMoreThanDroppingAndLessThanSeeing(StandardErrors kind) {
        Estimate integrated = fit(WHOLE.withPanel(blanked(WHOLE.panel(), true)), kind);
        Estimate dropped = fit(WHOLE.withPanel(blanked(WHOLE.panel(), false)), kind);
        Estimate whole = fit(WHOLE, kind);
        assertThat(integrated.converged()).as(integrated.status()).isTrue();
        double[] truth = Vec.joined(Machines.theta(), Machines.phi());
        for (int j = 0; j < truth.length; j++) {
            double error = Math.sqrt(integrated.covariance()[j][j]);
            assertThat(integrated.theta()[j]).isCloseTo(truth[j], within(3.5 * error));
            assertThat(error).isLessThan(Math.sqrt(dropped.covariance()[j][j]));
            assertThat(error).isGreaterThan(Math.sqrt(whole.covariance()[j][j]));
        }
    }

    /** At the maximum the likelihood of what was seen falls to either side, by as much as the Hessian says. */
    @Test
    void isTheMaximumOfTheMarginalLikelihood() {
        ChoiceProblem problem = WHOLE.withPanel(blanked(WHOLE.panel(), true));
        Estimate found = fit(problem, StandardErrors.HESSIAN);
        double[][] hessian = Dense.inverse(found.covariance()).orElseThrow();
        assertThat(marginal(problem, found.theta())).isCloseTo(found.logLikelihood(), within(1e-7));
        for (int j = 0; j < found.theta().length; j++) {
            double step = 0.1 / Math.sqrt(hessian[j][j]);
            double up = marginal(problem, moved(found.theta(), j, step));
            double down = marginal(problem, moved(found.theta(), j, -step));
            assertThat((up - down) / 0.2).as("slope").isCloseTo(0, within(0.01));
            assertThat((2 * found.logLikelihood() - up - down) / 0.01)
                    .as("curvature")
                    .isCloseTo(1, within(0.01));
        }
    }

    private static double[] moved(double[] x, int j, double step) {
        double[] moved = x.clone();
        moved[j] += step;
        return moved;
    }

    /** By brute force from the solved model: products over decisions of what was seen. */
    private static double marginal(ChoiceProblem problem, double[] parameters) {
        ChoiceModel model = problem.model();
        double[] theta = Arrays.copyOf(parameters, 3);
        double[] phi = Arrays.copyOfRange(parameters, 3, 5);
        double[] policy = model.solve(theta, phi).policy();
        TransitionLaw law = model.law();
        double[] ahead = new double[3 * model.states()];
        double sum = FirstStage.logLikelihood(law, problem.panel().moves(law), phi);
        for (Panel.Individual one : problem.panel().individuals()) {
            int[] actions = Objects.requireNonNull(one.choices().actions());
            for (int t = 0; t < actions.length; t++) {
                sum += Math.log(policy[3 * one.choices().states()[t] + actions[t]]);
            }
            for (int[] pair : one.unseen()) {
                double[] there = new double[model.states()];
                there[pair[1]] = 1;
                law.kernel(phi).expect(there, ahead);
                double probability = 0;
                for (int row = 3 * pair[0]; row < 3 * pair[0] + 3; row++) {
                    probability += policy[row] * ahead[row];
                }
                sum += Math.log(probability);
            }
        }
        return sum;
    }

    /**
     * A choice without a future between staying and going, which move the state with known probabilities. With q the
     * probability of going, the score of n1 of n choices and of m1 of m moves is that of two binomials.
     */
    @Test
    void isTheSolutionOfItsScoreEquation() {
        StateSpace space = StateSpace.of(new StateSpace.Variable("place", new double[] {0, 1}));
        double[] moves = {0.2, 0.7}; // probability of the second place after each action
        KnownProbabilities family = new KnownProbabilities(new double[][] {{0.8, 0.2}, {0.3, 0.7}});
        TransitionLaw law = new TransitionLaw(
                space, 2, List.of(new TransitionLaw.Part(family, (s, a) -> a, TransitionLaw.Destination.OUTCOME)));
        ChoiceModel model = new ChoiceModel(
                "static",
                List.of("stay", "go"),
                law,
                0,
                LinearReward.ofRows(2, List.of("gain"), new double[][] {{0}, {1}, {0}, {1}}),
                InformationCost.STANDARD);
        List<Panel.Individual> all = new ArrayList<>();
        int chosen = 30;
        for (int i = 0; i < 100; i++) {
            int action = i < chosen ? 1 : 0;
            int[][] unseen = {{0, i < 45 ? 1 : 0}, {1, i < 45 ? 1 : 0}};
            all.add(new Panel.Individual(
                            "i" + i,
                            new Trajectory(new int[] {0}, new int[] {action}),
                            new int[][] {{-1}},
                            new int[][] {{-1}})
                    .withUnseen(unseen));
        }
        double low = 0;
        double high = 1;
        for (int k = 0; k < 60; k++) {
            double q = (low + high) / 2;
            double second = moves[0] + q * (moves[1] - moves[0]);
            double score =
                    chosen / q - (100 - chosen) / (1 - q) + (moves[1] - moves[0]) * (90 / second - 110 / (1 - second));
            low = score > 0 ? q : low;
            high = score > 0 ? high : q;
        }
        ChoiceProblem problem = new ChoiceProblem(model, new Panel(all));
        Estimate found =
                new ChoiceEstimator(NestedFixedPoint.standard()).fit(problem, 1).estimate();
        assertThat(found.converged()).as(found.status()).isTrue();
        assertThat(1 / (1 + Math.exp(-found.theta()[0]))).isCloseTo(low, within(1e-7));
    }

    @Test
    void refusedWhereNothingIsSummed() {
        ChoiceProblem problem = WHOLE.withPanel(blanked(WHOLE.panel(), true));
        assertThatThrownBy(() -> new ChoiceEstimator(Ccp.standard()).fit(problem, 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("ccp does not sum over missing actions, and the panel has 1050");
        assertThatThrownBy(() -> TypesEstimator.of(2, "price").fit(problem, 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("missing actions");
        assertThatThrownBy(() -> HeldOut.lastDecisions(problem.panel(), 2))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("summed over");
        Fit fit =
                new ChoiceEstimator(NestedFixedPoint.standard()).fit(problem, 1).fit();
        assertThatThrownBy(() -> FitTest.of(problem, fit, "wear"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("missing actions");
    }

    @Test
    void refusedWhereNoActionLeadsThere() {
        Panel.Individual one = WHOLE.panel().individuals().getFirst().withUnseen(new int[][] {{0, 10}});
        assertThatThrownBy(() -> WHOLE.withPanel(WHOLE.panel().with(List.of(one))))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("which no available action makes possible");
    }
}
