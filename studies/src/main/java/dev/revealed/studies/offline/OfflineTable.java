package dev.revealed.studies.offline;

import dev.revealed.imitate.BehaviourCloning;
import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.settings.Item;
import dev.revealed.studies.GatheredRun;
import dev.revealed.train.EvaluationPoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs without a simulator, beside cloning and runs with one. */
public record OfflineTable(List<Row> rows, int unfinished) {
    private static final int LAST = 10; // evaluations that are averaged

    /**
     * Runs that differ in the seed alone.
     *
     * @param log that they learnt from; empty where they had none
     * @param lastReturn mean over seeds of the last policies' returns
     * @param lastTen mean over seeds of their last ten evaluations
     * @param ratio of that to the expert's return; {@code lowest} is that of the worst seed
     */
    public record Row(
            String task,
            String log,
            String method,
            int seeds,
            double expertReturn,
            double lastReturn,
            double lastTen,
            double ratio,
            double lowest) {}

    /** Runs under a folder, those of one method on one log together. */
    public static OfflineTable of(GatheredRun.Found found) {
        Map<String, List<GatheredRun>> groups = new TreeMap<>();
        for (GatheredRun run : found.finished()) {
            if (run.result().details().imitation().isPresent()) {
                String key = String.join("|", run.result().task(), log(run), method(run));
                groups.computeIfAbsent(key, none -> new ArrayList<>()).add(run);
            }
        }
        return new OfflineTable(
                groups.values().stream().map(OfflineTable::row).toList(),
                found.unfinished().size());
    }

    private static Row row(List<GatheredRun> runs) {
        GatheredRun first = runs.getFirst();
        double expert = first.result().expertReturn();
        double[] tens = runs.stream().mapToDouble(OfflineTable::lastTen).toArray();
        double mean = Arrays.stream(tens).average().orElse(Double.NaN);
        return new Row(
                first.result().task(),
                log(first),
                method(first),
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

    /** The folder of the log's file, by which logs are told apart. */
    private static String log(GatheredRun run) {
        String data = setting(run, "data");
        Path folder = data.isEmpty() ? null : Path.of(data).getParent();
        return folder == null || folder.getFileName() == null
                ? data
                : folder.getFileName().toString();
    }

    private static String method(GatheredRun run) {
        return switch (run.result().kind()) {
            case OfflineMlIrl.NAME ->
                Double.parseDouble(setting(run, "penalty-weight")) == 0
                        ? "offline ML-IRL, no penalty"
                        : "offline ML-IRL";
            case BehaviourCloning.NAME -> setting(run, "data").isEmpty() ? "cloning" : "cloning, log included";
            default -> run.result().kind() + ", in the simulator";
        };
    }

    private static String setting(GatheredRun run, String name) {
        return Item.text(run.spec().settings().getOrDefault(name, ""));
    }
}
