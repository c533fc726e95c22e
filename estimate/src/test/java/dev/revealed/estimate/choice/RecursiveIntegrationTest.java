package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.hidden.HiddenEstimator;
import dev.revealed.estimate.choice.hidden.RecursiveIntegration;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.mixed.MixedEstimator;
import dev.revealed.estimate.choice.mixed.Population;
import dev.revealed.estimate.choice.types.TypesEstimator;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.HiddenProcess;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Rust's replacement problem with a cost that persists and that only the owner sees. */
class RecursiveIntegrationTest {
    private static final int BINS = 8;

    /** @param nodes of the hidden cost; 0 for the model without it */
    private static ChoiceModel model(int nodes) {
        double[] bins = new double[BINS];
        Arrays.setAll(bins, i -> i);
        List<StateSpace.Variable> variables = new ArrayList<>(List.of(new StateSpace.Variable("wear", bins)));
        HiddenProcess hidden = HiddenProcess.named(Math.max(1, nodes), "rho");
        if (nodes > 0) {
            variables.add(new StateSpace.Variable("shock", hidden.nodes()));
        }
        StateSpace space = new StateSpace(variables);
        Shifts wear = new Shifts(List.of("holds"), new int[] {0, 1}, BINS);
        List<TransitionLaw.Part> parts = new ArrayList<>(List.of(new TransitionLaw.Part(
                wear,
                (s, a) -> a == 1 ? 0 : space.coordinate(s, 0),
                (s, a, o) -> wear.destination(a == 1 ? 0 : space.coordinate(s, 0), o))));
        if (nodes > 0) {
            parts.add(new TransitionLaw.Part(
                    hidden, (s, a) -> space.coordinate(s, 1), TransitionLaw.Destination.OUTCOME));
        }
        double[][] features = new double[2 * space.size()][nodes > 0 ? 3 : 2];
        for (int s = 0; s < space.size(); s++) {
            features[2 * s][0] = -space.value(s, 0);
            features[2 * s + 1][1] = -1;
            if (nodes > 0) {
                features[2 * s + 1][2] = -space.value(s, 1);
            }
        }
        List<String> names = List.of("upkeep", "RC", "sigma");
        return new ChoiceModel(
                "bus",
                List.of("keep", "replace"),
                new TransitionLaw(space, 2, parts),
                0.9,
                LinearReward.ofRows(2, names.subList(0, nodes > 0 ? 3 : 2), features),
                InformationCost.STANDARD);
    }

    private static Panel panel(ChoiceModel model, double[] theta, double[] phi, int individuals, int periods) {
        double[] start = new double[model.states()];
        double[] weights =
                RecursiveIntegration.hidden(model).map(HiddenProcess::weights).orElse(new double[] {1});
        System.arraycopy(weights, 0, start, 0, weights.length);
        return model.simulate(theta, phi, start, individuals, periods, RandomStream.of(5));
    }

    /** Moments of the standard normal, and of its conditional distribution. */
    @Test
    void sumsOverTheNodesAreIntegrals() {
        HiddenProcess process = HiddenProcess.named(15, "rho");
        double[] moments = new double[5];
        for (int i = 0; i < 15; i++) {
            for (int m = 0; m < 5; m++) {
                moments[m] += process.weights()[i] * Math.pow(process.nodes()[i], m);
            }
        }
        assertThat(moments).containsExactly(new double[] {1, 0, 1, 0, 3}, within(1e-12));
        double mean = 0;
        double[] p = process.probabilities(new double[] {0.5}, 9);
        for (int j = 0; j < 15; j++) {
            mean += p[j] * process.nodes()[j];
        }
        assertThat(mean).isCloseTo(0.5 * process.nodes()[9], within(1e-6));
    }

