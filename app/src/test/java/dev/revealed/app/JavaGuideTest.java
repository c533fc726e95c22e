package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of docs/guide/java.md and models.md compile, run, and find what their data say. */
class JavaGuideTest {
    @TempDir
    private Path folder;

    @Test
    void theSnippetOnProcessesRuns() throws Exception {
        Estimate estimate = run("java.md", "Example");
        assertThat(estimate.converged()).isTrue();
        assertThat(estimate.parameters().getFirst().name()).isEqualTo("warm");
        assertThat(estimate.parameters().getFirst().value()).isPositive();
    }

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

    private Estimate run(String page, String name) throws Exception {
        String text = Files.readString(Path.of("..", "docs", "guide", page));
        String code = text.substring(text.indexOf("```java\n") + 8);
        Path source = Files.writeString(folder.resolve(name + ".java"), code.substring(0, code.indexOf("```")));
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
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            return (Estimate) loader.loadClass(name).getMethod("run").invoke(null);
        }
    }
}
