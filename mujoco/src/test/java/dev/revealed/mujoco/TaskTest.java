package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import org.junit.jupiter.api.Test;

class TaskTest {
    @Test
    void tasksAreFoundByTheirNames() {
        assertThat(Task.names())
                .containsExactly("hopper", "halfcheetah", "walker2d", "ant", "humanoid", "customant", "disabledant");
        assertThat(Task.names()).allSatisfy(name -> assertThat(Task.named(name)).hasToString(name));
        assertThat(Task.named("HalfCheetah")).isEqualTo(Task.HALFCHEETAH);
    }

    @Test
    void aSlipIsAnsweredWithTheNameThatWasMeant() {
        assertThatThrownBy(() -> Task.named("walker"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("'walker'")
                .hasMessageContaining("Did you mean 'walker2d'?")
                .hasMessageContaining("disabledant");
    }
}
