package dev.revealed.estimate.choice.twostep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BasisChoiceTest {

    private static Fit fit(TdCcp method, ChoiceProblem problem) {
        return method.fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE);
    }

    /** Ranks start far behind polynomials, improve with every degree and win in the end. */
    @Test
    void aFamilyIsNotGivenUpBecauseAnotherIsAhead() {
        List<ValueBasis> candidates = IntStream.rangeClosed(1, 4)
                .boxed()
                .flatMap(d -> List.of(ValueBasis.polynomials(d), ValueBasis.ranks(d)).stream())
                .toList();
        Map<ValueBasis, Double> errors = Map.of(
                ValueBasis.polynomials(1), 5.0,
                ValueBasis.polynomials(2), 5.1,
                ValueBasis.polynomials(3), 5.2,
                ValueBasis.polynomials(4), 0.5,
                ValueBasis.ranks(1), 9.0,
                ValueBasis.ranks(2), 8.0,
                ValueBasis.ranks(3), 7.0,
                ValueBasis.ranks(4), 1.0);
        List<ValueBasis> tried = new ArrayList<>();
        List<ValueBasis> ranked = BasisChoice.ranked(
                candidates,
                candidate -> {
                    tried.add(candidate);
                    return new double[] {errors.getOrDefault(candidate, 100.0)};
                },
                new double[] {1e-6});
        assertThat(ranked.getFirst()).isEqualTo(ValueBasis.ranks(4));
        assertThat(tried).doesNotContain(ValueBasis.polynomials(4)).hasSize(7);
    }

    @Test
    void theOrderOfIndividualsDoesNotMatter() {
        ChoiceProblem problem = Buses.problem(20, 0.95, 60, 40, 3);
        int[] draw = IntStream.range(0, 60).toArray();
        int[] other = Arrays.stream(draw).map(i -> i < 30 ? 2 * i : 2 * i - 59).toArray();
        assertThat(other).containsExactlyInAnyOrder(draw);
        ChoiceProblem reordered = problem.withPanel(problem.panel().drawn(other));
        double[] one = heldOut(problem);
        double[] two = heldOut(reordered);
        for (int v = 0; v < one.length; v++) {
            assertThat(two[v]).isCloseTo(one[v], within(1e-10 * one[v]));
        }
        Fit first = fit(TdCcp.semiGradient(), problem);
        Fit second = fit(TdCcp.semiGradient(), reordered);
        assertThat(second.theta()[0]).isCloseTo(first.theta()[0], within(1e-6));
    }

    private static double[] heldOut(ChoiceProblem problem) {
        TdPanel panel = TdPanel.of(problem, RandomStream.of(1));
        double[] next = new double[panel.visits().rows()];
        Arrays.setAll(next, row -> Math.sin(row));
        return new CrossValidation(panel, List.of(next), 5)
                .errors(ValueBasis.polynomials(3).at(panel));
    }

    /** A file sorted so that every fifth individual is of one kind has all kinds in every fold. */
    @Test
    void foldsDoNotFollowTheFile() {
        int[][] paths = new int[100][];
        Arrays.setAll(paths, i -> new int[] {i % 5 == 0 ? 1 : 0, i});
        int[] folds = InMemoryIndividuals.folds(paths, 5);
        for (int f = 0; f < 5; f++) {
            int fold = f;
            assertThat(IntStream.range(0, 100).filter(i -> folds[i] == fold)).hasSize(20);
            assertThat(IntStream.range(0, 100).filter(i -> folds[i] == fold && i % 5 == 0))
                    .hasSizeBetween(1, 9);
        }
    }

    @Test
    void tooManyCells() {
        int bins = 1200;
        ChoiceModel model = Buses.model(bins, 0.9);
        double[] start = new double[bins];
        Arrays.fill(start, 1.0 / bins);
        ChoiceProblem problem = new ChoiceProblem(
                model, model.simulate(new double[] {4, 1}, Buses.phi(), start, 4000, 3, RandomStream.of(1)));
        assertThatThrownBy(() -> fit(TdCcp.semiGradient().basis(TdCcp.Basis.CELLS), problem))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("at most 1000 visited states")
                .hasMessageMatching("(?s).*1[12]\\d\\d states were visited.*");
    }

    @ParameterizedTest
    @CsvSource({
        "POLYNOMIALS, polynomials of degree \\d instead of 9:.*",
        "RANKS, 'polynomials of degree \\d instead of 9, of the variables'' ranks:.*'",
        "SPLINES, 'splines with .*, and polynomials of degree \\d instead of 9:.*'"
    })
    void aLoweredDegreeIsReportedByBasis(TdCcp.Basis basis, String words) {
        Fit fit = fit(TdCcp.semiGradient().basis(basis).degree(9), Buses.problem(10, 0.9, 10, 20, 9));
        assertThat(fit.warnings()).anyMatch(warning -> warning.matches(words));
    }
}
