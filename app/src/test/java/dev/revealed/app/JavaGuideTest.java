package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guides show in Java compiles, runs, and finds what its data say. */
class JavaGuideTest {
    @TempDir
    private Path folder;

    @Test
    void theSnippetOnModelsRuns() throws Exception {
        Estimate estimate = run("models.md", "Machine");
        assertThat(estimate.converged()).isTrue();
        double[] truth = {0.5, 3, 0.4};
        for (int i = 0; i < truth.length; i++) {
            Estimate.Parameter parameter = estimate.parameters().get(i);
            assertThat(parameter.value())
                    .as(parameter.name())
                    .isCloseTo(truth[i], within(4 * parameter.standardError().orElseThrow()));
        }
    }

    /** It was never told to go to 0.5, and goes there. */
    @Test
    void theExampleOfOnesOwnSimulatorRuns() throws Exception {
        Path source = Path.of("..", "examples", "OwnSimulator.java");
        double[] ends = (double[]) call(source, "OwnSimulator", "run", 20);
        assertThat(ends).hasSize(10);
        for (double end : ends) {
            assertThat(end).isCloseTo(0.5, within(0.2));
        }
        String shown = Files.readString(Path.of("..", "docs", "guide", "own-simulator.md"));
        String written = Files.readString(source)
                + Files.readString(Path.of("..", "examples", "consumer", "src", "main", "java", "ImitateCart.java"));
        assertThat(Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                        .matcher(shown)
                        .results()
                        .flatMap(snippet -> snippet.group(1).lines()))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(written).contains(line.strip()));
    }

    @Test
    void theSnippetOnSoftActorCriticCompiles() throws Exception {
        String code = """
                import dev.revealed.mdp.Simulator;
                import dev.revealed.neural.*;
                import dev.revealed.numeric.RandomStream;
                public class Snippet {
                    static void snippet(Simulator simulator, RandomStream stream, RandomStream noise, Batch batch,
                            float[] observation, float[] action) {
                %s
                    }
                    public static Object run() { return "compiled"; }
                }
                """.formatted(snippet("sac.md"));
        assertThat(call(Files.writeString(folder.resolve("Snippet.java"), code), "Snippet", "run"))
                .isEqualTo("compiled");
    }

    private Estimate run(String page, String name) throws Exception {
        return (Estimate) call(Files.writeString(folder.resolve(name + ".java"), snippet(page)), name, "run");
    }

    /** The first of a page. */
    private static String snippet(String page) throws IOException {
        String text = Files.readString(Path.of("..", "docs", "guide", page));
        String code = text.substring(text.indexOf("```java\n") + 8);
        return code.substring(0, code.indexOf("```"));
    }

    /** Compiles the source and calls a method of its class. */
    private Object call(Path source, String name, String method, Object... arguments) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringBuilder complaints = new StringBuilder();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            boolean compiled = compiler.getTask(
                            null,
                            files,
                            d -> complaints.append(d).append('\n'),
                            List.of("-cp", System.getProperty("java.class.path"), "-d", folder.toString()),
                            null,
                            files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(complaints.toString()).isTrue();
        }
        Class<?>[] types = Arrays.stream(arguments).map(x -> int.class).toArray(Class<?>[]::new);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            return loader.loadClass(name).getMethod(method, types).invoke(null, arguments);
        }
    }
}
