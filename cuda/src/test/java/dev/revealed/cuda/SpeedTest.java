package dev.revealed.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class SpeedTest {

    @Test
    void countsTheUpdatesOfAllRuns() {
        Gpu.Found found = Gpu.find();
        Assumptions.assumeTrue(found.gpu().isPresent(), "SKIPPED: no GPU to measure: " + found.reason());
        Simulator.Space space = new Simulator.Space("small", 4, new Simulator.Actions.Box(2, 1), 100);
        Sac.Settings settings = Sac.Settings.PAPER.withHidden(16, 16).withBatch(8);
        Speed speed = new Speed(found.gpu().orElseThrow(), space, settings, 2, 0.001);

        assertThat(speed.updates()).isPositive().isFinite();
        assertThat(speed.updatesWithRows()).isPositive().isFinite();
    }
}
