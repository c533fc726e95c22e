package dev.revealed.studies.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.estimate.Certificate;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.Json;
import dev.revealed.studies.Shared;
import dev.revealed.studies.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A small run must already show what the paper promises, and what it does not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TheoryStudyTest {
    private final Set<String> stages = ConcurrentHashMap.newKeySet();
    private TheoryStudy.Result result;

    /** Not when the class is loaded: tasks on other threads call back into it. */
    @BeforeAll
    void run() {
        result = TheoryStudy.run(quick(List.of(0.5)), (stage, done, total) -> {
            assertThat(done).isBetween(0L, total);
            stages.add(stage);
        });
    }

    @Test
    void bothQuantitiesOfTheorem1FallAtItsRates() {
        assertThat(result.summary().policyErrorSlope()).isLessThan(-0.4);
        assertThat(result.summary().gradientNormSlope()).isBetween(-0.8, -0.3);
        assertThat(result.rates()).hasSize(3).allSatisfy(rate -> {
            assertThat(rate.means().policyErrorStandardError()).isPositive();
            assertThat(rate.means().gradientNormStandardError()).isPositive();
        });
    }

    @Test
    void anErrorInQLeavesAFloorThatGrowsWithIt() {
        for (boolean persistent : new boolean[] {false, true}) {
            List<Rates.Floor> rows = result.floor().stream()
                    .filter(row -> row.persistent() == persistent)
                    .toList();
            assertThat(rows)
                    .hasSize(3)
                    .isSortedAccordingTo(
                            Comparator.comparingDouble(row -> row.means().meanPolicyError()));
            for (Rates.Floor row : rows) {
                // two policies in softmax form differ by at most twice the difference of their Q; errors of earlier
                // steps
                // add at most 2 gamma/(1-gamma)^2 more (the proof of Theorem 1), here far less
                assertThat(row.means().meanPolicyError()).isBetween(0.5 * row.epsilon(), 2 * row.epsilon() + 0.02);
            }
        }
    }

    @Test
    void bothLikelihoodsNearTheTruthLikeOneOverTheRoot() {
        for (String theta : List.of("truth", "opposite")) {
            List<Concentration.Likelihoods> rows = result.likelihoods().stream()
                    .filter(row -> row.theta().equals(theta))
                    .toList();
            // 16 times the data, a quarter of the error
            assertThat(rows.get(0).surrogateError() / rows.get(1).surrogateError())
                    .isBetween(3.2, 5.0);
            assertThat(rows.get(0).empiricalError() / rows.get(1).empiricalError())
                    .isBetween(3.2, 5.0);
        }
    }

    /** At the truth the surrogate's score is the empirical one's plus independent noise. */
    @Test
    void theEmpiricalLikelihoodHasTheBetterMaximiser() {
        assertThat(result.maximisers())
                .allSatisfy(row -> assertThat(row.surrogateExcess()).isGreaterThan(row.empiricalExcess()));
        assertThat(result.maximisers())
                .allSatisfy(row -> assertThat(row.empiricalExcess()).isPositive());
    }

    @Test
    void lemma1HoldsWhereItMayBeReadAndFailsWhereNot() {
        assertThat(result.summary().lemma1Datasets()).isEqualTo(500);
        assertThat(result.summary().lemma1Coverage())
                .isGreaterThanOrEqualTo(1 - result.summary().lemma1Delta());
        assertThat(result.summary().lemma1Tightness()).isBetween(0.01, 0.9);
        // coin tosses: the 95% quantile of |heads/20 - 1/2| is 0.2, the bound sqrt(ln 40 / 40) = 0.30368
        assertThat(result.lemma1().worstCaseTightness()).isBetween(0.6585, 0.6586);
        assertThat(result.lemma1().atEstimate().coverage()).isZero();
        assertThat(result.lemma1().atEstimate().uniformCoverage()).isEqualTo(1);
        // 1 - (1 - (1 - 1/400)^20) pairs unseen
        assertThat(result.lemma1().atEstimate().meanError())
                .isBetween(Math.pow(1 - 1 / 400.0, 20) - 1e-3, Math.pow(1 - 1 / 400.0, 20) + 1e-3);
    }

    @Test
    void theDualityGapIsRounding() {
        assertThat(result.duality()).hasSize(3).allSatisfy(row -> {
            assertThat(Math.abs(row.gap())).isLessThan(1e-8);
            assertThat(row.policyDistance()).isLessThan(1e-5);
        });
        assertThat(result.summary().dualityGap()).isLessThan(1e-8);
    }

    @Test
    void theSurrogateOfALinearRewardIsConcave() {
        Concavity.Line line = result.concavity().getFirst();
        assertThat(line.concave()).isTrue();
        assertThat(line.points())
                .allSatisfy(point -> assertThat(point.likelihood()).isGreaterThanOrEqualTo(point.chord() - 1e-9));
        // second differences along the line are what the eigenvalues allow: between smallest and largest times
        // |truth|^2
        double length = 1 + 1 + 0.25;
        double step = line.points().get(1).position() - line.points().get(0).position();
        for (int i = 1; i + 1 < line.points().size(); i++) {
            Concavity.Point point = line.points().get(i);
            double bend = (line.points().get(i - 1).likelihood()
                            - 2 * point.likelihood()
                            + line.points().get(i + 1).likelihood())
                    / (step * step);
            assertThat(bend).isBetween(1.2 * length * point.smallest(), 0.8 * length * point.largest());
        }
    }

    /** A likelihood whose curvature is known: one state, two actions, log(1 - p) has the second derivative -p (1 - p). */
    @Test
    void eigenvaluesAreThoseOfALogit() {
        Mdp mdp = Mdp.uniformStart(Kernel.of(1, 2, (s, a, row) -> row.add(0, 1)), 0.5);
        Problem problem = new Problem(
                mdp,
                InformationCost.STANDARD,
                LinearReward.ofRows(2, List.of("x"), new double[][] {{0}, {1}}),
                new Demonstrations(List.of(new Trajectory(new int[] {0, 0}, new int[] {0}))),
                Problem.Objective.PANEL,
                0);
        Concavity.Line line = Concavity.line("", "", "", problem, new double[] {-2}, new double[] {2}, -2, 2);
        assertThat(line.points()).hasSize(25).allSatisfy(point -> {
            double p = 1 / (1 + Math.exp(-point.position()));
            assertThat(point.likelihood()).isCloseTo(Math.log(1 - p), within(1e-9));
            assertThat(point.largest()).isCloseTo(-p * (1 - p), within(1e-6));
        });
        assertThat(line.concave()).isTrue();
    }

    /** Figures of another program: dense Newton and differences in NumPy, on the same bins. */
    @Test
    void theLikelihoodOfGroup2IsNotConcave() {
        Path data = Shared.file("data/rust_bus_groups_1_to_4.csv");
        assumeTrue(Files.exists(data), data + " is absent");
        TheoryStudy.Settings quick = quick(List.of(0.5));
        TheoryStudy.Settings settings = new TheoryStudy.Settings(
                1,
                quick.process(),
                quick.demonstrations(),
                1,
                quick.sigmas(),
                quick.iterations(),
                quick.runs(),
                quick.epsilons(),
                quick.floorIterations(),
                quick.floorRuns(),
                quick.data(),
                3,
                quick.corollary(),
                data);
        TheoryProblem problem = TheoryProblem.of(settings, RandomStream.of(1).named("problem"));
        Concavity.Line line =
                Concavity.run(problem, settings, ProgressListener.NONE).getLast();
        assertThat(line.concave()).isFalse();
        assertThat(line.data()).isEqualTo("Rust's group 2");
        Concavity.Point one = line.points().get(8);
        assertThat(one.position()).isCloseTo(1, within(1e-12));
        assertThat(one.likelihood()).isCloseTo(-5.517, within(0.001));
        assertThat(one.smallest()).isCloseTo(-3.402, within(0.002));
        assertThat(one.largest()).isCloseTo(0.255, within(0.002));
        assertThat(line.points().getLast().likelihood()).isCloseTo(-9.034, within(0.001));
    }

    @Test
    void gapsAboveEpsilonBecomeRareAsCorollary2Says() {
        assertThat(result.convergence()).hasSize(4).allSatisfy(row -> {
            assertThat(row.share()).isBetween(0.0, row.printed());
            assertThat(row.printed()).isLessThanOrEqualTo(row.uniform());
        });
        assertThat(result.convergence().get(0).share()).isGreaterThan(0.5); // 16 trajectories, 0.02
        assertThat(result.convergence().get(2).share()).isLessThan(0.1); // 256 trajectories, 0.02
        assertThat(result.loopConvergence()).hasSize(4);
        assertThat(result.loopConvergence().get(2).share())
                .isLessThan(result.loopConvergence().get(0).share());
    }

    /** The chance allowed for epsilon is the delta at which the certificate's bound is epsilon. */
    @Test
    void whatIsAllowedIsTheCertificateTurnedAround() {
        TheoryStudy.Settings settings = quick(List.of(0.5));
        TheoryProblem problem = TheoryProblem.of(settings, RandomStream.of(1).named("problem"));
        double width = 2.5 * problem.featureWidth();
        int checked = 0;
        for (Convergence.Allowed row : result.allowed()) {
            if (row.uniform() < 1 && row.printed() > 1e-100 && row.trajectories() == Math.rint(row.trajectories())) {
                Certificate.Quantity excess = Certificate.Quantity.EXCESS;
                double printed = Certificate.of(width, 0.8, 3, row.printed())
                        .bound(excess, new Certificate.Pointwise(), (long) row.trajectories())
                        .value();
                double uniform = Certificate.of(width, 0.8, 3, row.uniform())
                        .bound(excess, new Certificate.Linear(3, 2.5, problem.featureWidth()), (long)
                                row.trajectories())
                        .value();
                assertThat(printed).isCloseTo(row.epsilon(), within(1e-9));
                assertThat(uniform).isCloseTo(row.epsilon(), within(1e-9));
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(2);
    }

    @Test
    void saysHowFarItHasCome() {
        assertThat(stages).contains("rates", "floor", "maximisers", "lemma 1", "duality", "concavity");
    }

    @Test
    void isWrittenAsTheDocumentScriptsRead() {
        assertThat(Json.write(result))
                .contains("\"policyErrorSlope\" : ", "\"lemma1Coverage\" : ", "\"meanSquaredGradientNorm\" : ")
                .doesNotContain("null");
    }

    @Test
    void theSameSeedGivesTheSameNumbersOnAnyNumberOfThreads() {
        TheoryStudy.Settings settings = quick(List.of(0.5));
        assertThat(Threads.results(() -> TheoryStudy.run(settings, ProgressListener.NONE)))
                .containsExactly(Json.write(result));
    }

    @Test
    void refusesSettingsWithoutASlope() {
        assertThatThrownBy(() -> quick(List.of(0.25))).isInstanceOf(BadInput.class);
    }

    private static TheoryStudy.Settings quick(List<Double> sigmas) {
        return new TheoryStudy.Settings(
                1,
                new TheoryStudy.Size(8, 3, 3, 0.8),
                50,
                1,
                sigmas,
                List.of(32, 128, 512),
                4,
                List.of(0.0, 0.1, 0.3),
                List.of(128),
                3,
                new TheoryStudy.DataSets(List.of(4, 64), 200, List.of(64), 40, 20, 500, 0.05),
                3,
                new TheoryStudy.Corollary(
                        List.of(16, 256), 60, List.of(0.02, 0.1), List.of(16, 1024), 8, List.of(0.1, 0.5)),
                TheoryStudy.Settings.STANDARD.rustData());
    }
}
