package dev.revealed.estimate.choice.mixed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Machines;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.types.TypesEstimator;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MixedEstimatorTest {
    private static final ChoiceModel MODEL = Machines.model(0.9);
    private static final List<String> INCOME = List.of("income");

    /** Machines whose price is 3 + 0.8 income + 1 times a normal number, or of two kinds, with income -1, 0 or 1. */
    private static ChoiceProblem drawn(int machines, int months, boolean kinds, double spread, long seed) {
        RandomStream stream = RandomStream.of(seed);
        double[] start = new double[MODEL.states()];
        Arrays.fill(start, 1.0 / start.length);
        List<Panel.Individual> all = new ArrayList<>();
        for (int i = 0; i < machines; i++) {
            double income = i % 3 - 1;
            RandomStream own = stream.at(i);
            double price = kinds ? (i % 5 < 3 ? 2 : 4.5) : 3 + 0.8 * income + spread * own.nextGaussian();
            Panel one = MODEL.simulate(new double[] {0.4, 1, price}, Machines.phi(), start, 1, months, own.named("p"));
            Panel.Individual first = one.individuals().getFirst();
            all.add(new Panel.Individual(
                    "i" + i, first.choices(), first.cells(), first.outcomes(), 1, "", new double[] {income}));
        }
        return new ChoiceProblem(MODEL, new Panel(all, Panel.Weights.FREQUENCY, INCOME));
    }

    private static final ChoiceProblem SMALL = drawn(60, 20, false, 1, 5);

    private static Population random() {
        return Population.of(MODEL).random(List.of("price")).points(7);
    }

    private static Population interacting() {
        return Population.of(MODEL).interacting(List.of(new Population.Interaction("price", "income")), INCOME);
    }

    static Stream<Population> populations() {
        return Stream.of(
                random(),
                random().interacting(List.of(new Population.Interaction("price", "income")), INCOME),
                Population.of(MODEL).types(2, List.of("price", "upkeep")),
                Population.of(MODEL).types(3, List.of("price")).withDiscount(),
                Population.of(MODEL).withDiscount());
    }

    @Test
    void quadratureHasTheMomentsOfTheNormal() {
        NormalQuadrature nodes = NormalQuadrature.of(2, 7);
        double[] moments = new double[5];
        for (int k = 0; k < nodes.weights().length; k++) {
            double a = nodes.points()[k][0];
            double b = nodes.points()[k][1];
            double[] own = {1, a, a * a * b * b, Math.pow(a, 4), Math.pow(b, 12)};
            for (int m = 0; m < own.length; m++) {
                moments[m] += nodes.weights()[k] * own[m];
            }
        }
        assertThat(moments).containsExactly(new double[] {1, 0, 1, 3, 10395}, within(1e-8));
    }

    @ParameterizedTest
    @MethodSource("populations")
    void scoresAreTheSlopesOfTheLikelihood(Population population) {
        MixedLikelihood likelihood = new MixedLikelihood(SMALL, SMALL.firstStage(), population);
        double[] x = population.start(new double[] {0.5, 0.8, 2.5}, new double[] {0.1, 0.3, 0.7}, 0.85);
        for (int j = 0; j < x.length; j++) {
            x[j] += 0.05 * Math.sin(j);
        }
        double[] gradient = MixedMethod.gradient(likelihood, likelihood.at(x, true, true));
        for (int j = 0; j < x.length; j++) {
            double[] up = x.clone();
            double[] down = x.clone();
            up[j] += 1e-5;
            down[j] -= 1e-5;
            double slope = (likelihood.at(up, false, false).logLikelihood()
                            - likelihood.at(down, false, false).logLikelihood())
                    / 2e-5;
            assertThat(gradient[j])
                    .as(population.names().get(j))
                    .isCloseTo(slope, within(2e-4 * (1 + Math.abs(slope))));
        }
        double[] reported = population.reported(x);
        assertThat(population.reported(population.search(reported))).containsExactly(reported, within(1e-12));
    }

    @Test
    void whereNobodyDiffersItIsNestedFixedPoint() {
        for (StandardErrors kind : List.of(StandardErrors.HESSIAN, StandardErrors.CLUSTER)) {
            Estimate mixed = MixedEstimator.of(Population.of(MODEL))
                    .with(kind)
                    .fit(SMALL, 1)
                    .estimate();
            Estimate plain = new ChoiceEstimator(NestedFixedPoint.standard(), kind)
                    .fit(SMALL, 1)
                    .estimate();
            assertThat(mixed.converged()).isTrue();
            assertThat(mixed.theta()).containsExactly(plain.theta(), within(1e-4));
            // moves are summed by individual here and by month there, which is the same with clusters
            for (int j = 0; j < (kind == StandardErrors.CLUSTER ? 5 : 3); j++) {
                double one = mixed.parameters().get(j).standardError().orElseThrow();
                double other = plain.parameters().get(j).standardError().orElseThrow();
                assertThat(one / other).isBetween(0.97, 1.03); // cross terms of the two steps are estimated otherwise
            }
        }
    }

    private static void recovers(ChoiceEstimate found, String name, double truth) {
        Estimate.Parameter p = found.estimate().parameters().stream()
                .filter(own -> own.name().equals(name))
                .findFirst()
                .orElseThrow();
        double error = p.standardError().orElseThrow();
        assertThat(p.value()).as(name).isCloseTo(truth, within(3 * error));
        assertThat(error).as(name).isLessThan(0.3);
    }

    @Test
    void findsRandomCoefficientsAndCovariates() {
        ChoiceProblem problem = drawn(400, 40, false, 1, 11);
        Population both = random().interacting(List.of(new Population.Interaction("price", "income")), INCOME);
        ChoiceEstimate found =
                MixedEstimator.of(both).with(StandardErrors.CLUSTER).fit(problem, 1);
        assertThat(found.estimate().converged()).as(found.estimate().status()).isTrue();
        recovers(found, "price", 3);
        recovers(found, "price:income", 0.8);
        recovers(found, "sd(price)", 1);
        recovers(found, "upkeep", 0.4);
        recovers(found, "stays", 0.3);
    }

    @Test
    void noSpreadIsSaidToBeNone() {
        ChoiceProblem alike = drawn(80, 20, false, 0, 2);
        Estimate found = MixedEstimator.of(
                        interacting().random(List.of("upkeep")).points(7))
                .fit(alike, 1)
                .estimate();
        boolean zero = found.warnings().stream().anyMatch(said -> said.contains("sd(upkeep) is zero"));
        double error = found.parameters().get(4).standardError().orElse(Double.POSITIVE_INFINITY);
        assertThat(zero || found.theta()[4] < 3 * error).isTrue();
    }

    @Test
    void typesHaveTheErrorsOfEmAndOthers() {
        ChoiceProblem problem = drawn(300, 30, true, 0, 3);
        Population two = Population.of(MODEL).types(2, List.of("price"));
        Estimate em = TypesEstimator.of(2, "price").fit(problem, 1).estimate();
        Estimate mixed = MixedEstimator.of(two).fit(problem, 1).estimate();
        assertThat(mixed.logLikelihood()).isCloseTo(em.logLikelihood(), within(1e-5));
        assertThat(mixed.theta()).containsExactly(em.theta(), within(1e-3));
        for (int j = 0; j < em.covariance().length; j++) {
            assertThat(mixed.covariance()[j]).containsExactly(em.covariance()[j], within(1e-4));
        }
        ChoiceEstimate clustered =
                MixedEstimator.of(two).with(StandardErrors.CLUSTER).fit(problem, 1);
        recovers(clustered, "price[1]", 2);
        recovers(clustered, "price[2]", 4.5);
        recovers(clustered, "share[1]", 0.6);
        ChoiceEstimator.Replications few = ChoiceEstimator.Replications.inMemory(20);
        ChoiceEstimate resampled = new MixedEstimator(two, StandardErrors.BOOTSTRAP, few, 3, 300).fit(problem, 1);
        double error =
                resampled.estimate().parameters().getFirst().standardError().orElseThrow();
        assertThat(error
                        / clustered
                                .estimate()
                                .parameters()
                                .getFirst()
                                .standardError()
                                .orElseThrow())
                .isBetween(0.5, 2.0);
        assertThat(resampled.bootstrap().orElseThrow().names())
                .startsWith("upkeep")
                .contains("share[1]", "stays");
    }

    @Test
    void theDiscountIsEstimated() {
        ChoiceProblem problem = drawn(500, 40, false, 0, 4);
        ChoiceEstimate found = MixedEstimator.of(interacting().withDiscount())
                .with(StandardErrors.CLUSTER)
                .fit(problem, 1);
        assertThat(found.estimate().converged()).as(found.estimate().status()).isTrue();
        recovers(found, "discount", 0.9);
        recovers(found, "price:income", 0.8);
    }

    @Test
    void aWeightedPanelIsItsExpandedCopy() {
        List<Panel.Individual> weighted = new ArrayList<>();
        List<Panel.Individual> copies = new ArrayList<>();
        List<Panel.Individual> all = SMALL.panel().individuals();
        for (int i = 0; i < all.size(); i++) {
            weighted.add(all.get(i).weighing(1 + i % 2));
            copies.addAll(Collections.nCopies(1 + i % 2, all.get(i)));
        }
        MixedEstimator estimator = MixedEstimator.of(random()).with(StandardErrors.CLUSTER);
        Estimate one =
                estimator.fit(SMALL.withPanel(SMALL.panel().with(weighted)), 1).estimate();
        Estimate other =
                estimator.fit(SMALL.withPanel(SMALL.panel().with(copies)), 1).estimate();
        assertThat(one.theta()).containsExactly(other.theta(), within(1e-4));
        assertThat(one.covariance()[2][2]).isCloseTo(other.covariance()[2][2], within(1e-4));
        assertThat(one.logLikelihood()).isCloseTo(other.logLikelihood(), within(1e-6));
    }

    @Test
    void refusesWhatIsNotThere() {
        assertThatThrownBy(() -> Population.of(MODEL).random(List.of("prise")))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("'prise' is not a parameter");
        assertThatThrownBy(() -> Population.of(MODEL)
                        .interacting(List.of(new Population.Interaction("price", "age")), List.of()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("'age' is not a covariate");
        assertThatThrownBy(() -> random().types(2, List.of("upkeep")))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("both asked for");
    }
}
