package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.model.MountainCar;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The car on its grid against the car without one, and the paper's figure 2 on a coarse grid. */
class MountainCarStudyTest {
    private static final MountainCar CAR = MountainCar.STANDARD;
    private static final Mdp MDP = CAR.mdp(0.999);
    private static final SoftPolicy BEST = MountainCarStudy.best(CAR);

    @Test
    void interpolationKeepsTheMeanOfEveryMove() {
        Kernel kernel = MDP.kernel();
        for (int state = 0; state < CAR.goal(); state++) {
            for (int action = 0; action < MountainCar.ACTIONS; action++) {
                MountainCar.Point target = CAR.point(state).after(action);
                double position = 0;
                double velocity = 0;
                boolean nearGoal = false;
                int row = state * MountainCar.ACTIONS + action;
                for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                    nearGoal |= kernel.successor()[k] == CAR.goal();
                    MountainCar.Point point = CAR.point(kernel.successor()[k]);
                    position += kernel.probability()[k] * point.position();
                    velocity += kernel.probability()[k] * point.velocity();
                }
                if (!nearGoal) {
                    assertThat(position).isCloseTo(target.position(), within(1e-12));
                    assertThat(velocity).isCloseTo(target.velocity(), within(1e-12));
                }
            }
        }
    }

    @Test
    void theEngineAloneIsTooWeakAndRockingIsNot() {
        assertThat(drive(-0.5, point -> 2)).isEqualTo(1000);
        assertThat(drive(-0.5, point -> point.velocity() >= 0 ? 2 : 0)).isBetween(100, 130);
    }

    @Test
    void theGridNeedsAboutAsManyStepsAsTheCarItself() {
        double onGrid = MountainCarStudy.expectedSteps(MDP, CAR.goal(), BEST.policy(), 1000);
        double rocking = IntStream.rangeClosed(0, 40)
                .map(i -> drive(-0.6 + 0.005 * i, point -> point.velocity() >= 0 ? 2 : 0))
                .average()
                .orElseThrow();
        double gridPolicyOffGrid = IntStream.rangeClosed(0, 40)
                .map(i -> drive(-0.6 + 0.005 * i, MountainCarStudyTest::best))
                .average()
                .orElseThrow();
        assertThat(onGrid).isBetween(95.0, 112.0).isLessThan(rocking);
        assertThat(gridPolicyOffGrid).isBetween(0.9 * onGrid, 1.1 * onGrid);
    }

    @Test
    void theCarStartsAtRestNearTheBottom() {
        double position = 0;
        double velocity = 0;
        for (int s = 0; s < CAR.goal(); s++) {
            position += MDP.start()[s] * CAR.point(s).position();
            velocity += MDP.start()[s] * CAR.point(s).velocity();
        }
        assertThat(position).isCloseTo(-0.5, within(1e-9));
        assertThat(velocity).isCloseTo(0, within(1e-12));
    }

    @Test
    void atEqualPassesTheSingleLoopDrivesNoWorse() {
        MountainCarStudy.Result result = MountainCarStudy.run(quick(0.001, 0.1), ProgressListener.NONE);
        assertThat(result.rows()).hasSize(2 * 2 * 6);
        assertThat(result.holds())
                .extracting(MountainCarStudy.Holds::demonstrations)
                .containsExactly(5, 20);
        assertThat(result.holds()).allSatisfy(row -> {
            assertThat(row.holds()).isTrue();
            assertThat(row.mlIrl()).isLessThan(0.5 * result.randomSteps());
            MountainCarStudy.Row nested = result.rows().stream()
                    .filter(r -> r.method().equals("maxent-irl")
                            && r.demonstrations() == row.demonstrations()
                            && r.kernelPasses() == row.kernelPasses())
                    .findFirst()
                    .orElseThrow();
            assertThat(row.standardError()).isEqualTo(nested.standardError());
            assertThat(row.holds()).isEqualTo(row.mlIrl() <= row.maxEntIrl() + row.standardError());
            assertThat(row.pairedStandardError()).isPositive();
        });
        assertThat(result.expertSteps()).isLessThan(0.5 * result.randomSteps());
        assertThat(result.rows()).allSatisfy(row -> {
            assertThat(row.meanSteps()).isBetween(50.0, 500.0);
            if (row.method().equals("ml-irl")) {
                assertThat(row.rewardSteps()).isEqualTo(row.kernelPasses() / 2 - 1);
            } else {
                assertThat(row.rewardSteps()).isLessThan(row.kernelPasses() / 10.0);
            }
        });
    }

    @Test
    void theNumberOfThreadsChangesNothing() {
        assertThat(Threads.results(() -> MountainCarStudy.run(quick(0.001, 0.1), ProgressListener.NONE)))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 0.1", "-1, 0.1", "NaN, 0.1", "0.001, 101", "0.001, 20", "0.001, Infinity"})
    void refusesStepsThatCannotSettle(double step, double nestedStep) {
        assertThatThrownBy(() -> quick(step, nestedStep)).isInstanceOf(BadInput.class);
    }

    private static MountainCarStudy.Settings quick(double step, double nestedStep) {
        List<Integer> budgets = List.of(64, 128, 256, 512, 1024, 2048);
        return new MountainCarStudy.Settings(
                20, 20, 0.99, 0.1, 5, 0.1, step, nestedStep, List.of(5, 20), 200, 2, budgets, 500, 1);
    }

    private static int best(MountainCar.Point point) {
        double column = (point.position() - MountainCar.LEFT) / (MountainCar.GOAL - MountainCar.LEFT) * 39;
        double row = (point.velocity() / MountainCar.FASTEST + 1) / 2 * 39;
        int state = (int) (Math.min(38, Math.round(column)) * 40 + Math.round(row));
        double[] policy = BEST.policy();
        int first = state * MountainCar.ACTIONS;
        int left = policy[first] >= policy[first + 1] ? 0 : 1;
        return policy[first + 2] > policy[first + left] ? 2 : left;
    }

    /** Steps of the car without a grid until the goal, at most 1000. */
    private static int drive(double position, java.util.function.ToIntFunction<MountainCar.Point> policy) {
        MountainCar.Point point = new MountainCar.Point(position, 0);
        int steps = 0;
        while (!point.atGoal() && steps < 1000) {
            point = point.after(policy.applyAsInt(point));
            steps++;
        }
        return steps;
    }
}
