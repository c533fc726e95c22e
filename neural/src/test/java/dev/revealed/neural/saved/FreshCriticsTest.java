package dev.revealed.neural.saved;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Replay;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where every reward is 1 and no episode terminates, values are (1 + discount * temperature * entropy) / (1 - discount). */
class FreshCriticsTest {
    private static final Simulator.Space SPACE = new Simulator.Space("line", 2, new Simulator.Actions.Box(1, 1), 10);
    private static final double DISCOUNT = 0.5;
    private static final double TEMPERATURE = 2;

    /** Each is 2 after the 1000 updates of the checkpoint; a tuned one saves its logarithm. */
    static Stream<Temperature> temperatures() {
        return Stream.of(Temperature.fixed(TEMPERATURE), Temperature.halving(2 * TEMPERATURE, 1000), Temperature.TUNED);
    }

    private static SavedTraining saved(Sac.Settings settings) {
        try (Sac sac = new Sac(SPACE, settings, RandomStream.of(1), 1)) {
            Tensors own = Tensors.of(sac::save);
            Tensors saved = new Tensors();
            own.names().stream()
                    .filter(name -> !name.equals("temperature.log") && !name.equals("sac.updates"))
                    .forEach(name -> saved.put(name, own.get(name)));
            saved.put("temperature.log", new float[] {(float) Math.log(TEMPERATURE)});
            saved.put("sac.updates", 1000L);
            return new SavedTraining(saved);
        }
    }

    private static Replay replay(RandomStream stream) {
        Replay replay = new Replay(SPACE, 500);
        for (int i = 0; i < 500; i++) {
            float[] state = {(float) stream.nextGaussian(), (float) stream.nextGaussian()};
            float[] next = {(float) stream.nextGaussian(), (float) stream.nextGaussian()};
            replay.add(state, new float[] {(float) stream.nextDouble(-1, 1)}, 1, false, next);
        }
        return replay;
    }

    @ParameterizedTest
    @MethodSource("temperatures")
    void valuesAreThoseOfTheSavedTemperature(Temperature temperature) {
        Sac.Settings settings = Sac.Settings.PAPER
                .withHidden(8, 8)
                .withBatch(64)
                .with(Map.of("discount", DISCOUNT))
                .withTemperature(temperature);
        SavedTraining before = saved(settings);
        Replay replay = replay(RandomStream.of(2));
        SavedTraining after =
                new FreshCritics(SPACE, settings, Batch.Rewards.STORED, 4000).in(before, replay, RandomStream.of(3), 1);
        Batch rows = Batch.of(500, SPACE);
        replay.sample(RandomStream.of(4), rows);
        Map<String, Double> found = new LearnerProbe(SPACE, settings, rows, RandomStream.of(5))
                .measure(after.tensors(), Batch.Rewards.STORED);
        assertThat(found.get("temperature")).isCloseTo(TEMPERATURE, within(1e-6));
        double entropy = found.getOrDefault("entropy", Double.NaN);
        double expected = (1 + DISCOUNT * TEMPERATURE * entropy) / (1 - DISCOUNT);
        assertThat(found.get("valueMean")).isCloseTo(expected, within(0.1));
        for (String name : before.tensors().names()) {
            if (!name.matches("(critic|target)\\d\\..*")) {
                assertThat(after.tensors().get(name))
                        .as(name)
                        .usingRecursiveComparison()
                        .isEqualTo(before.tensors().get(name));
            }
        }
    }
}
