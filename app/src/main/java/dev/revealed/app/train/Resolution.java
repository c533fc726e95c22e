package dev.revealed.app.train;

import dev.revealed.neural.Sac;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Settings;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes the records of a run from settings by name: those that were typed, on top of defaults, or those that a spec recorded,
 * which must all be there. Collects what came of it, for the spec.
 */
final class Resolution {
    private final Map<String, ?> given;
    private final boolean recorded;
    private final Set<String> named;
    private final Map<String, Object> settings = new TreeMap<>();

    private Resolution(Map<String, ?> given, boolean recorded, Set<String> named) {
        this.given = given;
        this.recorded = recorded;
        this.named = named;
    }

    static Resolution typed(Map<String, ?> typed) {
        return new Resolution(typed, false, typed.keySet());
    }

    static Resolution recorded(Map<String, ?> recorded) {
        return new Resolution(recorded, true, Set.of());
    }

    /** What was recorded, but for what is typed now. */
    static Resolution changed(Map<String, ?> recorded, Map<String, ?> typed) {
        Map<String, Object> given = new TreeMap<>(recorded);
        given.putAll(typed);
        return new Resolution(given, false, typed.keySet());
    }

    /** @param usual the defaults of what was not typed, and of what is no setting */
    <R extends Record> R get(R usual) {
        Settings<R> described = Settings.of(usual);
        return keep(recorded ? described.read(usual, given) : described.with(usual, given));
    }

    /** The same; a temperature that is to be tuned stops halving. */
    Sac.Settings get(Sac.Settings usual) {
        return keep(recorded ? Settings.of(usual).read(usual, given) : usual.with(given));
    }

    private <R extends Record> R keep(R record) {
        settings.putAll(Settings.values(record));
        return record;
    }

    /** Whether a setting is among those given. */
    boolean has(String name) {
        return given.containsKey(name);
    }

    /** Which settings were named. */
    Set<String> named() {
        return named;
    }

    /**
     * Refuses what nothing came of.
     *
     * @param what the run learns, in words
     */
    void refuseOthers(String what) {
        Set<String> others = new HashSet<>(given.keySet());
        others.removeAll(settings.keySet());
        if (recorded) {
            Settings.refuseUnknown(others, settings.keySet());
        }
        others.stream().sorted().findFirst().ifPresent(name -> {
            throw new BadInput(
                    "`%s` has no effect on %s".formatted(name, what), "Leave it out, or choose another `method`.");
        });
    }

    /** Every setting of the run by name. */
    Map<String, Object> settings() {
        return settings;
    }
}
