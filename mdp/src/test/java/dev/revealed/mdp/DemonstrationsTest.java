package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DemonstrationsTest {
    private static Trajectory path(int[] states, int... actions) {
        return new Trajectory(states, actions);
    }

    private static int[] states(int... states) {
        return states;
    }

    @Test
    void actionsEverywhereOrNowhere() {
        assertThatThrownBy(() -> new Demonstrations(List.of(path(states(0, 1), 0), Trajectory.ofStates(states(0, 1)))))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("trajectory 1 has no actions");
        assertThatThrownBy(() -> new Demonstrations(List.of(Trajectory.ofStates(states(0, 1)), path(states(0, 1), 0))))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("trajectory 1 has actions");
        assertThatThrownBy(() -> new Demonstrations(List.of()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("no trajectories");
    }

    @Test
    void statesFitDecisions() {
        assertThat(path(states(0, 1, 2), 0, 1).hasFinalState()).isTrue();
        assertThat(path(states(0, 1), 0, 1).hasFinalState()).isFalse();
        assertThat(path(states(0, 1), 0, 1).length()).isEqualTo(2);
        assertThat(Trajectory.ofStates(states(0, 1, 2)).length()).isEqualTo(2);
        assertThatThrownBy(() -> path(states(0, 1, 2, 3), 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> path(states(0), 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> path(states(0))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Trajectory.ofStates(states(0))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void checkNamesTheTrajectory() {
        Mdp mdp = Truth.process(3, 2, 0.9, 1);
        Trajectory good = path(states(0, 1), 1);
        new Demonstrations(List.of(good)).check(mdp);
        assertThatThrownBy(() -> new Demonstrations(List.of(good, path(states(0, 3), 1))).check(mdp))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("trajectory 1", "state 3 is outside 0..2");
        assertThatThrownBy(() -> new Demonstrations(List.of(good, good, path(states(0, 1), 2))).check(mdp))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("trajectory 2", "action 2 is outside 0..1");
    }

    /** Everything that can differ does: values, order, where one trajectory ends and the next begins. */
    @Test
    void hashChangesWithContent() {
        List<Demonstrations> different = List.of(
                new Demonstrations(List.of(path(states(0, 1), 0))),
                new Demonstrations(List.of(path(states(0, 2), 0))),
                new Demonstrations(List.of(path(states(0, 1), 1))),
                new Demonstrations(List.of(path(states(0), 0))),
                new Demonstrations(List.of(Trajectory.ofStates(states(0, 1)))),
                new Demonstrations(List.of(path(states(0, 1), 0), path(states(0, 1), 0))),
                new Demonstrations(List.of(path(states(0, 1, 0), 0, 0))),
                new Demonstrations(List.of(path(states(0, 1), 0), path(states(0, 2), 0))),
                new Demonstrations(List.of(path(states(0, 2), 0), path(states(0, 1), 0))));
        Set<String> hashes = new HashSet<>();
        different.forEach(data -> hashes.add(data.hash()));
        assertThat(hashes).hasSize(different.size());
        assertThat(new Demonstrations(List.of(path(states(0, 1), 0))).hash())
                .hasSize(64)
                .isEqualTo(different.getFirst().hash());
    }

    @Test
    void slicesAndWhatACameraSees() {
        Demonstrations data = new Demonstrations(List.of(path(states(0, 1), 0), path(states(2, 1, 0), 0, 1)));
        assertThat(data.decisions()).isEqualTo(3);
        assertThat(data.statesOnly().hasActions()).isFalse();
        assertThat(data.statesOnly().decisions()).isEqualTo(3);
        assertThat(data.slice(1, 2).trajectories())
                .containsExactly(data.trajectories().get(1));
    }
}
