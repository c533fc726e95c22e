package dev.revealed.train;

import dev.revealed.neural.Sac;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Settings;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The records of a run, made from settings by name: those that were given, on top of defaults, or those that a spec recorded,
 * which must all be there. Collects every setting for the spec.
 */
public final class SettingResolution {
    private final Map<String, ?> given;
    private final boolean recorded;
    private final Set<String> named;
    private final Map<String, Object> settings = new TreeMap<>();

    private SettingResolution(Map<String, ?> given, boolean recorded, Set<String> named) {
        this.given = given;
        this.recorded = recorded;
        this.named = named;
    }

    public static SettingResolution typed(Map<String, ?> typed) {
        return new SettingResolution(typed, false, typed.keySet());
    }

    public static SettingResolution recorded(Map<String, ?> recorded) {
        return new SettingResolution(recorded, true, Set.of());
    }

    /** What was recorded, but for what is typed now. */
    public static SettingResolution changed(Map<String, ?> recorded, Map<String, ?> typed) {
        Map<String, Object> given = new TreeMap<>(recorded);
        given.putAll(typed);
        return new SettingResolution(given, false, typed.keySet());
    }

    /** @param usual the defaults of what was not typed, and of what is no setting */
    public <R extends Record> R get(R usual) {
        Settings<R> described = Settings.of(usual);
        return keep(recorded ? described.read(usual, given) : described.with(usual, given));
    }

    /** The same; a temperature that is to be tuned stops halving. */
    public Sac.Settings get(Sac.Settings usual) {
        return keep(recorded ? Settings.of(usual).read(usual, given) : usual.with(given));
    }

    private <R extends Record> R keep(R record) {
        settings.putAll(Settings.values(record));
        return record;
    }

    /** Whether a setting is among those given. */
    public boolean has(String name) {
        return given.containsKey(name);
    }

    /** Which settings were named. */
    public Set<String> named() {
        return named;
    }

    /**
     * Refuses what nothing came of.
     *
     * @param what the run learns, in words
     */
    public void refuseOthers(String what) {
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
    public Map<String, Object> settings() {
        return settings;
    }
}
