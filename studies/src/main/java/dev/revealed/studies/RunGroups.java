package dev.revealed.studies;

import dev.revealed.imitate.BehaviourCloning;
import dev.revealed.imitate.Details;
import dev.revealed.settings.Item;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Runs of imitation that differ in the seed alone, by what they have in common. */
public final class RunGroups {
    static final String DEVICE = "device";

    /** Settings that the key of a row has by other names, and the seed. */
    private static final Set<String> OF_KEY =
            Set.of("task", "demos", "trajectories", "reward", "preset", "method", "seed");

    /** Settings that change nothing in what a run learns. */
    private static final Set<String> IDLE =
            Set.of("evaluate-every", "checkpoint-every", "resume", "out", "json", "threads", "at-once");

    private static final Set<String> OF_CLONING =
            Set.of("hidden", "iterations", "episodes", "inertia", "contact-forces", "data");

    private RunGroups() {}

    public static Map<ImitationTable.Key, List<GatheredRun>> of(GatheredRun.Found found) {
        Map<ImitationTable.Key, List<GatheredRun>> together =
                new TreeMap<>(Comparator.comparing(ImitationTable.Key::task, PublishedReturns.ORDER)
                        .thenComparing(ImitationTable.Key::demos)
                        .thenComparing(ImitationTable.Key::trajectories)
                        .thenComparing(ImitationTable.Key::method)
                        .thenComparing(ImitationTable.Key::settings));
        found.finished().stream()
                .filter(run -> run.result().details().imitation().isPresent())
                .collect(Collectors.groupingBy(run -> key(run, Map.of()), LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(alike -> {
                    Map<String, Set<String>> told = told(alike);
                    alike.forEach(run -> together.computeIfAbsent(key(run, told), same -> new ArrayList<>())
                            .add(run));
                });
        return together;
    }

    /** @param told values of settings that a row tells */
    private static ImitationTable.Key key(GatheredRun run, Map<String, Set<String>> told) {
        Map<String, String> options = new TreeMap<>();
        told.forEach((name, values) -> {
            String value = value(run, name);
            if (values.contains(value)) {
                options.put(name, value);
            }
        });
        Details.ImitationSummary imitated = imitated(run);
        Map<String, Object> settings = run.spec().settings();
        boolean cloned = cloned(run);
        String reward = Item.text(settings.getOrDefault("reward", ""));
        ImitationTable.Method method = ImitationTable.Method.of(imitated.method(), reward.equals("state"));
        if (!method.tellsReward()) {
            options.put("reward", reward);
        }
        return new ImitationTable.Key(
                run.result().task(),
                ImitationTable.file(imitated.demos()),
                imitated.trajectories(),
                method,
                cloned ? "" : Item.text(settings.get("preset")).toLowerCase(Locale.ROOT),
                options);
    }

    static Details.ImitationSummary imitated(GatheredRun run) {
        return run.result().details().imitation().orElseThrow();
    }

    private static boolean cloned(GatheredRun run) {
        return imitated(run).method().equals(BehaviourCloning.NAME);
    }

    /**
     * Of each setting the values that were typed for any of the runs, and those that nobody typed where there are several: a
     * row tells what sets it apart from the preset, or from other rows. To type a device is no departure.
     */
    private static Map<String, Set<String>> told(List<GatheredRun> alike) {
        Set<String> names = new TreeSet<>();
        alike.forEach(run -> names.addAll(run.spec().settings().keySet()));
        names.removeAll(OF_KEY);
        names.removeAll(IDLE);
        if (cloned(alike.getFirst())) {
            names.retainAll(OF_CLONING);
        }
        Map<String, Set<String>> told = new TreeMap<>();
        for (String name : names) {
            Set<String> typed = new TreeSet<>();
            Set<String> usual = new TreeSet<>();
            alike.forEach(run -> (typed(run, name) ? typed : usual).add(value(run, name)));
            if (usual.size() > 1) {
                typed.addAll(usual);
            }
            told.put(name, typed);
        }
        return told;
    }

    private static String value(GatheredRun run, String name) {
        return Item.text(run.spec().settings().get(name)).toLowerCase(Locale.ROOT);
    }

    private static boolean typed(GatheredRun run, String name) {
        return !name.equals(DEVICE) && run.spec().provenance().typed(name).isPresent();
    }
}
