package dev.revealed.app;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.revealed.runs.RunFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
            Map.entry("settings", List.of("numeric")),
            Map.entry("mdp", List.of("numeric")),
            Map.entry("estimate", List.of("numeric", "mdp")),
            Map.entry("neural", List.of("numeric", "settings", "mdp")),
            Map.entry("cuda", List.of("numeric", "settings", "mdp", "neural")),
            Map.entry("imitate", List.of("numeric", "settings", "mdp", "neural")),
            Map.entry("mujoco", List.of("numeric", "mdp", "data")),
            Map.entry("bridge", List.of("numeric", "mdp")),
            Map.entry("data", List.of("numeric", "mdp")),
            Map.entry("runs", List.of("numeric", "settings")),
            Map.entry("train", List.of("numeric", "settings", "mdp", "neural", "cuda", "imitate", "runs")),
            Map.entry(
                    "api",
                    List.of(
                            "numeric",
                            "settings",
                            "mdp",
                            "estimate",
                            "neural",
                            "cuda",
                            "imitate",
                            "data",
                            "runs",
                            "train")),
            Map.entry(
                    "studies",
                    List.of(
                            "numeric",
                            "settings",
                            "mdp",
                            "estimate",
                            "neural",
                            "cuda",
                            "imitate",
                            "data",
                            "runs",
                            "train")),
            Map.entry(
                    "bench",
                    List.of(
                            "numeric",
                            "settings",
                            "mdp",
                            "estimate",
                            "neural",
                            "cuda",
                            "mujoco",
                            "bridge",
                            "data",
                            "runs")),
            Map.entry(
                    "studio",
                    List.of("numeric", "settings", "mdp", "neural", "imitate", "mujoco", "data", "runs", "train")),
            Map.entry(
                    "app",
                    List.of(
                            "numeric",
                            "settings",
                            "mdp",
                            "estimate",
                            "neural",
                            "cuda",
                            "imitate",
                            "mujoco",
                            "bridge",
                            "data",
                            "runs",
                            "train",
                            "api",
                            "studies",
                            "bench",
                            "studio")));

    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/test-classes/")) // of the quick build
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

    /** More classes than this in one folder, and nobody finds the one to change. */
    private static final int MOST_CLASSES = 30;

    private static final int MOST_PARAMETERS = 8;
    private static final int MOST_COMPONENTS = 15;

    /** Static methods on arrays, where an object around the arguments would cost time or clarity. */
    private static final Set<String> KERNELS = Set.of("dev.revealed.numeric.Gemm", "dev.revealed.numeric.Sweeps");

    /** The modules whose code may call native libraries. */
    private static final List<String> NATIVE = List.of("numeric", "mujoco", "cuda");

    /** An option of ours; those of Java and of NVIDIA's compiler are not. */
    private static final Pattern FLAG =
            Pattern.compile("(^|[^-\\w])--(?!enable-native-access|std=|gpu-architecture=)[a-z]");

    private static final Set<String> TASKS = Set.of("hopper", "walker2d", "halfcheetah", "ant", "humanoid");

    static Stream<String> packages() {
        return OURS.stream().map(JavaClass::getPackageName).distinct().sorted();
    }

    @ParameterizedTest
    @MethodSource("packages")
    void aPackageIsSmallEnoughToLookThrough(String name) {
        assertThat(OURS.stream()
                        .filter(type -> type.getPackageName().equals(name) && type.isTopLevelClass())
                        .map(JavaClass::getSimpleName)
                        .filter(type -> !type.equals("package-info")))
                .as("classes of %s", name)
                .hasSizeLessThanOrEqualTo(MOST_CLASSES);
    }

    @Test
    void noPublicMethodHasManyParameters() {
        assertThat(OURS.stream()
                        .filter(type -> isPublic(type) && !KERNELS.contains(type.getName()))
                        .flatMap(type -> type.getCodeUnits().stream())
                        .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC)
                                && unit.getRawParameterTypes().size() > MOST_PARAMETERS
                                && !isCanonical(unit))
                        .map(JavaCodeUnit::getFullName))
                .as("public methods and constructors with more than %d parameters", MOST_PARAMETERS)
                .isEmpty();
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
    }

    private static boolean isCanonical(JavaCodeUnit unit) {
        return unit.isConstructor()
                && unit.getOwner().isRecord()
                && components(unit.getOwner()) == unit.getRawParameterTypes().size();
    }

    private static int components(JavaClass type) {
        return type.reflect().getRecordComponents().length;
    }

    @Test
    void noRecordHasManyComponents() {
        assertThat(OURS.stream()
                        .filter(type -> type.isRecord() && components(type) > MOST_COMPONENTS)
                        .map(type -> type.getName() + " has " + components(type)))
                .as("records of more than %d components", MOST_COMPONENTS)
                .isEmpty();
    }

    @Test
    void onlyThreeModulesCallNativeCode() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        NATIVE.stream().map(ArchitectureTest::within).toArray(String[]::new))
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.lang.foreign.."))
                .check(OURS);
    }

    @Test
    void librariesNameSettingsAndNoFlags() {
        assertThat(strings(type -> !type.getPackageName().startsWith("dev.revealed.app"))
                        .filter(text -> FLAG.matcher(text.value()).find()))
                .as("strings with a command-line flag in a library: name the setting in backticks instead")
                .isEmpty();
    }

    @Test
    void imitationKnowsNoTasks() {
        assertThat(strings(type -> type.getPackageName().startsWith("dev.revealed.imitate"))
                        .filter(text -> TASKS.contains(text.value().toLowerCase(Locale.ROOT))))
                .as("names of MuJoCo's tasks in imitate")
                .isEmpty();
    }

    /** A string constant and the class that has it. */
    private record Constant(String type, String value) {}

    /** The string constants of classes, by their class files: comments and annotations are not among them. */
    private static Stream<Constant> strings(Predicate<JavaClass> which) {
        return OURS.stream().filter(which).flatMap(type -> {
            try (InputStream bytes =
                    type.getSource().orElseThrow().getUri().toURL().openStream()) {
                List<Constant> constants = new ArrayList<>();
                ClassFile.of().parse(bytes.readAllBytes()).constantPool().forEach(entry -> {
                    if (entry instanceof StringEntry text) {
                        constants.add(new Constant(type.getName(), text.stringValue()));
                    }
                });
                return constants.stream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** By the sources, since the compiler copies a constant of RunFiles into the classes that use it. */
    @Test
    void onlyRunsKnowsTheNamesInARunFolder() throws IOException, ReflectiveOperationException {
        List<String> names = new ArrayList<>();
        for (Field field : RunFiles.class.getFields()) {
            names.add(Pattern.quote(String.valueOf(field.get(null))));
        }
        Pattern literal = Pattern.compile("\"(?:[^\" ]*/)?(" + String.join("|", names) + ")(?:/[^\" ]*)?\"");
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Repository.root())) {
            for (Path file : files.filter(ArchitectureTest::isMainSource).toList()) {
                for (String line : Files.readAllLines(file)) {
                    Matcher matcher = literal.matcher(line);
                    if (matcher.find()) {
                        found.add(file.getFileName() + ": " + matcher.group());
                    }
                }
            }
        }
        assertThat(found)
                .as("names of run-folder files outside of runs: use RunFiles")
                .isEmpty();
    }

    private static boolean isMainSource(Path file) {
        String path = file.toString().replace('\\', '/');
        return path.endsWith(".java") && path.contains("/src/main/java/") && !path.contains("/dev/revealed/runs/");
    }

    /** The packages of choice estimators, and those each may use besides the common ground, estimate.choice itself. */
    private static final Map<String, List<String>> CHOICE = Map.of(
            "inference", List.of("likelihood", "twostep"), // whose searches stand in for one that fails
            "counterfactual", List.of(),
            "constrained", List.of(),
            "likelihood", List.of(),
            "twostep", List.of(),
            "simulated", List.of("twostep"),
            "types", List.of("inference", "likelihood", "twostep"),
            "mixed", List.of("inference", "likelihood", "types"),
            "hidden", List.of("inference"));

    @Test
    void packagesOfChoiceEstimatorsDependOneWay() {
        String root = "dev.revealed.estimate.choice";
        noClasses()
                .that()
                .resideInAnyPackage(root, "dev.revealed.estimate")
                .should()
                .dependOnClassesThat(resideInAnyPackage(root + ".*.."))
                .check(OURS);
        assertThat(OURS.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> name.startsWith(root + "."))
                        .map(name -> name.substring(root.length() + 1))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(CHOICE.keySet());
        CHOICE.forEach((name, used) -> noClasses()
                .that()
                .resideInAPackage(root + "." + name + "..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(CHOICE.keySet().stream()
                        .filter(other -> !other.equals(name) && !used.contains(other))
                        .map(other -> root + "." + other + "..")
                        .toArray(String[]::new)))
                .check(OURS));
    }

    private static String within(String module) {
        return "dev.revealed." + module + "..";
    }
}
