package dev.revealed.imitate.world;

import dev.revealed.imitate.Demonstrations;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Demonstrations cut into windows, which count as demonstrations that begin where they do. */
final class Windows {
    private Windows() {}

    /** Every step of the demonstrations once; only what ends a demonstration may end a window before its time. */
    static Demonstrations of(Demonstrations whole, int window) {
        BadInput.when(
                !whole.episodes().hasActions(),
                "the demonstrations in %s have no actions, and imitation without a simulator needs them"
                        .formatted(whole.source()),
                "Name demonstrations with actions of the same task, or leave out `offline` and imitate in the simulator.");
        List<Episode> cut = new ArrayList<>();
        for (Episode one : whole.episodes().all()) {
            int wide = one.observationSize();
            int acts = one.actionSize();
            float[] actions = Objects.requireNonNull(one.actions());
            for (int from = 0; from < one.length(); from += window) {
                int to = Math.min(one.length(), from + window);
                cut.add(new Episode(
                        to - from,
                        Arrays.copyOfRange(one.observations(), from * wide, (to + 1) * wide),
                        Arrays.copyOfRange(actions, from * acts, to * acts),
                        null,
                        to == one.length() ? one.ending() : Ending.TRUNCATED));
            }
        }
        return new Demonstrations(whole.source(), new Episodes(cut), whole.bootstrap());
    }
}
