package dev.revealed.imitate.world;

import dev.revealed.imitate.Demonstrations;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Demonstrations cut into windows, which count as demonstrations that begin where they do. */
final class Windows {
    private Windows() {}

    /** Every step of the demonstrations once; only what ends a demonstration may end a window before its time. */
    static Demonstrations of(Demonstrations whole, int window) {
        List<Episode> cut = new ArrayList<>();
        for (Episode one : whole.episodes().all()) {
            int wide = one.observationSize();
            int acts = one.actionSize();
            float @Nullable [] actions = one.actions();
            for (int from = 0; from < one.length(); from += window) {
                int to = Math.min(one.length(), from + window);
                cut.add(new Episode(
                        to - from,
                        Arrays.copyOfRange(one.observations(), from * wide, (to + 1) * wide),
                        actions == null ? null : Arrays.copyOfRange(actions, from * acts, to * acts),
                        null,
                        to == one.length() ? one.ending() : Ending.TRUNCATED));
            }
        }
        return new Demonstrations(whole.source(), new Episodes(cut), whole.bootstrap());
    }
}
