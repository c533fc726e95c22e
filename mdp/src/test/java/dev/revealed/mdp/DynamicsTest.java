package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DynamicsTest {
    /** Something thrown up: height and speed; the action adds to the speed; it ends on the ground. */
    private static final Dynamics BALL = new Dynamics() {
        @Override
        public double[] start(RandomStream chance) {
            return new double[] {1 + chance.nextInt(1), 0};
        }

        @Override
        public void step(double[] state, float[] action) {
            state[1] += action[0] - 1;
            state[0] += state[1];
        }

        @Override
        public boolean ended(double[] state) {
            return state[0] < 0;
        }

        @Override
        public double reward(double[] state, float[] action) {
            return state[0] - action[0];
        }
    };

    private final Simulator ball = BALL.simulator("ball", new Simulator.Actions.Box(1, 3), 4);

    private float[] observed() {
        float[] seen = new float[3];
        ball.observe(seen, 1);
        return new float[] {seen[1], seen[2]};
    }

    /** By hand: pushed by 2 it rises by 1, then falls by 0, -1, -2. */
    @Test
    void movesAsItIsTold() {
        assertThat(ball.space()).isEqualTo(new Simulator.Space("ball", 2, new Simulator.Actions.Box(1, 3), 4));
        ball.reset(RandomStream.of(1));
        ball.step(new float[] {9, 2}, 1);
        assertThat(observed()).containsExactly(2, 1);
        assertThat(ball.reward()).isZero();
        ball.step(new float[] {0}, 0);
        assertThat(observed()).containsExactly(2, 0);
        assertThat(ball.reward()).isEqualTo(2);
        double[] saved = ball.state();
        ball.step(new float[] {0}, 0);
        assertThat(observed()).containsExactly(1, -1);
        assertThat(ball.terminated() || ball.truncated()).isFalse();
        ball.step(new float[] {0}, 0);
        assertThat(observed()).containsExactly(-1, -2);
        assertThat(ball.terminated()).isTrue();
        assertThat(ball.truncated()).isTrue();
        ball.restore(saved);
        assertThat(ball.reward()).isEqualTo(2);
        ball.step(new float[] {0}, 0);
        assertThat(observed()).containsExactly(1, -1);
        assertThat(ball.truncated()).isFalse();
    }

    @Test
    void episodesDoNotShareTheirState() {
        ball.reset(RandomStream.of(1));
        ball.step(new float[] {3}, 0);
        ball.reset(RandomStream.of(1));
        assertThat(observed()).containsExactly(1, 0);
        assertThat(ball.state()).containsExactly(1, 0, 0, 0);
    }

    @Test
    void spacesThatCannotBeAreRefused() {
        Map<String, Runnable> wrong = Map.of(
                "the bound of actions is -1.0", () -> new Simulator.Actions.Box(1, -1),
                "the bound of actions is NaN", () -> new Simulator.Actions.Box(1, Float.NaN),
                "the number of actions is -1", () -> new Simulator.Actions.Box(-1, 1),
                "the number of choices is 0", () -> new Simulator.Actions.Choices(0),
                "the horizon is 0", () -> BALL.simulator("ball", new Simulator.Actions.Box(1, 3), 0),
                "the number of observations is 0",
                        () -> new Simulator.Space("ball", 0, new Simulator.Actions.Box(1, 3), 4),
                "no name", () -> new Simulator.Space(" ", 1, new Simulator.Actions.Box(1, 3), 4));
        wrong.forEach((problem, made) ->
                assertThatThrownBy(made::run).isInstanceOf(BadInput.class).hasMessageContaining(problem));
    }
}
