package dev.revealed.estimate.choice.constrained;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.KnownProbabilities;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.nlp.Nlp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MpecProblemTest {
    static final int STATES = 8;

    /** Three actions, one of them unavailable in every third state, a temperature, a reference, and chance everywhere. */
    static ChoiceProblem thicket(double discount, int individuals) {
        RandomStream stream = RandomStream.of(5);
        int rows = 3 * STATES;
        double[][] features = new double[rows][];
        Arrays.setAll(features, row -> stream.doubles(2, -1, 1).toArray());
        double[][] probabilities = new double[rows][];
        Arrays.setAll(probabilities, row -> shares(stream.doubles(3).toArray()));
        double[] reference = new double[rows];
        for (int s = 0; s < STATES; s++) {
            double[] own = stream.doubles(3, 0.5, 1).toArray();
            own[2] = s % 3 == 0 ? 0 : own[2];
            System.arraycopy(shares(own), 0, reference, 3 * s, 3);
        }
        TransitionLaw law = new TransitionLaw(
                StateSpace.of(new StateSpace.Variable(
                        "x", IntStream.range(0, STATES).asDoubleStream().toArray())),
                3,
                List.of(new TransitionLaw.Part(
                        new KnownProbabilities(probabilities),
                        (s, a) -> 3 * s + a,
                        (s, a, o) -> (s + a + 2 * o) % STATES)));
        ChoiceModel model = new ChoiceModel(
                "thicket",
                List.of("left", "right", "jump"),
                law,
                discount,
                LinearReward.ofRows(3, List.of("alpha", "beta"), features),
                InformationCost.of(0.7, 3, reference));
        double[] start = new double[STATES];
        Arrays.fill(start, 1.0 / STATES);
        return new ChoiceProblem(
                model, model.simulate(new double[] {1.5, -0.8}, new double[0], start, individuals, 20, stream));
    }

    private static double[] shares(double[] weights) {
        double sum = Vec.sum(weights);
        return Arrays.stream(weights).map(w -> w / sum).toArray();
    }

    private static MpecProblem nlp(ChoiceProblem problem, double... theta) {
        return new MpecProblem(problem.model(), problem.firstStage().phi(), problem.choiceCounts(), theta);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.9, 0.9999})
    void derivativesAreRight(double discount) {
        differences(nlp(thicket(discount, 10), 0.3, 0.2));
        differences(nlp(Buses.problem(12, discount, 5, 30, 1), 3, 80));
    }

    /** Against central differences, at a random point where no constraint holds. */
    private static void differences(Nlp nlp) {
        RandomStream stream = RandomStream.of(3);
        double[] x = stream.doubles(nlp.variables(), -1, 1).toArray();
        double[] multipliers = stream.doubles(nlp.constraints(), -1, 1).toArray();
        double[] gradient = new double[x.length];
        nlp.gradient(x, gradient);
        double[][] jacobian = jacobian(nlp, x);
        double[] entries = new double[nlp.hessian().size()];
        nlp.hessian(x, 0.6, multipliers, entries);
        double[][] hessian = new double[x.length][x.length];
        for (int e = 0; e < entries.length; e++) {
            int i = nlp.hessian().row()[e];
            int j = nlp.hessian().column()[e];
            assertThat(j).isLessThanOrEqualTo(i);
            hessian[i][j] += entries[e];
            hessian[j][i] = hessian[i][j];
        }
        double step = 1e-5;
        for (int j = 0; j < x.length; j++) {
            double[] up = x.clone();
            double[] down = x.clone();
            up[j] += step;
            down[j] -= step;
            assertThat((nlp.objective(up) - nlp.objective(down)) / (2 * step)).isCloseTo(gradient[j], within(1e-8));
            double[] above = new double[nlp.constraints()];
            double[] below = new double[nlp.constraints()];
            nlp.constraints(up, above);
            nlp.constraints(down, below);
            double[] slopeAbove = lagrangian(nlp, up, multipliers);
            double[] slopeBelow = lagrangian(nlp, down, multipliers);
            for (int i = 0; i < above.length; i++) {
                assertThat((above[i] - below[i]) / (2 * step)).isCloseTo(jacobian[i][j], within(1e-8));
            }
            for (int i = 0; i < x.length; i++) {
                assertThat((slopeAbove[i] - slopeBelow[i]) / (2 * step)).isCloseTo(hessian[i][j], within(1e-8));
            }
        }
    }

    private static double[][] jacobian(Nlp nlp, double[] x) {
        double[] entries = new double[nlp.jacobian().size()];
        nlp.jacobian(x, entries);
        double[][] dense = new double[nlp.constraints()][x.length];
        for (int e = 0; e < entries.length; e++) {
            dense[nlp.jacobian().row()[e]][nlp.jacobian().column()[e]] += entries[e];
        }
        return dense;
    }

    /** Gradient of 0.6 f + multipliers' c. */
    private static double[] lagrangian(Nlp nlp, double[] x, double[] multipliers) {
        double[] gradient = new double[x.length];
        nlp.gradient(x, gradient);
        double[] sum = Vec.plus(new double[x.length], 0.6, gradient);
        double[][] jacobian = jacobian(nlp, x);
        for (int i = 0; i < multipliers.length; i++) {
            Vec.axpy(multipliers[i], jacobian[i], sum);
        }
        return sum;
    }

    /** With no future nothing but the parameters is left; else every value but one, and the payoff per period. */
    @Test
    void valuesNobodyDependsOnAreLeftOut() {
        assertThat(nlp(Buses.problem(12, 0, 5, 30, 1), 0, 0).constraints()).isZero();
        assertThat(nlp(Buses.problem(12, 0.9, 5, 30, 1), 0, 0).constraints()).isEqualTo(12);
        ChoiceProblem bus = Buses.problem(12, 0.9, 5, 30, 1);
        Panel worn = new Panel(List.of(Panel.individual(
                bus.model().law(), "worn", new Trajectory(new int[] {11, 11}, new int[] {RustBus.KEEP, RustBus.KEEP
                }))));
        MpecProblem all = new MpecProblem(
                bus.model(), new double[] {0.3, 0.5}, bus.withPanel(worn).choiceCounts(), new double[2]);
        assertThat(all.constraints()).as("a new engine may follow").isEqualTo(12);
        double[] kept = new double[24];
        Arrays.setAll(kept, row -> row % 2 == RustBus.KEEP ? 1 : 0);
        ChoiceModel forever = new ChoiceModel(
                "no replacement",
                bus.model().actions(),
                bus.model().law(),
                0.9,
                bus.model().utility(),
                InformationCost.of(1, 2, kept));
        MpecProblem last = new MpecProblem(
                forever, new double[] {0.3, 0.5}, bus.withPanel(worn).choiceCounts(), new double[2]);
        assertThat(last.constraints()).as("nothing but the last bin follows").isEqualTo(1);
    }

    /** The coordinates handed to a solver are a change of units: columns orthogonal, mean square one, there and back. */
    @Test
    void utilitiesInOrthogonalCoordinates() {
        ChoiceModel model = RustBus.of(90, 2, 0.99, RustBus.Cost.CUBIC);
        boolean[] available = new boolean[180];
        Arrays.fill(available, true);
        UtilityCoordinates coordinates = new UtilityCoordinates(model.utility(), available);
        double[] theta = {10, 0.5, -0.02, 3e-4};
        double[] z = coordinates.of(theta);
        double[] rows = new double[180];
        model.utility().values(theta, rows);
        double[] same = coordinates.offset().clone();
        for (int j = 0; j < 4; j++) {
            Vec.axpy(z[j], coordinates.columns()[j], same);
            for (int i = 0; i <= j; i++) {
                assertThat(Vec.dot(coordinates.columns()[i], coordinates.columns()[j]) / 180)
                        .isCloseTo(i == j ? 1 : 0, within(1e-9));
            }
        }
        assertThat(same).containsExactly(rows, within(1e-10));
        assertThat(coordinates.theta(z)).containsExactly(theta, within(1e-9));
    }

    @Test
    void refusesChoicesTheModelRulesOut() {
        ChoiceProblem problem = thicket(0.9, 3);
        List<Panel.Individual> individuals = new ArrayList<>(problem.panel().individuals());
        individuals.add(Panel.individual(problem.model().law(), "rogue", new Trajectory(new int[] {3}, new int[] {2})));
        assertThatThrownBy(() -> nlp(problem.withPanel(new Panel(individuals)), 0, 0))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("'jump' was chosen in state x=3");
    }
}
