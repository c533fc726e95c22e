package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataChecksTest {
    private static final List<String> TWO = List.of("stay", "go");

    /** Two actions; the utility of going is {@code features[state]} times the parameters. */
    private static ChoiceProblem going(double[][] features, List<String> names, int[] states, int[] decisions) {
        double[][] rows = new double[2 * features.length][];
        for (int s = 0; s < features.length; s++) {
            rows[2 * s] = new double[names.size()];
            rows[2 * s + 1] = features[s];
        }
        return Panels.standing(TWO, names, rows, states, decisions);
    }

    private static DataChecks.Findings atZero(ChoiceProblem problem) {
        return DataChecks.examine(
                problem,
                new double[problem.model().utility().parameters()],
                problem.firstStage().phi());
    }

    /** A bus whose decisions are decided by its mileage. */
    private static ChoiceProblem zurcher(double discount, IntPredicate replaces) {
        ChoiceModel model = RustBus.of(20, 2, discount, RustBus.Cost.LINEAR);
        RandomStream stream = RandomStream.of(7);
        List<Panel.Individual> buses = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int[] states = new int[40];
            int[] actions = new int[40];
            for (int t = 0; t < 40; t++) {
                actions[t] = replaces.test(states[t]) ? RustBus.REPLACE : RustBus.KEEP;
                if (t < 39) {
                    int from = actions[t] == RustBus.REPLACE ? 0 : states[t];
                    states[t + 1] = Math.min(19, from + stream.nextInt(3));
                }
            }
            buses.add(Panel.individual(model.law(), "bus " + i, new Trajectory(states, actions)));
        }
        return new ChoiceProblem(model, new Panel(buses));
    }

    @Test
    void findsNothingWrongWithOrdinaryData() {
        ChoiceProblem problem = Panels.bus(30, 40, 5);
        assertThat(atZero(problem)).isEqualTo(new DataChecks.Findings(false, List.of()));
        assertThat(DataChecks.fewIndividuals(problem)).isEmpty();
        ChoiceProblem dynamic = Panels.bus(0.99, new double[] {5, 30}, 30, 60, 5);
        assertThat(atZero(dynamic)).isEqualTo(new DataChecks.Findings(false, List.of()));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.95, 0.9999})
    void saysThatDecisionsDoNotVary(double discount) {
        ChoiceProblem problem = zurcher(discount, mileage -> false);
        DataChecks.Findings findings = atZero(problem);
        assertThat(findings.noMaximum()).isTrue();
        assertThat(findings.warnings().getFirst())
                .contains("the decisions do not vary: every one of them is 'keep'")
                .contains("no maximum")
                .contains("RC to +infinity");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.9})
    void saysThatMileageTellsReplacementsApart(double discount) {
        ChoiceProblem problem = zurcher(discount, mileage -> mileage >= 12);
        DataChecks.Findings findings = atZero(problem);
        assertThat(findings.noMaximum()).isTrue();
        assertThat(findings.warnings().getFirst())
                .contains("tells apart perfectly")
                .contains("RC to +infinity")
                .contains("theta11 to +infinity");
    }

    @Test
    void oneOverlapIsEnoughForAMaximum() {
        double[][] x = {{1, -2}, {1, -1}, {1, 1}, {1, 2}};
        List<String> names = List.of("constant", "x");
        int[] states = {0, 1, 2, 3, 1};
        assertThat(atZero(going(x, names, states, new int[] {0, 0, 1, 1, 0})).noMaximum())
                .isTrue();
        // Somebody at x = -2 goes: no line divides those who go from those who stay any more.
        ChoiceProblem overlapping = going(x, names, new int[] {0, 0, 1, 2, 3, 1}, new int[] {1, 0, 0, 1, 1, 0});
        assertThat(atZero(overlapping)).isEqualTo(new DataChecks.Findings(false, List.of()));
        Fit fit =
                new StaticLogit().fit(overlapping, overlapping.firstStage(), RandomStream.of(1), ProgressListener.NONE);
        assertThat(fit.converged()).isTrue();
        assertThat(DataChecks.examine(overlapping, fit.theta(), fit.phi()).noMaximum())
                .isFalse();
    }

    @Test
    void separationMayBeQuasiComplete() {
        // At x = 0 both happen; everywhere else the sign of x decides. Only the slope runs off.
        double[][] x = {{1, -1}, {1, 0}, {1, 1}};
        ChoiceProblem problem =
                going(x, List.of("constant", "x"), new int[] {0, 0, 1, 1, 1, 2, 2}, new int[] {0, 0, 1, 0, 0, 1, 1});
        DataChecks.Findings findings = atZero(problem);
        assertThat(findings.noMaximum()).isTrue();
        assertThat(findings.warnings().getFirst()).contains("run off (x to +infinity)");
    }

    @Test
    void decisionsThatDoNotVaryMayStillHaveAMaximum() {
        // Everybody stays, but what keeps some pulls at others: the likelihood peaks where exp(-slope) is 2.
        ChoiceProblem problem =
                going(new double[][] {{1}, {-1}}, List.of("slope"), new int[] {0, 0, 1}, new int[] {0, 0, 0});
        DataChecks.Findings findings = atZero(problem);
        assertThat(findings.noMaximum()).isFalse();
        assertThat(findings.warnings()).containsExactly("the decisions do not vary: every one of them is 'stay'");
    }

    @Test
    void saysWhichActionNobodyChooses() {
        // Walking, cycling and driving with a constant for each but walking; nobody cycles.
        double[][] rows = {{0, 0}, {1, 0}, {0, 1}};
        ChoiceProblem problem = Panels.standing(
                List.of("walk", "cycle", "drive"), List.of("cycling", "driving"), rows, new int[5], new int[] {
                    0, 2, 2, 0, 2
                });
        DataChecks.Findings findings = atZero(problem);
        assertThat(findings.noMaximum()).isTrue();
        assertThat(findings.warnings().getFirst())
                .contains("nobody ever chooses 'cycle'")
                .contains("run off (cycling to -infinity)");
    }

    @Test
    void saysWhichFeaturesAreCollinear() {
        // Fahrenheit is 32 more than 1.8 times Celsius, and there is a constant.
        double[][] weather = {{1, 0, 32}, {1, 10, 50}, {1, 20, 68}, {1, 30, 86}};
        int[] states = {0, 0, 1, 1, 2, 2, 3, 3};
        int[] decisions = {0, 1, 1, 0, 0, 1, 0, 1};
        DataChecks.Findings findings =
                atZero(going(weather, List.of("constant", "celsius", "fahrenheit"), states, decisions));
        assertThat(findings.noMaximum()).isFalse();
        assertThat(findings.warnings())
                .singleElement()
                .satisfies(w -> assertThat(w)
                        .contains("1 of 3 directions of the utility are not identified by any data")
                        .containsPattern("(?=.*constant)(?=.*celsius)(?=.*fahrenheit)"));
    }

    @Test
    void aConstantInEveryUtilityIsNotIdentified() {
        double[][] rows = {{1, 0}, {1, 3}, {1, 0}, {1, -3}};
        ChoiceProblem problem =
                Panels.standing(TWO, List.of("mood", "x"), rows, new int[] {0, 0, 1, 1}, new int[] {0, 1, 0, 1});
        assertThat(atZero(problem).warnings())
                .singleElement()
                .satisfies(w ->
                        assertThat(w).contains("not identified by any data").contains("1.00 mood."));
    }

    @Test
    void saysWhatTheVisitedStatesCannotTell() {
        double[][] x = {{1, 2}, {1, 3}};
        ChoiceProblem problem = going(x, List.of("constant", "x"), new int[] {0, 0, 0}, new int[] {0, 1, 0});
        assertThat(atZero(problem).warnings())
                .singleElement()
                .satisfies(w ->
                        assertThat(w).contains("not identified by this panel").contains("1.00 constant - 0.500 x"));
    }

    @Test
    void seesTheRunawayFromWhereASearchStopped() {
        ChoiceProblem problem = zurcher(0.95, mileage -> false);
        assertThat(DataChecks.noMaximum(
                        problem, new double[] {25, 10}, problem.firstStage().phi()))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.9, 0.99})
    void seesItFromWhereNfxpStopped(double discount) {
        for (int threshold : new int[] {5, 12, 15, 99}) {
            ChoiceProblem problem = zurcher(discount, mileage -> mileage >= threshold);
            FirstStage first = problem.firstStage();
            Fit fit = NestedFixedPoint.standard().fit(problem, first, RandomStream.of(1), ProgressListener.NONE);
            assertThat(DataChecks.examine(problem, fit.theta(), fit.phi()).noMaximum())
                    .as("from the fit, threshold %d", threshold)
                    .isTrue();
            assertThat(atZero(problem).noMaximum())
                    .as("from zero, threshold %d", threshold)
                    .isTrue();
        }
    }

    @Test
    void saysThatThereAreFewIndividuals() {
        assertThat(DataChecks.fewIndividuals(Panels.bus(9, 5, 1)))
                .hasValueSatisfying(w -> assertThat(w).contains("only 9 individuals"));
        assertThat(DataChecks.fewIndividuals(Panels.bus(10, 5, 1))).isEmpty();
    }
}
