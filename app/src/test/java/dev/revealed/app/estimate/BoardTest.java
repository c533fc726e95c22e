package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.view.PageMap;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.model.GridWorld;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A process is seen as a board where its moves are those on one, and nowhere else. */
class BoardTest {
    @Test
    void aGridWorldIsABoard() {
        GridWorld world = new GridWorld(4, 0.2);
        Problem problem = Problem.of(
                world.mdp(0),
                LinearReward.perState(16, GridWorld.ACTIONS),
                new Demonstrations(List.of(new Trajectory(new int[] {0, 1, 5}, new int[] {0, 2}))));
        double[] theta = new double[16];
        theta[6] = 3;
        PageMap map = Board.of(world.kernel()).orElseThrow().map(problem, theta);
        assertThat(map.columns()).isEqualTo(4);
        assertThat(map.layers().getFirst().values().get(6)).isEqualTo(3.0);
        List<@Nullable Double> values = map.layers().get(1).values();
        double best = Objects.requireNonNull(values.get(6));
        double other = Objects.requireNonNull(values.get(0));
        assertThat(best - other).isCloseTo(3, within(1e-9)); // nothing follows
        assertThat(map.layers().get(2).values().get(5)).isEqualTo(1.0);
        double[][] policy = Objects.requireNonNull(map.policy());
        assertThat(policy[5]).containsExactly(0.2, 0.2, 0.2, 0.2, 0.2); // five moves alike
        assertThat(policy[0]).containsExactly(0.2, 0, 0.2, 0, 0.6); // a corner, which two moves do not leave
    }

    @Test
    void otherProcessesAreNone() {
        Kernel ring = Kernel.of(12, 4, (state, action, row) -> row.add((state + 1 + action) % 12, 1));
        assertThat(Board.of(ring)).isEmpty();
        Kernel line = Kernel.of(5, 2, (state, action, row) -> row.add(Math.clamp(state + 2 * action - 1, 0, 4), 1));
        assertThat(Board.of(line)).isEmpty();
    }
}
