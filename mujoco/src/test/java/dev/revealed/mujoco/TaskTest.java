package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TaskTest {
    @Test
    void tasksAreFoundByTheirNames() {
        assertThat(Task.names())
                .containsExactly("hopper", "halfcheetah", "walker2d", "ant", "humanoid", "customant", "disabledant");
        assertThat(Task.names()).allSatisfy(name -> assertThat(Task.named(name)).hasToString(name));
        assertThat(Task.named("HalfCheetah")).isEqualTo(Task.HALFCHEETAH);
    }

    /** As the models have their motors. */
    @Test
    void motorsOfTheTwoAntsAreFoundAmongEachOther() throws IOException {
        for (Task one : List.of(Task.CUSTOMANT, Task.DISABLEDANT)) {
            for (Task other : List.of(Task.CUSTOMANT, Task.DISABLEDANT)) {
                List<String> theirs = motors(other);
                assertThat(one.motorsAmong(other).orElseThrow())
                        .isEqualTo(
                                motors(one).stream().mapToInt(theirs::indexOf).toArray());
            }
        }
        assertThat(Task.ANT.motorsAmong(Task.CUSTOMANT)).isEmpty();
        assertThat(Task.DISABLEDANT.motorsAmong(Task.HOPPER)).isEmpty();
    }

    private static List<String> motors(Task task) throws IOException {
        try (InputStream model = Objects.requireNonNull(Task.class.getResourceAsStream("models/" + task + ".xml"))) {
            String xml = new String(model.readAllBytes(), StandardCharsets.UTF_8);
            return Pattern.compile("<motor joint=\"(\\w+)\"")
                    .matcher(xml)
                    .results()
                    .map(found -> found.group(1))
                    .toList();
        }
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
