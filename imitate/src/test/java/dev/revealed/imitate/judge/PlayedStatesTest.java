package dev.revealed.imitate.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.PushedPoint;
import dev.revealed.neural.Batch;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Rollouts;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A simulator whose reward is known, asked for it. */
class PlayedStatesTest {
    private static final double DISCOUNT = 0.9;

    /** A point that the action moves, paid by where it is and by the action, whose product no linear regression knows. */
    private static final class Payer extends PushedPoint {
        Payer() {
            super("payer", 50, 1, 0.3);
        }

        @Override
        protected double pay(double from, double action, double to) {
            return truth((float) from, action);
        }

        @Override
        public void step(float[] actions, int offset) {
            if (truncated()) {
                throw new IllegalStateException("no time is left");
            }
            super.step(actions, offset);
        }
    }

    private static double truth(double state, double action) {
        return Math.sin(3 * state) * action - action * action;
    }

    private interface Formula {
        double of(double state, double action, double next);
    }

    private static double epic(Formula reward) {
        PlayedStates simulator = new PlayedStates(new Payer());
        GaussianActor actor = GaussianActor.random(simulator.space(), new int[] {4}, false, RandomStream.of(2));
        Episodes played = Rollouts.of(actor, List.of(simulator), 0, 6, false, RandomStream.of(5));
        Batch.Rewards rewards = batch -> {
            for (int i = 0; i < batch.size(); i++) {
                batch.rewards()[i] = (float) reward.of(batch.states()[i], batch.actions()[i], batch.nextStates()[i]);
            }
        };
        return RewardComparison.of(
                        rewards, played, simulator.space(), DISCOUNT, false, Optional.of(simulator), RandomStream.of(1))
                .epic();
    }

    @Test
    void theTrueRewardIsAtNoDistanceWhateverItsScaleAndShaping() {
        assertThat(epic((s, a, next) -> truth(s, a))).isCloseTo(0, within(1e-3));
        assertThat(epic((s, a, next) -> 3 * truth(s, a) + 7 + DISCOUNT * Math.cos(next) - Math.cos(s)))
                .isCloseTo(0, within(1e-3));
        assertThat(epic((s, a, next) -> -truth(s, a))).isCloseTo(1, within(1e-3));
        assertThat(epic((s, a, next) -> next)).isBetween(0.2, 0.98);
    }
}
