package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs of examples/consumer are short, and the guides show them as they are. */
class ConsumerTest {
    private static final int MOST_STATEMENTS = 10;
    private static final Path PROJECT = Path.of("..", "examples", "consumer");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"EstimateReward,java.md", "EstimateChoiceModel,java.md", "ImitateCart,own-simulator.md"})
    void aProgramIsShortCompilesAndStandsInItsGuide(String program, String guide) throws IOException {
        Path source = PROJECT.resolve("src/main/java").resolve(program + ".java");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringBuilder complaints = new StringBuilder();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    files,
                    d -> complaints.append(d).append('\n'),
                    List.of("-cp", System.getProperty("java.class.path"), "-d", folder.toString()),
                    null,
                    files.getJavaFileObjects(source));
            AtomicInteger statements = new AtomicInteger();
            task.parse().forEach(unit -> unit.accept(new Counter(statements), null));
            assertThat(statements.get()).as("statements of %s", program).isBetween(3, MOST_STATEMENTS);
            task.generate();
        }
        assertThat(complaints.toString()).isEmpty();
        assertThat(Files.readString(Path.of("..", "docs", "guide", guide)))
                .as("%s shows %s as it is", guide, program)
                .contains("```java\n" + Files.readString(source) + "```");
    }

    /** Statements of blocks and fields of classes; blocks themselves and classes are none. */
    private static final class Counter extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final AtomicInteger count;

        private Counter(AtomicInteger count) {
            this.count = count;
        }

        @Override
        public @Nullable Void visitBlock(BlockTree block, @Nullable Void nothing) {
            for (StatementTree statement : block.getStatements()) {
                count.addAndGet(statement instanceof BlockTree || statement instanceof ClassTree ? 0 : 1);
            }
            return super.visitBlock(block, null);
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
            count.addAndGet((int) type.getMembers().stream()
                    .filter(VariableTree.class::isInstance)
                    .count());
            return super.visitClass(type, null);
        }
    }

    @Test
    void dependsOnTheApiOfThisVersionAlone() throws IOException {
        String pom = Files.readString(PROJECT.resolve("pom.xml"));
        String ours = Files.readString(Path.of("..", "pom.xml"));
        String version = ours.replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
        List<String> dependencies = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL)
                .matcher(pom)
                .results()
                .map(found -> found.group(1).replaceAll("\\s", ""))
                .toList();
        assertThat(dependencies)
                .containsExactly("<groupId>dev.revealed</groupId><artifactId>revealed-api</artifactId><version>"
                        + version + "</version>");
        assertThat(Files.readString(Path.of("..", "docs", "guide", "java.md")))
                .as("java.md shows the pom as it is")
                .contains("```xml\n" + pom + "```");
    }
}
