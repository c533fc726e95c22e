package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.imitate.Preset;
import org.junit.jupiter.api.Test;

/** How long what we publish was trained: whoever changes it makes results/table1 again. */
class TaskDefaultsTest {
    @Test
    void largeRobotsTakeLonger() {
        assertThat(TaskDefaults.iterations(Preset.REVEALED, "hopper")).isEqualTo(600);
        assertThat(TaskDefaults.iterations(Preset.REVEALED, "humanoid")).isEqualTo(2000);
    }
}
