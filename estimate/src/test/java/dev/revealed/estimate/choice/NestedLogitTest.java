package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.mixed.MixedEstimator;
import dev.revealed.estimate.choice.mixed.Population;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.choice.ShockReward;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.mdp.shock.NormalShocks;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dynamic models with shocks that are not independent Gumbel ones. */
class NestedLogitTest {
    private static final double[] THETA = {0.4, 1.5, 2, 0.6};
    private static final double[] PHI = {0.4};

    /** A machine that wears: run it, repair it a little, or replace it; the two repairs share a nest. */
    private static ChoiceModel model(boolean nested, int states) {
        double[] grid = new double[states];
        Arrays.setAll(grid, i -> i);
        StateSpace space = StateSpace.of(new StateSpace.Variable("wear", grid));
        Shifts wear = new Shifts(List.of("holds"), new int[] {0, 1}, states);
        TransitionLaw law = new TransitionLaw(
                space,
                3,
                List.of(new TransitionLaw.Part(
                        wear, (s, a) -> from(s, a), (s, a, o) -> wear.destination(from(s, a), o))));
        double[][] features = new double[3 * states][3];
        for (int s = 0; s < states; s++) {
            features[3 * s][0] = -s;
            features[3 * s + 1] = new double[] {-0.5 * s, -1, 0};
            features[3 * s + 2][2] = -1;
        }
        Reward linear = LinearReward.ofRows(3, List.of("upkeep", "repair", "replacement"), features);
        Reward utility = nested
                ? ShockReward.nested(linear, new int[] {0, 1, 1}, List.of("", "lambda"), new double[] {1, 1})
                : linear;
        return new ChoiceModel(
                "machine", List.of("run", "repair", "replace"), law, 0.9, utility, InformationCost.STANDARD);
    }

    private static int from(int s, int a) {
        return a == 0 ? s : a == 1 ? s / 2 : 0;
    }

    private static Panel panel(ChoiceModel model, double[] theta) {
        double[] start = new double[model.states()];
        start[0] = 1;
        return model.simulate(theta, PHI, start, 400, 40, RandomStream.of(3));
    }

    @Test
    void recoversUtilitiesAndDissimilarity() {
        ChoiceModel model = model(true, 8);
        for (StandardErrors kind : List.of(StandardErrors.OPG, StandardErrors.HESSIAN, StandardErrors.CLUSTER)) {
            Estimate found = new ChoiceEstimator(NestedFixedPoint.standard(), kind)
                    .fit(new ChoiceProblem(model, panel(model, THETA)), 1)
                    .estimate();
            assertThat(found.converged()).as(found.status()).isTrue();
            for (int j = 0; j < 4; j++) {
                double error = found.parameters().get(j).standardError().orElseThrow();
                assertThat(found.theta()[j]).isCloseTo(THETA[j], within(3 * error));
                assertThat(error).isBetween(1e-3, 0.3);
            }
        }
    }

    /** Scores of all parameters, those of the law included, are derivatives of the likelihood. */
    @Test
    void scoresAreDerivatives() {
        ChoiceModel model = model(true, 6);
        double[] counts = new ChoiceProblem(model, panel(model, THETA)).choiceCounts();
        RowScores scores = new RowScores(model, counts, PHI, true);
        double[] at = {0.4, 1.5, 2, 0.6, 0.4};
        scores.solve(at);
        scores.scores(at);
        double[] gradient = scores.gradient();
        double h = 1e-5;
        for (int j = 0; j < at.length; j++) {
            double[] up = at.clone();
            double[] down = at.clone();
            up[j] += h;
            down[j] -= h;
            double slope = (scores.solve(up) - scores.solve(down)) / (2 * h);
            assertThat(gradient[j]).isCloseTo(slope, within(1e-3 + 1e-6 * Math.abs(slope)));
        }
    }

    @Test
    void aDissimilarityOfOneIsTheLogit() {
        ChoiceModel logit = model(false, 8);
        ChoiceModel nested = model(true, 8);
        double[] theta = {0.4, 1.5, 2};
        double[] values = logit.solve(theta, PHI).values();
        assertThat(nested.solve(new double[] {0.4, 1.5, 2, 1}, PHI).values()).containsExactly(values, within(1e-9));
    }