    /** Without variance the hidden cost is nothing, whatever its persistence: the likelihood is that of Rust's model. */
    @Test
    void withoutVarianceItIsRustsModelToTheDigit() {
        ChoiceModel rust = model(0);
        Panel panel = panel(rust, new double[] {0.3, 2}, new double[] {0.4}, 30, 40);
        ChoiceProblem problem = new ChoiceProblem(rust, panel);
        double truth =
                new RowScores(rust, problem.choiceCounts(), new double[] {0.4}, false).solve(new double[] {0.3, 2})
                        + FirstStage.logLikelihood(rust.law(), panel.moves(rust.law()), new double[] {0.4});
        ChoiceModel hidden = model(7);
        Panel lifted = new Panel(panel.individuals().stream()
                .map(one -> new Panel.Individual(
                        one.name(),
                        new Trajectory(
                                Arrays.stream(one.choices().states())
                                        .map(s -> 7 * s + 3)
                                        .toArray(),
                                Objects.requireNonNull(one.choices().actions())),
                        new int[][] {one.cells()[0], new int[one.cells()[0].length]},
                        new int[][] {one.outcomes()[0], new int[one.cells()[0].length]}))
                .toList());
        for (double rho : new double[] {0, 0.6}) {
            assertThat(RecursiveIntegration.logLikelihood(
                            new ChoiceProblem(hidden, lifted), new double[] {0.3, 2, 0, 0.4, rho}))
                    .isCloseTo(truth, within(1e-9));
        }
    }

    /** Four periods on three nodes: the sum over all 81 paths of the hidden cost. */
    @Test
    void isTheSumOverAllPaths() {
        ChoiceModel model = model(3);
        double[] theta = {0.3, 2, 0.8};
        double[] phi = {0.4, 0.6};
        Panel panel = panel(model, theta, phi, 1, 4);
        SoftPolicy policy = model.solve(theta, phi);
        HiddenProcess process = RecursiveIntegration.hidden(model).orElseThrow();
        int[] states = panel.individuals().getFirst().choices().states();
        int[] actions =
                Objects.requireNonNull(panel.individuals().getFirst().choices().actions());
        double sum = 0;
        double[] visits = new double[model.states()];
        for (int path = 0; path < 81; path++) {
            int[] z = {path / 27, path / 9 % 3, path / 3 % 3, path % 3};
            double product = process.weights()[z[0]];
            for (int t = 0; t < 4; t++) {
                product *= policy.policy()[(states[t] / 3 * 3 + z[t]) * 2 + actions[t]];
                product *= t == 0 ? 1 : process.probabilities(new double[] {0.6}, z[t - 1])[z[t]];
            }
            sum += product;
            for (int t = 0; t < 4; t++) {
                visits[states[t] / 3 * 3 + z[t]] += product;
            }
        }
        double likelihood = sum;
        Arrays.setAll(visits, s -> visits[s] / likelihood);
        double moves = 0;
        for (int t = 1; t < states.length; t++) {
            Panel.Individual one = panel.individuals().getFirst();
            moves += Math.log(model.law()
                    .parts()
                    .getFirst()
                    .family()
                    .probabilities(new double[] {0.4}, one.cells()[0][t])[one.outcomes()[0][t]]);
        }
        double[] at = {0.3, 2, 0.8, 0.4, 0.6};
        ChoiceProblem problem = new ChoiceProblem(model, panel);
        assertThat(RecursiveIntegration.logLikelihood(problem, at)).isCloseTo(Math.log(sum) + moves, within(1e-10));
        // smoothed probabilities, given all choices
        assertThat(RecursiveIntegration.smoothed(problem, at).visits()).containsExactly(visits, within(1e-12));
        // and predicted ones, given those before: the likelihood is the product of what was predicted of each choice
        double[] before = RecursiveIntegration.predicted(problem, at)[0];
        double product = 1;
        for (int t = 0; t < 4; t++) {
            double chance = 0;
            for (int j = 0; j < 3; j++) {
                chance += before[3 * t + j] * policy.policy()[(states[t] / 3 * 3 + j) * 2 + actions[t]];
            }
            product *= chance;
        }
        assertThat(product).isCloseTo(sum, within(1e-14));
    }

    private static Estimate fit(ChoiceModel model, Panel panel, StandardErrors kind, double... start) {
        return new HiddenEstimator(RecursiveIntegration.standard(), kind, ChoiceEstimator.Replications.inMemory(30))
                .fit(new ChoiceProblem(model, panel, start), RandomStream.of(1), ProgressListener.NONE)
                .estimate();
    }

