package dev.revealed.studies.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.train.EvaluationPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The expert returns 4000: policies stand at 3000 and fall below 1500, counted from the first evaluation at 3600.
 * {@code FallsScriptTest} has the same lines for {@code scripts/falls.py}.
 */
class FallsTest {
    @TempDir
    private Path folder = Path.of("");

    /** Lines every 100,000 steps, of returns of evaluations and of training. */
    private static List<TrainingLine> lines(double[] evaluations, double[] training) {
        List<TrainingLine> lines = new ArrayList<>();
        for (int i = 0; i < training.length; i++) {
            lines.add(new TrainingLine(100_000L * (i + 1), evaluations[i], training[i]));
        }
        return lines;
    }

    /** It falls at 200,000, before any evaluation is at 90 %, and at 500,000 and 800,000: two in 600,000 steps. */
    @Test
    void countsFromTheFirstEvaluationAtNinetyPercent() {
        double[] evaluations = {3500, 100, 3599, 3600, 100, 100, 3700, 100, 100, 100};
        double[] training = {3000, 1400, 3100, 2900, 1499, 1600, 3000, 100, 2999, 1400};
        Falls falls = Falls.of(List.of(lines(evaluations, training)), 4000);
        assertThat(falls.falls()).isEqualTo(2);
        assertThat(falls.steps()).isEqualTo(600_000);
        assertThat(falls.perMillion()).isCloseTo(2 / 0.6, within(1e-12));
        assertThat(falls.interval().low()).isCloseTo(0.2422 / 0.6, within(1e-3));
        assertThat(falls.interval().high()).isCloseTo(7.2247 / 0.6, within(1e-3));
    }

    /** Steps end with the last known return; who never gets there was not watched. */
    @Test
    void stepsOfAllRunsAreTogether() {
        double nan = Double.NaN;
        List<TrainingLine> one = lines(new double[] {4000, 0, 0, 0}, new double[] {100, 3000, nan, nan});
        List<TrainingLine> never = lines(new double[] {3599, 0, 0}, new double[] {3000, 100, 3000});
        Falls falls = Falls.of(List.of(one, one, never), 4000);
        assertThat(falls.runs()).isEqualTo(3);
        assertThat(falls.falls()).isZero();
        assertThat(falls.steps()).isEqualTo(200_000);
        assertThat(falls.interval().low()).isZero();
        assertThat(falls.interval().high()).isCloseTo(3.6889 / 0.2, within(1e-3));
        assertThat(Falls.of(List.of(never), 4000).interval()).isEqualTo(Interval.UNKNOWN);
        assertThat(Falls.of(List.of(never), 4000).perMillion()).isNaN();
    }

    @Test
    void linesAreReadFromMetrics() throws IOException {
        assertThat(TrainingLine.read(folder)).isEmpty();
        Path file = folder.resolve("metrics.jsonl");
        Files.writeString(file, """
                {"steps": 10, "trueReturn": 5.5, "episodeTrueReturn": null, "entropy": 1}
                {"steps": 20, "trueReturn": 6, "episodeTrueReturn": 7}
                """);
        assertThat(TrainingLine.read(folder))
                .containsExactly(new TrainingLine(10, 5.5, Double.NaN), new TrainingLine(20, 6, 7));
        Files.writeString(file, "{\"steps\": 10, \"trueReturn\": 5}\n"); // nothing acted
        assertThat(TrainingLine.read(folder)).isEmpty();
        Files.writeString(file, "{\"steps\": 10, \"episodeTrueReturn\": 1}\n{\"steps\": 2");
        refused("metrics.jsonl, line 2");
        Files.writeString(file, "{\"steps\": 10, \"trueReturn\": \"much\", \"episodeTrueReturn\": 1}\n");
        refused("metrics.jsonl, line 1: the field 'trueReturn' is much");
        Files.writeString(file, "{\"episodeTrueReturn\": 1}\n");
        refused("line 1: the field 'steps' is null");
        Files.writeString(file, "{\"steps\": 9, \"episodeTrueReturn\": 1}\n{\"steps\": 9, \"episodeTrueReturn\": 1}\n");
        refused("line 2: the field 'steps' is 9.0, after 9.0");
    }

    private void refused(String words) {
        assertThatThrownBy(() -> TrainingLine.read(folder))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining(words);
    }

    @Test
    void aSummaryCountsRunsThatKeptTheirMetrics() {
        List<EvaluationPoint> curve = List.of(new EvaluationPoint(100_000, 4000, 1));
        List<TrainingLine> lines = lines(new double[] {4000, 0}, new double[] {3000, 100});
        EvaluationSummary found = EvaluationSummary.of(
                        List.of(new RunCurve(1, curve, lines), new RunCurve(1, curve, List.of())),
                        4000,
                        1,
                        1,
                        Interval.UNKNOWN)
                .orElseThrow();
        assertThat(found.falls()).hasValueSatisfying(falls -> {
            assertThat(falls.runs()).isEqualTo(1);
            assertThat(falls.falls()).isEqualTo(1);
        });
    }
}
