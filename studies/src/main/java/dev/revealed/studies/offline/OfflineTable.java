package dev.revealed.studies.offline;

import dev.revealed.imitate.BehaviourCloning;
import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.settings.Item;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.ImitationTable;
import dev.revealed.train.EvaluationPoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

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
        ImitationTable.together(found).forEach((key, runs) -> rows.add(row(key, runs)));
        rows.sort(Comparator.comparing(Row::task).thenComparing(Row::log).thenComparing(Row::method));
        return new OfflineTable(rows, found.unfinished().size());
    }

    private static Row row(ImitationTable.Key key, List<GatheredRun> runs) {
        GatheredRun first = runs.getFirst();
        double expert = first.result().expertReturn();
        double[] tens = runs.stream().mapToDouble(OfflineTable::lastTen).toArray();
        double mean = Arrays.stream(tens).average().orElse(Double.NaN);
        return new Row(
                first.result().task(),
                log(first),
                method(first),
                key.settingsWithout(SAID),
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
        String data = setting(run, "data");
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
            case BehaviourCloning.NAME -> setting(run, "data").isEmpty() ? "cloning" : "cloning, log included";
            default -> run.result().kind() + ", in the simulator";
        };
    }

    private static String setting(GatheredRun run, String name) {
        return Item.text(run.spec().settings().getOrDefault(name, ""));
    }
}
