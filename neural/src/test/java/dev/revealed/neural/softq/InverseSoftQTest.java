package dev.revealed.neural.softq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Network;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Tape;
import dev.revealed.neural.Temperature;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InverseSoftQTest {
    private static final Simulator.Space SPACE = new Simulator.Space("box", 2, new Simulator.Actions.Box(1, 1), 10);
    private static final int ROWS = 10;
    private static final int EXPERT = 4;
    private static final double ALPHA = 0.3;

    private static Sac.Settings sac(int critics) {
        return Sac.Settings.PAPER
                .withHidden(8, 8)
                .withBatch(ROWS)
                .withCritics(critics)
                .withTemperature(Temperature.fixed(ALPHA));
    }

    private static Batch batch() {
        Batch batch = Batch.of(ROWS, SPACE);
        RandomStream random = RandomStream.of(9);
        for (int i = 0; i < batch.states().length; i++) {
            batch.states()[i] = (float) random.nextGaussian();
            batch.nextStates()[i] = (float) random.nextGaussian();
        }
        for (int i = 0; i < ROWS; i++) {
            batch.actions()[i] = (float) random.nextDouble(-1, 1);
            batch.live()[i] = i % 4 == 0 ? 0 : 1;
        }
        return batch;
    }

    private static InverseSoftQ learner(
            int critics, InverseSoftQ.Term term, boolean target, InverseSoftQ.Actions actions) {
        return learner(critics, term, target, actions, 0);
    }

    private static InverseSoftQ learner(
            int critics, InverseSoftQ.Term term, boolean target, InverseSoftQ.Actions actions, double limit) {
        InverseSoftQ learner = new InverseSoftQ(
                SPACE, sac(critics), new InverseSoftQ.Loss(term, 0.5, target, actions, limit), RandomStream.of(3));
        learner.cloneLast(EXPERT, 0);
        learner.next().drawNoise(RandomStream.of(5));
        learner.current().drawNoise(RandomStream.of(6));
        return learner;
    }

    private static double[] values(Network network, float[] pairs) {
        Tape tape = network.tape(ROWS);
        tape.forward(pairs, ROWS);
        double[] values = new double[ROWS];
        Arrays.setAll(values, row -> tape.output()[row]);
        return values;
    }

    /** As the paper writes it, from the values of one critic. */
    @ParameterizedTest
    @CsvSource({
        "V0, false, STORED, 0",
        "VALUE, false, STORED, 0",
        "VALUE, true, STORED, 0",
        "V0, true, STORED, 0",
        "V0, true, DRAWN, 0",
        "V0, true, DRAWN, 0.1",
        "VALUE, false, STORED, 0.1"
    })
    void theLossIsThatOfThePaper(InverseSoftQ.Term term, boolean target, InverseSoftQ.Actions actions, double limit) {
        InverseSoftQ learner = learner(1, term, target, actions, limit);
        Batch batch = batch();
        double found = learner.criticLoss(batch, ALPHA);
        float[] stored = new float[3 * ROWS];
        for (int row = 0; row < ROWS; row++) {
            stored[3 * row] = batch.states()[2 * row];
            stored[3 * row + 1] = batch.states()[2 * row + 1];
            stored[3 * row + 2] = batch.actions()[row];
        }
        double[] q = values(learner.critic(0), stored);
        double[] there = values(learner.critic(0), learner.next().pairs()); // targets are still the same
        double[] here = values(learner.critic(0), learner.current().pairs());
        double expected = 0;
        for (int row = 0; row < ROWS; row++) {
            double next = there[row] - ALPHA * learner.next().logDensity()[row];
            double ahead = 0.99 * batch.live()[row] * (limit == 0 ? next : Math.clamp(next, -limit, limit));
            double value = here[row] - ALPHA * learner.current().logDensity()[row];
            double reward = q[row] - ahead;
            boolean drawn = actions == InverseSoftQ.Actions.DRAWN && row < ROWS - EXPERT;
            double regularised = drawn ? here[row] - ahead : reward;
            expected += regularised * regularised / (4 * 0.5) / ROWS;
            if (row >= ROWS - EXPERT) {
                expected -= reward / EXPERT;
            }
            if (term == InverseSoftQ.Term.VALUE) {
                expected += (value - ahead) / ROWS;
            } else if (row >= ROWS - EXPERT) {
                expected += (1 - 0.99) * value / EXPERT;
            }
        }
        assertThat(found).isCloseTo(expected, within(1e-5));
    }

    /** Central differences; parameters whose step crosses a kink of the ReLU differ and are few. */
    @ParameterizedTest
    @CsvSource({
        "1, V0, false, STORED",
        "1, V0, true, STORED",
        "1, VALUE, true, STORED",
        "2, V0, false, STORED",
        "2, VALUE, false, STORED",
        "2, VALUE, true, STORED",
        "1, V0, true, DRAWN",
        "2, VALUE, false, DRAWN"
    })
    void theGradientIsThatOfTheLoss(int critics, InverseSoftQ.Term term, boolean target, InverseSoftQ.Actions actions) {
        InverseSoftQ learner = learner(critics, term, target, actions);
        Batch batch = batch();
        for (int k = 0; k < critics; k++) {
            learner.criticLoss(batch, ALPHA);
            float[] gradient = learner.criticGradient(k);
            float[] theta = learner.critic(k).parameters();
            int apart = 0;
            for (int i = 0; i < theta.length; i++) {
                float kept = theta[i];
                theta[i] = kept + 3e-3f;
                double up = learner.criticLoss(batch, ALPHA);
                theta[i] = kept - 3e-3f;
                double down = learner.criticLoss(batch, ALPHA);
                theta[i] = kept;
                apart += Math.abs((up - down) / 6e-3 - gradient[i]) < 2e-3 ? 0 : 1;
            }
            assertThat(apart).isLessThanOrEqualTo(theta.length / 25);
        }
    }

    /**
     * One step, then the end: an expert that takes one action leaves the policy that maximises entropy and what it is paid
     * near that action, and not elsewhere.
     */
    @Test
    void thePolicyComesToTheExpertsAction() {
        Simulator.Space space = new Simulator.Space("once", 1, new Simulator.Actions.Box(1, 1), 1);
        Sac.Settings settings = Sac.Settings.PAPER
                .withHidden(16, 16)
                .withBatch(32)
                .withCritics(1)
                .withTemperature(Temperature.fixed(0.05));
        InverseSoftQ learner = new InverseSoftQ(
                space,
                settings,
                new InverseSoftQ.Loss(InverseSoftQ.Term.VALUE, 0.5, false, InverseSoftQ.Actions.DRAWN, 0),
                RandomStream.of(1));
        learner.cloneLast(16, 0);
        Batch batch = Batch.of(32, space);
        RandomStream random = RandomStream.of(2);
        float[] state = {0};
        float[] drawn = new float[1];
        for (int update = 0; update < 2000; update++) {
            for (int i = 0; i < 32; i++) {
                learner.actor().act(state, 0, random, drawn, 0);
                batch.actions()[i] = i < 16 ? drawn[0] : 0.5f + 0.1f * (float) random.nextDouble(-1, 1);
            }
            learner.update(batch, () -> {});
        }
        double mean = 0;
        for (int i = 0; i < 200; i++) {
            learner.actor().act(state, 0, random, drawn, 0);
            mean += drawn[0] / 200;
        }
        assertThat(mean).isCloseTo(0.5, within(0.15));
    }

    @Test
    void aTunedTemperatureIsRefused() {
        Sac.Settings tuned = sac(1).withTemperature(Temperature.TUNED);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new InverseSoftQ(
                        SPACE,
                        tuned,
                        new InverseSoftQ.Loss(InverseSoftQ.Term.V0, 0.5, false, InverseSoftQ.Actions.DRAWN, 0),
                        RandomStream.of(1)))
                .withMessageContaining("`temperature` is auto");
    }
}
