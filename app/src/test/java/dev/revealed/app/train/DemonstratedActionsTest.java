package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class DemonstratedActionsTest {
    private static final Path FILE = Path.of("demos.npz");
    private final List<String> cautions = new ArrayList<>();

    private static Episodes demonstration(float... actions) {
        return new Episodes(List.of(
                new Episode(actions.length, new float[actions.length + 1], actions, null, Episode.Ending.TRUNCATED)));
    }

    private static Simulator.Space space(int actions, float bound) {
        return new Simulator.Space("own", 1, new Simulator.Actions.Box(actions, bound), 10);
    }

    private float[] read(OptionalDouble bound, OptionalInt choices, Simulator.Space space, float... actions) {
        return Objects.requireNonNull(new DemonstratedActions(bound, choices)
                .of(FILE, demonstration(actions), space, cautions::add)
                .all()
                .getFirst()
                .actions());
    }

    @Test
    void actionsNormalisedToOneAreNoticedAndConverted() {
        assertThat(read(OptionalDouble.empty(), OptionalInt.empty(), space(1, 2), -1, 0.5f))
                .containsExactly(-1, 0.5f);
        assertThat(cautions).hasSize(1).first().asString().contains("demos.npz", "own go to 2.0", "`demo-bound` 1");
        cautions.clear();
        assertThat(read(OptionalDouble.of(1), OptionalInt.empty(), space(1, 2), -1, 0.5f))
                .containsExactly(-2, 1);
        assertThat(read(OptionalDouble.of(1), OptionalInt.empty(), space(1, 0.4f), 1))
                .containsExactly(0.4f);
        assertThat(read(OptionalDouble.empty(), OptionalInt.empty(), space(1, 2), -1.7f, 0.5f))
                .containsExactly(-1.7f, 0.5f); // beyond 1: not normalised
        assertThat(cautions).isEmpty();
    }

    @Test
    void boundsThatCannotBeAreRefused() {
        assertThatThrownBy(() -> read(OptionalDouble.of(1), OptionalInt.empty(), space(1, 2), 1.5f))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("demos.npz: the largest action is 1.5, and `demo-bound` is 1.0");
        assertThatThrownBy(() -> read(OptionalDouble.empty(), OptionalInt.empty(), space(1, 0.4f), 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("demo-bound");
    }

    @Test
    void numbersOfChoicesBecomeVectors() {
        assertThat(read(OptionalDouble.empty(), OptionalInt.of(3), space(3, 1), 2, 0))
                .containsExactly(-1, -1, 1, 1, -1, -1);
        assertThatThrownBy(() -> read(OptionalDouble.empty(), OptionalInt.of(3), space(3, 1), 3))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("an action is 3.0, not one of 0..2");
    }
}
