package dev.revealed.estimate.choice.counterfactual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.choice.counterfactual.Effects.Comparison;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterfactualTest {
    /** Rust's estimates for group 4, and standard errors about as large as his. */
    private static final double[] THETA = {10.0750, 2.2930};

    private static final double[] PHI = {0.3918918193332567, 0.5952937063630258};
    private static final double[][] COVARIANCE = covariance(1);

    private static final RandomStream STREAM = RandomStream.of(1);

    private static double[][] covariance(double scale) {
        double[] error = {1.582, 0.639, 0.0075, 0.0075};
        double[][] covariance = new double[4][4];
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                double correlation = i == j ? 1 : i + j == 1 ? 0.9 : i + j == 5 ? -0.97 : 0;
                covariance[i][j] = scale * scale * correlation * error[i] * error[j];
            }
        }
        return covariance;
    }

    private static double[] uniform(int n) {
        double[] x = new double[n];
        Arrays.fill(x, 1.0 / n);
        return x;
    }

    private static double[] newEngines(int n) {
        double[] x = new double[n];
        x[0] = 1;
        return x;
    }

    private static ChoiceModel bus(double discount) {
        return RustBus.of(90, 2, discount, RustBus.Cost.LINEAR);
    }

    private static Counterfactual at(ChoiceModel model, double[][] covariance) {
        return Counterfactual.of(model, THETA, PHI, covariance, uniform(model.states()));
    }

    private static Counterfactual plain(ChoiceModel model) {
        return at(model, COVARIANCE).with(Intervals.NONE);
    }

    private static Effects effects(Counterfactual counterfactual, Change change) {
        return counterfactual.effects(change, STREAM, ProgressListener.NONE);
    }

    private static double number(Quantities quantities) {
        return quantities.value()[0];
    }

    /** In ended states nothing is chosen, so neither shares of actions nor a long run make sense. */
    @Test
    void modelsThatEndAreRefused() {
        ChoiceModel bus = bus(0.99);
        boolean[] ended = new boolean[bus.states()];
        ended[89] = true;
        ChoiceModel ends =
                new ChoiceModel("scrapped", bus.actions(), bus.law().ending(ended), 0.99, bus.utility(), bus.cost());
        assertThatThrownBy(() -> plain(ends))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the model ends")
                .hasMessageContaining("without `ends`");
    }

    /** 1000 buses for 100 months under a cheaper engine, from new engines: standard error from the buses themselves. */
    @Test
    void expectedReplacementsAreThoseOfASimulation() {
        ChoiceModel model = bus(0.9999);
        Effects effects = effects(
                Counterfactual.of(model, THETA, PHI, COVARIANCE, newEngines(90))
                        .over(100)
                        .with(Intervals.NONE),
                Change.none().set("RC", 5));
        Panel panel = model.simulate(new double[] {5, THETA[1]}, PHI, newEngines(90), 1000, 100, RandomStream.of(7));
        double[] perBus = panel.individuals().stream()
                .mapToDouble(bus -> Arrays.stream(bus.choices().actions())
                        .filter(a -> a == 1)
                        .count())
                .toArray();
        double mean = Arrays.stream(perBus).average().orElseThrow();
        double error = dev.revealed.numeric.Vec.standardError(perBus);
        assertThat(effects.fromStart().counterfactual().value()[1])
                .isBetween(mean - 3.5 * error, mean + 3.5 * error)
                .isEqualTo(mean, within(0.03 * mean));
    }

    /** The same for the long run: months 200 to 300, by which the buses have forgotten their start. */
    @Test
    void longRunReplacementsAreThoseOfASimulation() {
        ChoiceModel model = bus(0.9999);
        Effects effects = effects(plain(model), Change.none().set("RC", 5));
        Panel panel = model.simulate(new double[] {5, THETA[1]}, PHI, newEngines(90), 1000, 300, RandomStream.of(8));
        double[] perBus = panel.individuals().stream()
                .mapToDouble(bus -> Arrays.stream(bus.choices().actions(), 200, 300)
                        .filter(a -> a == 1)
                        .count())
                .toArray();
        double mean = Arrays.stream(perBus).average().orElseThrow();
        double error = dev.revealed.numeric.Vec.standardError(perBus);
        assertThat(100 * effects.shares().counterfactual().value()[1])
                .isBetween(mean - 3.5 * error, mean + 3.5 * error);
        assertThat(effects.longRun().counterfactual().value()[1])
                .isEqualTo(12 * effects.shares().counterfactual().value()[1], within(1e-14));
    }

    /**
     * Yearly replacements per bus against the replacement cost for group 4, as ruspy computes them: the file
     * ruspy/test/resources/demand_test/get_demand.txt of its commit bb8ca7b, RC = 2 + 11 i / 99.
     */
    @ParameterizedTest
    @CsvSource({
        "0, 1.533931365",
        "9, 0.7462620796",
        "27, 0.2959257308",
        "50, 0.1730383125",
        "72, 0.1320297381",
        "99, 0.1049278067"
    })
    void demandIsRuspys(int i, double published) {
        Demand demand = plain(bus(0.9999))
                .demand(
                        Change.none(),
                        "RC",
                        new double[] {2 + 11 * i / 99.0},
                        "replace",
                        1,
                        STREAM,
                        ProgressListener.NONE);
        assertThat(demand.longRun().value()[0]).isEqualTo(published, within(1e-5)); // its estimates have four decimals
    }

    @Test
    void aFleetBuysAsManyEnginesAsItHasBuses() {
        Counterfactual counterfactual = plain(bus(0.99));
        double[] grid = {4, 8};
        Demand one = counterfactual.demand(Change.none(), "RC", grid, "replace", 1, STREAM, ProgressListener.NONE);
        Demand fleet = counterfactual.demand(Change.none(), "RC", grid, "replace", 37, STREAM, ProgressListener.NONE);
        for (int i = 0; i < 2; i++) {
            assertThat(fleet.longRun().value()[i]).isEqualTo(37 * one.longRun().value()[i], within(1e-12));
            Effects effects = effects(counterfactual, Change.none().set("RC", grid[i]));
            assertThat(one.longRun().value()[i])
                    .isEqualTo(effects.longRun().counterfactual().value()[1], within(1e-9));
            assertThat(one.fromStart().value()[i])
                    .isEqualTo(effects.fromStart().counterfactual().value()[1], within(1e-9));
        }
    }

    /** Envelope: a small rise of RC costs the discounted expected number of replacements, followed here step by step. */
    @Test
    void welfareFallsByWhatIsBoughtTimesTheRiseOfItsPrice() {
        double discount = 0.95;
        ChoiceModel model = bus(discount);
        double[] policy = model.solve(THETA, PHI).policy();
        Kernel kernel = model.law().kernel(PHI);
        double[] here = uniform(90);
        double bought = 0;
        double weight = 1;
        for (int t = 0; t < 800; t++) {
            double[] next = new double[90];
            for (int row = 0; row < 180; row++) {
                double flow = here[row / 2] * policy[row];
                bought += row % 2 == 1 ? weight * flow : 0;
                for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                    next[kernel.successor()[k]] += flow * kernel.probability()[k];
                }
            }
            here = next;
            weight *= discount;
        }
        double rise = 1e-4;
        double up = number(effects(plain(model), Change.none().set("RC", THETA[0] + rise))
                .welfare()
                .value()
                .change());
        double down = number(effects(plain(model), Change.none().set("RC", THETA[0] - rise))
                .welfare()
                .value()
                .change());
        assertThat((up - down) / (2 * rise)).isEqualTo(-bought, within(1e-6 * bought));
    }

    /** With a stationary distribution m, (1 - discount) m'V is the mean payoff: utility plus what the shocks add. */
    @Test
    void theFlowIsTheMeanPayoffOfThePeriods() {
        ChoiceModel model = bus(0.99);
        Effects effects = effects(plain(model), Change.none());
        double[] m = effects.stationary().baseline().value();
        double[] p = effects.choiceProbabilities().baseline().value();
        double[] rows = new double[180];
        model.utility().values(THETA, rows);
        double mean = 0;
        for (int row = 0; row < 180; row++) {
            mean += m[row / 2] * p[row] * (rows[row] - Math.log(p[row]));
        }
        assertThat(number(effects.welfare().flow().baseline())).isEqualTo(mean, within(1e-9));
        assertThat(number(effects.welfare().annuity().baseline()))
                .isEqualTo(
                        0.01
                                * Arrays.stream(effects.values().baseline().value())
                                        .average()
                                        .orElseThrow(),
                        within(1e-9));
    }

    /** Without a future the choice is a logit, whose interval is known: the logit is linear in theta. */
    @Test
    void withoutAFutureTheIntervalIsThatOfALogit() {
        Effects effects = effects(
                at(bus(0), COVARIANCE).with(new Intervals(0.9, true, 0)),
                Change.none().set("RC", 3));
        Quantities baseline = effects.choiceProbabilities().baseline();
        Quantities changed = effects.choiceProbabilities().counterfactual();
        double z = Normal.quantile(0.95);
        for (int s = 0; s < 90; s += 7) {
            double slope = 0.001 * s;
            double variance = COVARIANCE[0][0] - 2 * slope * COVARIANCE[0][1] + slope * slope * COVARIANCE[1][1];
            double logit = -THETA[0] + slope * THETA[1];
            int replace = 2 * s + 1;
            assertThat(baseline.value()[replace]).isEqualTo(logistic(logit), within(1e-12));
            Quantities.Spread spread = baseline.delta().orElseThrow();
            assertThat(spread.low()[replace])
                    .isEqualTo(logistic(logit - z * Math.sqrt(variance)), within(1e-3 * logistic(logit)));
            assertThat(spread.high()[replace])
                    .isEqualTo(logistic(logit + z * Math.sqrt(variance)), within(1e-3 * logistic(logit + 3)));
            // RC is set: only theta11 is uncertain
            double own = -3 + slope * THETA[1];
            assertThat(changed.delta().orElseThrow().high()[replace])
                    .isEqualTo(logistic(own + z * slope * Math.sqrt(COVARIANCE[1][1])), within(1e-6));
        }
    }

    private static double logistic(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    @Test
    void bothIntervalsAgreeWhereErrorsAreSmall() {
        Effects effects = effects(
                at(bus(0.9999), covariance(0.03)),
                Change.none().set("theta11", 4).discount(0.999));
        for (Comparison comparison : new Comparison[] {
            effects.longRun(), effects.fromStart(), effects.welfare().annuity(), effects.values()
        }) {
            for (Quantities quantities :
                    new Quantities[] {comparison.baseline(), comparison.counterfactual(), comparison.change()}) {
                Quantities.Spread delta = quantities.delta().orElseThrow();
                Quantities.Spread bootstrap = quantities.bootstrap().orElseThrow();
                for (int i = 0; i < quantities.value().length; i++) {
                    double error = delta.standardError()[i]; // percentiles of 1000 draws are known to 0.085 of it
                    assertThat(error).isPositive();
                    assertThat(bootstrap.standardError()[i]).isEqualTo(error, within(0.12 * error));
                    assertThat(bootstrap.low()[i]).isEqualTo(delta.low()[i], within(0.4 * error));
                    assertThat(bootstrap.high()[i]).isEqualTo(delta.high()[i], within(0.4 * error));
                    assertThat(delta.low()[i]).isLessThan(quantities.value()[i]);
                    assertThat(delta.high()[i]).isGreaterThan(quantities.value()[i]);
                }
            }
        }
    }

    @Test
    void aParameterThatIsSetHasNoError() {
        double[][] onlyRc = new double[4][4];
        onlyRc[0][0] = 1;
        Effects effects = effects(at(bus(0.99), onlyRc), Change.none().set("RC", 5));
        for (int a = 0; a < 2; a++) {
            Quantities before = effects.shares().baseline();
            Quantities after = effects.shares().counterfactual();
            assertThat(before.delta().orElseThrow().standardError()[a]).isGreaterThan(1e-4);
            assertThat(after.delta().orElseThrow().standardError()[a]).isZero();
            assertThat(after.bootstrap().orElseThrow().low()[a]).isEqualTo(after.value()[a], within(1e-9));
            assertThat(after.bootstrap().orElseThrow().high()[a]).isEqualTo(after.value()[a], within(1e-9));
        }
    }

    /** Without replacement every engine ends in the last bin and stays there at c(n) a month. */
    @Test
    void anActionThatIsRemovedIsNeverTaken() {
        Effects effects = effects(at(bus(0.99), COVARIANCE), Change.none().remove("replace"));
        Quantities probabilities = effects.choiceProbabilities().counterfactual();
        for (int s = 0; s < 90; s++) {
            assertThat(probabilities.value()[2 * s]).isEqualTo(1);
            assertThat(probabilities.value()[2 * s + 1]).isZero();
            assertThat(probabilities.delta().orElseThrow().high()[2 * s + 1]).isZero();
            assertThat(probabilities.bootstrap().orElseThrow().high()[2 * s + 1])
                    .isZero();
        }
        assertThat(effects.shares().counterfactual().value()).containsExactly(1, 0);
        assertThat(effects.stationary().counterfactual().value()[89]).isEqualTo(1, within(1e-12));
        assertThat(effects.values().counterfactual().value()[89])
                .isEqualTo(-0.001 * THETA[1] * 90 / (1 - 0.99), within(1e-8));
        assertThat(number(effects.welfare().value().change())).isNegative();
    }

    @Test
    void anActionMayBeRemovedInSomeStatesOnly() {
        Effects effects = effects(plain(bus(0.99)), Change.none().remove("replace", s -> s < 40));
        double[] probabilities = effects.choiceProbabilities().counterfactual().value();
        for (int s = 0; s < 90; s++) {
            assertThat(probabilities[2 * s + 1] > 0).isEqualTo(s >= 40);
            assertThat(probabilities[2 * s] + probabilities[2 * s + 1]).isEqualTo(1, within(1e-12));
        }
        assertThatThrownBy(() -> effects(
                        plain(bus(0.99)),
                        Change.none().remove("replace", s -> s > 20).remove("keep")))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("mileage=22.0");
    }

    /** Another law: buses that move three bins at times, whose probabilities the data did not tell. */
    @Test
    void anotherModelTakesTheEstimatesOfTheSameName() {
        ChoiceModel other = RustBus.of(90, 3, 0.99, RustBus.Cost.LINEAR);
        Counterfactual counterfactual = plain(bus(0.99));
        Change change = Change.none().model(other).set("theta30", 0.2).set("theta31", 0.3);
        assertThatThrownBy(() -> effects(counterfactual, change))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("'theta32'");
        Effects effects = effects(counterfactual, change.set("theta32", 0.4));
        double[] expected = other.solve(THETA, new double[] {0.2, 0.3, 0.4}).policy();
        assertThat(effects.choiceProbabilities().counterfactual().value()).containsExactly(expected, within(1e-9));
        assertThatThrownBy(() ->
                        effects(counterfactual, Change.none().model(RustBus.of(175, 2, 0.99, RustBus.Cost.LINEAR))))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("175 states");
    }

    @Test
    void impossibleDrawsAreDrawnAgainAndCounted() {
        double[][] wide = covariance(1);
        wide[2][2] = wide[3][3] = 1e-4; // the third probability is 0.013 with an error of 0.014
        wide[2][3] = wide[3][2] = 0;
        Effects effects = effects(
                at(bus(0.99), wide).with(new Intervals(0.95, true, 200)),
                Change.none().set("RC", 5));
        double above = Normal.cdf(-(1 - PHI[0] - PHI[1]) / Math.sqrt(2e-4)); // of a draw whose rest is negative
        double expected = 200 * above / (1 - above);
        assertThat((double) effects.rejected()).isEqualTo(expected, within(5 * Math.sqrt(expected)));
        assertThat(effects.warnings()).anyMatch(w -> w.startsWith(effects.rejected() + " draws"));
        Quantities.Spread stationary =
                effects.stationary().counterfactual().bootstrap().orElseThrow();
        assertThat(stationary.low()).doesNotContain(Double.NaN);
        assertThat(Arrays.stream(stationary.low()).min().orElseThrow()).isNotNegative();
    }

    @Test
    void welfareInANumeraireIsDividedByItsCoefficient() {
        Effects effects = effects(
                at(bus(0.99), COVARIANCE).with(new Intervals(0.95, true, 0)).inUnitsOf("RC"),
                Change.none().set("theta11", 1));
        double value = number(effects.welfare().value().change());
        Quantities units = effects.welfare().valueInNumeraire().orElseThrow().change();
        assertThat(number(units)).isEqualTo(value / THETA[0], within(1e-10));
        double unitError = units.delta().orElseThrow().standardError()[0];
        double naive = effects.welfare().value().change().delta().orElseThrow().standardError()[0] / THETA[0];
        assertThat(Math.abs(unitError - naive)).isGreaterThan(0.01 * naive); // the numeraire's own error counts
        assertThatThrownBy(() -> plain(bus(0.99)).inUnitsOf("theta30")).isInstanceOf(BadInput.class);
    }

    @Test
    void nothingChangedChangesNothing() {
        Effects effects = effects(at(bus(0.99), COVARIANCE).with(new Intervals(0.95, true, 100)), Change.none());
        assertThat(effects.shares().change().value()).containsOnly(0.0);
        assertThat(effects.values().change().delta().orElseThrow().standardError())
                .containsOnly(0.0);
    }

    @Test
    void resultsDoNotDependOnTheNumberOfThreads() {
        Counterfactual counterfactual = at(bus(0.99), COVARIANCE).with(new Intervals(0.95, true, 100));
        Change change = Change.none().set("RC", 6);
        try {
            Parallel.threads(1);
            Quantities one = effects(counterfactual, change).longRun().change();
            Parallel.threads(3);
            Quantities three = effects(counterfactual, change).longRun().change();
            assertThat(one.bootstrap().orElseThrow().low())
                    .isEqualTo(three.bootstrap().orElseThrow().low());
            assertThat(one.delta().orElseThrow().low())
                    .isEqualTo(three.delta().orElseThrow().low());
        } finally {
            Parallel.threads(Runtime.getRuntime().availableProcessors());
        }
    }

    @Test
    void withoutACovarianceThereAreNoIntervals() {
        double[][] unknown = covariance(1);
        unknown[1][1] = Double.NaN;
        Effects effects = effects(at(bus(0.99), unknown), Change.none().set("RC", 5));
        assertThat(effects.shares().change().spread()).isEmpty();
        assertThat(effects.warnings()).anyMatch(w -> w.contains("covariance"));
    }

    private static void refused(String part, Consumer<Counterfactual> attempt) {
        assertThatThrownBy(() -> attempt.accept(plain(bus(0.99))))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining(part);
    }

    @Test
    void impossibleChangesAreRefused() {
        refused("'rc'", c -> effects(c, Change.none().set("rc", 5)));
        refused("'scrap'", c -> effects(c, Change.none().remove("scrap")));
        refused("mileage", c -> effects(c, Change.none().set("theta30", 1.2)));
        refused("mileage", c -> effects(c, Change.none().set("theta30", 0.8)));
        refused("discount is 1.0", c -> effects(c, Change.none().discount(1)));
        refused("NaN", c -> effects(c, Change.none().set("RC", Double.NaN)));
        refused("horizon", c -> c.over(0));
        refused(
                "mileage",
                c -> c.demand(
                        Change.none(), "theta31", new double[] {0.1, 0.9}, "keep", 1, STREAM, ProgressListener.NONE));
    }
}