    @Test
    void normalShocksAreEstimated() {
        Reward linear = model(false, 6).utility();
        ChoiceModel logit = model(false, 6);
        ChoiceModel probit = new ChoiceModel(
                "probit",
                logit.actions(),
                logit.law(),
                0.9,
                ShockReward.of(linear, NormalShocks.standard(3, 50)),
                InformationCost.STANDARD);
        double[] theta = {0.4, 1.5, 2};
        Estimate found = new ChoiceEstimator(NestedFixedPoint.standard())
                .fit(new ChoiceProblem(probit, panel(probit, theta)), 1)
                .estimate();
        assertThat(found.converged()).as(found.status()).isTrue();
        for (int j = 0; j < 3; j++) {
            assertThat(found.theta()[j])
                    .isCloseTo(
                            theta[j],
                            within(3 * found.parameters().get(j).standardError().orElseThrow()));
        }
    }

    /** The single loop ends where the nested fixed point does, whatever the shocks and however patient the agent. */
    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.999})
    void theSingleLoopFindsTheSameMaximum(double discount) {
        ChoiceModel nested = model(true, 8).withDiscount(discount);
        ChoiceModel normal = new ChoiceModel(
                "probit",
                nested.actions(),
                nested.law(),
                discount,
                ShockReward.of(model(false, 8).utility(), NormalShocks.standard(3, 50)),
                InformationCost.STANDARD);
        for (ChoiceModel model : List.of(nested, normal)) {
            ChoiceProblem problem = new ChoiceProblem(
                    model, panel(model, Arrays.copyOf(THETA, model.utility().parameters())));
            Estimate exact = new ChoiceEstimator(NestedFixedPoint.standard())
                    .fit(problem, 1)
                    .estimate();
            Estimate loop = new ChoiceEstimator(new MlIrlMethod(MlIrl.preconditioned()))
                    .withoutRestarts()
                    .fit(problem, 1)
                    .estimate();
            assertThat(loop.converged()).as(loop.status()).isTrue();
            for (int j = 0; j < exact.theta().length; j++) {
                double error = exact.parameters().get(j).standardError().orElseThrow();
                assertThat(loop.theta()[j]).isCloseTo(exact.theta()[j], within(1e-4 * error));
            }
        }
    }

    @Test
    void theDiscountsScoreIsADerivative() {
        ChoiceModel model = model(true, 6);
        double[] counts = new ChoiceProblem(model, panel(model, THETA)).choiceCounts();
        double h = 1e-5;
        double up = new RowScores(model.withDiscount(0.9 + h), counts, PHI, false).solve(THETA);
        double down = new RowScores(model.withDiscount(0.9 - h), counts, PHI, false).solve(THETA);
        RowScores scores = new RowScores(model, counts, PHI, false);
        scores.solve(THETA);
        scores.scores(THETA);
        double slope = (up - down) / (2 * h);
        assertThat(Dense.multiply(new double[][] {scores.discountScores()}, counts)[0])
                .isCloseTo(slope, within(1e-3 + 1e-6 * Math.abs(slope)));
    }

    /** Machines of two kinds, half of each, with a nest. */
    @Test
    void typesGoWithNests() {
        ChoiceModel model = model(true, 8);
        Panel mild = panel(model, THETA);
        Panel harsh = panel(model, new double[] {1.2, 1.5, 2, 0.6});
        Panel both = new Panel(Stream.concat(
                        mild.individuals().stream().limit(200),
                        harsh.individuals().stream().skip(200))
                .toList());
        Estimate found = MixedEstimator.of(Population.of(model).types(2, List.of("upkeep")))
                .fit(new ChoiceProblem(model, both), 1)
                .estimate();
        assertThat(found.converged()).as(found.status()).isTrue();
        for (Estimate.Parameter own : found.parameters()) {
            double truth = switch (own.name()) {
                case "upkeep[1]" -> 0.4;
                case "upkeep[2]" -> 1.2;
                case "repair" -> 1.5;
                case "replacement" -> 2;
                case "lambda" -> 0.6;
                case "share[1]" -> 0.5;
                default -> PHI[0];
            };
            assertThat(own.value())
                    .as(own.name())
                    .isCloseTo(truth, within(3 * own.standardError().orElseThrow()));
        }
    }

    static Stream<PanelMethod> logits() {
        return Stream.of(
                new MlIrlMethod(MlIrl.paper(1, 0.5, 10)),
                Mpec.standard(),
                Ccp.standard(),
                Npl.standard(),
                Hmss.standard(),
                TdCcp.semiGradient(),
                MaxEnt.standard());
    }

    @ParameterizedTest
    @MethodSource("logits")
    void methodsThatInvertALogitRefuse(PanelMethod method) {
        ChoiceModel model = model(true, 6);
        ChoiceProblem problem = new ChoiceProblem(model, panel(model, THETA));
        assertThatThrownBy(() -> new ChoiceEstimator(method).fit(problem, 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("nfxp");
    }
}
