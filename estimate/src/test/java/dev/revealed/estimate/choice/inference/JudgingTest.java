package dev.revealed.estimate.choice.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Machines;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JudgingTest {
    private static final ChoiceProblem PROBLEM = Machines.problem(0.9, 60, 30, 3);

    @Test
    void criteriaAreThoseOfTheBooks() {
        ChoiceEstimate found = new ChoiceEstimator(NestedFixedPoint.standard()).fit(PROBLEM, 1);
        Criteria criteria = Criteria.of(PROBLEM, found.estimate());
        double value = found.estimate().logLikelihood();
        assertThat(criteria.parameters()).isEqualTo(5);
        assertThat(criteria.decisions()).isEqualTo(1800);
        assertThat(criteria.aic()).isCloseTo(10 - 2 * value, within(1e-9));
        assertThat(criteria.bic()).isCloseTo(5 * Math.log(1800) - 2 * value, within(1e-9));
        assertThat(criteria.pseudoR2()).isBetween(0.0, 1.0);
    }

    /** Over panels of a true model the statistic has the mean of a chi-squared; Pearson's would have fewer degrees. */
    @Test
    void theTestOfFitHoldsItsSizeAndFindsAWrongModel() {
        double sum = 0;
        int rejected = 0;
        int df = 0;
        int panels = 150;
        for (int seed = 0; seed < panels; seed++) {
            ChoiceProblem problem = Machines.problem(0.9, 60, 30, 100 + seed);
            ChoiceEstimate found = new ChoiceEstimator(NestedFixedPoint.standard()).fit(problem, 1);
            FitTest test = FitTest.of(problem, found.fit(), "wear");
            sum += test.statistic();
            df = test.df();
            rejected += test.pValue() < 0.05 ? 1 : 0;
        }
        assertThat(sum / panels).isCloseTo(df, within(4 * Math.sqrt(2.0 * df / panels)));
        assertThat(rejected).isBetween(1, 18); // 7.5 expected
        ChoiceProblem wrong = new ChoiceProblem(
                PROBLEM.model().withDiscount(0),
                Machines.problem(0.95, 1000, 30, 3).panel());
        ChoiceEstimate myopic = new ChoiceEstimator(NestedFixedPoint.standard()).fit(wrong, 1);
        assertThat(FitTest.of(wrong, myopic.fit(), "wear").pValue()).isLessThan(1e-4);
    }

    @Test
    void aTestOfFitNeedsALikelihood() {
        ChoiceEstimate found = new ChoiceEstimator(Ccp.standard()).fit(PROBLEM, 1);
        assertThatThrownBy(() -> FitTest.of(PROBLEM, found.fit(), "wear"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("maximum likelihood");
    }

    @Test
    void whatIsHeldOutIsTheRest() {
        Panel panel = PROBLEM.panel();
        HeldOut people = HeldOut.individuals(panel, 0.25, RandomStream.of(1));
        assertThat(people.aside().size()).isEqualTo(15);
        assertThat(people.rest().size()).isEqualTo(45);
        HeldOut periods = HeldOut.lastDecisions(panel, 10);
        assertThat(periods.rest().decisions()).isEqualTo(1200);
        assertThat(periods.aside().decisions()).isEqualTo(600);
        double[] all = PROBLEM.choiceCounts();
        double[] rest = PROBLEM.withPanel(periods.rest()).choiceCounts();
        double[] aside = PROBLEM.withPanel(periods.aside()).choiceCounts();
        assertThat(IntStream.range(0, all.length)).allMatch(row -> all[row] == rest[row] + aside[row]);
        double moves = sum(panel, PROBLEM);
        assertThat(sum(periods.rest(), PROBLEM) + sum(periods.aside(), PROBLEM)).isEqualTo(moves);
        assertThatThrownBy(() -> HeldOut.individuals(panel, 1, RandomStream.of(1)))
                .isInstanceOf(BadInput.class);
    }

    /** Three copies of everybody are as likely per decision as one. */
    @Test
    void meansPerDecisionDoNotDependOnWeights() {
        Panel heavy = new Panel(PROBLEM.panel().individuals().stream()
                .map(one -> one.weighing(3))
                .toList());
        HeldOut.Score one = HeldOut.Score.of(PROBLEM, -100);
        HeldOut.Score three = HeldOut.Score.of(PROBLEM.withPanel(heavy), -300);
        assertThat(three.perDecision()).isEqualTo(one.perDecision());
        assertThat(three.uniformPerDecision()).isCloseTo(one.uniformPerDecision(), within(1e-12));
        assertThat(one.uniformPerDecision()) // some actions are not available everywhere
                .isBetween(-Math.log(PROBLEM.model().actions().size()), 0.0);
    }

    private static double sum(Panel panel, ChoiceProblem problem) {
        double sum = 0;
        for (double[] cell : panel.moves(problem.model().law())[0]) {
            for (double count : cell) {
                sum += count;
            }
        }
        return sum;
    }
}
