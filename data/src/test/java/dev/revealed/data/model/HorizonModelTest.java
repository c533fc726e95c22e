package dev.revealed.data.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.data.ChoiceData;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Horizons in model files. */
class HorizonModelTest {
    private static final String MODEL = """
            discount: 1
            horizon: {age: 60..62}
            states: {skill: 0..2}
            actions: [rest, work]
            parameters: [pay, tired, pension]
            utility: {rest: 0, work: pay * skill - tired * (age - 59)}
            terminal: pension * skill
            transitions:
              skill: {if: age < 61, then: {rest: skill, work: "min(skill + 1, 2)"}, else: skill}
            """;

    @TempDir
    Path folder;

    private ModelFile read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("m.yaml"), text);
        return ModelFile.read(file, Map.of());
    }

    /** Three periods by hand: at 62 and 61 skill stays, at 60 work raises it. */
    @Test
    void solvesBackwardsFromTheTerminalValues() throws IOException {
        ChoiceModel model = read(MODEL).model();
        double[] theta = {1, 0.5, 2};
        double[] values = model.solve(theta, new double[0]).values();
        double[][] v = new double[4][3];
        for (int x = 0; x < 3; x++) {
            v[3][x] = 2 * x;
            v[2][x] = v[3][x] + Math.log(1 + Math.exp(x - 1.5));
            v[1][x] = v[2][x] + Math.log(1 + Math.exp(x - 1.0));
        }
        for (int x = 0; x < 3; x++) {
            v[0][x] = Math.log(Math.exp(v[1][x]) + Math.exp(x - 0.5 + v[1][Math.min(2, x + 1)]));
        }
        assertThat(values)
                .containsExactly(
                        Arrays.stream(v).flatMapToDouble(Arrays::stream).toArray(), within(1e-12));
    }

    /** The same by hand, with a pension that is not linear in its parameter, or pay that is not. */
    @ParameterizedTest
    @CsvSource({"terminal: pension * skill,terminal: pension^2 * skill", "pay * skill,pay^2 * skill"})
    void terminalValuesGoWithUtilitiesThatAreNotLinear(String linear, String curved) throws IOException {
        double[] theta = {1, 0.5, 2};
        ChoiceModel model = read(MODEL.replace(linear, curved)).model();
        assertThat(model.utility().linear()).isFalse();
        double[] root = theta.clone();
        root[2] = curved.contains("pension^2") ? Math.sqrt(2) : 2;
        assertThat(model.solve(root, new double[0]).values())
                .containsExactly(read(MODEL).model().solve(theta, new double[0]).values(), within(1e-12));
        double[] slope = new double[model.utility().rows()];
        model.utility().derivative(root, 2, slope);
        double atTheEnd = slope[2 * (3 * 3 + 1)]; // skill 1 after the last period
        assertThat(atTheEnd).isCloseTo(curved.contains("pension^2") ? 2 * Math.sqrt(2) : 1, within(1e-12));
    }

    @Test
    void thePeriodIsTheOneOfThePanel() throws IOException {
        ModelFile file = read(MODEL);
        Path panel = Files.writeString(
                folder.resolve("p.csv"),
                "individual,age,action,skill\n1,60,work,0\n1,61,rest,1\n1,62,work,1\n1,63,,1\n");
        ChoiceData data = file.columns().read(panel, file.model(), ProgressListener.NONE);
        assertThat(data.panel().decisions()).isEqualTo(3);
        Path again = folder.resolve("again.csv");
        file.columns().write(again, file.model(), data.panel());
        assertThat(again).hasSameTextualContentAs(panel);
        Path jump =
                Files.writeString(folder.resolve("j.csv"), "individual,age,action,skill\n1,60,work,0\n1,62,rest,1\n");
        assertThatThrownBy(() -> file.columns().read(jump, file.model(), ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("61");
    }

    @Test
    void aNumberOfPeriodsIsCounted() throws IOException {
        ModelFile file =
                read(MODEL.replace("horizon: {age: 60..62}", "horizon: 3").replace("age", "period"));
        assertThat(file.model().space().variables().getFirst().name()).isEqualTo("period");
        assertThat(file.model().space().variables().getFirst().values()).containsExactly(1, 2, 3, 4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {age: 60..62} | 0        | the horizon is 0
                    {age: 60..62} | 2.5      | the horizon is 2.5
                    {age: 60..62} | {age: [60, 62]} | steps of one
                    {age: 60..62} | {age: 60..62, year: 1..3} | one name
                    """)
    void refusesOtherHorizons(String is, String other, String said) {
        assertThatThrownBy(() -> read(MODEL.replace(is, other)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("m.yaml, line 2")
                .hasMessageContaining(said);
    }

    @Test
    void refusesTerminalValuesWithoutAHorizonAndEndsWithOne() {
        assertThatThrownBy(() -> read(MODEL.replace("horizon: {age: 60..62}", "settings: {age: 60}")))
                .hasMessageContaining("no horizon");
        assertThatThrownBy(() -> read(MODEL + "ends: {skill: 2}\n")).hasMessageContaining("another end");
        assertThatThrownBy(() -> read(MODEL.replace("  skill: {if", "  age: age + 1\n  skill: {if")))
                .hasMessageContaining("unknown key");
    }
}
