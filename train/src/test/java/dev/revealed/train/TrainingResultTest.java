package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.imitate.Details;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results as they are read again, those of before there were schemas among them: published ones, one of each kind. */
class TrainingResultTest {
    private static final Path PUBLISHED = Path.of("..", "results", "table1");

    @TempDir
    private Path folder = Path.of("");

    /** Numbers that JSON has as whole ones are whole here. */
    private static double number(Map<?, ?> fields, String name) {
        return ((Number) Objects.requireNonNull(fields.get(name), name)).doubleValue();
    }

    /** Checks what all results have, and gives the document as it was written. */
    private static Map<?, ?> sameAsWritten(TrainingResult result, Path run) throws IOException {
        Map<?, ?> written = Json.read(Files.readString(run.resolve("result.json")), Map.class);
        assertThat(result.schema()).isEqualTo(1);
        assertThat(result.task()).isEqualTo(written.get("task"));
        assertThat((double) result.seed()).isEqualTo(number(written, "seed"));
        assertThat(result.meanReturn()).isEqualTo(number(written, "meanReturn"));
        assertThat(result.last().standardError()).isEqualTo(number(written, "standardError"));
        assertThat(result.last().returns()).hasSize(20);
        assertThat(result.best().bestReturn()).isEqualTo(number(written, "bestReturn"));
        assertThat((double) result.work().updates()).isEqualTo(number(written, "updates"));
        assertThat(result.work().seconds()).isEqualTo(number(written, "seconds"));
        assertThat(result.work().device()).isEqualTo(written.get("device"));
        assertThat(result.version()).isEqualTo("0.1.0");
        assertThat(result.environment())
                .isEqualTo(Map.of("inertia", "legacy", "contactForces", "real", "mujoco", "2.2.2"));
        assertThat(result.curve())
                .hasSameSizeAs((List<?>) Objects.requireNonNull(written.get("curve")))
                .last()
                .extracting(EvaluationPoint::meanReturn)
                .isEqualTo(result.meanReturn());
        Map<String, Object> fields = Json.fields(result);
        written.forEach((name, value) -> {
            if (value instanceof Number number) {
                assertThat(number(fields, String.valueOf(name))).as("%s", name).isEqualTo(number.doubleValue());
            }
        });
        return written;
    }

    @Test
    void imitationOfBefore() throws IOException {
        Path run = PUBLISHED.resolve("rows/05-walker2d-seed-1");
        TrainingResult result = TrainingResult.read(run);
        Map<?, ?> written = sameAsWritten(result, run);
        assertThat(result.kind()).isEqualTo("ml-irl");
        assertThat((double) result.countedSteps()).isEqualTo(number(written, "countedSteps"));
        assertThat(result.expertReturn()).isEqualTo(number(written, "expertReturn"));
        assertThat(result.details().marks()).hasSameSizeAs(result.curve());
        assertThat(result.countedCurve()).hasSameSizeAs(result.curve());
        Details.ImitationSummary imitated = result.details().imitation().orElseThrow();
        assertThat(imitated.method()).isEqualTo("ml-irl");
        assertThat(imitated.trajectories()).isEqualTo(5);
        assertThat(Json.fields(result)).containsEntry("preset", "revealed-1").containsEntry("reward", "state-action");
    }

    @Test
    void cloningOfBefore() throws IOException {
        Path run = PUBLISHED.resolve("bc/01-hopper-seed-1");
        TrainingResult result = TrainingResult.read(run);
        Map<?, ?> written = sameAsWritten(result, run);
        assertThat(result.kind()).isEqualTo("bc");
        assertThat(result.countedSteps()).isZero();
        assertThat(result.expertReturn()).isEqualTo(number(written, "expertReturn"));
        assertThat(Json.fields(result)).containsEntry("logLikelihood", written.get("logLikelihood"));
    }

    @Test
    void aFreshPolicyOfBefore() throws IOException {
        Path run = PUBLISHED.resolve("fresh/03-hopper-seed-1");
        TrainingResult result = TrainingResult.read(run);
        Map<?, ?> written = sameAsWritten(result, run);
        assertThat(result.kind()).isEqualTo("reward");
        assertThat(SacProblem.rewardOf(result)).hasValue(String.valueOf(written.get("reward")));
        assertThat((double) result.countedSteps()).isEqualTo(number(written, "steps"));
        assertThat(result.expertReturn()).isNaN();
    }

    @Test
    void anExpertOfBefore() throws IOException {
        Path run = Path.of("..", "results", "experts", "hopper");
        TrainingResult result = TrainingResult.read(run);
        assertThat(result.kind()).isEqualTo("expert");
        assertThat(SacProblem.rewardOf(result)).isEmpty();
        assertThat(result.details().learntTaskReward()).isTrue();
    }

    /** What is written now is read again to the same document. */
    @Test
    void whatIsReadIsWrittenAgain() throws IOException {
        for (String run : List.of("rows/05-walker2d-seed-1", "bc/01-hopper-seed-1", "fresh/03-hopper-seed-1")) {
            String once = Json.write(TrainingResult.read(PUBLISHED.resolve(run)));
            Files.writeString(folder.resolve("result.json"), once);
            assertThat(Json.write(TrainingResult.read(folder))).isEqualTo(once);
        }
    }

    @Test
    void whatIsNoResultIsNamed() throws IOException {
        Path file = folder.resolve("result.json");
        Files.writeString(file, "{\"schema\" : 2, \"kind\" : \"dagger\", \"task\" : \"ant\"}");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> TrainingResult.read(folder))
                .withMessageContaining(file.toString())
                .withMessageContaining("'dagger'");
        Files.writeString(file, "{\"schema\" : 2, \"kind\" : \"bc\"}");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> TrainingResult.read(folder))
                .withMessageContaining("no task, curve, meanReturn");
    }
}
