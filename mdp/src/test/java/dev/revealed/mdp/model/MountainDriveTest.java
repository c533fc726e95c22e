package dev.revealed.mdp.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import org.junit.jupiter.api.Test;

class MountainDriveTest {

    /** Pushing along the velocity brings the car up, as every textbook says; pushing right alone does not. */
    @Test
    void itTakesASwing() {
        assertThat(steps(true)).isBetween(100, 140);
        assertThat(steps(false)).isEqualTo(300);
    }

    private static int steps(boolean swinging) {
        Simulator drive = MountainDrive.simulator(300);
        drive.reset(RandomStream.of(1));
        float[] seen = new float[2];
        int steps = 0;
        while (!drive.terminated() && !drive.truncated()) {
            drive.observe(seen, 0);
            drive.step(new float[] {swinging && seen[1] < 0 ? 0 : 2}, 0);
            steps++;
        }
        return steps;
    }

    @Test
    void whatIsSeenSaysWhereTheCarIs() {
        Simulator drive = MountainDrive.simulator(300);
        drive.restore(new double[] {-1.1, 0.03, 5, -1});
        float[] seen = new float[2];
        drive.observe(seen, 0);
        assertThat(MountainDrive.seen(seen, 0).position()).isCloseTo(-1.1, offset(1e-6));
        assertThat(MountainDrive.seen(seen, 0).velocity()).isCloseTo(0.03, offset(1e-6));
        assertThat(drive.state()).containsExactly(-1.1, 0.03, 5, -1);
        drive.restore(new double[] {0.49, 0.07, 5, -1});
        drive.observe(seen, 0);
        assertThat(seen[0]).isLessThan(1f);
        drive.step(new float[] {2}, 0);
        drive.observe(seen, 0);
        assertThat(drive.terminated()).isTrue();
        assertThat(seen[0]).isGreaterThanOrEqualTo(1f);
    }
}
