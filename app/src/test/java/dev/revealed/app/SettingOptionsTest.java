package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.revealed.settings.Item;
import dev.revealed.settings.Setting;
import dev.revealed.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Every setting there is, as its record describes it, and what commands make of them. */
class SettingOptionsTest {
    private static final Pattern MENTIONED = Pattern.compile("`([^`]*)`");

    /** The records of the project that have settings of their own. */
    static List<Class<? extends Record>> records() {
        return new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .withImportOption(location -> !location.contains("/test-classes/"))
                        .importPackages("dev.revealed")
                        .stream()
                        .filter(JavaClass::isRecord)
                        .<Class<? extends Record>>map(type -> type.reflect().asSubclass(Record.class))
                        .filter(type -> Arrays.stream(type.getRecordComponents())
                                .anyMatch(component -> component.isAnnotationPresent(Setting.class)))
                        .sorted((a, b) -> a.getName().compareTo(b.getName()))
                        .toList();
    }

    @Test
    void thereAreSome() {
        assertThat(records()).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @MethodSource("records")
    void aSettingIsDescribedInFull(Class<? extends Record> type) {
        for (Item item : Settings.of(type).items()) {
            Setting setting = item.setting();
            assertThat(item.name()).matches("[a-z][a-z0-9]*(-[a-z0-9]+)*");
            assertThat(setting.about())
                    .as(item.name())
                    .endsWith(".")
                    .doesNotContain("  ", "--")
                    .hasSizeGreaterThan(5);
            assertThat(item.label()).as(item.name()).isNotEmpty();
            double low = Math.max(orElse(setting.above(), -1e300), orElse(setting.atLeast(), -1e300));
            double high = Math.min(orElse(setting.below(), 1e300), orElse(setting.atMost(), 1e300));
            assertThat(low).as("range of %s", item.name()).isLessThan(high);
            assertThat(Double.isNaN(setting.above()) || Double.isNaN(setting.atLeast()))
                    .as("one lower bound of %s", item.name())
                    .isTrue();
            assertThat(Double.isNaN(setting.below()) || Double.isNaN(setting.atMost()))
                    .as("one upper bound of %s", item.name())
                    .isTrue();
        }
    }

    private static double orElse(double bound, double other) {
        return Double.isNaN(bound) ? other : bound;
    }

    private static CommandLine command(String name) {
        return Objects.requireNonNull(Main.commandLine().getSubcommands().get(name));
    }

    private static List<Item> items(String name) {
        return ((BaseCommand) command(name).getCommandSpec().userObject())
                .settingGroups().stream()
                        .flatMap(group -> group.items().stream())
                        .toList();
    }

    /** Methods may share the name of a setting with each other or with the learner: then it must be one option. */
    @ParameterizedTest
    @ValueSource(strings = {"expert", "imitate", "evaluate", "record"})
    void aNameIsOneOption(String name) {
        Map<String, List<Item>> byName = items(name).stream().collect(Collectors.groupingBy(Item::name));
        byName.forEach((setting, all) -> assertThat(all.stream().map(Item::type).distinct())
                .as("types of --%s", setting)
                .hasSize(1));
        Map<String, Long> options = command(name).getCommandSpec().options().stream()
                .flatMap(option -> Stream.of(option.names()))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertThat(options.values()).containsOnly(1L);
        byName.keySet().forEach(setting -> assertThat(options).containsKey("--" + setting));
    }

    /** What a description mentions in backticks becomes an option in help, so there must be one. */
    @ParameterizedTest
    @ValueSource(strings = {"expert", "imitate"})
    void whatIsMentionedIsThere(String name) {
        List<String> names = items(name).stream().map(Item::name).toList();
        for (Item item : items(name)) {
            Matcher mentioned =
                    MENTIONED.matcher(item.setting().about() + item.setting().usual());
            while (mentioned.find()) {
                assertThat(names).as("mentioned by %s", item.name()).contains(mentioned.group(1));
            }
        }
        assertThat(command(name).getUsageMessage()).doesNotContain("`");
    }
}