    private static Panel small(ChoiceModel model) {
        return panel(model, new double[] {0.3, 2, 1}, new double[] {0.4, 0.6}, 150, 40);
    }

    /** A weight that is a frequency is so many individuals who did the same, standard errors included. */
    @Test
    void aWeightedPanelIsItsExpandedCopy() {
        ChoiceModel model = model(5);
        List<Panel.Individual> all = small(model).individuals();
        List<Panel.Individual> weighted = new ArrayList<>();
        List<Panel.Individual> copies = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            weighted.add(all.get(i).weighing(1 + i % 3));
            for (int k = 0; k <= i % 3; k++) {
                copies.add(all.get(i));
            }
        }
        Panel panel = new Panel(all);
        for (StandardErrors kind : List.of(StandardErrors.OPG, StandardErrors.HESSIAN, StandardErrors.CLUSTER)) {
            Estimate one = fit(model, panel.with(weighted), kind);
            Estimate other = fit(model, new Panel(copies), kind);
            assertThat(one.logLikelihood()).isCloseTo(other.logLikelihood(), within(1e-6));
            for (int j = 0; j < other.theta().length; j++) {
                double error = other.parameters().get(j).standardError().orElseThrow();
                assertThat(one.theta()[j]).isCloseTo(other.theta()[j], within(1e-4 * error));
                assertThat(one.parameters().get(j).standardError().orElseThrow())
                        .as("%s by %s", one.parameters().get(j).name(), kind)
                        .isCloseTo(error, within(1e-3 * error));
            }
        }
    }

    /** Two copies of everybody, each pair a cluster, tell no more than one. */
    @Test
    void clustersCountOnce() {
        ChoiceModel model = model(5);
        Panel single = small(model);
        List<Panel.Individual> pairs = new ArrayList<>();
        for (Panel.Individual one : single.individuals()) {
            Panel.Individual member = new Panel.Individual(
                    one.name(), one.choices(), one.cells(), one.outcomes(), 1, "pair " + one.name(), new double[0]);
            pairs.addAll(List.of(member, member));
        }
        Estimate one = fit(model, single, StandardErrors.CLUSTER);
        Estimate two = fit(model, new Panel(pairs), StandardErrors.CLUSTER);
        for (int j = 0; j < one.theta().length; j++) {
            double error = one.parameters().get(j).standardError().orElseThrow();
            assertThat(two.parameters().get(j).standardError().orElseThrow()).isCloseTo(error, within(1e-3 * error));
        }
    }

    /** Where the model is right, all kinds of standard errors estimate the same. */
    @Test
    void allKindsAgreeOnATrueModel() {
        ChoiceModel model = model(5);
        Panel panel = small(model);
        Estimate opg = fit(model, panel, StandardErrors.OPG);
        for (StandardErrors kind : StandardErrors.values()) {
            Estimate other = fit(model, panel, kind);
            assertThat(other.standardErrors()).isNotEmpty();
            for (int j = 0; j < opg.theta().length; j++) {
                double error = opg.parameters().get(j).standardError().orElseThrow();
                assertThat(other.parameters().get(j).standardError().orElseThrow())
                        .as("%s by %s", opg.parameters().get(j).name(), kind)
                        .isBetween(0.5 * error, 2 * error);
            }
        }
    }

    @Test
    void recoversPersistenceAndVariance() {
        ChoiceModel model = model(9);
        double[] truth = {0.3, 2, 1, 0.4, 0.6};
        Panel panel = panel(model, new double[] {0.3, 2, 1}, new double[] {0.4, 0.6}, 250, 50);
        Estimate found = fit(model, panel, StandardErrors.OPG);
        assertThat(found.converged()).as(found.status()).isTrue();
        for (int j = 0; j < truth.length; j++) {
            double error = found.parameters().get(j).standardError().orElseThrow();
            assertThat(found.theta()[j]).as(found.parameters().get(j).name()).isCloseTo(truth[j], within(3 * error));
            assertThat(error).isBetween(1e-4, 0.3);
        }
        // scores are derivatives: at the maximum the likelihood falls to either side
        ChoiceProblem problem = new ChoiceProblem(model, panel);
        for (int j = 0; j < truth.length; j++) {
            double[] up = found.theta().clone();
            double[] down = found.theta().clone();
            up[j] += 1e-3;
            down[j] -= 1e-3;
            double slope = (RecursiveIntegration.logLikelihood(problem, up)
                            - RecursiveIntegration.logLikelihood(problem, down))
                    / 2e-3;
            assertThat(slope * found.parameters().get(j).standardError().orElseThrow())
                    .isCloseTo(0, within(1e-3));
        }
    }

    /** Nothing tells a cost from its mirror image: both searches end at the same maximum, with a positive size. */
    @Test
    void theSizeIsPositiveWhereverTheSearchBegins() {
        ChoiceModel model = model(5);
        Panel panel = panel(model, new double[] {0.3, 2, 1}, new double[] {0.4, 0.6}, 100, 40);
        Estimate usual = fit(model, panel, StandardErrors.OPG);
        Estimate turned = fit(model, panel, StandardErrors.OPG, 0.3, 2, -1);
        assertThat(usual.converged()).as(usual.status()).isTrue();
        assertThat(turned.theta()).containsExactly(usual.theta(), within(1e-4));
        assertThat(turned.theta()[2]).isPositive();
        assertThat(usual.status()).contains("best of 3 starts");
        assertThat(usual.search().kernelPasses()).isGreaterThan(usual.search().iterations());
    }

    /** At known parameters nothing is estimated, so that a panel without a move has predictions: the nodes' own weights. */
    @Test
    void aPanelWithoutMovesCanBePredicted() {
        ChoiceModel model = model(5);
        Panel panel = panel(model, new double[] {0.3, 2, 1}, new double[] {0.4, 0.6}, 3, 1);
        double[][] predicted =
                RecursiveIntegration.predicted(new ChoiceProblem(model, panel), new double[] {0.3, 2, 1, 0.4, 0.6});
        double[] weights = RecursiveIntegration.hidden(model).orElseThrow().weights();
        assertThat(predicted.length).isEqualTo(3);
        for (double[] row : predicted) {
            assertThat(row).containsExactly(weights, within(1e-12));
        }
    }

    @Test
    void slopesOutsideTheLawAreRefused() {
        ChoiceModel model = model(5);
        Panel panel = panel(model, new double[] {0.3, 2, 1}, new double[] {0.4, 0.6}, 20, 20);
        double[] outside = {0.3, 2, 1, 1.4, 0.6};
        ChoiceProblem problem = new ChoiceProblem(model, panel);
        assertThatThrownBy(() -> RecursiveIntegration.standard()
                        .beginningAt(outside)
                        .fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("could not be solved");
    }

    @Test
    void refusesGaps() {
        ChoiceModel model = model(3);
        Panel panel = panel(model, new double[] {0.3, 2, 1}, new double[] {0.4, 0.6}, 2, 5);
        for (Panel.Individual one : panel.individuals()) {
            Arrays.stream(one.cells()).forEach(cells -> cells[2] = -1);
        }
        assertThatThrownBy(() -> fit(model, panel, StandardErrors.OPG))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("gaps");
    }

    @Test
    void otherMethodsRefuseIt() {
        ChoiceModel model = model(3);
        Panel panel = panel(model, new double[] {0.3, 2, 1}, new double[] {0.4, 0.6}, 2, 5);
        ChoiceProblem problem = new ChoiceProblem(model, panel);
        List<Runnable> others = List.of(
                () -> new ChoiceEstimator(NestedFixedPoint.standard()).fit(problem, 1),
                () -> MixedEstimator.of(Population.of(model).random(List.of("RC")))
                        .fit(problem, 1),
                () -> TypesEstimator.of(2, "RC").fit(problem, RandomStream.of(1), ProgressListener.NONE));
        for (Runnable other : others) {
            assertThatThrownBy(other::run).isInstanceOf(BadInput.class).hasMessageContaining("recursive");
        }
    }
}
