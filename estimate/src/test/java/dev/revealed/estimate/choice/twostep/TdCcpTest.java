package dev.revealed.estimate.choice.twostep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.KnownProbabilities;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TdCcpTest {

    private static Fit fit(TdCcp method, ChoiceProblem problem, long seed) {
        return method.fit(problem, problem.firstStage(), RandomStream.of(seed), ProgressListener.NONE);
    }

    /** The plain form chooses its basis, which takes most of the time; the robust one is given it where panels are many. */
    private static TdCcp ofFolds(int folds) {
        TdCcp plain = TdCcp.semiGradient();
        return folds == 1
                ? plain
                : plain.basis(TdCcp.Basis.POLYNOMIALS).degree(3).folds(folds);
    }

    private static double[] standardErrors(Fit fit) {
        double[] squares = new double[fit.theta().length];
        for (double[] own : fit.influence().orElseThrow()) {
            Arrays.setAll(squares, j -> squares[j] + own[j] * own[j]);
        }
        return Arrays.stream(squares).map(Math::sqrt).toArray();
    }

    /**
     * With a basis that can follow any function, the values are those of the chain of (state, action) pairs as observed:
     * solved here from the counts, at which the logit's first-order conditions must hold.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.95, 0.9999})
    void saturatedBasisSolvesTheObservedChain(double discount) {
        ChoiceProblem problem = Buses.problem(4, discount, 100, 60, 5);
        double[] theta = fit(TdCcp.semiGradient().degree(6), problem, 1).theta();
        int rows = 8;
        double[] log = ChoiceProbabilities.STANDARD.of(problem).logarithms();
        double[][] system = new double[rows][rows];
        double[][] target = new double[3][rows];
        double[] column = new double[rows];
        for (Panel.Individual bus : problem.panel().individuals()) {
            int[] path = path(bus);
            for (int t = 0; t + 1 < path.length; t++) {
                system[path[t]][path[t]]++;
                system[path[t]][path[t + 1]] -= discount;
                for (int c = 0; c < 2; c++) {
                    problem.model().utility().derivative(theta, c, column);
                    target[c][path[t]] += column[path[t]];
                }
                target[2][path[t]] -= discount * log[path[t + 1]];
            }
        }
        double[][] values = new double[3][];
        for (int c = 0; c < 3; c++) {
            values[c] = Dense.solve(system, target[c]).orElseThrow();
        }
        double[] counts = problem.choiceCounts();
        for (int j = 0; j < 2; j++) {
            double score = 0;
            for (int s = 0; s < 4; s++) {
                double difference = 0;
                for (int c = 0; c < 3; c++) {
                    difference += (c < 2 ? theta[c] : 1) * (values[c][2 * s + 1] - values[c][2 * s]);
                }
                double visits = counts[2 * s] + counts[2 * s + 1];
                score += (counts[2 * s + 1] - visits / (1 + Math.exp(-difference)))
                        * (values[j][2 * s + 1] - values[j][2 * s]);
            }
            assertThat(score)
                    .isCloseTo(
                            0,
                            within(1e-6 * Vec.span(values[j]) * problem.panel().decisions()));
        }
    }

    private static int[] path(Panel.Individual bus) {
        int[] actions = bus.choices().actions();
        return IntStream.range(0, bus.choices().length())
                .map(t -> 2 * bus.choices().states()[t] + (actions == null ? 0 : actions[t]))
                .toArray();
    }

    /** Influence is how much the estimate moves when an individual is added to many copies of the panel. */
    @Test
    void influenceIsWhatOneMoreIndividualDoes() {
        ChoiceProblem problem = Buses.problem(6, 0.95, 30, 60, 6);
        TdCcp method = TdCcp.semiGradient().basis(TdCcp.Basis.RANKS).degree(6); // not chosen anew by each panel
        Fit fit = fit(method, problem, 1);
        double[][] influence = fit.influence().orElseThrow();
        int copies = 20;
        double[][] moved = new double[30][];
        for (int i = 0; i < 30; i++) {
            int more = i;
            int[] draw = IntStream.rangeClosed(0, 30 * copies)
                    .map(k -> k == 0 ? more : k % 30)
                    .toArray();
            Fit next = fit(method, problem.withPanel(problem.panel().drawn(draw)), 1);
            moved[i] = Vec.plus(next.theta(), -1, fit.theta());
        }
        for (int j = 0; j < 2; j++) {
            int parameter = j;
            double[] told =
                    Arrays.stream(influence).mapToDouble(own -> own[parameter]).toArray();
            double[] seen = Arrays.stream(moved)
                    .mapToDouble(own -> own[parameter] * copies)
                    .toArray();
            assertThat(Vec.correlation(told, seen)).isGreaterThan(0.98);
            assertThat(Vec.slope(told, seen)).isCloseTo(1, within(0.1));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0.95", "10, 0.95", "1, 0.9999", "10, 0.9999"})
    void intervalsCoverTheTruth(int folds, double discount) {
        int worlds = 120;
        TdCcp method = ofFolds(folds);
        double[][] estimates = new double[2][worlds];
        double[] meanVariance = new double[2];
        int[] covered = new int[2];
        for (int i = 0; i < worlds; i++) {
            Fit fit = fit(method, Buses.problem(20, discount, 200, 50, 1000 + i), i);
            assertThat(fit.converged()).isTrue();
            double[] errors = standardErrors(fit);
            for (int j = 0; j < 2; j++) {
                estimates[j][i] = fit.theta()[j];
                meanVariance[j] += errors[j] * errors[j] / worlds;
                covered[j] += Math.abs(fit.theta()[j] - Buses.theta()[j]) <= 1.96 * errors[j] ? 1 : 0;
            }
        }
        for (int j = 0; j < 2; j++) {
            double spread = Vec.standardError(estimates[j]) * Math.sqrt(worlds);
            assertThat(covered[j] / (double) worlds).isBetween(0.89, 0.995);
            assertThat(Math.sqrt(meanVariance[j]) / spread).isBetween(0.83, 1.2);
            assertThat(Vec.mean(estimates[j])).isCloseTo(Buses.theta()[j], within(0.4 * spread));
        }
    }

    /**
     * Adusumilli and Eckardt's bus engines (their online appendix, Table B.1, as quoted in the validation of the econirl
     * project): 1000 buses over 30 periods, mileage up by one a period, a known type 1 or 2, 1000 simulations. Printed are
     * means 1.979, -.149, 1.004 and standard deviations .087, .0033, .058, and almost the same for the locally robust form.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void spreadsAsPublished(int folds) {
        ChoiceModel model = engines();
        double[] truth = {2, -0.15, 1};
        double[] printed = {0.0868, 0.0033, 0.0583};
        double[] start = stationary(model, truth);
        int worlds = 50;
        double[][] estimates = new double[3][worlds];
        for (int i = 0; i < worlds; i++) {
            Panel panel = model.simulate(
                    truth, new double[0], start, 1000, 30, RandomStream.of(11).at(i));
            Fit fit = fit(ofFolds(folds), new ChoiceProblem(model, panel), i);
            for (int j = 0; j < 3; j++) {
                estimates[j][i] = fit.theta()[j];
            }
        }
        for (int j = 0; j < 3; j++) {
            double spread = Vec.standardError(estimates[j]) * Math.sqrt(worlds);
            assertThat(spread / printed[j]).isBetween(0.72, 1.3);
            assertThat(Vec.mean(estimates[j])).isCloseTo(truth[j], within(0.5 * printed[j]));
        }
    }

    private static ChoiceModel engines() {
        int bins = 60;
        StateSpace space = StateSpace.of(
                new StateSpace.Variable(
                        "x", IntStream.range(0, bins).asDoubleStream().toArray()),
                new StateSpace.Variable("s", new double[] {1, 2}));
        TransitionLaw law = new TransitionLaw(
                space,
                2,
                List.of(
                        new TransitionLaw.Part(
                                KnownProbabilities.certain(),
                                (s, a) -> 0,
                                (s, a, o) -> a == 1 ? 0 : Math.min(bins - 1, s / 2 + 1)),
                        new TransitionLaw.Part(KnownProbabilities.certain(), (s, a) -> 0, (s, a, o) -> s % 2)));
        double[][] features = new double[4 * bins][3];
        for (int s = 0; s < 2 * bins; s++) {
            features[2 * s] = new double[] {1, space.value(s, 0), space.value(s, 1)};
        }
        return new ChoiceModel(
                "engines",
                List.of("keep", "replace"),
                law,
                0.9,
                LinearReward.ofRows(2, List.of("theta0", "theta1", "theta2"), features),
                InformationCost.STANDARD);
    }

    /** Where the engines of each type, half of all, are in the long run. */
    private static double[] stationary(ChoiceModel model, double[] theta) {
        double[] policy = model.solve(theta, new double[0]).policy();
        Kernel kernel = model.law().kernel(new double[0]);
        double[] share = new double[model.states()];
        share[0] = 0.5;
        share[1] = 0.5;
        for (int t = 0; t < 2000; t++) {
            double[] next = new double[share.length];
            for (int row = 0; row < policy.length; row++) {
                next[kernel.successor()[kernel.rowStart()[row]]] += share[row / 2] * policy[row];
            }
            share = next;
        }
        double total = Vec.sum(share);
        return Arrays.stream(share).map(x -> x / total).toArray();
    }

    /** Two variables, three actions of which one is not always available, a temperature, and no law of motion used. */
    @Test
    void severalVariablesAndActions() {
        ChoiceModel model = machines(0.7);
        double[] truth = {-0.5, -1.5, 0.8};
        double[] start = new double[model.states()];
        Arrays.fill(start, 1.0 / start.length);
        ChoiceProblem problem = new ChoiceProblem(
                model,
                model.simulate(
                        truth,
                        new double[] {0.4, 0.25, 0.5},
                        start,
                        400,
                        60,
                        RandomStream.of(3).named("data")));
        Fit exact = NestedFixedPoint.standard()
                .fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE);
        for (TdCcp method : List.of(TdCcp.semiGradient(), TdCcp.locallyRobust())) {
            Fit fit = fit(method, problem, 1);
            double[] errors = standardErrors(fit);
            for (int j = 0; j < truth.length; j++) {
                assertThat(errors[j]).isLessThan(0.25 * Math.abs(truth[j]));
                assertThat(fit.theta()[j]).isCloseTo(truth[j], within(3 * errors[j]));
                assertThat(fit.theta()[j]).isCloseTo(exact.theta()[j], within(2 * errors[j]));
            }
        }
    }

    /** Wear 0..9 and demand 0..3; run, mend (one bin of wear less, only from wear 2 on) or renew. */
    private static ChoiceModel machines(double temperature) {
        StateSpace space = StateSpace.of(
                new StateSpace.Variable(
                        "wear", IntStream.range(0, 10).asDoubleStream().toArray()),
                new StateSpace.Variable("demand", new double[] {0, 1, 2, 3}));
        Shifts wear = new Shifts(List.of("stay"), new int[] {0, 1}, 10);
        Shifts demand = new Shifts(List.of("down", "level"), new int[] {-1, 0, 1}, 4);
        int[] after = new int[30];
        Arrays.setAll(after, row -> row % 3 == 0 ? row / 3 : row % 3 == 1 ? Math.max(0, row / 3 - 2) : 0);
        TransitionLaw law = new TransitionLaw(
                space,
                3,
                List.of(
                        new TransitionLaw.Part(
                                wear,
                                (s, a) -> after[s / 4 * 3 + a],
                                (s, a, o) -> wear.destination(after[s / 4 * 3 + a], o)),
                        new TransitionLaw.Part(demand, (s, a) -> s % 4, (s, a, o) -> demand.destination(s % 4, o))));
        double[][] features = new double[120][3];
        double[] reference = new double[120];
        for (int s = 0; s < 40; s++) {
            features[3 * s + 1][0] = 1;
            features[3 * s + 2][1] = 1;
            int worn = s / 4;
            features[3 * s][2] = 0.1 * (s % 4) * (3 - 0.5 * worn);
            for (int a = 0; a < 3; a++) {
                boolean mendable = s / 4 >= 2;
                reference[3 * s + a] = mendable ? 1.0 / 3 : a == 1 ? 0 : 0.5;
            }
        }
        return new ChoiceModel(
                "machines",
                List.of("run", "mend", "renew"),
                law,
                0.95,
                LinearReward.ofRows(3, List.of("mend", "renew", "output"), features),
                InformationCost.of(temperature, 3, reference));
    }

    /** As the discount tends to 1 nothing happens: the constant that grows without bound is not in the equations. */
    @Test
    void nothingHappensAsTheDiscountTendsToOne() {
        ChoiceProblem near = Buses.problem(20, 0.9999, 200, 50, 8);
        double[] theta = fit(TdCcp.semiGradient(), near, 1).theta();
        double[] nearer = fit(
                        TdCcp.semiGradient(), new ChoiceProblem(near.model().withDiscount(1 - 1e-9), near.panel()), 1)
                .theta();
        for (int j = 0; j < 2; j++) {
            assertThat(nearer[j]).isCloseTo(theta[j], within(1e-2 * Math.abs(theta[j])));
        }
    }

    @Test
    void foldsComeFromTheStreamAlone() {
        ChoiceProblem problem = Buses.problem(10, 0.9, 60, 40, 9);
        assertThat(fit(TdCcp.locallyRobust(), problem, 4).theta())
                .isEqualTo(fit(TdCcp.locallyRobust(), problem, 4).theta())
                .isNotEqualTo(fit(TdCcp.locallyRobust(), problem, 5).theta());
        assertThat(fit(TdCcp.semiGradient(), problem, 4).theta())
                .isEqualTo(fit(TdCcp.semiGradient(), problem, 5).theta());
    }

    @Test
    void panelsThatDoNotSuffice() {
        assertThatThrownBy(() -> fit(TdCcp.semiGradient(), Buses.problem(10, 0.9, 60, 1, 9), 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("consecutive decisions");
        assertThatThrownBy(() -> fit(TdCcp.locallyRobust(), Buses.problem(10, 0.9, 15, 40, 9), 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("15 individuals");
        assertThatThrownBy(() -> TdCcp.semiGradient().degree(-1)).isInstanceOf(BadInput.class);
        assertThat(fit(TdCcp.semiGradient().degree(9), Buses.problem(10, 0.9, 10, 20, 9), 1)
                        .warnings())
                .anyMatch(warning -> warning.contains("instead of 9"));
    }
}
