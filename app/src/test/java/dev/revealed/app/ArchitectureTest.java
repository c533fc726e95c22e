package dev.revealed.app;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrows between modules point one way, and only the app talks to the terminal. */
class ArchitectureTest {

    /** Every module, and all the modules it may use. A new module gets its line here. */
    private static final Map<String, List<String>> MAY_USE = Map.ofEntries(
            Map.entry("numeric", List.of()),
            Map.entry("mdp", List.of("numeric")),
            Map.entry("estimate", List.of("numeric", "mdp")),
            Map.entry("neural", List.of("numeric", "mdp")),
            Map.entry("cuda", List.of("numeric", "mdp", "neural")),
            Map.entry("imitate", List.of("numeric", "mdp", "neural")),
            Map.entry("mujoco", List.of("numeric", "mdp")),
            Map.entry("data", List.of("numeric", "mdp")),
            Map.entry("runs", List.of("numeric")),
            Map.entry("studies", List.of("numeric", "mdp", "estimate", "neural", "imitate", "data", "runs")),
            Map.entry("bench", List.of("numeric", "mdp", "estimate", "neural", "cuda", "mujoco")),
            Map.entry(
                    "app",
                    List.of(
                            "numeric",
                            "mdp",
                            "estimate",
                            "neural",
                            "cuda",
                            "imitate",
                            "mujoco",
                            "data",
                            "runs",
                            "studies",
                            "bench")));

    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.revealed");

    static Stream<String> modules() {
        return MAY_USE.keySet().stream().sorted();
    }

    @Test
    void everyClassBelongsToAListedModule() {
        assertThat(OURS)
                .allSatisfy(type -> assertThat(MAY_USE)
                        .as("module of %s", type.getName())
                        .containsKey(type.getPackageName().split("\\.", -1)[2]));
    }

    @Test
    void everyPackageSaysWhatMayBeNull() {
        assertThat(OURS)
                .allSatisfy(type -> assertThat(type.getPackage().isAnnotatedWith(NullMarked.class))
                        .as("package-info.java with @NullMarked in %s", type.getPackageName())
                        .isTrue());
    }

    @ParameterizedTest
    @MethodSource("modules")
    void usesOnlyTheModulesItMay(String module) {
        String[] forbidden = modules()
                .filter(other -> !other.equals(module)
                        && !MAY_USE.getOrDefault(module, List.of()).contains(other))
                .map(ArchitectureTest::within)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(within(module))
                .should()
                .dependOnClassesThat(resideInAnyPackage(forbidden))
                .check(OURS);
    }

    @Test
    void onlyTheAppPrintsOrExits() {
        noClasses()
                .that()
                .resideOutsideOfPackage(within("app"))
                .should(ACCESS_STANDARD_STREAMS)
                .orShould()
                .dependOnClassesThat(type(IO.class))
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .check(OURS);
    }

    @Test
    void onlyTheAppReadsArguments() {
        noClasses()
                .that()
                .resideOutsideOfPackage(within("app"))
                .should()
                .dependOnClassesThat(resideInAnyPackage("picocli.."))
                .check(OURS);
    }

    private static String within(String module) {
        return "dev.revealed." + module + "..";
    }
}
