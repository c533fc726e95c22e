package dev.revealed.neural.softq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Sac;
import dev.revealed.neural.SoftmaxActor;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SoftQTest {
    private static final int STATES = 5;
    private static final int ACTIONS = 3;
    private static final double DISCOUNT = 0.8;
    private static final double TEMPERATURE = 0.5;
    private static final Simulator.Space SPACE =
            new Simulator.Space("finite", STATES, new Simulator.Actions.Choices(ACTIONS), 100);
    private static final SoftQ.Settings SETTINGS =
            new SoftQ.Settings(new int[] {32}, 3e-3, DISCOUNT, 0.95, STATES * ACTIONS * 2, TEMPERATURE, 2, false);

    /** From state s by action a one gets to either of two states, equally likely. */
    private static int successor(int s, int a, int either) {
        return (s * (a + 1) + a + 2 * either + 1) % STATES;
    }

    private static double reward(int s, int a) {
        return Math.sin(3 * s + a);
    }

    /** Every transition once, states told by a one in their place. */
    private static Batch everything() {
        Batch batch = Batch.of(STATES * ACTIONS * 2, SPACE);
        Arrays.fill(batch.live(), 1);
        for (int row = 0; row < batch.size(); row++) {
            int s = row / (2 * ACTIONS);
            int a = row / 2 % ACTIONS;
            batch.states()[row * STATES + s] = 1;
            batch.actions()[row] = a;
            batch.rewards()[row] = (float) reward(s, a);
            batch.nextStates()[row * STATES + successor(s, a, row % 2)] = 1;
        }
        return batch;
    }

    @Test
    void findsTheSoftValuesOfAFiniteProcess() {
        Kernel kernel = Kernel.of(STATES, ACTIONS, (s, a, row) -> {
            row.add(successor(s, a, 0), 0.5);
            row.add(successor(s, a, 1), 0.5);
        });
        SoftProcess process =
                new SoftProcess(Mdp.uniformStart(kernel, DISCOUNT), InformationCost.ofTemperature(TEMPERATURE));
        double[] reward = new double[STATES * ACTIONS];
        for (int row = 0; row < reward.length; row++) {
            reward[row] = reward(row / ACTIONS, row % ACTIONS);
        }
        SoftPolicy policy = SoftPolicy.start(process);
        process.solver().solve(reward, policy, 1e-10).orThrow();
        double[] q = new double[reward.length];
        process.actionValues(reward, policy.values(), q);

        Batch batch = everything();
        try (SoftQ learner = new SoftQ(SPACE, SETTINGS, RandomStream.of(1), 1)) {
            for (int i = 0; i < 4000; i++) {
                learner.update(batch, () -> {});
            }
            for (int s = 0; s < STATES; s++) {
                float[] observation = new float[STATES];
                observation[s] = 1;
                for (int a = 0; a < ACTIONS; a++) { // values between 0 and 4; Adam at a fixed rate rattles by some 1e-3
                    assertThat(learner.actor().values(observation, 0)[a]).isCloseTo(q[s * ACTIONS + a], within(0.02));
                    assertThat(learner.actor().probabilities(observation, 0)[a])
                            .isCloseTo(policy.policy()[s * ACTIONS + a], within(0.01));
                }
            }
            assertThat(learner.losses().updates()).isEqualTo(4000);
        }
    }

    @Test
    void actsByItsProbabilities() {
        try (SoftQ learner = new SoftQ(SPACE, SETTINGS, RandomStream.of(1), 1)) {
            Tensors tensors = new Tensors();
            learner.actor().save(tensors);
            SoftmaxActor actor = SoftmaxActor.load(tensors);
            float[] observation = {0, 3, -4, 0, 1};
            double[] expected = learner.actor().probabilities(observation, 0).clone();
            assertThat(actor.probabilities(observation, 0)).containsExactly(expected);
            assertThat(Math.exp(actor.logProbability(observation, 0, 2))).isCloseTo(expected[2], within(1e-12));
            int n = 20_000;
            int[] counts = new int[ACTIONS];
            float[] action = new float[1];
            RandomStream noise = RandomStream.of(3);
            for (int i = 0; i < n; i++) {
                actor.act(observation, 0, noise, action, 0);
                counts[(int) action[0]]++;
            }
            for (int a = 0; a < ACTIONS; a++) { // four standard errors at most
                assertThat((double) counts[a] / n).isCloseTo(expected[a], within(2 / Math.sqrt(n)));
            }
            actor.actDeterministic(observation, 0, action, 0);
            assertThat(expected[(int) action[0]])
                    .isEqualTo(Arrays.stream(expected).max().orElseThrow());
        }
    }

    @Test
    void goesOnFromWhereItWasSavedOnAnyNumberOfThreads() {
        try (SoftQ one = new SoftQ(SPACE, SETTINGS, RandomStream.of(1), 1);
                SoftQ two = new SoftQ(SPACE, SETTINGS, RandomStream.of(9), 2)) {
            Batch batch = everything();
            for (int i = 0; i < 5; i++) {
                one.update(batch, () -> {});
            }
            Tensors tensors = new Tensors();
            one.save(tensors);
            two.restore(tensors);
            float[] observation = {0, 0, 1, 0, 0};
            for (int i = 0; i < 20; i++) {
                double[] before = two.actor().values(observation, 0).clone();
                double[] seen = new double[ACTIONS];
                SoftmaxActor worker = two.actor().worker();
                one.update(batch, () -> {});
                two.update(batch, () -> System.arraycopy(worker.values(observation, 0), 0, seen, 0, ACTIONS));
                assertThat(seen).containsExactly(before);
                assertThat(two.actor().values(observation, 0))
                        .containsExactly(one.actor().values(observation, 0))
                        .isNotEqualTo(before);
            }
            assertThat(one.losses()).isEqualTo(two.losses());
        }
    }

    @Test
    void refusesWhatIsNotForIt() {
        Simulator.Space box = new Simulator.Space("box", 2, new Simulator.Actions.Box(1, 1), 10);
        assertThatThrownBy(() -> new SoftQ(box, SETTINGS, RandomStream.of(1)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("box");
        assertThatThrownBy(() -> new Sac(SPACE, Sac.Settings.PAPER, RandomStream.of(1)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("finite");
        Batch batch = everything();
        batch.actions()[3] = 7;
        try (SoftQ learner = new SoftQ(SPACE, SETTINGS, RandomStream.of(1), 1)) {
            assertThatThrownBy(() -> learner.update(batch, () -> {})).hasMessageContaining("choice 7");
        }
    }
}
