package dev.revealed.studies.offline;

import java.util.ArrayList;
import java.util.List;

/**
 * Every command of the offline table: experts, demonstrations, logs and worlds first, then the runs.
 *
 * @param commands in their order, as they are typed
 * @param runs a line for each cell, for {@code imitate --runs}; {@code cloning} likewise
 */
public record OfflinePlan(List<String> commands, List<String> runs, List<String> cloning) {
    private static final List<Task> TASKS = List.of(
            new Task("hopper", 1_000_000), new Task("halfcheetah", 1_000_000), new Task("walker2d", 2_000_000));
    static final List<String> LOGS = List.of("replay", "medium", "medium-expert");
    private static final String SEEDS = "--seeds 301-303";
    private static final int LOG_STEPS = 300_000;
    private static final int ITERATIONS = 300;

    /** Tasks whose replay is also learnt from without the penalty. */
    private static final List<String> UNPENALISED = List.of("hopper", "walker2d");

    private record Task(String name, int expertSteps) {}

    /** @param device of what can use a GPU */
    public static OfflinePlan of(String device) {
        List<String> commands = new ArrayList<>();
        List<String> runs = new ArrayList<>();
        List<String> cloning = new ArrayList<>();
        for (Task task : TASKS) {
            String name = task.name;
            String demos = "demos-%s/demonstrations.npz".formatted(name);
            commands.add(
                    "expert --task %s --steps %d --evaluate-every 20000 --checkpoint-every 20000 --keep-checkpoints all --device %s --seed 1 --out expert-%1$s"
                            .formatted(name, task.expertSteps, device));
            commands.add("record --policy expert-%s --checkpoint best --episodes 10 --out demos-%1$s".formatted(name));
            String shown = "--task %s --demos %s".formatted(name, demos);
            cloning.add("--method bc %s %s".formatted(shown, SEEDS));
            runs.add("%s --iterations 300 %s".formatted(shown, SEEDS));
            for (String log : LOGS) {
                String place = name + "-" + log;
                String data = "log-%s/log.hdf5".formatted(place);
                String steps = log.equals("replay") ? "" : " --steps " + LOG_STEPS;
                commands.add("record --mix %s --policy expert-%s --checkpoint best%s --out log-%s"
                        .formatted(log, name, steps, place));
                commands.add("worldmodel --task %s --data %s --demos %s --out world-%s"
                        .formatted(name, data, demos, place));
                String offline = "--offline %s --world world-%s --data %s --iterations %d"
                        .formatted(shown, place, data, ITERATIONS);
                runs.add("%s %s".formatted(offline, SEEDS));
                cloning.add("--method bc %s --data %s %s".formatted(shown, data, SEEDS));
                if (log.equals("replay") && UNPENALISED.contains(name)) {
                    runs.add("%s --penalty-weight 0 %s".formatted(offline, SEEDS));
                }
            }
        }
        commands.add("imitate --runs runs.txt --device %s --out runs".formatted(device));
        commands.add("imitate --runs cloning.txt --out cloned");
        commands.add("reproduce offline --from .");
        return new OfflinePlan(List.copyOf(commands), List.copyOf(runs), List.copyOf(cloning));
    }
}
