package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

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

/** The snippet of docs/guide/java.md compiles, runs, and finds what its data say. */
class JavaGuideTest {
    @Test
    void theSnippetOfTheGuideRuns(@TempDir Path folder) throws Exception {
        String page = Files.readString(Path.of("..", "docs", "guide", "java.md"));
        String code = page.substring(page.indexOf("```java\n") + 8);
        Path source = Files.writeString(folder.resolve("Example.java"), code.substring(0, code.indexOf("```")));
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
            Estimate estimate =
                    (Estimate) loader.loadClass("Example").getMethod("run").invoke(null);
            assertThat(estimate.converged()).isTrue();
            assertThat(estimate.parameters().getFirst().name()).isEqualTo("warm");
            assertThat(estimate.parameters().getFirst().value()).isPositive();
        }
    }
}
