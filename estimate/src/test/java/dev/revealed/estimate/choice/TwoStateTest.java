package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Futures;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.ChoiceProbabilities;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.estimate.choice.twostep.Valuation;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.KnownProbabilities;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A model small enough to be inverted by hand: two states, two actions, the utility of the second free in each state. */
class TwoStateTest {
    private static final double[][] STAY = {{0.8, 0.2}, {0.3, 0.7}};
    private static final double[][] GO = {{0.1, 0.9}, {0.6, 0.4}};
    private static final ChoiceProbabilities.Method SHARES = new ChoiceProbabilities.Frequency(1e-9);

    private static ChoiceModel model(double discount) {
        KnownProbabilities known = new KnownProbabilities(new double[][] {STAY[0], GO[0], STAY[1], GO[1]});
        TransitionLaw law = new TransitionLaw(
                StateSpace.of(new StateSpace.Variable("s", new double[] {0, 1})),
                2,
                List.of(new TransitionLaw.Part(known, (s, a) -> 2 * s + a, (s, a, o) -> o)));
        return new ChoiceModel(
                "two states",
                List.of("stay", "go"),
                law,
                discount,
                LinearReward.ofRows(2, List.of("first", "second"), new double[][] {{0, 0}, {1, 0}, {0, 0}, {0, 1}}),
                InformationCost.STANDARD);
    }

    private static ChoiceProblem problem(double discount) {
        ChoiceModel model = model(discount);
        return new ChoiceProblem(
                model,
                model.simulate(
                        new double[] {-1, 0.5},
                        new double[0],
                        new double[] {0.5, 0.5},
                        40,
                        30,
                        RandomStream.of(5).named("two states")));
    }

    /**
     * V(s) = Q(s, stay) - log P(stay|s) and Q(s, stay) = gamma sum P(s'|s, stay) V(s') give V, two equations in two
     * unknowns; the utility of going is what is left of log-odds and values.
     */
    private static double[] inverted(double discount, double[] counts) {
        double[] odds = new double[2];
        double[] shock = new double[2];
        for (int s = 0; s < 2; s++) {
            odds[s] = Math.log(counts[2 * s + 1] / counts[2 * s]);
            shock[s] = -Math.log(counts[2 * s] / (counts[2 * s] + counts[2 * s + 1]));
        }
        double a = 1 - discount * STAY[0][0];
        double b = -discount * STAY[0][1];
        double c = -discount * STAY[1][0];
        double d = 1 - discount * STAY[1][1];
        double[] v = {(d * shock[0] - b * shock[1]) / (a * d - b * c), (a * shock[1] - c * shock[0]) / (a * d - b * c)};
        double[] theta = new double[2];
        for (int s = 0; s < 2; s++) {
            theta[s] = odds[s] - discount * ((GO[s][0] - STAY[s][0]) * v[0] + (GO[s][1] - STAY[s][1]) * v[1]);
        }
        return theta;
    }

    static Stream<PanelMethod> methods() {
        return Stream.of(
                new Ccp(SHARES),
                new Npl(SHARES, 100, 1e-10, false),
                Npl.standard().fromZero(),
                new Hmss(SHARES, new Futures(2000, 5, 1000)),
                new Bbl(SHARES, new Futures(2000, 5, 1000), 1e-6));
    }

    /** As many parameters as log-odds: every estimator fits the shares exactly, and so equals the inversion by hand. */
    @ParameterizedTest
    @MethodSource("methods")
    void estimatorsInvertTheShares(PanelMethod method) {
        for (double discount : new double[] {0, 0.6, 0.95}) {
            ChoiceProblem problem = problem(discount);
            Fit fit = method.fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE);
            assertThat(fit.converged()).as(fit.status()).isTrue();
            assertThat(fit.theta()).containsExactly(inverted(discount, problem.choiceCounts()), within(1e-5));
        }
    }

    /** Where a policy is optimal for theta, one more step of policy iteration does not feel a small change of it. */
    @Test
    void policyIterationIsFlatAtItsFixedPoint() {
        ChoiceProblem problem = problem(0.95);
        double[] theta = {-1, 0.5};
        SoftProcess process = new SoftProcess(
                problem.model().mdp(new double[0]), problem.model().cost());
        Valuation valuation = new Valuation(problem.model(), process, Visits.of(problem));
        SoftPolicy optimal = problem.model().solve(theta, new double[0]);
        SoftPolicy other = SoftPolicy.start(process);
        assertThat(slope(valuation, theta, optimal)).isLessThan(1e-5);
        assertThat(slope(valuation, theta, other)).isGreaterThan(1e-2);
    }

    /** Largest change of a log choice probability after the step, per change of the log-odds before it. */
    private static double slope(Valuation valuation, double[] theta, SoftPolicy at) {
        double h = 1e-4;
        double largest = 0;
        for (int s = 0; s < 2; s++) {
            SoftPolicy up = improved(valuation, theta, at, s, h);
            SoftPolicy down = improved(valuation, theta, at, s, -h);
            for (int row = 0; row < 4; row++) {
                largest = Math.max(largest, Math.abs(up.logPolicy()[row] - down.logPolicy()[row]) / (2 * h));
            }
        }
        return largest;
    }

    private static SoftPolicy improved(Valuation valuation, double[] theta, SoftPolicy at, int s, double by) {
        SoftPolicy policy = at.copy();
        double odds = at.logPolicy()[2 * s + 1] - at.logPolicy()[2 * s] + by;
        policy.logPolicy()[2 * s] = -Math.log1p(Math.exp(odds));
        policy.logPolicy()[2 * s + 1] = odds - Math.log1p(Math.exp(odds));
        for (int row = 0; row < 4; row++) {
            policy.policy()[row] = Math.exp(policy.logPolicy()[row]);
        }
        valuation.under(policy);
        valuation.improve(theta, policy);
        return policy;
    }
}
