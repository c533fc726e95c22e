package dev.revealed.studies.offline;

import dev.revealed.imitate.BehaviourCloning;
import dev.revealed.imitate.rivals.OfflineIqLearn;
import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.runs.RunSpec;
import dev.revealed.settings.Item;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.RunGroups;
import dev.revealed.train.EvaluationPoint;
import dev.revealed.train.SacProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Runs without a simulator, beside cloning and runs with one. */
public record OfflineTable(List<Row> rows, int unfinished) {
    private static final int LAST = 10; // evaluations that are averaged

    /** Settings that log and method say already. */
    private static final Set<String> SAID = Set.of("offline", "world", "data");

    /**
     * Runs that differ in the seed alone.
     *
     * @param settings the preset and what departs from it
     * @param log that they learnt from; empty where they had none
     * @param lastReturn mean over seeds of the last policies' returns
     * @param lastTen mean over seeds of their last ten evaluations
     * @param ratio of that to the expert's return; {@code lowest} is that of the worst seed
     */
    public record Row(
            String task,
            String log,
            String method,
            String settings,
            int seeds,
            double expertReturn,
            double lastReturn,
            double lastTen,
            double ratio,
            double lowest) {}

    /** Runs under a folder, those together that differ in the seed alone. */
    public static OfflineTable of(GatheredRun.Found found) {
        List<Row> rows = new ArrayList<>();
        RunGroups.of(found)
                .forEach((key, runs) -> rows.add(row(
                        key.settingsWithout(SAID),
                        runs,
                        runs.getFirst().result().expertReturn())));
        Map<String, Double> experts = rows.stream()
                .collect(Collectors.toMap(Row::task, Row::expertReturn, (one, other) -> one, TreeMap::new));
        found.finished().stream()
                .filter(run -> run.result().kind().equals(SacProblem.REWARD))
                .collect(Collectors.groupingBy(
                        run -> List.of(run.result().task(), log(run), method(run)),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values()
                .forEach(runs -> rows.add(row(
                        "", runs, experts.getOrDefault(runs.getFirst().result().task(), Double.NaN))));
        rows.sort(Comparator.comparing(Row::task).thenComparing(Row::log).thenComparing(Row::method));
        return new OfflineTable(rows, found.unfinished().size());
    }

    private static Row row(String settings, List<GatheredRun> runs, double expert) {
        GatheredRun first = runs.getFirst();
        double[] tens = runs.stream().mapToDouble(OfflineTable::lastTen).toArray();
        double mean = Arrays.stream(tens).average().orElse(Double.NaN);
        return new Row(
                first.result().task(),
                log(first),
                method(first),
                settings,
                runs.size(),
                expert,
                runs.stream()
                        .mapToDouble(run -> run.result().meanReturn())
                        .average()
                        .orElse(Double.NaN),
                mean,
                mean / expert,
                Arrays.stream(tens).min().orElse(Double.NaN) / expert);
    }

    private static double lastTen(GatheredRun run) {
        List<EvaluationPoint> curve = run.result().curve();
        return curve.subList(Math.max(0, curve.size() - LAST), curve.size()).stream()
                .mapToDouble(EvaluationPoint::meanReturn)
                .average()
                .orElse(run.result().meanReturn());
    }

    /** The folder of the log's file, by which logs are named. */
    private static String log(GatheredRun run) {
        return logOf(setting(run, "data"));
    }

    private static String logOf(String data) {
        Path folder = data.isEmpty() ? null : Path.of(data).getParent();
        return folder == null || folder.getFileName() == null
                ? data
                : folder.getFileName().toString();
    }

    private static String method(GatheredRun run) {
        return switch (run.result().kind()) {
            case OfflineMlIrl.NAME ->
                "offline ML-IRL"
                        + (Double.parseDouble(setting(run, "penalty-weight")) == 0 ? ", no penalty" : "")
                        + (setting(run, "world").endsWith(OfflinePlan.LOG_ALONE) ? ", world of the log alone" : "");
            case OfflineIqLearn.NAME -> "offline IQ-Learn";
            case SacProblem.REWARD -> "fresh policy, reward of " + rewardOf(setting(run, "reward"));
            case BehaviourCloning.NAME -> setting(run, "data").isEmpty() ? "cloning" : "cloning, log included";
            default -> run.result().kind() + ", in the simulator";
        };
    }

    /** The log that a reward was learnt from, where its run says so. */
    private static String rewardOf(String reward) {
        Path folder = Path.of(reward);
        if (!RunSpec.isIn(folder)) {
            return "nobody (random)";
        }
        return logOf(Item.text(RunSpec.read(folder).settings().getOrDefault("data", "")));
    }

    private static String setting(GatheredRun run, String name) {
        return Item.text(run.spec().settings().getOrDefault(name, ""));
    }
}
