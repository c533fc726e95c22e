package dev.revealed.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is derived from the description of a setting, for every type that a setting may have. */
class SettingsTest {
    enum Colour {
        DARK_RED,
        BLUE
    }

    /** One of each type. */
    record All(
            @Setting(about = "A whole number.", atLeast = 1, atMost = 100, example = "7")
            int whole,

            @Setting(about = "A long one.") long longNumber,
            @Setting(about = "A float.", above = 0) float single,
            Inner inner,
            @Setting(name = "on-off", about = "A switch.") boolean flag,
            @Setting(about = "A choice.") Colour colour,
            @Setting(about = "Some numbers.", atLeast = 1) int[] widths,

            @Setting(about = "Perhaps a number.", none = "all", atLeast = 1)
            OptionalInt count,

            @Setting(about = "Perhaps a fraction.", atLeast = 0)
            OptionalDouble weight,

            @Setting(about = "A file.") Path file,
            @Setting(about = "A word.") String word,
            String noSetting) {
        All {
            Settings.check(All.class, whole, longNumber, single, flag, colour, widths, count, weight, file, word);
        }
    }

    record Inner(
            @Setting(name = "rate", about = "A double.", above = 0, atMost = 1, example = "0.5")
            double value) {}

    private static final Settings<All> ALL = Settings.of(All.class);
    private static final All BASE = new All(
            3,
            4L,
            0.1f,
            new Inner(0.25),
            false,
            Colour.DARK_RED,
            new int[] {8, 16},
            OptionalInt.empty(),
            OptionalDouble.of(0.2),
            Path.of("a/b.npz"),
            "ml-irl",
            "kept");

    @Test
    void settingsOfRecordsInsideAreAmongThem() {
        assertThat(ALL.names())
                .containsExactly(
                        "whole",
                        "long-number",
                        "single",
                        "rate",
                        "on-off",
                        "colour",
                        "widths",
                        "count",
                        "weight",
                        "file",
                        "word");
        assertThat(ALL.items().stream().map(Item::label))
                .containsExactly("N", "N", "X", "X", "on|off", "dark-red|blue", "N[,N...]", "N", "X", "FILE", "X");
        assertThat(ALL.items().stream().filter(Item::isSwitch).map(Item::name)).containsExactly("on-off");
    }

    @Test
    void aSpecHasPlainValues() {
        assertThat(Settings.values(BASE))
                .containsEntry("whole", 3)
                .containsEntry("long-number", 4L)
                .containsEntry("single", 0.1f)
                .containsEntry("rate", 0.25)
                .containsEntry("on-off", false)
                .containsEntry("colour", "dark-red")
                .containsEntry("widths", List.of(8, 16))
                .containsEntry("count", "all")
                .containsEntry("weight", 0.2)
                .containsEntry("file", Path.of("a/b.npz").toString())
                .containsEntry("word", "ml-irl")
                .hasSize(11);
    }

