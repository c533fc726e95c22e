package dev.revealed.estimate.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.ExactLikelihood;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Nfxp;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.model.RandomProcess;
import dev.revealed.mdp.offline.LoggedDynamics;
import dev.revealed.mdp.offline.MoveCounts;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OfflineTest {
    private static final double[] TRUTH = {1, -0.7};

    private final RandomStream stream = RandomStream.of(5);
    private final Mdp mdp = RandomProcess.of(6, 3, 3, 6, 0.8, stream.named("mdp"));
    private final Reward reward = reward();

    private Reward reward() {
        double[][] features = new double[mdp.rows()][2];
        for (double[] row : features) {
            row[0] = stream.nextDouble(-1, 1);
            row[1] = stream.nextDouble(-1, 1);
        }
        return LinearReward.ofRows(3, List.of("a", "b"), features);
    }

    private SoftPolicy expert(double[] theta) {
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        double[] rows = new double[mdp.rows()];
        reward.values(theta, rows);
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process).solve(rows, policy, 1e-12).orThrow();
        return policy;
    }

    private Demonstrations demonstrations(int count, double[] theta) {
        return new Simulation(mdp, expert(theta).logPolicy()).demonstrations(count, 12, stream.named("demonstrations"));
    }

    private MoveCounts log(int trajectories) {
        Demonstrations others = new Simulation(mdp, expert(new double[2]).logPolicy())
                .demonstrations(trajectories, 10, stream.named("log"));
        double[] once = new double[trajectories];
        Arrays.fill(once, 1);
        return MoveCounts.of(6, 3, others, once);
    }

    private OfflineProblem problem(
            MoveCounts log,
            boolean demonstrationsToo,
            Demonstrations shown,
            Problem.Objective objective,
            double caution) {
        return new OfflineProblem(
                new OfflineProblem.Log(log, demonstrationsToo, LoggedDynamics.Law.SMOOTHED, 1, Set.of()),
                new OfflineProblem.Agent(0.8, Optional.of(mdp.start()), InformationCost.STANDARD, objective),
                reward,
                shown,
                0,
                caution);
    }

    /** The agent's own gradient, with the penalty in what it is after, against central differences. */
    @ParameterizedTest
    @EnumSource
    void theGradientWithThePenaltyEqualsCentralDifferences(Problem.Objective objective) {
        Problem problem =
                problem(log(8), false, demonstrations(6, TRUTH), objective, 2.5).problem();
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double[] theta = {0.4, 0.3};
        double[] gradient = new double[2];
        double value = exact.at(theta, gradient);
        for (int j = 0; j < 2; j++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[j] += 1e-5;
            down[j] -= 1e-5;
            double difference = (exact.value(up) - exact.value(down)) / 2e-5;
            assertThat(gradient[j]).isCloseTo(difference, within(1e-6 * Math.max(1, Math.abs(difference))));
        }
        Problem bold =
                problem(log(8), false, demonstrations(6, TRUTH), objective, 0).problem();
        assertThat(new ExactLikelihood(bold, bold.process()).value(theta)).isNotCloseTo(value, within(1e-3));
    }

    /**
     * The agent is after r - caution U. Action 0 of state 0 led to state 1 three times and never elsewhere: with one move
     * of prior weight over six states the posterior is Dirichlet(1/6, 3 + 1/6, 1/6, ...), of total weight 4, whose variances
     * are a (4 - a) / (16 * 5). Where nothing was logged, it is Dirichlet(1/6, ...), of weight 1: a (1 - a) / 2 each.
     */
    @Test
    void thePenaltyIsPartOfTheReward() {
        MoveCounts thrice = MoveCounts.of(6, 3, new int[3], new int[3], new int[] {1, 1, 1});
        OfflineProblem offline = problem(thrice, false, demonstrations(6, TRUTH), Problem.Objective.SURROGATE, 3);
        double[] rows = new double[mdp.rows()];
        offline.problem().reward().values(TRUTH, rows);
        double[] plain = new double[mdp.rows()];
        reward.values(TRUTH, plain);
        double never = 1.0 / 6;
        double often = 3 + never;
        double seen = Math.sqrt((5 * never * (4 - never) + often * (4 - often)) / (16 * 5));
        double unseen = Math.sqrt(6 * never * (1 - never) / 2);
        for (int row = 0; row < rows.length; row++) {
            assertThat(rows[row]).isCloseTo(plain[row] - 3 * (row == 0 ? seen : unseen), within(1e-12));
        }
    }

    /** Two estimators must agree on the penalised problem too. */
    @Test
    void theSingleLoopFindsTheMaximum() {
        Problem problem = problem(log(60), false, demonstrations(40, TRUTH), Problem.Objective.SURROGATE, 1)
                .problem();
        double[] nested = Nfxp.standard().fit(problem, 1).orThrow().theta();
        assertThat(MlIrl.preconditioned().fit(problem, 1).orThrow().theta()).containsExactly(nested, within(1e-4));
    }

    /** Millions of moves: the estimate is that of the true kernel, and the law adds nothing to the standard errors. */
    @Test
    void aLongLogIsAsGoodAsTheKernel() {
        Demonstrations shown = demonstrations(80, TRUTH);
        MoveCounts exact = MoveCounts.none(6, 3);
        for (int row = 0; row < mdp.rows(); row++) {
            for (int k = mdp.kernel().rowStart()[row]; k < mdp.kernel().rowStart()[row + 1]; k++) {
                double[] weight = {1e7 * mdp.kernel().probability()[k]};
                int next = mdp.kernel().successor()[k];
                exact = exact.plus(MoveCounts.of(
                        6,
                        3,
                        new Demonstrations(List.of(new Trajectory(new int[] {row / 3, next}, new int[] {row % 3}))),
                        weight));
            }
        }
        OfflineEstimate found = new OfflineEstimator(Nfxp.standard(), Optional.empty(), 150)
                .fit(problem(exact, false, shown, Problem.Objective.SURROGATE, 0), stream, ProgressListener.NONE);
        Problem known = Problem.of(mdp, reward, shown);
        assertThat(found.estimate().theta())
                .containsExactly(Nfxp.standard().fit(known, 1).orThrow().theta(), within(1e-4));
        for (int j = 0; j < 2; j++) {
            double with = found.estimate().parameters().get(j).standardError().orElseThrow();
            assertThat(with / found.givenDynamics().get(j).orElseThrow()).isBetween(0.75, 1.25);
        }
    }

    /** With a short log the law's uncertainty is most of it; the same numbers on any number of threads. */
    @Test
    void aShortLogWidensTheIntervals() {
        OfflineProblem problem = problem(log(40), false, demonstrations(400, TRUTH), Problem.Objective.SURROGATE, 0);
        OfflineEstimator estimator = new OfflineEstimator(Nfxp.standard(), Optional.empty(), 60);
        OfflineEstimate found = estimator.fit(problem, stream, ProgressListener.NONE);
        for (int j = 0; j < 2; j++) {
            double with = found.estimate().parameters().get(j).standardError().orElseThrow();
            assertThat(with).isGreaterThan(1.3 * found.givenDynamics().get(j).orElseThrow());
        }
        assertThat(found.draws()).isEqualTo(60);
        try {
            Parallel.threads(1);
            assertThat(estimator
                            .fit(problem, stream, ProgressListener.NONE)
                            .estimate()
                            .covariance())
                    .isDeepEqualTo(found.estimate().covariance());
        } finally {
            Parallel.threads(Runtime.getRuntime().availableProcessors());
        }
    }

    /**
     * Held-out choices ask for a penalty where the agent pays one: the demonstrations are made by an agent who is afraid of
     * what the log does not show.
     */
    @Test
    void cautionIsChosenByHeldOutChoices() {
        MoveCounts log = log(10);
        OfflineProblem bold = problem(log, false, demonstrations(60, TRUTH), Problem.Objective.SURROGATE, 0);
        CautionChoice choice = new CautionChoice(List.of(0.0, 3.0, 30.0), 3);
        CautionChoice.Chosen chosen = choice.choose(bold, Nfxp.standard(), stream, ProgressListener.NONE);
        assertThat(chosen.caution()).isZero();
        assertThat(chosen.scores()).hasSize(3);
        Problem timid = bold.withCaution(20).problem();
        ExactLikelihood exact = new ExactLikelihood(timid, timid.process());
        exact.value(TRUTH);
        Demonstrations afraid =
                new Simulation(timid.mdp(), exact.policy().logPolicy()).demonstrations(60, 12, stream.named("afraid"));
        double taken = new CautionChoice(List.of(0.0, 5.0, 20.0, 80.0), 3)
                .choose(bold.withDemonstrations(afraid), Nfxp.standard(), stream, ProgressListener.NONE)
                .caution();
        assertThat(taken).isEqualTo(20);
    }

    /** What is held out must not be in the log by which its choices are predicted. */
    @Test
    void heldOutDemonstrationsLeaveTheLog() {
        Demonstrations shown = demonstrations(10, TRUTH);
        OfflineProblem all = problem(log(5), true, shown, Problem.Objective.SURROGATE, 0);
        assertThat(all.counts().moves()).isEqualTo(50 + 120);
        assertThat(all.withDemonstrations(shown.slice(0, 4)).counts().moves()).isEqualTo(50 + 48);
    }

    @Test
    void whatTheLogLeavesOpenIsSaid() {
        MoveCounts thin = MoveCounts.of(6, 3, new int[] {0, 1}, new int[] {0, 1}, new int[] {1, 4});
        OfflineEstimate found = new OfflineEstimator(Nfxp.standard(), Optional.empty(), 0)
                .fit(
                        problem(thin, false, demonstrations(30, TRUTH), Problem.Objective.SURROGATE, 1),
                        stream,
                        ProgressListener.NONE);
        assertThat(found.estimate().warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .contains(
                                "16 of 18 pairs of state and action were never logged: (0, 1), (0, 2)", "and 11 more"))
                .anySatisfy(warning -> assertThat(warning).contains("the log does not cover the expert"))
                .anySatisfy(warning -> assertThat(warning).contains("enters and never leaves: 4.", "`terminal`"))
                .anySatisfy(warning -> assertThat(warning).contains("take the estimated transition law as known"));
    }

    @Test
    void refusesWhatMakesNoSense() {
        Demonstrations shown = demonstrations(3, TRUTH);
        refuses(() -> problem(log(2), false, shown, Problem.Objective.SURROGATE, -1), "`caution` is -1.0");
        refuses(
                () -> problem(log(2), false, shown.statesOnly(), Problem.Objective.SURROGATE, 1),
                "the penalty on uncertain moves depends on them");
        refuses(
                () -> problem(log(2), true, shown.statesOnly(), Problem.Objective.SURROGATE, 0),
                "part of the log, but hold no actions");
        refuses(() -> new OfflineEstimator(Nfxp.standard(), Optional.empty(), 5), "`bootstrap` is 5");
        refuses(
                () -> CautionChoice.STANDARD.choose(
                        problem(log(2), false, shown.slice(0, 1), Problem.Objective.SURROGATE, 0),
                        Nfxp.standard(),
                        stream,
                        ProgressListener.NONE),
                "a single trajectory leaves none to hold out");
    }

    private static void refuses(ThrowingCallable what, String words) {
        assertThatExceptionOfType(BadInput.class).isThrownBy(what).withMessageContaining(words);
    }
}
