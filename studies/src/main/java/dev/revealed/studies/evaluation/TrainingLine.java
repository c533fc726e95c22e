package dev.revealed.studies.evaluation;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A line of a run's metrics: what the evaluated and the acting policy returned.
 *
 * @param step of training, at which the evaluation was
 * @param evaluation mean return of its episodes
 * @param training mean return of the episodes of training that ended since the line before; NaN where none did
 */
public record TrainingLine(long step, double evaluation, double training) {
    /** The lines of a run folder; none where it has no metrics, or where nothing acted. */
    public static List<TrainingLine> read(Path folder) {
        Path file = folder.resolve(RunFiles.METRICS);
        if (!Files.exists(file)) {
            return List.of();
        }
        List<String> texts;
        try {
            texts = Files.readAllLines(file);
        } catch (IOException e) {
            throw new BadInput("%s cannot be read (%s)".formatted(file, BadInput.reason(e)), "Check its permissions.");
        }
        List<TrainingLine> lines = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            String place = "%s, line %d".formatted(file, i + 1);
            String text = texts.get(i);
            Map<?, ?> fields = BadInput.placed(place, () -> Json.read(text, Map.class));
            if (fields.containsKey("episodeTrueReturn")) {
                double step = number(place, fields, "steps");
                double before = lines.isEmpty() ? 0 : lines.getLast().step;
                BadInput.when(
                        !(step > before),
                        "%s: the field 'steps' is %s, after %s".formatted(place, step, before),
                        "Steps must rise from line to line: take the file away, or make the run again.");
                lines.add(new TrainingLine(
                        (long) step, number(place, fields, "trueReturn"), number(place, fields, "episodeTrueReturn")));
            }
        }
        return lines;
    }

    /** What JSON cannot hold was written as null. */
    private static double number(String place, Map<?, ?> fields, String name) {
        Object value = fields.get(name);
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        BadInput.when(
                value != null || name.equals("steps"),
                "%s: the field '%s' is %s".formatted(place, name, value),
                "A number belongs there: take the file away, or make the run again.");
        return Double.NaN;
    }
}
