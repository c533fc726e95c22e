package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import org.junit.jupiter.api.Test;

class RewardNetworkTest {
    private static final Simulator.Space SPACE = new Simulator.Space("two", 2, new Simulator.Actions.Box(1, 1), 10);

    private static Batch batch() {
        return new Batch(
                2, new float[] {1, 2, 3, 4}, new float[] {10, 20}, new float[] {7, 7}, new float[2], new float[4]);
    }

    @Test
    void paysForStatesAndActionsOrForStatesAlone() {
        Batch batch = batch();
        Mlp linear = Mlp.of(new int[] {3, 1}, Mlp.Activation.NONE);
        new RewardNetwork(new Network(linear, new float[] {1, 100, 1000, 0.5f}), SPACE, 0).relabel(batch);
        assertThat(batch.rewards()).containsExactly(10201.5f, 20403.5f);

        Mlp ofStates = Mlp.of(new int[] {2, 1}, Mlp.Activation.NONE).withClamp(300);
        new RewardNetwork(new Network(ofStates, new float[] {1, 100, 0}), SPACE, 0).relabel(batch);
        assertThat(batch.rewards()).containsExactly(201, 300);
    }

    @Test
    void paysForASingleStep() {
        Batch one = new Batch(1, new float[] {1, 2}, new float[] {10}, new float[1], new float[1], new float[2]);
        Mlp linear = Mlp.of(new int[] {3, 1}, Mlp.Activation.NONE);
        new RewardNetwork(new Network(linear, new float[] {1, 100, 1000, 0.5f}), SPACE, 0).relabel(one);
        assertThat(one.rewards()).containsExactly(10201.5f);
    }

    /** The second row terminated in (30, 40), whose reward of 30 counts three times. */
    @Test
    void paysTheLastStateForEver() {
        Batch batch = new Batch(
                2, new float[] {1, 2, 3, 4}, new float[] {10, 20}, new float[2], new float[] {1, 0}, new float[] {
                    10, 20, 30, 40
                });
        Network network = new Network(Mlp.of(new int[] {3, 1}, Mlp.Activation.NONE), new float[] {1, 0, 100, 0});
        new RewardNetwork(network, SPACE, 3).relabel(batch);
        assertThat(batch.rewards()).containsExactly(1001, 2003 + 3 * 30);
    }

    @Test
    void refusesARewardOfAnotherTask() {
        Network other = new Network(Mlp.of(new int[] {4, 1}, Mlp.Activation.NONE), new float[5]);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new RewardNetwork(other, SPACE, 0))
                .withMessageContaining("a reward of 4 numbers for states of 2 and actions of 1");
    }
}
