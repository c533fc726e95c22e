package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.app.Device;
import dev.revealed.app.MujocoHere;
import dev.revealed.runs.Json;
import dev.revealed.studies.Table1Plan;
import dev.revealed.studies.evaluation.MeasuredExperts;
import dev.revealed.studies.evaluation.MeasuredExperts.Expert;
import dev.revealed.studies.tables.RecordedExpert;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code reproduce table1 --device} does for Humanoid's expert, with one of Hopper that falls soon. */
class RecordedExpertTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();
    private final List<String> notices = new ArrayList<>();

    @BeforeAll
    static void here() {
        MujocoHere.assume();
    }

    /** In a fresh folder runs are judged by the policy without noise, as 'evaluate' measures it. */
    @Test
    void runsAreJudgedByThePolicyAndNotByItsDemonstrations() throws IOException {
        Path policy = folder.resolve("policy");
        cli.done("expert --task hopper --steps 200 --random-steps 100 --hidden 8 --batch 16 --evaluate-every 200"
                + " --episodes 1 --out " + policy);
        Path top = folder.resolve("table");
        Path demos = folder.resolve("demos");
        RecordedExpert expert = new RecordedExpert(policy.toString(), "hopper", demos, folder.resolve("measured"));
        StageRunner runner = new StageRunner(top, Device.CPU, null, 1, notices::add);
        Expert other = new Expert("abc", 5000, 20, "p");
        new MeasuredExperts(List.of(other)).write(top);
        Table1Command.measure(expert, runner);
        assertThat(notices).hasSize(2);
        assertThat(MeasuredExperts.in(top).experts()).hasSize(2).contains(other);
        byte[] written = Files.readAllBytes(top.resolve("experts.json"));
        Table1Command.measure(expert, runner);
        assertThat(notices).hasSize(2);
        assertThat(top.resolve("experts.json")).hasBinaryContent(written);

        cli.done("evaluate --policy %s --task hopper --episodes 20 --seed 1 --json".formatted(policy));
        double measured = number(Json.read(cli.out(), Map.class), "meanReturn");
        cli.done(
                "imitate --method bc --task hopper --demos %s --trajectories 5 --iterations 1 --hidden 8 --episodes 1 --out %s"
                        .formatted(demos, top.resolve("cloned")));
        Map<?, ?> row = row(top);
        assertThat(row.get("expertMeasured")).isEqualTo("policy without noise");
        assertThat(number(row, "expertReturn")).isEqualTo(measured);

        Files.delete(top.resolve("experts.json"));
        row = row(top);
        assertThat(row.get("expertMeasured")).isEqualTo("mean of demonstrations");
        assertThat(number(row, "expertReturn")).isNotEqualTo(measured);
    }

    /** The table's only one. */
    private Map<?, ?> row(Path top) {
        cli.done("reproduce table1 --json --from " + top);
        List<?> rows =
                (List<?>) Objects.requireNonNull(Json.read(cli.out(), Map.class).get("rows"));
        assertThat(rows).hasSize(1);
        return (Map<?, ?>) rows.getFirst();
    }

    /** Where no run of the table is made, and nothing of this module has recorded the Humanoid. */
    @Test
    void theTableHasTheHumanoidsExpert() {
        RecordedExpert expert = Table1Plan.of(List.of(), false, 1).expert().orElseThrow();
        assertThat(expert.stages(folder))
                .extracting(stage -> stage.verb() + " " + stage.options().get("policy") + " "
                        + stage.options().get("episodes"))
                .containsExactly("record results/gpu/humanoid 5", "evaluate results/gpu/humanoid 20");
    }

    private static double number(Map<?, ?> of, String name) {
        return ((Number) Objects.requireNonNull(of.get(name))).doubleValue();
    }
}
