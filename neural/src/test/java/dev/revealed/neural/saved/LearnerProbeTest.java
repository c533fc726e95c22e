package dev.revealed.neural.saved;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Against learners whose numbers are known by hand, and against the learner's own loss. */
class LearnerProbeTest {
    private static final Simulator.Space SPACE = new Simulator.Space("line", 2, new Simulator.Actions.Box(1, 2), 10);
    private static final Sac.Settings SETTINGS =
            Sac.Settings.PAPER.withHidden(4, 4).withBatch(64);

    private static Batch batch(RandomStream stream) {
        Batch batch = Batch.of(64, SPACE);
        for (float[] array : new float[][] {batch.states(), batch.actions(), batch.rewards(), batch.nextStates()}) {
            for (int i = 0; i < array.length; i++) {
                array[i] = (float) stream.nextGaussian();
            }
        }
        for (int i = 0; i < 64; i++) {
            batch.live()[i] = i % 4 == 0 ? 0 : 1;
        }
        return batch;
    }

    private static Tensors learner() {
        try (Sac sac = new Sac(SPACE, SETTINGS, RandomStream.of(1), 1)) {
            return Tensors.of(sac::save);
        }
    }

    private static Tensors with(Tensors from, String prefix, Network network) {
        Tensors put = Tensors.of(into -> network.save(prefix, into));
        Tensors next = new Tensors();
        from.names().forEach(name -> next.put(name, put.has(name) ? put.get(name) : from.get(name)));
        return next;
    }

    /** Layers that pass on the first input's positive part in unit 0, a constant in unit 1, and nothing in units 2 and 3. */
    private static Network simple(float scale, float bias) {
        Mlp shape = Mlp.relu(3, 4, 4, 1);
        float[] theta = new float[shape.parameters()];
        theta[shape.weights(0)] = 1;
        theta[shape.biases(0) + 1] = 1;
        theta[shape.weights(1)] = 1;
        theta[shape.weights(1) + 5] = 1;
        theta[shape.weights(2)] = scale;
        theta[shape.biases(2)] = bias;
        return new Network(shape, theta);
    }

    @Test
    void valuesFeaturesAndNormsAreThoseOfTheNetworks() {
        Tensors saved = learner();
        saved = with(saved, "critic0", simple(2, 1));
        saved = with(saved, "critic1", simple(2, 1.5f));
        saved = with(saved, "target0", simple(0, 0));
        saved = with(saved, "target1", simple(0, 5));
        Batch rows = batch(RandomStream.of(2));
        LearnerProbe probe = new LearnerProbe(SPACE, SETTINGS, rows, RandomStream.of(3));
        Map<String, Double> found = probe.measure(saved, Batch.Rewards.STORED);
        double[] values = new double[64];
        Arrays.setAll(values, i -> 2 * Math.max(0, rows.states()[2 * i]) + 1);
        assertThat(found.get("valueMean"))
                .isCloseTo(Arrays.stream(values).average().orElseThrow(), within(1e-5));
        assertThat(found.get("valueMax")).isCloseTo(Arrays.stream(values).max().orElseThrow(), within(1e-5));
        assertThat(found.get("criticGap")).isCloseTo(0.5, within(1e-6));
        assertThat(found.get("featureRank")).isEqualTo(2);
        assertThat(found.get("dormant")).isEqualTo(0.5);
        assertThat(found.get("criticNorm")).isCloseTo(Math.sqrt(2 * (4 + 2 * 2) + 1 + 2.25), within(1e-6));
        assertThat(found.get("targetDistance")).isCloseTo(Math.sqrt(2 * 4 + 1 + 3.5 * 3.5), within(1e-6));
        assertThat(found.get("temperature")).isEqualTo(0.2);
        assertThat(found.get("actorStep")).isNaN();
        Map<String, Double> again = probe.measure(with(saved, "critic0", simple(2, 4)), Batch.Rewards.STORED);
        assertThat(again.get("criticStep")).isCloseTo(3, within(1e-6));
        assertThat(again.get("actorStep")).isZero();
        assertThat(again.get("entropy")).as("the same noise").isEqualTo(found.get("entropy"));
        assertThat(probe.meanValue(saved, new float[] {3, 0}, new float[] {1})).isCloseTo(7, within(1e-5));
    }

    /** Where every next state is worth nothing, errors are those of the rewards. */
    @Test
    void bellmanErrorsAreThoseOfTheTargets() {
        Tensors saved = with(with(learner(), "critic0", simple(0, 3)), "critic1", simple(0, 8));
        Batch rows = batch(RandomStream.of(2));
        Arrays.fill(rows.live(), 0);
        LearnerProbe probe = new LearnerProbe(SPACE, SETTINGS, rows, RandomStream.of(3));
        Map<String, Double> found = probe.measure(saved, labelled -> Arrays.fill(labelled.rewards(), 1));
        assertThat(found.get("bellmanMean")).isCloseTo(2, within(1e-6));
        assertThat(found.get("bellman99")).isCloseTo(2, within(1e-6));
        assertThat(found.get("rewardMean")).isEqualTo(1);
        assertThat(found.get("rewardDeviation")).isZero();
    }

    /** The mean over many draws of noise is the loss that an update reports, which draws its own. */
    @Test
    void entropyAndErrorsAreThoseOfALearner() {
        Batch rows = batch(RandomStream.of(4));
        double entropy = 0;
        double error = 0;
        int draws = 400;
        for (int i = 0; i < draws; i++) {
            try (Sac sac = new Sac(SPACE, SETTINGS.withLearningRate(1e-9), RandomStream.of(1), 1)) {
                sac.restore(new SavedTraining(Tensors.of(sac::save))
                        .withStreams("sac.noise"::equals, RandomStream.of(i))
                        .tensors());
                sac.update(rows, () -> {});
                entropy += sac.losses().byName().getOrDefault("entropy", Double.NaN) / draws;
            }
            LearnerProbe probe = new LearnerProbe(SPACE, SETTINGS, rows, RandomStream.of(i));
            error += probe.measure(learner(), Batch.Rewards.STORED).getOrDefault("entropy", Double.NaN) / draws;
        }
        assertThat(error).isCloseTo(entropy, within(0.02));
    }
}
