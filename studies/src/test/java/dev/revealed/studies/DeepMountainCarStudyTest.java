package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.model.MountainCar;
import dev.revealed.mdp.model.MountainDrive;
import dev.revealed.neural.Rollouts;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeepMountainCarStudyTest {

    /** The driver needs about the steps that its grid says, though the car it drives is on none. */
    @Test
    void theGridDriverDrivesAsTheGridHasIt() {
        MountainCar car = new MountainCar(60, 60);
        GridDriver driver = GridDriver.of(car, 0.99, 0.1);
        Episodes drives = Rollouts.of(driver, List.of(MountainDrive.simulator(500)), 0, 50, false, RandomStream.of(1));
        double onGrid = MountainCarStudy.expectedSteps(
                car.mdp(0.99),
                car.goal(),
                MountainCarStudy.expert(car.mdp(0.99), car.goal(), 0.1).policy(),
                500);
        assertThat(drives.steps() / 50.0 / onGrid).isBetween(0.85, 1.15);
    }

    /** From the states of five drives, by a network that knows no dynamics. */
    @Test
    void learnsToReachTheGoal() {
        DeepMountainCarStudy.Result result = DeepMountainCarStudy.run(
                new DeepMountainCarStudy.Settings(60, 0.1, List.of(5), 2, 300, 30, 1000, 500, 20, 500, 1),
                ProgressListener.NONE);
        assertThat(result.expertSteps()).isLessThan(120);
        assertThat(result.randomSteps()).isGreaterThan(450);
        assertThat(result.rows())
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.reached()).as(row.method()).isGreaterThan(0.9));
        assertThat(result.rows().getFirst().meanSteps()).isLessThan(1.5 * result.expertSteps());
    }
}
