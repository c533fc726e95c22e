package dev.revealed.neural.saved;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Network;
import dev.revealed.neural.Replay;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;

/**
 * Newly initialised critics for a fixed policy: they learn from the replay while policy, temperature and rewards do not
 * change. Their values begin at the mean of the critics they replace, which saves the updates to get there.
 *
 * @param updates number of updates of the critics
 */
public record FreshCritics(Simulator.Space space, Sac.Settings settings, Batch.Rewards rewards, int updates) {

    /** @param threads that share the work of an update; the result does not depend on their number */
    public SavedTraining in(SavedTraining saved, Replay replay, RandomStream stream, int threads) {
        Batch batch = Batch.of(settings.batch(), space);
        RandomStream rows = stream.named("replay");
        double before = meanValue(saved.tensors(), replay, stream);
        Sac.Settings fixed = settings.withTemperature(Temperature.fixed(saved.temperature(settings.temperature())));
        try (Sac sac = new Sac(space, fixed, stream, threads)) {
            Tensors own = Tensors.of(sac::save);
            sac.restore(saved.withCriticsOf(own).withValuesRaised(before).tensors());
            float[] policy = sac.actor().network().parameters();
            float[] kept = policy.clone();
            for (int i = 0; i < updates; i++) {
                replay.sample(rows, batch);
                rewards.relabel(batch);
                sac.update(batch, () -> {});
                System.arraycopy(kept, 0, policy, 0, kept.length);
            }
            return saved.withGrownCriticsOf(Tensors.of(sac::save));
        }
    }

    /** The mean value that the first critic gives to a batch of the replay. */
    private double meanValue(Tensors tensors, Replay replay, RandomStream stream) {
        Batch batch = Batch.of(settings.batch(), space);
        replay.sample(stream.named("values"), batch);
        return Arrays.stream(LearnerProbe.values(Network.load("critic0", tensors), batch.states(), batch.actions()))
                .average()
                .orElseThrow();
    }
}
