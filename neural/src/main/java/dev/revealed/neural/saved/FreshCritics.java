package dev.revealed.neural.saved;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Network;
import dev.revealed.neural.Replay;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;

/**
 * Critics that begin anew for a policy that stays: they learn from the replay while the policy and the rewards do not change.
 * Their first value is the mean that the critics before them had, so that they need not climb to it first.
 *
 * @param updates that they make
 */
public record FreshCritics(Simulator.Space space, Sac.Settings settings, Batch.Rewards rewards, int updates) {

    /** @param threads that share the work of an update; they change nothing of what comes out */
    public SavedTraining in(SavedTraining saved, Replay replay, RandomStream stream, int threads) {
        Batch batch = Batch.of(settings.batch(), space);
        RandomStream rows = stream.named("replay");
        double before = meanValue(saved.tensors(), replay, stream);
        try (Sac sac = new Sac(space, settings, stream, threads)) {
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

    /** What the first critic thinks of a batch of actions that were taken. */
    private double meanValue(Tensors tensors, Replay replay, RandomStream stream) {
        Batch batch = Batch.of(settings.batch(), space);
        replay.sample(stream.named("values"), batch);
        return Arrays.stream(LearnerProbe.values(Network.load("critic0", tensors), batch.states(), batch.actions()))
                .average()
                .orElseThrow();
    }
}
