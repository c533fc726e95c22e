package dev.revealed.imitate.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.Visits;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DiscriminatorTest {
    private static final Simulator.Space SPACE = new Simulator.Space("two", 2, new Simulator.Actions.Box(1, 1), 4);

    private static RewardModel model(int inputs, Mlp.Output output) {
        Mlp shape = Mlp.of(new int[] {inputs, 5, 4, 1}, Activation.TANH, Activation.TANH, Activation.NONE)
                .withOutput(output);
        return RewardModel.random(shape, SPACE, 0, Visits.none(inputs), RandomStream.of(3));
    }

    private static float[] rows(int count, int width, long seed) {
        RandomStream stream = RandomStream.of(seed);
        float[] rows = new float[count * width];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = (float) stream.nextGaussian();
        }
        return rows;
    }

    private static Discriminator.Settings settings(int updates, double penalty, double slope) {
        return new Discriminator.Settings(updates, 32, 3e-3, penalty, slope);
    }

    /** Two rows of each side, whose logits are known: the mean of -log D and of -log(1 - D). */
    @Test
    void theLossIsTheLogisticOne() {
        RewardModel model = model(2, Mlp.Output.PLAIN);
        Discriminator discriminator = new Discriminator(settings(1, 0, 0), model);
        float[] rows = rows(4, 2, 1);
        double[] d = new double[4];
        for (int i = 0; i < 4; i++) {
            Visits one = new Visits(1, 2, Arrays.copyOfRange(rows, 2 * i, 2 * i + 2), new float[] {1});
            d[i] = 1 / (1 + Math.exp(-RewardLoop.paid(model, one).rewards()[0]));
        }
        double byHand = -(Math.log(d[0]) + Math.log(d[1])) / 2 - (Math.log(1 - d[2]) + Math.log(1 - d[3])) / 2;
        float[] gradient = new float[model.learnt().parameters().length];
        assertThat(discriminator.loss(rows, 2, gradient)).isCloseTo(byHand, within(1e-5));
    }

    @Test
    void theGradientIsThatOfTheLoss() {
        RewardModel model = model(3, Mlp.Output.PLAIN);
        Discriminator discriminator = new Discriminator(settings(1, 0, 0), model);
        float[] rows = rows(64, 3, 2);
        float[] theta = model.learnt().parameters();
        float[] gradient = new float[theta.length];
        discriminator.loss(rows, 32, gradient);
        for (int i = 0; i < theta.length; i++) {
            float kept = theta[i];
            theta[i] = kept + 1e-2f;
            double up = discriminator.loss(rows, 32, new float[theta.length]);
            theta[i] = kept - 1e-2f;
            double down = discriminator.loss(rows, 32, new float[theta.length]);
            theta[i] = kept;
            assertThat((double) gradient[i]).isCloseTo((up - down) / 2e-2, within(1e-3));
        }
    }

    /** Rows on a grid of two values each: with enough updates the logit is the log of how much likelier they are. */
    @Test
    void theLogitBecomesTheLogOfTheRatioOfDensities() {
        float[] places = {0, 0, 0, 1, 1, 0, 1, 1};
        Visits expert = new Visits(4, 2, places, new float[] {0.1f, 0.2f, 0.3f, 0.4f});
        Visits agent = new Visits(4, 2, places, new float[] {0.4f, 0.1f, 0.4f, 0.1f});
        RewardModel model = model(2, Mlp.Output.PLAIN);
        new Discriminator(settings(3000, 0, 0), model).learn(expert, agent, RandomStream.of(5), 0);
        float[] logits = RewardLoop.paid(model, expert).rewards();
        double[] ratios = {0.1 / 0.4, 0.2 / 0.1, 0.3 / 0.4, 0.4 / 0.1};
        for (int i = 0; i < 4; i++) {
            assertThat((double) logits[i]).isCloseTo(Math.log(ratios[i]), within(0.25));
        }
    }

    /** Without a penalty the logit of what can be told apart grows without end; with one its slope stays where it is asked. */
    @Test
    void thePenaltyHoldsTheSlope() {
        Visits expert = new Visits(1, 2, new float[] {1, 0}, new float[] {1});
        Visits agent = new Visits(1, 2, new float[] {-1, 0}, new float[] {1});
        double[] apart = new double[2];
        for (int i = 0; i < 2; i++) {
            RewardModel model = model(2, Mlp.Output.PLAIN);
            new Discriminator(settings(1500, i * 100.0, 0.5), model).learn(expert, agent, RandomStream.of(5), 0);
            apart[i] = RewardLoop.paid(model, expert).mean()
                    - RewardLoop.paid(model, agent).mean();
        }
        assertThat(apart[0]).isGreaterThan(6);
        assertThat(apart[1]).isCloseTo(1, within(0.15)); // two units of input at a slope of a half
    }

    /** Rewards of a batch are the functions of D that their names say, and those of a file are the same. */
    @ParameterizedTest
    @EnumSource(Mlp.Output.class)
    void labelsAreWhatTheirNamesSay(Mlp.Output output) {
        RewardModel plain = model(3, Mlp.Output.PLAIN);
        RewardModel model = model(3, output);
        Batch batch = Batch.of(8, SPACE);
        System.arraycopy(rows(8, 2, 4), 0, batch.states(), 0, 16);
        System.arraycopy(rows(8, 1, 5), 0, batch.actions(), 0, 8);
        plain.labels().relabel(batch);
        float[] logits = batch.rewards().clone();
        for (RewardModel one : new RewardModel[] {model, RewardModel.load(Tensors.of(model::save), SPACE, 0)}) {
            one.labels().relabel(batch);
            for (int i = 0; i < 8; i++) {
                double d = 1 / (1 + Math.exp(-logits[i]));
                double expected = switch (output) {
                    case PLAIN -> Math.log(d) - Math.log(1 - d);
                    case SOFTPLUS -> -Math.log(1 - d);
                    case LOG_SIGMOID -> Math.log(d);
                };
                assertThat((double) batch.rewards()[i]).isCloseTo(expected, within(1e-5));
            }
        }
    }
}
