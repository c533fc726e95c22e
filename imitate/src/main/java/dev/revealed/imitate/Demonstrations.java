package dev.revealed.imitate;

import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What the expert did.
 *
 * @param source the file they were read from
 * @param bootstrap how they are resampled, by the random stream of the run; null where they are taken as they are
 */
public record Demonstrations(
        String source, Episodes episodes, @Nullable Resample bootstrap) {
    /** As they are. */
    public static Demonstrations of(String source, Episodes episodes) {
        return new Demonstrations(source, episodes, null);
    }

    /** Checks widths and actions against what a simulator takes. */
    public void check(Simulator.Space space) {
        BadInput.placed(source, () -> {
            episodes.check(space);
            return episodes;
        });
    }

    /** Writes a checksum into a checkpoint, by which changed demonstrations are detected on resume. */
    public void save(String name, Tensors into) {
        into.put(name, checksum());
    }

    /** Refuses demonstrations other than those that were there when the checkpoint was written. */
    public void check(String name, Tensors from) {
        BadInput.when(
                from.longs(name)[0] != checksum(),
                "%s holds other demonstrations than when the run was started".formatted(source),
                "Restore the original ones, or begin another run in another folder.");
    }

    private long checksum() {
        return HexFormat.fromHexDigitsToLong(episodes.hash(), 0, 16);
    }
}
