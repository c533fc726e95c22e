package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.numeric.Tensors.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SacTest {
    private static final Simulator.Space SPACE = new Simulator.Space("toy", 5, new Simulator.Actions.Box(2, 0.4f), 100);
    private static final int ROWS = 27;
    private static final Sac.Settings SMALL =
            Sac.Settings.PAPER.withHidden(19, 34).withBatch(ROWS);

    private static Batch batch(RandomStream stream) {
        return batch(ROWS, stream);
    }

    private static Batch batch(int rows, RandomStream stream) {
        Batch batch = Batch.of(rows, SPACE);
        fill(batch.states(), stream, 1);
        fill(batch.nextStates(), stream, 1);
        fill(batch.actions(), stream, 0.1);
        fill(batch.rewards(), stream, 1);
        for (int i = 0; i < rows; i++) {
            batch.live()[i] = i % 5 == 0 ? 0 : 1;
        }
        return batch;
    }

    private static void fill(float[] x, RandomStream stream, double scale) {
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (scale * stream.nextGaussian());
        }
    }

    private static Tensors saved(Sac sac) {
        Tensors tensors = new Tensors();
        sac.save(tensors);
        return tensors;
    }

    /** Parameters of a saved network in their flat order. */
    private static DoubleNet net(Mlp shape, String name, Tensors tensors) {
        Network network = new Network(shape, new float[shape.parameters()]);
        network.restore(name, tensors);
        return new DoubleNet(network);
    }

    private static double[] join(float[] states, int row, double[] action) {
        double[] x = new double[5 + action.length];
        for (int i = 0; i < 5; i++) {
            x[i] = states[row * 5 + i];
        }
        System.arraycopy(action, 0, x, 5, action.length);
        return x;
    }

    /** An action by the textbook's formulas, with its log density last (constant of the bound left out). */
    private static double[] draw(DoubleNet actor, float[] states, int row, float[] noise) {
        double[] out = actor.apply(join(states, row, new double[0]));
        double[] result = new double[3];
        for (int j = 0; j < 2; j++) {
            double logStd = Math.clamp(out[2 + j], -20, 2);
            double z = noise[row * 2 + j];
            double u = out[j] + Math.exp(logStd) * z;
            double t = Math.tanh(u);
            result[j] = 0.4f * t;
            result[2] += -z * z / 2 - logStd - Math.log(2 * Math.PI) / 2 - Math.log(1 - t * t);
        }
        return result;
    }

    /** Log density of an action under a policy, likewise. */
    private static double logDensity(DoubleNet policy, float[] states, int row, double[] action) {
        double[] out = policy.apply(join(states, row, new double[0]));
        double sum = 0;
        for (int j = 0; j < 2; j++) {
            double t = action[j] / 0.4f;
            double std = Math.exp(Math.clamp(out[2 + j], -20, 2));
            double z = (0.5 * Math.log((1 + t) / (1 - t)) - out[j]) / std;
            sum += -z * z / 2 - Math.log(std) - Math.log(2 * Math.PI) / 2 - Math.log(1 - t * t);
        }
        return sum;
    }

    private static double q(DoubleNet critic, float[] states, int row, double a0, double a1) {
        return critic.apply(join(states, row, new double[] {a0, a1}))[0];
    }

    /**
     * Adam's first moment after one update is a tenth of the gradient. The losses are written down again here from their
     * definitions, in double precision. Tolerance: gradients of about 0.1 in single precision, sums of some hundred terms.
     */
    @ParameterizedTest
    @CsvSource({
        "2,false,false,false,false",
        "1,false,false,false,false",
        "3,false,true,false,false",
        "2,true,true,false,false",
        "2,false,false,true,false",
        "3,true,false,true,false",
        "2,false,false,false,true",
        "1,true,false,false,true"
    })
    void oneUpdateFollowsTheGradientsOfTheLosses(
            int critics, boolean layerNorm, boolean tuned, boolean featureNorm, boolean referring) {
        Sac.Settings settings =
                SMALL.withCritics(critics).with(Map.of("layer-norm", layerNorm, "feature-norm", featureNorm));
        settings = tuned ? settings.withTemperature(Temperature.TUNED) : settings;
        RandomStream stream = RandomStream.of(5);
        Batch batch = batch(RandomStream.of(6));
        try (Sac sac = new Sac(SPACE, settings, stream, 1)) {
            Tensors before = saved(sac);
            GaussianActor reference = GaussianActor.random(SPACE, new int[] {6}, false, RandomStream.of(8));
            if (referring) {
                sac.referTo(reference);
            }
            DoubleNet pi0 = new DoubleNet(reference.network());
            sac.update(batch, () -> {});
            Tensors after = saved(sac);

            RandomStream noise = stream.named("noise");
            float[] nextNoise = TapeTest.normal(ROWS * 2, noise);
            float[] noiseNow = TapeTest.normal(ROWS * 2, noise);
            Mlp criticShape = Mlp.relu(7, 19, 34, 1).withLayerNorm(layerNorm).withFeatureNorm(featureNorm);
            Mlp actorShape = Mlp.relu(5, 19, 34, 4);
            DoubleNet actor = net(actorShape, "actor", before);
            double alpha = tuned ? 1 : 0.2;
            double[] target = new double[ROWS];
            for (int row = 0; row < ROWS; row++) {
                double[] a = draw(actor, batch.nextStates(), row, nextNoise);
                double least = Double.POSITIVE_INFINITY;
                for (int k = 0; k < critics; k++) {
                    DoubleNet net = net(criticShape, "target" + k, before);
                    least = Math.min(least, q(net, batch.nextStates(), row, a[0], a[1]));
                }
                double paid = referring ? a[2] - logDensity(pi0, batch.nextStates(), row, a) : a[2];
                target[row] = batch.rewards()[row] + 0.99 * batch.live()[row] * (least - alpha * paid);
            }
            double criticLoss = 0;
            for (int k = 0; k < critics; k++) {
                DoubleNet net = net(criticShape, "critic" + k, before);
                DoubleSupplier loss = () -> {
                    double sum = 0;
                    for (int row = 0; row < ROWS; row++) {
                        float[] a = batch.actions();
                        double error = q(net, batch.states(), row, a[2 * row], a[2 * row + 1]) - target[row];
                        sum += error * error / ROWS;
                    }
                    return sum;
                };
                criticLoss += loss.getAsDouble();
                sameGradient("critic" + k, after, net, loss);
            }
            DoubleNet[] improved = new DoubleNet[critics];
            for (int k = 0; k < critics; k++) {
                improved[k] = net(criticShape, "critic" + k, after);
            }
            DoubleSupplier actorLoss = () -> {
                double sum = 0;
                for (int row = 0; row < ROWS; row++) {
                    double[] a = draw(actor, batch.states(), row, noiseNow);
                    double least = Double.POSITIVE_INFINITY;
                    for (DoubleNet critic : improved) {
                        least = Math.min(least, q(critic, batch.states(), row, a[0], a[1]));
                    }
                    double paid = referring ? a[2] - logDensity(pi0, batch.states(), row, a) : a[2];
                    sum += (alpha * paid - least) / ROWS;
                }
                return sum;
            };
            sameGradient("actor", after, actor, actorLoss);
            Losses losses = sac.losses();
            assertThat(losses.critic()).isCloseTo(criticLoss, within(1e-5));
            assertThat(losses.actor()).isCloseTo(actorLoss.getAsDouble(), within(1e-5));
            double entropy = 0;
            for (int row = 0; row < ROWS; row++) {
                entropy -= draw(actor, batch.states(), row, noiseNow)[2] / ROWS;
            }
            assertThat(losses.entropy()).isCloseTo(entropy, within(1e-5));
            assertThat(sac.losses().updates()).isZero();
            if (tuned) { // more entropy than -2 lowers the temperature, by the learning rate at the first step
                assertThat(sac.temperature()).isCloseTo(Math.exp(-1e-3 * Math.signum(entropy + 2)), within(1e-6));
            }
            float[] old = before.floats("target0.weight1");
            float[] now = after.floats("target0.weight1");
            for (int i = 0; i < old.length; i++) {
                assertThat(now[i])
                        .isCloseTo(0.995f * old[i] + 0.005f * after.floats("critic0.weight1")[i], within(1e-7f));
            }
        }
    }

    /**
     * Where no action pays, the best policy is the reference policy: nothing else has a divergence of zero. Without it, it is
     * the one with the highest entropy.
     */
    @Test
    void withoutRewardsThePolicyBecomesTheReference() {
        GaussianActor reference = GaussianActor.random(SPACE, new int[] {4}, false, RandomStream.of(8));
        float[] parameters = reference.network().parameters();
        java.util.Arrays.fill(parameters, 0); // whatever is observed: its last four numbers are the output's biases
        double[] wanted = {0.7, -0.4, -1, -0.3};
        for (int i = 0; i < 4; i++) {
            parameters[parameters.length - 4 + i] = (float) wanted[i];
        }
        for (boolean referring : new boolean[] {true, false}) {
            try (Sac sac = new Sac(SPACE, SMALL.withLearningRate(3e-3), RandomStream.of(5), 1)) {
                if (referring) {
                    sac.referTo(reference);
                }
                RandomStream stream = RandomStream.of(6);
                for (int i = 0; i < 2500; i++) {
                    Batch batch = batch(stream);
                    java.util.Arrays.fill(batch.rewards(), 0);
                    java.util.Arrays.fill(batch.live(), 0);
                    sac.update(batch, () -> {});
                }
                DoubleNet learnt = new DoubleNet(sac.actor().network());
                double[] found = learnt.apply(new double[5]);
                for (int i = 0; i < 4; i++) {
                    if (referring) {
                        assertThat(found[i]).isCloseTo(wanted[i], within(0.1));
                    }
                }
                if (!referring) {
                    assertThat(Math.abs(found[0] - wanted[0])).isGreaterThan(0.2);
                }
            }
        }
    }

    @Test
    void referencePoliciesThatDoNotFitAreRefused() {
        Simulator.Space other = new Simulator.Space("other", 4, new Simulator.Actions.Box(2, 0.4f), 100);
        GaussianActor small = GaussianActor.random(other, new int[] {4}, false, RandomStream.of(8));
        GaussianActor fits = GaussianActor.random(SPACE, new int[] {4}, false, RandomStream.of(8));
        try (Sac sac = new Sac(SPACE, SMALL, RandomStream.of(5), 1);
                Sac tuned = new Sac(SPACE, SMALL.withTemperature(Temperature.TUNED), RandomStream.of(5), 1)) {
            assertThatThrownBy(() -> sac.referTo(small))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("takes 4 observations to 2 actions");
            assertThatThrownBy(() -> tuned.referTo(fits))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("no entropy to tune");
        }
    }

    /** Adam's moments are the same, and what an update does to a parameter is less by the decay's share of it. */
    @Test
    void criticsDecayPastTheirMoments() {
        Tensors before;
        try (Sac sac = new Sac(SPACE, SMALL, RandomStream.of(5), 1)) {
            before = saved(sac);
        }
        Tensors plain = afterOne(SMALL);
        Tensors decayed = afterOne(SMALL.with(Map.of("critic-decay", 20)));
        assertThat(decayed.floats("critic1.adam.first")).containsExactly(plain.floats("critic1.adam.first"));
        for (String name : List.of("critic0.weight1", "critic1.bias0")) {
            for (int i = 0; i < before.floats(name).length; i++) {
                float less = plain.floats(name)[i] - decayed.floats(name)[i];
                assertThat(less).isCloseTo(20 * 1e-3f * before.floats(name)[i], within(1e-7f));
            }
        }
    }

    /** Adam's first step is as long as its step size, whatever the gradient. */
    @Test
    void theActorHasItsOwnStepSize() {
        Tensors before;
        try (Sac sac = new Sac(SPACE, SMALL, RandomStream.of(5), 1)) {
            before = saved(sac);
        }
        Tensors after = afterOne(SMALL.with(Map.of("actor-learning-rate", 1e-5)));
        assertThat(farthest("actor.weight1", before, after)).isBetween(0.9e-5, 1.1e-5);
        assertThat(farthest("critic0.weight1", before, after)).isBetween(0.9e-3, 1.1e-3);
    }

    /** With a step size that halves in every update the second step is half as long, and goes the same way. */
    @Test
    void theActorsStepSizeHalves() {
        float[][][] moved = new float[2][2][];
        for (int halving = 0; halving < 2; halving++) {
            try (Sac sac = new Sac(SPACE, SMALL.with(Map.of("actor-halving", halving)), RandomStream.of(5), 1)) {
                float[] before = saved(sac).floats("actor.weight1").clone();
                for (int update = 0; update < 2; update++) {
                    sac.update(batch(RandomStream.of(6)), () -> {});
                    float[] after = saved(sac).floats("actor.weight1").clone();
                    float[] step = new float[after.length];
                    for (int i = 0; i < step.length; i++) {
                        step[i] = after[i] - before[i];
                    }
                    moved[halving][update] = step;
                    before = after;
                }
            }
        }
        assertThat(moved[1][0]).containsExactly(moved[0][0]);
        for (int i = 0; i < moved[0][1].length; i++) {
            assertThat(moved[1][1][i]).isCloseTo(moved[0][1][i] / 2, within(1e-7f));
        }
    }

    /** Between its turns the actor stays as it is, and critics learn what they would learn in any case. */
    @Test
    void theActorLearnsInEveryThirdUpdate() {
        Sac.Settings third = SMALL.with(Map.of("actor-every", 3));
        Tensors plain = afterOne(SMALL);
        Tensors one = afterOne(third);
        assertThat(one.floats("critic0.weight1")).containsExactly(plain.floats("critic0.weight1"));
        try (Sac sac = new Sac(SPACE, third, RandomStream.of(5), 1)) {
            Tensors before = saved(sac);
            List<Boolean> moved = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                sac.update(batch(RandomStream.of(i)), () -> {});
                Tensors after = saved(sac);
                moved.add(farthest("actor.weight1", before, after) > 0);
                assertThat(after.longs("actor.adam.steps")[0]).isEqualTo((i + 1) / 3);
                before = after;
            }
            assertThat(moved).containsExactly(false, false, true, false, false, true, false);
        }
    }

    /** What the expert's rows add to the actor's gradient is that of their loss, and the critics' stays as it is. */
    @Test
    void theActorResemblesTheExpertInTheLastRows() {
        Batch batch = batch(RandomStream.of(6));
        int seed = 26; // values of both signs
        Tensors plain = afterOne(SMALL, seed);
        try (Sac sac = new Sac(SPACE, SMALL, RandomStream.of(seed), 2)) {
            DoubleNet actor = net(Mlp.relu(5, 19, 34, 4), "actor", saved(sac));
            DoubleNet critic = net(Mlp.relu(7, 19, 34, 1), "critic0", saved(sac));
            double size = IntStream.range(0, ROWS)
                    .mapToDouble(row -> {
                        double[] action = {batch.actions()[2 * row], batch.actions()[2 * row + 1]};
                        return Math.abs(critic.apply(join(batch.states(), row, action))[0]) / ROWS;
                    })
                    .sum();
            sac.cloneLast(3, 70);
            sac.update(batch, () -> {});
            Tensors after = saved(sac);
            assertThat(size).isBetween(0.005, 1.0); // else there is little to see
            assertThat(size).isGreaterThan(1.2 * Math.abs(sac.losses().value())); // else signs do not show
            DoubleSupplier loss = () -> {
                double sum = 0;
                for (int row = ROWS - 3; row < ROWS; row++) {
                    double[] out = actor.apply(join(batch.states(), row, new double[0]));
                    for (int j = 0; j < 2; j++) {
                        double away = Math.tanh(out[j]) - batch.actions()[2 * row + j] / 0.4f;
                        sum += 70 * size * away * away / 2 / 3;
                    }
                }
                return sum;
            };
            float[] with = after.floats("actor.adam.first");
            float[] without = plain.floats("actor.adam.first");
            for (int i = 0; i < with.length; i += 7) {
                assertThat((with[i] - without[i]) / 0.1).isCloseTo(actor.difference(i, loss), within(4e-5));
            }
            assertThat(after.floats("critic1.adam.first")).containsExactly(plain.floats("critic1.adam.first"));
        }
    }

    private static Tensors afterOne(Sac.Settings settings) {
        return afterOne(settings, 5);
    }

    private static Tensors afterOne(Sac.Settings settings, int seed) {
        try (Sac sac = new Sac(SPACE, settings, RandomStream.of(seed), 1)) {
            sac.update(batch(RandomStream.of(6)), () -> {});
            return saved(sac);
        }
    }

    private static double farthest(String name, Tensors one, Tensors other) {
        double farthest = 0;
        for (int i = 0; i < one.floats(name).length; i++) {
            farthest = Math.max(farthest, Math.abs(one.floats(name)[i] - other.floats(name)[i]));
        }
        return farthest;
    }

    @Test
    void aDecayThatLeavesNothingIsRefused() {
        assertThatThrownBy(() -> SMALL.with(Map.of("critic-decay", 1000)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("`critic-decay` is 1000.0 and `learning-rate` 0.001");
    }

    private static void sameGradient(String name, Tensors after, DoubleNet net, DoubleSupplier loss) {
        float[] moment = after.floats(name + ".adam.first");
        for (int i = 0; i < moment.length; i += 7) {
            assertThat(moment[i] / 0.1)
                    .as("%s, parameter %d", name, i)
                    .isCloseTo(net.difference(i, loss), within(2e-5));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 50})
    void threadsChangeNothingInBatchesOfAnySize(int rows) {
        Sac.Settings settings = SMALL.withBatch(rows).with(Map.of("layer-norm", rows > 4, "feature-norm", rows == 50));
        try (Sac one = new Sac(SPACE, settings, RandomStream.of(1), 1);
                Sac two = new Sac(SPACE, settings, RandomStream.of(1), 2)) {
            RandomStream data = RandomStream.of(2);
            for (int i = 0; i < 20; i++) {
                Batch batch = batch(rows, data);
                one.update(batch, () -> {});
                two.update(batch, () -> {});
            }
            same(saved(one), saved(two));
        }
    }

    @Test
    void threadsChangeNothing() {
        try (Sac one = new Sac(SPACE, SMALL, RandomStream.of(1), 1);
                Sac two = new Sac(SPACE, SMALL, RandomStream.of(1), 2);
                Sac four = new Sac(SPACE, SMALL, RandomStream.of(1), 4)) {
            RandomStream data = RandomStream.of(2);
            AtomicInteger besides = new AtomicInteger();
            for (int i = 0; i < 200; i++) {
                Batch batch = batch(data);
                one.update(batch, besides::incrementAndGet);
                two.update(batch, besides::incrementAndGet);
                four.update(batch, besides::incrementAndGet);
            }
            assertThat(besides).hasValue(600);
            same(saved(one), saved(two));
            same(saved(one), saved(four));
        }
    }

    @Test
    void goesOnFromWhereItWasSaved() {
        Sac.Settings tuned = SMALL.withTemperature(Temperature.TUNED);
        try (Sac sac = new Sac(SPACE, tuned, RandomStream.of(1), 1);
                Sac other = new Sac(SPACE, tuned, RandomStream.of(77), 2)) {
            RandomStream data = RandomStream.of(2);
            for (int i = 0; i < 5; i++) {
                sac.update(batch(data), () -> {});
            }
            other.restore(saved(sac));
            for (int i = 0; i < 5; i++) {
                Batch batch = batch(data);
                sac.update(batch, () -> {});
                other.update(batch, () -> {});
            }
            same(saved(sac), saved(other));
            assertThat(sac.losses()).isEqualTo(other.losses());
        }
    }

    @Test
    void aTemperatureHalvesEverySoManyUpdates() {
        try (Sac sac = new Sac(SPACE, SMALL.withTemperature(Temperature.halving(0.2, 2)), RandomStream.of(1), 1);
                Sac other = new Sac(SPACE, sac.settings(), RandomStream.of(77), 1)) {
            RandomStream data = RandomStream.of(2);
            for (int i = 0; i < 4; i++) {
                sac.update(batch(data), () -> {});
            }
            double half = Math.sqrt(0.5);
            assertThat(sac.losses().temperature()).isCloseTo(0.2 * (1 + half + 0.5 + 0.5 * half) / 4, within(1e-12));
            assertThat(sac.temperature()).isCloseTo(0.05, within(1e-12));
            other.restore(saved(sac));
            assertThat(other.temperature()).isEqualTo(sac.temperature());
        }
    }

    @Test
    void whatRunsBesideSeesTheActorAsItWas() {
        try (Sac sac = new Sac(SPACE, SMALL, RandomStream.of(1), 2)) {
            RandomStream data = RandomStream.of(2);
            float[] observation = {1, -1, 0.5f, 2, 0};
            for (int i = 0; i < 20; i++) {
                float[] before = new float[2];
                float[] seen = new float[2];
                float[] after = new float[2];
                sac.actor().actDeterministic(observation, 0, before, 0);
                sac.update(batch(data), () -> sac.actor().actDeterministic(observation, 0, seen, 0));
                sac.actor().actDeterministic(observation, 0, after, 0);
                assertThat(seen).containsExactly(before);
                assertThat(after).isNotEqualTo(before);
            }
        }
    }

    @Test
    void saysWhereItDiverged() {
        try (Sac sac = new Sac(SPACE, SMALL, RandomStream.of(1), 2)) {
            sac.update(batch(RandomStream.of(2)), () -> {});
            Batch bad = batch(RandomStream.of(3));
            bad.rewards()[4] = Float.NaN;
            assertThatThrownBy(() -> sac.update(bad, () -> {}))
                    .isInstanceOf(DivergenceFailure.class)
                    .hasMessage("update 2: the critic loss is NaN");
        }
    }

    @Test
    void failuresBesideReachTheCaller() {
        try (Sac sac = new Sac(SPACE, SMALL, RandomStream.of(1), 2)) {
            assertThatThrownBy(() -> sac.update(batch(RandomStream.of(2)), () -> {
                        throw new IllegalStateException("the robot fell off");
                    }))
                    .hasMessage("the robot fell off");
        }
    }

    private static void same(Tensors a, Tensors b) {
        assertThat(a.names()).containsExactlyElementsOf(b.names());
        for (String name : a.names()) {
            switch (a.get(name)) {
                case Tensor.Floats f -> assertThat(b.floats(name)).as(name).containsExactly(f.values());
                case Tensor.Doubles d -> assertThat(b.doubles(name)).as(name).containsExactly(d.values());
                case Tensor.Longs l -> assertThat(b.longs(name)).as(name).containsExactly(l.values());
            }
        }
    }

    /** Networks of observations as they are learn what networks of smaller observations would. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void learnsAsThoughInputsWereScaled(boolean layerNorm) {
        float[] scale = {1, 0.25f, 0.125f, 1, 0.5f}; // powers of two, by which nothing is rounded
        Sac.Settings settings = SMALL.with(Map.of("layer-norm", layerNorm));
        try (Sac plain = new Sac(SPACE, settings, RandomStream.of(3), 1);
                Sac small = new Sac(SPACE, settings, RandomStream.of(3), 2)) {
            plain.scaleInputs(scale);
            for (int i = 0; i < 20; i++) {
                Batch seen = batch(RandomStream.of(i));
                Batch scaled = batch(RandomStream.of(i));
                for (int at = 0; at < ROWS * 5; at++) {
                    scaled.states()[at] *= scale[at % 5];
                    scaled.nextStates()[at] *= scale[at % 5];
                }
                plain.update(seen, () -> {});
                small.update(scaled, () -> {});
            }
            for (String network : List.of("actor", "critic0", "target1")) {
                float[] first = saved(plain).floats(network + ".weight0");
                float[] other = saved(small).floats(network + ".weight0");
                for (int at = 0; at < first.length; at++) {
                    int input = at / 19;
                    double expected = other[at] * (input < 5 ? scale[input] : 1);
                    assertThat((double) first[at])
                            .as("%s, input %d", network, input)
                            .isCloseTo(expected, within(2e-5));
                }
            }
        }
    }
}
