package dev.revealed.studio;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.MetricsReader;
import dev.revealed.train.EvaluationPoint;
import dev.revealed.train.TrainingResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Learning curves, with one name for each quantity whatever the command and its version called it. */
final class Curves {
    static final String STEP = "step";
    static final String RETURN = "return";
    static final String ERROR = "standardError";

    /** What results and lines of metrics call them. */
    private static final Map<String, String> NAMES = Map.of(
            "steps", STEP,
            "testReturn", RETURN,
            "trueReturn", RETURN,
            "meanReturn", RETURN,
            "testStandardError", ERROR,
            "trueStandardError", ERROR,
            "gap", "likelihoodGap",
            "distance", "featureDistance",
            "episodeTrueReturn", "episodeReturn");

    private Curves() {}

    /**
     * A run's curve.
     *
     * @param to the byte of the metrics up to which it goes; what comes later is in the event stream
     * @param columns numbers by name, all of one length; null where one is not known
     */
    record Curve(long to, Map<String, List<@Nullable Double>> columns) {}

    /** What a run's metrics have; that of its result where they were not kept. */
    static Curve of(Path folder) {
        MetricsReader.Rows rows = MetricsReader.read(folder, 0);
        return new Curve(rows.to(), columns(rows.rows().isEmpty() ? kept(folder) : rows.rows()));
    }

    /** Lines of metrics under the names used here. */
    static List<Map<String, Double>> named(List<Map<String, Double>> rows) {
        return rows.stream().map(Curves::named).toList();
    }

    private static Map<String, Double> named(Map<String, Double> row) {
        Map<String, Double> named = new LinkedHashMap<>();
        row.forEach((name, value) -> named.put(NAMES.getOrDefault(name, name), value));
        named.putIfAbsent(STEP, named.getOrDefault("updates", Double.NaN));
        return named;
    }

    /** The number that says how good a run is: its return or its log-likelihood. */
    static Optional<Double> value(Map<String, ?> fields) {
        return Stream.of("meanReturn", "trueReturn", "testReturn", "logLikelihood")
                .map(fields::get)
                .filter(Number.class::isInstance)
                .map(value -> ((Number) value).doubleValue())
                .findFirst();
    }

    /** The evaluations and marks that a result keeps. */
    private static List<Map<String, Double>> kept(Path folder) {
        TrainingResult result;
        try {
            result = TrainingResult.read(folder);
        } catch (BadInput e) {
            return List.of(); // not there, or no training
        }
        List<? extends Record> marks = result.details().marks();
        List<Map<String, Double>> rows = new ArrayList<>();
        for (int i = 0; i < result.curve().size(); i++) {
            EvaluationPoint point = result.curve().get(i);
            Map<String, Double> row = new LinkedHashMap<>();
            row.put(STEP, (double) point.step());
            row.put(RETURN, point.meanReturn());
            row.put(ERROR, point.standardError());
            if (i < marks.size()) {
                Json.fields(marks.get(i)).forEach((name, value) -> {
                    if (value instanceof Number number) {
                        row.putIfAbsent(NAMES.getOrDefault(name, name), number.doubleValue());
                    }
                });
            }
            rows.add(row);
        }
        return rows;
    }

    private static Map<String, List<@Nullable Double>> columns(List<Map<String, Double>> rows) {
        Map<String, List<@Nullable Double>> columns = new LinkedHashMap<>();
        List<Map<String, Double>> named = named(rows);
        named.forEach(row -> row.keySet().forEach(name -> columns.putIfAbsent(name, new ArrayList<>())));
        for (Map<String, Double> row : named) {
            columns.forEach((name, values) -> values.add(row.get(name)));
        }
        return columns;
    }
}
