package dev.revealed.estimate.choice.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.Panels;
import dev.revealed.estimate.choice.StaticLogit;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BootstrapTest {
    private static final StaticLogit LOGIT = new StaticLogit();
    private static final RandomStream STREAM = RandomStream.of(42);
    private static final ChoiceProblem BUS = Panels.bus(60, 40, 11);

    @AfterEach
    void threads() {
        Parallel.threads(Runtime.getRuntime().availableProcessors());
    }

    private static Fit fit(ChoiceProblem problem) {
        return LOGIT.fit(problem, problem.firstStage(), STREAM, ProgressListener.NONE);
    }

    private static Bootstrap.Result run(Bootstrap bootstrap, int replications) {
        return bootstrap.run(replications, TaskRunner.THREADS, ProgressListener.NONE);
    }

    /** Inverse information of the logit, and binomial variances for the law: the closed forms the bootstrap must meet. */
    private static double[] analytic(ChoiceProblem problem, Fit fit) {
        double[][] covariance = Dense.inverse(StaticLogit.information(problem, fit.theta(), new double[2]))
                .orElseThrow();
        double moves = problem.panel().decisions();
        return new double[] {
            Math.sqrt(covariance[0][0]),
            Math.sqrt(covariance[1][1]),
            Math.sqrt(fit.phi()[0] * (1 - fit.phi()[0]) / moves),
            Math.sqrt(fit.phi()[1] * (1 - fit.phi()[1]) / moves)
        };
    }

    @Test
    void standardErrorsAreThoseOfTheInformation() {
        ChoiceProblem problem = Panels.bus(300, 40, 11);
        Fit fit = fit(problem);
        double[] expected = analytic(problem, fit);
        for (Bootstrap bootstrap : List.of(
                Bootstrap.parametric(problem, LOGIT, fit, STREAM),
                Bootstrap.ofIndividuals(problem, LOGIT, fit, STREAM))) {
            Bootstrap.Result result = run(bootstrap, 400);
            assertThat(result.names()).containsExactly("RC", "theta11", "theta30", "theta31");
            assertThat(result.failed()).isZero();
            assertThat(result.warnings()).isEmpty();
            double[] errors = result.standardErrors();
            double[] bias = result.bias();
            for (int j = 0; j < 4; j++) {
                // A standard deviation of 400 draws has itself a standard error of 3.5 %; individuals add their own
                // noise.
                assertThat(errors[j]).as(result.names().get(j)).isCloseTo(expected[j], within(0.15 * expected[j]));
                assertThat(bias[j]).isCloseTo(0, within(0.25 * expected[j]));
                assertThat(result.covariance(4)[j][j]).isCloseTo(errors[j] * errors[j], within(1e-9 * errors[j]));
                double[] interval = result.interval(j, 0.9);
                assertThat(interval[1] - interval[0])
                        .isCloseTo(2 * 1.645 * expected[j], within(0.2 * 2 * 1.645 * expected[j]));
                assertThat(fit.theta()[0]).isBetween(result.interval(0, 0.9)[0], result.interval(0, 0.9)[1]);
            }
        }
    }

    @Test
    void oneAndTwoThreadsGiveTheSameBytes() {
        Bootstrap bootstrap = Bootstrap.ofIndividuals(BUS, LOGIT, fit(BUS), STREAM);
        Parallel.threads(1);
        Bootstrap.Result one = run(bootstrap, 40);
        Parallel.threads(2);
        Bootstrap.Result two = run(bootstrap, 40);
        assertThat(two.draws()).isDeepEqualTo(one.draws());
    }

    /** Keeps results in memory, in a program that is killed after some of them. */
    private static final class Killed implements TaskRunner {
        private final Map<Integer, Object> kept = new TreeMap<>();
        private int life;

        Killed(int life) {
            this.life = life;
        }

        @Override
        public <R> List<R> run(TaskList<R> tasks, ProgressListener listener) {
            for (int i = tasks.count() - 1; i >= 0; i--) {
                if (!kept.containsKey(i)) {
                    if (life == 0) {
                        throw new UnsupportedOperationException("killed");
                    }
                    life--;
                    kept.put(i, tasks.task().apply(i));
                }
            }
            return IntStream.range(0, tasks.count())
                    .mapToObj(i -> tasks.type().cast(kept.get(i)))
                    .toList();
        }
    }

    @Test
    void whatIsKilledAndResumedEndsWithTheSameNumbers() {
        Fit fit = fit(BUS);
        Bootstrap bootstrap = Bootstrap.parametric(BUS, LOGIT, fit, STREAM);
        Bootstrap.Result whole = run(bootstrap, 30);
        Killed store = new Killed(11);
        assertThatThrownBy(() -> bootstrap.run(30, store, ProgressListener.NONE))
                .hasMessage("killed");
        assertThat(store.kept).hasSize(11);
        store.life = 1000;
        Bootstrap.Result resumed = Bootstrap.parametric(BUS, LOGIT, fit, STREAM).run(30, store, ProgressListener.NONE);
        assertThat(store.kept).hasSize(30);
        assertThat(resumed.draws()).isDeepEqualTo(whole.draws());
        // Fewer or more of them are the beginning of the same.
        assertThat(bootstrap.run(20, store, ProgressListener.NONE).draws())
                .isDeepEqualTo(java.util.Arrays.copyOf(whole.draws(), 20));
    }

    @Test
    void theFingerprintKnowsProblemsApart() {
        Fit fit = fit(BUS);
        String own = Bootstrap.parametric(BUS, LOGIT, fit, STREAM).fingerprint();
        assertThat(Bootstrap.parametric(BUS, LOGIT, fit, RandomStream.of(42)).fingerprint())
                .isEqualTo(own);
        ChoiceProblem other = Panels.bus(60, 40, 12);
        assertThat(List.of(
                        Bootstrap.ofIndividuals(BUS, LOGIT, fit, STREAM).fingerprint(),
                        Bootstrap.parametric(BUS, LOGIT, fit, RandomStream.of(43))
                                .fingerprint(),
                        Bootstrap.parametric(other, LOGIT, fit, STREAM).fingerprint(),
                        Bootstrap.parametric(other, LOGIT, fit(other), STREAM).fingerprint(),
                        new Bootstrap(
                                        new ChoiceProblem(BUS.model().withDiscount(0.1), BUS.panel()),
                                        LOGIT,
                                        fit,
                                        new Resampling.Parametric(BUS.model(), BUS.panel(), fit.theta(), fit.phi()),
                                        STREAM)
                                .fingerprint()))
                .doesNotContain(own)
                .doesNotHaveDuplicates();
    }

    @Test
    void simulatedPanelsHaveTheShapeOfTheObserved() {
        // Trajectories without a final state, whose first move was seen: as in Rust's data.
        Panel panel = new Panel(BUS.panel().individuals().stream()
                .map(i -> new Panel.Individual(
                        i.name(),
                        new Trajectory(
                                java.util.Arrays.copyOfRange(i.choices().states(), 1, 40),
                                java.util.Arrays.copyOfRange(
                                        java.util.Objects.requireNonNull(
                                                i.choices().actions()),
                                        1,
                                        40)),
                        new int[][] {java.util.Arrays.copyOfRange(i.cells()[0], 1, 40)},
                        new int[][] {java.util.Arrays.copyOfRange(i.outcomes()[0], 1, 40)}))
                .toList());
        Panel drawn = new Resampling.Parametric(BUS.model(), panel, Panels.busTheta(), Panels.busPhi())
                .draw(RandomStream.of(5));
        assertThat(drawn.size()).isEqualTo(panel.size());
        for (int i = 0; i < panel.size(); i++) {
            Panel.Individual was = panel.individuals().get(i);
            Panel.Individual is = drawn.individuals().get(i);
            assertThat(is.name()).isEqualTo(was.name());
            int[] states = is.choices().states();
            int[] actions = java.util.Objects.requireNonNull(is.choices().actions());
            assertThat(states).hasSize(39).startsWith(was.choices().states()[0]);
            assertThat(is.choices().hasFinalState()).isFalse();
            assertThat(is.cells()[0][0]).isEqualTo(was.cells()[0][0]);
            // Moves must be those between the states, as the panel itself would read them.
            Panel.Individual read = Panel.individual(BUS.model().law(), "", new Trajectory(states, actions));
            for (int t = 1; t < 39; t++) {
                assertThat(is.cells()[0][t]).isEqualTo(read.cells()[0][t]);
                assertThat(is.outcomes()[0][t]).isEqualTo(read.outcomes()[0][t]);
            }
        }
    }

    @Test
    void bothStepsAreEstimatedAgain() {
        Bootstrap.Result result = run(Bootstrap.ofIndividuals(BUS, LOGIT, fit(BUS), STREAM), 20);
        assertThat(IntStream.range(0, 20)
                        .mapToDouble(b -> result.draws()[b][2])
                        .distinct()
                        .count())
                .isGreaterThan(15);
    }

    @Test
    void failedReplicationsAreCountedAndSaid() {
        PanelMethod frail = new PanelMethod() {
            @Override
            public String name() {
                return "frail";
            }

            @Override
            public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
                Fit fit = LOGIT.fit(problem, first, stream, listener);
                return switch (stream.nextInt(4)) {
                    case 0 -> throw new ArithmeticException("stumbled");
                    case 1 -> Fit.likelihood(fit.theta(), fit.phi(), new Search(1, false, "tired", 0));
                    default -> fit;
                };
            }
        };
        Fit fit = fit(BUS);
        Killed kept = new Killed(200);
        Bootstrap.Result result =
                Bootstrap.ofIndividuals(BUS, frail, fit, STREAM).run(200, kept, ProgressListener.NONE);
        assertThat(result.failed()).isBetween(70, 130);
        assertThat(result.draws()).hasDimensions(200 - result.failed(), 4);
        assertThat(kept.kept.values().stream()
                        .map(r -> ((Bootstrap.Replication) r).failure())
                        .distinct())
                .containsExactlyInAnyOrder("", "stumbled", "did not converge: tired");
        assertThat(result.warnings().getFirst())
                .startsWith("%d of 200 bootstrap replications failed".formatted(result.failed()));
    }

    @Test
    void panelsWithoutAMaximumAreFailures() {
        // Two of three individuals never replace: every third draw or so has no replacement at all.
        List<Panel.Individual> buses = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int[] states = IntStream.range(0, 10).toArray();
            int[] actions = new int[9];
            actions[4] = i == 0 ? 1 : 0;
            actions[8] = i == 0 ? 1 : 0;
            if (i == 0) {
                states = new int[] {0, 1, 2, 3, 4, 0, 1, 2, 3, 0};
            }
            buses.add(Panel.individual(BUS.model().law(), "bus " + i, new Trajectory(states, actions)));
        }
        ChoiceProblem problem = BUS.withPanel(new Panel(buses));
        Bootstrap.Result result = run(Bootstrap.ofIndividuals(problem, LOGIT, fit(problem), STREAM), 50);
        // (2/3)^3 = 30 % of the draws have no replacement.
        assertThat(result.failed()).isBetween(8, 30);
        assertThat(result.warnings())
                .anySatisfy(w -> assertThat(w).contains("failed"))
                .anySatisfy(w -> assertThat(w).contains("replications are few"))
                .anySatisfy(w -> assertThat(w).contains("only 3 individuals"));
        for (double[] draw : result.draws()) {
            assertThat(draw[0]).isBetween(-20.0, 20.0);
        }
    }

    @Test
    void refusesWhereNothingCanBeLearnt() {
        Fit fit = fit(BUS);
        assertThatThrownBy(() -> run(Bootstrap.ofIndividuals(BUS, LOGIT, fit, STREAM), 1))
                .isInstanceOf(BadInput.class);
        ChoiceProblem still = BUS.withPanel(new Panel(List.of(
                Panel.individual(BUS.model().law(), "bus", new Trajectory(new int[] {0, 1, 2}, new int[] {0, 0})))));
        assertThatThrownBy(() -> run(Bootstrap.ofIndividuals(still, LOGIT, fit, STREAM), 5))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("5 of 5 bootstrap replications failed");
        Bootstrap.Result result = run(Bootstrap.ofIndividuals(BUS, LOGIT, fit, STREAM), 5);
        assertThatThrownBy(() -> result.interval(0, 95)).isInstanceOf(BadInput.class);
    }

    @Test
    void percentilesAreThoseOfTheDraws() {
        double[][] draws = new double[99][];
        for (int b = 0; b < 99; b++) {
            draws[b] = new double[] {(b * 37) % 99 + 1}; // 1..99 in some order
        }
        Bootstrap.Result result = new Bootstrap.Result(List.of("x"), new double[] {40}, draws, 0, List.of());
        assertThat(result.interval(0, 0.9)).containsExactly(new double[] {5, 95}, within(1e-9));
        assertThat(result.interval(0, 0.999)).containsExactly(1, 99);
        assertThat(result.bias()[0]).isCloseTo(10, within(1e-9));
        assertThat(result.standardErrors()[0]).isCloseTo(Math.sqrt(100 * 99 / 12.0), within(1e-9));
    }

    /** Everybody would have to see the same path. */
    @Test
    void panelsWithAggregateVariablesAreNotSimulated() {
        Panel panel = BUS.panel().moving(List.of(new Panel.CommonMoves(new int[] {0}, new int[] {0})));
        assertThatThrownBy(() -> new Resampling.Parametric(BUS.model(), panel, Panels.busTheta(), Panels.busPhi()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("aggregate");
    }
}
