package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.imitate.Preset;
import dev.revealed.mdp.Simulator;
import org.junit.jupiter.api.Test;

class TaskDefaultsTest {
    private static Simulator.Space space(String name, int observations) {
        return new Simulator.Space(name, observations, new Simulator.Actions.Box(3, 1), 1000);
    }

    @Test
    void publishedLengthsStay() {
        assertThat(TaskDefaults.iterations(Preset.REVEALED_1, space("hopper", 11)))
                .isEqualTo(600);
        assertThat(TaskDefaults.iterations(Preset.REVEALED_1, space("walker2d", 17)))
                .isEqualTo(2000);
        assertThat(TaskDefaults.iterations(Preset.PAPER, space("walker2d", 17))).isEqualTo(1000);
    }

    /** Nothing is keyed to a task's name. */
    @Test
    void oursDependOnTheSizeAlone() {
        assertThat(TaskDefaults.iterations(Preset.REVEALED, space("hopper", 17)))
                .isEqualTo(TaskDefaults.iterations(Preset.REVEALED, space("walker2d", 17)));
    }
}
