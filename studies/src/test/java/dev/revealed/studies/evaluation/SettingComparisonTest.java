package dev.revealed.studies.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingComparisonTest {
    private static Map<String, Map<String, double[]>> shares() {
        Map<String, Map<String, double[]>> shares = new LinkedHashMap<>();
        shares.put("new", Map.of("ant", new double[] {1, 0.9}, "hopper", new double[] {1.1, 0.7}));
        shares.put("old", Map.of("ant", new double[] {0.5, 0.95}, "hopper", new double[] {0.6}));
        shares.put("other", Map.of("humanoid", new double[] {0.2}));
        return shares;
    }

    /** On Ant 3 of 4 pairs, on Hopper 2 of 2. Of three runs nothing is cut: the mean of 0.725 and 0.6. */
    @Test
    void settingsAreComparedOnTheTasksTheyHaveInCommon() {
        SettingComparison found = SettingComparison.of(shares(), 1);
        assertThat(found.pairs()).hasSize(1);
        SettingComparison.Pair pair = found.pairs().getFirst();
        assertThat(pair.tasks()).containsExactly("ant", "hopper");
        assertThat(pair.one().setting()).isEqualTo("new");
        assertThat(pair.improvement().value()).isCloseTo((0.75 + 1) / 2, within(1e-12));
        assertThat(pair.one().interquartileMean()).isCloseTo(0.95, within(1e-12)); // of 0.7, 0.9, 1, 1.1
        assertThat(pair.other().interquartileMean()).isCloseTo(0.6625, within(1e-12));
        assertThat(pair.other().runs()).isEqualTo(3);
    }

    /** Above 0.8: both of Ant and one of two of Hopper; the thresholds reach up to the largest share. */
    @Test
    void profilesAreOfSettingsWithTheSameTasks() {
        SettingComparison found = SettingComparison.of(shares(), 1);
        assertThat(found.profiles()).hasSize(1);
        List<SettingComparison.Profile> drawn = found.profiles().getFirst().settings();
        assertThat(drawn).extracting(SettingComparison.Profile::setting).containsExactly("new", "old");
        assertThat(drawn.getFirst().profile().points())
                .anySatisfy(point -> {
                    assertThat(point.threshold()).isEqualTo(0.8);
                    assertThat(point.share()).isEqualTo(0.75);
                })
                .last()
                .satisfies(point -> {
                    assertThat(point.threshold()).isGreaterThanOrEqualTo(1.1);
                    assertThat(point.share()).isZero();
                });
    }

    /** Where nothing can be compared each setting has a profile of its own. */
    @Test
    void settingsAloneHaveProfiles() {
        Map<String, Map<String, double[]>> shares = shares();
        shares.remove("old");
        SettingComparison found = SettingComparison.of(shares, 1);
        assertThat(found.pairs()).isEmpty();
        assertThat(found.profiles())
                .extracting(SettingComparison.Profiles::tasks)
                .containsExactly(List.of("ant", "hopper"), List.of("humanoid"));
    }

    @TempDir
    private Path folder = Path.of("");

    @Test
    void measuredExpertsAreKnownByTheirDemonstrations() throws IOException {
        assertThat(MeasuredExperts.in(folder).of("aa")).isEmpty();
        Path file = folder.resolve("experts.json");
        String line =
                "{\"experts\": [{\"demosHash\": \"aa\", \"meanReturn\": %s, \"episodes\": %s, \"policy\": \"p\"}]}";
        Files.writeString(file, line.formatted("5406.5", "20"));
        assertThat(MeasuredExperts.in(folder).of("aa")).contains(new MeasuredExperts.Expert("aa", 5406.5, 20, "p"));
        assertThat(MeasuredExperts.in(folder).of("ab")).isEmpty();
        Files.writeString(file, line.formatted("null", "20"));
        refused("experts.json, the expert of aa: meanReturn is NaN");
        Files.writeString(file, line.formatted("1", "0"));
        refused("episodes is 0");
        Files.writeString(file, "{\"experts\": [{\"demosHash\": \"aa\"}]}");
        refused("experts.json");
        Files.writeString(file, "[");
        refused("experts.json: the JSON cannot be read");
    }

    private void refused(String words) {
        assertThatThrownBy(() -> MeasuredExperts.in(folder))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining(words);
    }
}
