package dev.revealed.studies.offline;

import dev.revealed.imitate.BehaviourCloning;
import dev.revealed.imitate.rivals.OfflineIqLearn;
import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.stats.InterquartileMean;
import dev.revealed.settings.Item;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.RunGroups;
import dev.revealed.studies.evaluation.EvaluationSummary;
import dev.revealed.studies.evaluation.RunCurve;
import dev.revealed.studies.tables.ControlRewards;
import dev.revealed.train.EvaluationPoint;
import dev.revealed.train.SacProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Runs without a simulator, beside cloning and runs with one. */
public record OfflineTable(List<Row> rows, int unfinished) {
    /** Settings that log and method say already. */
    private static final Set<String> SAID = Set.of("offline", "world", "data");

    /**
     * Runs that differ in the seed alone.
     *
     * @param settings the preset and what departs from it
     * @param log that they learnt from, by the folder of its file; empty where they had none
     * @param world that they learnt in, likewise
     * @param lastReturn mean over seeds of the last policies' returns
     * @param lastTen mean over seeds of their last ten evaluations
     * @param ratio of that to the expert's return; {@code lowest} is that of the worst seed
     * @param evaluation over steps of the world, or of the simulator
     */
    public record Row(
            String task,
            String log,
            String world,
            String method,
            String settings,
            int seeds,
            double expertReturn,
            double lastReturn,
            double lastTen,
            double ratio,
            double lowest,
            Optional<EvaluationSummary> evaluation) {}

    /**
     * Runs under a folder, those together that differ in the seed alone.
     *
     * @param seed of the bootstrap over runs
     */
    public static OfflineTable of(GatheredRun.Found found, long seed) {
        BadInput.when(
                found.finished().isEmpty(),
                "no finished run of 'imitate' was found",
                "Name the folder of the table, or make its runs with `device`.");
        RandomStream bootstrap = RandomStream.of(seed).named("bootstrap");
        List<Row> rows = new ArrayList<>();
        RunGroups.of(found)
                .forEach((key, runs) -> rows.add(row(
                        method(runs.getFirst()),
                        key.settingsWithout(SAID),
                        runs,
                        runs.getFirst().result().expertReturn(),
                        bootstrap)));
        Map<String, Double> experts = rows.stream()
                .collect(Collectors.toMap(Row::task, Row::expertReturn, (one, other) -> one, TreeMap::new));
        found.finished().stream()
                .filter(run -> run.result().kind().equals(SacProblem.REWARD))
                .collect(Collectors.groupingBy(
                        run -> List.of(run.result().task(), log(run), world(run), fresh(run, found)),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .forEach((key, runs) -> rows.add(
                        row(key.getLast(), "", runs, experts.getOrDefault(key.getFirst(), Double.NaN), bootstrap)));
        rows.sort(Comparator.comparing(Row::task)
                .thenComparing(Row::log)
                .thenComparing(Row::method)
                .thenComparing(Row::world));
        return new OfflineTable(rows, found.unfinished().size());
    }

    private static Row row(
            String method, String settings, List<GatheredRun> runs, double expert, RandomStream bootstrap) {
        GatheredRun first = runs.getFirst();
        GatheredRun.requireOnce(
                runs,
                run -> List.of(run.result().seed(), setting(run, "reward")),
                method + " on " + first.result().task());
        double[] tens = runs.stream().mapToDouble(OfflineTable::lastTen).toArray();
        double mean = Arrays.stream(tens).average().orElse(Double.NaN);
        return new Row(
                first.result().task(),
                log(first),
                world(first),
                method,
                settings,
                runs.size(),
                expert,
                runs.stream()
                        .mapToDouble(run -> run.result().meanReturn())
                        .average()
                        .orElse(Double.NaN),
                mean,
                mean / expert,
                Arrays.stream(tens).min().orElse(Double.NaN) / expert,
                evaluation(runs, expert, bootstrap));
    }

    private static Optional<EvaluationSummary> evaluation(
            List<GatheredRun> runs, double expert, RandomStream bootstrap) {
        List<RunCurve> curves = runs.stream()
                .sorted(Comparator.comparingLong(run -> run.result().seed()))
                .map(GatheredRun::curve)
                .toList();
        double[] last = curves.stream().mapToDouble(RunCurve::last).toArray();
        return EvaluationSummary.of(
                curves,
                expert,
                EvaluationSummary.budget(curves),
                InterquartileMean.of(last),
                InterquartileMean.interval(last, 0.95, bootstrap));
    }

    private static double lastTen(GatheredRun run) {
        return RunCurve.lastTen(run.result().curve()).stream()
                .mapToDouble(EvaluationPoint::meanReturn)
                .average()
                .orElse(run.result().meanReturn());
    }

    /** The folder of the log's file, by which logs are named. */
    private static String log(GatheredRun run) {
        return logOf(setting(run, "data"));
    }

    /** The folder of the world, likewise. */
    private static String world(GatheredRun run) {
        Path name = Path.of(setting(run, "world")).getFileName();
        return name == null ? "" : name.toString();
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
            case BehaviourCloning.NAME -> setting(run, "data").isEmpty() ? "cloning" : "cloning, log included";
            default -> run.result().kind() + ", in the simulator";
        };
    }

    /** A policy that learnt by a frozen reward, and whose reward that is: of the log that its run learnt from, or random. */
    private static String fresh(GatheredRun run, GatheredRun.Found found) {
        Path reward = Path.of(setting(run, "reward"));
        return "fresh policy, reward "
                + found.finished().stream()
                        .filter(other -> other.folder().toAbsolutePath().endsWith(reward))
                        .findFirst()
                        .map(other -> "of " + log(other))
                        .orElse(ControlRewards.isRandom(reward) ? "random" : "of " + reward);
    }

    private static String setting(GatheredRun run, String name) {
        return Item.text(run.spec().settings().getOrDefault(name, ""));
    }
}
