package dev.revealed.studies.offline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every command of the offline table: experts, demonstrations, logs and worlds first, then the runs.
 *
 * @param commands in their order
 * @param runs settings of the runs of each cell, for a file of runs; {@code cloning} likewise
 */
public record OfflinePlan(List<Command> commands, List<Map<String, String>> runs, List<Map<String, String>> cloning) {
    /** Names of the files of runs. */
    public static final String RUNS = "runs.txt";

    public static final String CLONING = "cloning.txt";

    private static final List<Task> TASKS =
            List.of(new Task("hopper", 1_000_000), new Task("halfcheetah", 1_000_000), new Task("walker2d", 2_000_000));
    private static final List<String> LOGS = List.of("replay", "medium", "medium-expert");

    /** Tasks whose replay is also learnt from without the penalty. */
    private static final List<String> UNPENALISED = List.of("hopper", "walker2d");

    private static final String EVERY = "20000"; // steps between evaluations, and between checkpoints

    private record Task(String name, int expertSteps) {}

    /** @param settings by name; switches have no value */
    public record Command(String name, Map<String, String> settings) {}

    /** @param device of what can use a GPU */
    public static OfflinePlan of(String device) {
        List<Command> commands = new ArrayList<>();
        List<Map<String, String>> runs = new ArrayList<>();
        List<Map<String, String>> cloning = new ArrayList<>();
        for (Task task : TASKS) {
            String name = task.name;
            String expert = "expert-" + name;
            String demos = "demos-" + name;
            Map<String, String> trained = ordered("task", name, "steps", Integer.toString(task.expertSteps));
            trained.putAll(ordered("evaluate-every", EVERY, "checkpoint-every", EVERY, "keep-checkpoints", "all"));
            trained.putAll(ordered("device", device, "seed", "1", "out", expert));
            commands.add(new Command("expert", trained));
            commands.add(new Command(
                    "record", ordered("policy", expert, "checkpoint", "best", "episodes", "10", "out", demos)));
            Map<String, String> shown = ordered("task", name, "demos", demos + "/demonstrations.npz");
            cloning.add(seeded(with(ordered("method", "bc"), shown)));
            runs.add(seeded(with(shown, ordered("iterations", "300"))));
            for (String log : LOGS) {
                String place = name + "-" + log;
                Map<String, String> recorded = ordered("mix", log, "policy", expert, "checkpoint", "best");
                if (!log.equals("replay")) {
                    recorded.put("steps", "300000");
                }
                recorded.put("out", "log-" + place);
                commands.add(new Command("record", recorded));
                Map<String, String> data = ordered("data", "log-%s/log.hdf5".formatted(place));
                commands.add(new Command("worldmodel", with(with(shown, data), ordered("out", "world-" + place))));
                Map<String, String> offline = with(
                        with(ordered("offline", ""), shown),
                        with(data, ordered("world", "world-" + place, "iterations", "300")));
                runs.add(seeded(offline));
                cloning.add(seeded(with(ordered("method", "bc"), with(shown, data))));
                if (log.equals("replay") && UNPENALISED.contains(name)) {
                    runs.add(seeded(with(offline, ordered("penalty-weight", "0"))));
                }
            }
        }
        commands.add(new Command("imitate", ordered("runs", RUNS, "device", device, "out", "runs")));
        commands.add(new Command("imitate", ordered("runs", CLONING, "out", "cloned")));
        return new OfflinePlan(List.copyOf(commands), List.copyOf(runs), List.copyOf(cloning));
    }

    private static Map<String, String> ordered(String... namesAndValues) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            settings.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return settings;
    }

    private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(some);
        all.putAll(more);
        return all;
    }

    private static Map<String, String> seeded(Map<String, String> settings) {
        return with(settings, ordered("seeds", "301-303"));
    }
}
