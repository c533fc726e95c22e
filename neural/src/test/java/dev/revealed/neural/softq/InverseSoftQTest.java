package dev.revealed.neural.softq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Network;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Tape;
import dev.revealed.neural.Temperature;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Map;
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
        return learner(critics, new InverseSoftQ.Loss(term, 0.5, target, actions, 0, InverseSoftQ.End.ZERO));
    }

    private static InverseSoftQ learner(int critics, InverseSoftQ.Loss loss) {
        InverseSoftQ learner = new InverseSoftQ(SPACE, sac(critics), loss, RandomStream.of(3));
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
        "V0, false, STORED, 0, ZERO",
        "VALUE, false, STORED, 0, ZERO",
        "VALUE, true, STORED, 0, ZERO",
        "V0, true, STORED, 0, ZERO",
        "V0, true, DRAWN, 0, ZERO",
        "V0, true, DRAWN, 0.1, ZERO",
        "V0, true, STORED, 0.1, LIMIT",
        "VALUE, true, DRAWN, 0.1, LIMIT",
        "VALUE, false, STORED, 0.1, ZERO"
    })
    void theLossIsThatOfThePaper(
            InverseSoftQ.Term term, boolean target, InverseSoftQ.Actions actions, double limit, InverseSoftQ.End end) {
        InverseSoftQ learner = learner(1, new InverseSoftQ.Loss(term, 0.5, target, actions, limit, end));
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
            double ended = end == InverseSoftQ.End.ZERO ? 0 : row >= ROWS - EXPERT ? limit : -limit;
            double ahead =
                    0.99 * (batch.live()[row] == 0 ? ended : limit == 0 ? next : Math.clamp(next, -limit, limit));
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
                new InverseSoftQ.Loss(
                        InverseSoftQ.Term.VALUE, 0.5, false, InverseSoftQ.Actions.DRAWN, 0, InverseSoftQ.End.ZERO),
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

    private static final int PLACES = 3;
    private static final int GRID = 400; // of actions, by midpoints
    private static final double DISCOUNT = 0.8;
    private static final double TEMPERATURE = 0.1;
    private static final double[] WANTED = {-0.3, 0.2, 0.5}; // actions that pay most at once
    private static final double[] PAID = {0, 0.5, 1.5}; // for being there

    private static double action(int i) {
        return (2 * i + 1.0) / GRID - 1;
    }

    /**
     * The soft-optimal density of actions at three places in a row, by quadrature and value iteration. An action is the chance
     * to move to the right rather than to the left, and costs its squared distance from one that is wanted; so some are taken
     * for where they lead.
     */
    private static double[][] softOptimal() {
        double[][] density = new double[PLACES][GRID];
        double[] values = new double[PLACES];
        for (int sweep = 0; sweep < 200; sweep++) {
            double[] next = new double[PLACES];
            for (int s = 0; s < PLACES; s++) {
                double sum = 0;
                for (int i = 0; i < GRID; i++) {
                    double a = action(i);
                    double ahead = (1 + a) / 2 * values[Math.min(s + 1, PLACES - 1)]
                            + (1 - a) / 2 * values[Math.max(s - 1, 0)];
                    double q = PAID[s] - (a - WANTED[s]) * (a - WANTED[s]) + DISCOUNT * ahead;
                    density[s][i] = Math.exp(q / TEMPERATURE);
                    sum += density[s][i] * 2 / GRID;
                }
                for (int i = 0; i < GRID; i++) {
                    density[s][i] /= sum;
                }
                next[s] = TEMPERATURE * Math.log(sum);
            }
            values = next;
        }
        return density;
    }

    private static int moved(int place, double action, RandomStream random) {
        return Math.clamp(place + (random.nextDouble() < (1 + action) / 2 ? 1 : -1), 0, PLACES - 1);
    }

    /** Writes a transition. */
    private static void put(Batch batch, int row, int place, double action, int next) {
        for (int s = 0; s < PLACES; s++) {
            batch.states()[row * PLACES + s] = s == place ? 1 : 0;
            batch.nextStates()[row * PLACES + s] = s == next ? 1 : 0;
        }
        batch.actions()[row] = (float) action;
        batch.live()[row] = 1;
    }

    /**
     * From transitions of a soft-optimal expert and its own, the policy comes to the soft-optimal one at every place: to its mean
     * and deviation, in the mean over the last updates. Where it leads counts: at the second place it is far from the action
     * that costs nothing.
     */
    @ParameterizedTest
    @CsvSource({"VALUE, false, STORED", "VALUE, true, DRAWN", "V0, false, STORED"})
    void thePolicyIsSoftOptimalAtEveryPlace(InverseSoftQ.Term term, boolean target, InverseSoftQ.Actions actions) {
        double[][] expert = softOptimal();
        int half = 32;
        Simulator.Space space = new Simulator.Space("places", PLACES, new Simulator.Actions.Box(1, 1), 50);
        Sac.Settings settings = Sac.Settings.PAPER
                .withHidden(16, 16)
                .withBatch(2 * half)
                .withCritics(1)
                .withLearningRate(1e-3)
                .with(Map.of("discount", DISCOUNT))
                .withTemperature(Temperature.fixed(TEMPERATURE));
        InverseSoftQ learner = new InverseSoftQ(
                space,
                settings,
                new InverseSoftQ.Loss(term, 1, target, actions, 0, InverseSoftQ.End.ZERO),
                RandomStream.of(1));
        learner.cloneLast(half, 0);
        RandomStream random = RandomStream.of(2);
        Batch batch = Batch.of(2 * half, space);
        int[] at = new int[2 * half]; // walks of the agent, then of the expert
        double[][] taken = new double[PLACES][2]; // the sum of the agent's actions and of their squares
        int draws = 0;
        for (int update = 0; update < 6000; update++) {
            for (int row = 0; row < 2 * half; row++) {
                double action = row < half ? acted(learner, at[row], random) : drawn(expert[at[row]], random);
                int next = moved(at[row], action, random);
                put(batch, row, at[row], action, next);
                at[row] = next;
            }
            learner.update(batch, () -> {});
            if (update >= 2000 && update % 4 == 0) {
                for (int s = 0; s < PLACES; s++) {
                    double action = acted(learner, s, random);
                    taken[s][0] += action;
                    taken[s][1] += action * action;
                }
                draws++;
            }
        }
        for (int s = 0; s < PLACES; s++) {
            double mean = 0;
            double square = 0;
            for (int i = 0; i < GRID; i++) {
                mean += action(i) * expert[s][i] * 2 / GRID;
                square += action(i) * action(i) * expert[s][i] * 2 / GRID;
            }
            double found = taken[s][0] / draws;
            assertThat(found).as("mean at place %d", s).isCloseTo(mean, within(0.05));
            assertThat(Math.sqrt(taken[s][1] / draws - found * found))
                    .as("deviation at place %d", s)
                    .isCloseTo(Math.sqrt(square - mean * mean), withinPercentage(20));
        }
        assertThat(taken[1][0] / draws).isGreaterThan(WANTED[1] + 0.4);
    }

    private static double acted(InverseSoftQ learner, int place, RandomStream random) {
        float[] state = new float[PLACES];
        float[] action = new float[1];
        state[place] = 1;
        learner.actor().act(state, 0, random, action, 0);
        return action[0];
    }

    private static double drawn(double[] density, RandomStream random) {
        double left = random.nextDouble();
        int i = 0;
        while (i < GRID - 1 && left > density[i] * 2 / GRID) {
            left -= density[i++] * 2 / GRID;
        }
        return action(i);
    }

    @Test
    void aTunedTemperatureIsRefused() {
        Sac.Settings tuned = sac(1).withTemperature(Temperature.TUNED);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new InverseSoftQ(
                        SPACE,
                        tuned,
                        new InverseSoftQ.Loss(
                                InverseSoftQ.Term.V0, 0.5, false, InverseSoftQ.Actions.DRAWN, 0, InverseSoftQ.End.ZERO),
                        RandomStream.of(1)))
                .withMessageContaining("`temperature` is auto");
    }
}