    /** Whether as a spec has them or as they would be typed. */
    @Test
    void whatIsWrittenIsReadAgain() {
        Map<String, Object> spec = new TreeMap<>(Map.of(
                "whole",
                5,
                "long-number",
                1L << 60,
                "single",
                0.3f,
                "rate",
                1.0,
                "on-off",
                true,
                "colour",
                "blue",
                "widths",
                List.of(1, 2, 3),
                "count",
                9,
                "weight",
                "auto",
                "file",
                "c.npz"));
        spec.put("word", "bc");
        All read = ALL.read(BASE, spec);
        assertThat(Settings.values(read)).isEqualTo(spec);
        assertThat(read.noSetting()).isEqualTo("kept");
        Map<String, String> typed = spec.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> Item.text(each.getValue())));
        assertThat(typed)
                .containsEntry("widths", "1,2,3")
                .containsEntry("on-off", "on")
                .containsEntry("count", "9");
        assertThat(Settings.values(ALL.with(BASE, typed))).isEqualTo(spec);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "whole | 1e1 | 10",
                "whole | 10.0 | 10",
                "whole | +7 | 7",
                "whole | ' 7 ' | 7",
                "long-number | 9007199254740993 | 9007199254740993",
                "long-number | 1e6 | 1000000",
                "long-number | -5 | -5",
                "rate | 5e-1 | 0.5",
                "on-off | true | on",
                "on-off | OFF | off",
                "colour | Blue | blue",
                "colour | DARK_RED | dark-red",
                "widths | 4, 5 | 4,5",
                "count | ALL | all",
                "weight | AUTO | auto"
            })
    void valuesMayBeSpeltInSeveralWays(String name, String typed, String value) {
        assertThat(Item.text(
                        Settings.values(ALL.with(BASE, Map.of(name, typed))).get(name)))
                .isEqualTo(value);
    }

    /** Each names the setting and the value and says what to give. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "whole | 0 | `whole` is 0 | Give a whole number from 1 and at most 100, such as 7.",
                "whole | 101 | `whole` is 101 | Give a whole number from 1 and at most 100, such as 7.",
                "whole | 1.5 | `whole` is '1.5' | Give a whole number from 1 and at most 100, such as 7.",
                "whole | 3000000000 | `whole` is '3000000000' | Give a whole number from 1 and at most 100, such as 7.",
                "whole | many | `whole` is 'many' | Give a whole number from 1 and at most 100, such as 7.",
                "long-number | 1e30 | `long-number` is '1e30' | Give a whole number.",
                "single | 0 | `single` is 0.0 | Give a number above 0.",
                "rate | 1.5 | `rate` is 1.5 | Give a number above 0 and at most 1, such as 0.5.",
                "rate | NaN | `rate` is NaN | Give a number above 0 and at most 1, such as 0.5.",
                "weight | Infinity | `weight` is Infinity | Give a number from 0, or auto.",
                "weight | warm | `weight` is 'warm' | Give a number from 0, or auto.",
                "count | 0 | `count` is 0 | Give a whole number from 1, or all.",
                "on-off | maybe | `on-off` is 'maybe' | Give on or off.",
                "colour | blu | `colour` is 'blu' | Did you mean 'blue'? There is dark-red, blue.",
                "widths | 8,0 | `widths` is 8,0 | Give whole numbers with commas between them, each from 1.",
                "widths | 8,,8 | `widths` is '8,,8' | Give whole numbers with commas between them, each from 1."
            })
    void whatIsOutOfRangeIsRefused(String name, String typed, String problem, String remedy) {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> ALL.with(BASE, Map.of(name, typed)))
                .satisfies(e -> {
                    assertThat(e.problem()).isEqualTo(problem);
                    assertThat(e.remedy()).isEqualTo(remedy);
                });
    }

    /** The constructor checks, too, whoever calls it. */
    @Test
    void aRecordIsCheckedWhenItIsMade() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new All(
                        0,
                        4,
                        1,
                        new Inner(1),
                        true,
                        Colour.BLUE,
                        new int[] {1},
                        OptionalInt.empty(),
                        OptionalDouble.empty(),
                        Path.of(""),
                        "",
                        ""))
                .withMessageContaining("`whole` is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.check(All.class, 1, 2))
                .withMessageContaining("10 settings");
    }

    @Test
    void missingAndUnknownSettingsAreNamed() {
        Map<String, Object> recorded = Settings.values(BASE);
        recorded.remove("rate");
        recorded.remove("word");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> ALL.read(BASE, recorded))
                .withMessageContaining("rate, word")
                .withMessageContaining("version");
        Settings.refuseUnknown(recorded.keySet(), ALL.names());
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Settings.refuseUnknown(List.of("rate", "colr"), ALL.names()))
                .withMessageContaining("colr")
                .withMessageContaining("'colour'")
                .withMessageContaining("version");
    }

    @Test
    void namesOfOtherRecordsArePassedOver() {
        assertThat(Settings.same(BASE, ALL.with(BASE, Map.of("elsewhere", "7"))))
                .isTrue();
    }

    @Test
    void recordsWithTheSameSettingsAreTheSame() {
        All other = ALL.with(BASE, Map.of("widths", "8,17", "rate", 0.5));
        assertThat(Settings.same(other, BASE)).isFalse();
        assertThat(Settings.same(ALL.with(BASE, Map.of("widths", new int[] {8, 16})), BASE))
                .as("arrays by what is in them")
                .isTrue();
        assertThat(Settings.same(BASE, null)).isFalse();
        assertThat(Settings.same(BASE, BASE.inner())).isFalse();
    }
}
