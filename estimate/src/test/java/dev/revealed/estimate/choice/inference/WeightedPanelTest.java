package dev.revealed.estimate.choice.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Machines;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Weights against copies, clusters against repetitions, and gaps against separate individuals. */
class WeightedPanelTest {
    private static final ChoiceProblem PLAIN = Machines.problem(0.9, 40, 20, 1);
    private static final List<Panel.Individual> ALL = PLAIN.panel().individuals();

    private static ChoiceProblem with(Panel.Weights kind, List<Panel.Individual> individuals) {
        return PLAIN.withPanel(new Panel(individuals, kind, List.of()));
    }

    private static Estimate fit(ChoiceProblem problem, PanelMethod method, StandardErrors kind) {
        return new ChoiceEstimator(method, kind).fit(problem, 1).estimate();
    }

    private static void same(Estimate one, Estimate other) {
        assertThat(one.converged()).isTrue();
        assertThat(one.logLikelihood()).isCloseTo(other.logLikelihood(), within(1e-7));
        assertThat(one.theta()).containsExactly(other.theta(), within(1e-6));
        for (int j = 0; j < one.covariance().length; j++) {
            assertThat(one.covariance()[j]).containsExactly(other.covariance()[j], within(1e-7));
        }
        assertThat(one.covariance()).hasDimensions(other.covariance().length, other.covariance().length);
    }

    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(NestedFixedPoint.standard(), StandardErrors.OPG),
                Arguments.of(NestedFixedPoint.standard(), StandardErrors.HESSIAN),
                Arguments.of(NestedFixedPoint.standard(), StandardErrors.SANDWICH),
                Arguments.of(NestedFixedPoint.standard(), StandardErrors.CLUSTER),
                Arguments.of(NestedFixedPoint.standard().full(true), StandardErrors.CLUSTER),
                Arguments.of(Mpec.standard().by(Mpec.Solver.JAVA), StandardErrors.OPG),
                Arguments.of(new MlIrlMethod(MlIrl.preconditioned()), StandardErrors.CLUSTER),
                Arguments.of(Npl.standard(), StandardErrors.CLUSTER),
                Arguments.of(Ccp.standard(), StandardErrors.OPG));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aWeightedPanelIsItsExpandedCopy(PanelMethod method, StandardErrors kind) {
        List<Panel.Individual> weighted = new ArrayList<>();
        List<Panel.Individual> copies = new ArrayList<>();
        for (int i = 0; i < ALL.size(); i++) {
            weighted.add(ALL.get(i).weighing(1 + i % 3));
            copies.addAll(Collections.nCopies(1 + i % 3, ALL.get(i)));
        }
        same(
                fit(with(Panel.Weights.FREQUENCY, weighted), method, kind),
                fit(with(Panel.Weights.FREQUENCY, copies), method, kind));
    }

    @Test
    void samplingWeightsCountTwiceInTheVariance() {
        List<Panel.Individual> weighted =
                ALL.stream().map(one -> one.weighing(2)).toList();
        Estimate sampled =
                fit(with(Panel.Weights.SAMPLING, weighted), NestedFixedPoint.standard(), StandardErrors.CLUSTER);
        Estimate plain = fit(PLAIN, NestedFixedPoint.standard(), StandardErrors.CLUSTER);
        assertThat(sampled.covariance()[0][0]).isCloseTo(plain.covariance()[0][0], within(1e-8)); // not half of it
        assertThatThrownBy(() ->
                        fit(with(Panel.Weights.SAMPLING, weighted), NestedFixedPoint.standard(), StandardErrors.OPG))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("sampling weights");
        assertThatThrownBy(() -> fit(with(Panel.Weights.SAMPLING, weighted), MaxEnt.standard(), StandardErrors.CLUSTER))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("maxent does not know weights");
    }

    @Test
    void repetitionsInAClusterTellNothingNew() {
        List<Panel.Individual> twice = new ArrayList<>();
        for (Panel.Individual one : ALL) {
            Panel.Individual clustered = new Panel.Individual(
                    one.name(), one.choices(), one.cells(), one.outcomes(), 1, one.name(), new double[0]);
            twice.add(clustered);
            twice.add(clustered);
        }
        Estimate repeated =
                fit(with(Panel.Weights.FREQUENCY, twice), NestedFixedPoint.standard(), StandardErrors.CLUSTER);
        Estimate plain = fit(PLAIN, NestedFixedPoint.standard(), StandardErrors.CLUSTER);
        assertThat(repeated.theta()).containsExactly(plain.theta(), within(1e-8));
        for (int j = 0; j < plain.covariance().length; j++) {
            assertThat(repeated.covariance()[j]).containsExactly(plain.covariance()[j], within(1e-9));
        }
        assertThat(repeated.standardErrors()).contains("the panel's clusters");
        assertThat(fit(with(Panel.Weights.FREQUENCY, twice), Ccp.standard(), StandardErrors.OPG)
                        .covariance()[0][0])
                .isCloseTo(
                        fit(PLAIN, Ccp.standard(), StandardErrors.OPG).covariance()[0][0],
                        withinPercentage(1)); // its logit shrinks less
    }

    @Test
    void aGapCutsAnIndividualInTwoThatBelongTogether() {
        List<Panel.Individual> gaps = new ArrayList<>();
        List<Panel.Individual> cut = new ArrayList<>();
        for (Panel.Individual one : ALL) {
            Panel.Individual early = part(one, 0, 8);
            Panel.Individual late = part(one, 11, 20);
            cut.add(early);
            cut.add(late);
            int[][] cells = new int[2][];
            int[][] outcomes = new int[2][];
            for (int v = 0; v < 2; v++) {
                cells[v] = joined(early.cells()[v], late.cells()[v]);
                outcomes[v] = joined(early.outcomes()[v], late.outcomes()[v]);
            }
            gaps.add(new Panel.Individual(
                    one.name(),
                    new Trajectory(
                            joined(early.choices().states(), late.choices().states()),
                            joined(actions(early), actions(late))),
                    cells,
                    outcomes));
        }
        ChoiceProblem gapped = with(Panel.Weights.FREQUENCY, gaps);
        assertThat(gapped.panel().hasGaps()).isTrue();
        assertThat(gapped.panel().spells().size()).isEqualTo(80);
        for (StandardErrors kind : List.of(StandardErrors.OPG, StandardErrors.CLUSTER)) {
            same(
                    fit(gapped, NestedFixedPoint.standard(), kind),
                    fit(with(Panel.Weights.FREQUENCY, cut), NestedFixedPoint.standard(), kind));
        }
    }

    private static Panel.Individual part(Panel.Individual one, int from, int to) {
        int[][] cells = new int[2][];
        int[][] outcomes = new int[2][];
        for (int v = 0; v < 2; v++) {
            cells[v] = Arrays.copyOfRange(one.cells()[v], from, to);
            outcomes[v] = Arrays.copyOfRange(one.outcomes()[v], from, to);
            cells[v][0] = -1;
        }
        return new Panel.Individual(
                one.name() + from,
                new Trajectory(
                        Arrays.copyOfRange(one.choices().states(), from, to),
                        Arrays.copyOfRange(actions(one), from, to)),
                cells,
                outcomes,
                1,
                one.name(),
                new double[0]);
    }

    private static int[] actions(Panel.Individual one) {
        int[] actions = one.choices().actions();
        return actions == null ? new int[0] : actions;
    }

    private static int[] joined(int[] one, int[] other) {
        return IntStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
    }
}
