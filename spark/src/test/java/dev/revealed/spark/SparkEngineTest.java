package dev.revealed.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs in local mode, with a program that stands in for ours. */
class SparkEngineTest {
    private static final int[] SOME = IntStream.range(1, 60).toArray();
    private static final double[][] NO_QUESTION = {};

    @TempDir
    private static Path libraries = Path.of("");

    @BeforeAll
    static void makeProgram() throws IOException {
        String name = "dev/revealed/app/tasks/TaskHost.class";
        try (InputStream in = SparkEngineTest.class.getClassLoader().getResourceAsStream(name);
                OutputStream file = Files.newOutputStream(libraries.resolve("program.jar"));
                JarOutputStream jar = new JarOutputStream(file)) {
            jar.putNextEntry(new ZipEntry(name));
            in.transferTo(jar);
        }
        System.setProperty(Program.LIBRARIES, libraries.toString());
    }

    /** A job of the stand-in's tasks in local mode, each attempted as often as {@code master} says. */
    private static Map<String, Object> job(String list, int failures, double[][] question, String master) {
        return Map.of(
                "arguments",
                List.of(Integer.toString(failures)),
                "list",
                list,
                "inputs",
                "a stone",
                "which",
                SOME,
                "earlier",
                Map.of(),
                "question",
                question,
                "settings",
                Map.of("spark.master", master));
    }

    private static Map<Integer, String> results(SparkEngine engine, Map<String, Object> job) {
        Map<Integer, String> found = new TreeMap<>();
        engine.accept(job, (task, result) -> {
            synchronized (found) {
                found.put(task, result);
            }
        });
        return found;
    }

    private static Map<Integer, String> run(String list, int failures) {
        try (SparkEngine engine = new SparkEngine()) {
            return results(engine, job(list, failures, NO_QUESTION, "local[2,4]")); // four attempts for each task
        }
    }

    @Test
    void aTaskThatFailsThreeTimesIsDoneInTheEnd() {
        Map<Integer, String> squares = new TreeMap<>();
        for (int i : SOME) {
            squares.put(i, Integer.toString(i * i));
        }
        assertThat(run("stumbles", 3)).isEqualTo(squares);
    }

    @Test
    void aTaskThatAlwaysFailsEndsTheJobWithItsReason() {
        assertThatThrownBy(() -> run("falls", 1000))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseInstanceOf(Exception.class)
                .cause()
                .hasMessage("a task failed on every attempt: stumbled over a stone");
    }

    @Test
    void aFailureOfWhoeverHearsTheResultsIsHandedBack() {
        Map<String, Object> job = job("squares", 0, NO_QUESTION, "local[2]");
        try (SparkEngine engine = new SparkEngine()) {
            assertThatThrownBy(() -> engine.accept(job, (task, result) -> {
                        throw new UnsupportedOperationException("the disk is full");
                    }))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("the disk is full");
        }
    }

    /** The same list asked another question; its indices stay where they are. */
    @Test
    void aListIsAskedAgain() {
        try (SparkEngine engine = new SparkEngine()) {
            for (int question : new int[] {7, 1000}) {
                Map<Integer, String> found = results(engine, job("sums", 0, new double[][] {{question}}, "local[2]"));
                assertThat(found).hasSize(SOME.length).containsEntry(9, Integer.toString(81 + question));
            }
        }
    }

    /** What Spark 4.2.0 says of a file that no machine can read. */
    @Test
    void theReasonIsThatOfTheTask() {
        assertThat(SparkEngine.reason(new IllegalStateException("""
                        Job aborted due to stage failure:\s
                        Aborting TaskSet 0.0 because task 5 (partition 5)
                        cannot run anywhere due to node and executor excludeOnFailure.
                        Most recent failure:
                        Lost task 5.3 in stage 0.0 (TID 14) (127.0.0.1 executor 1): java.lang.IllegalStateException: a.parquet: row group 5 is damaged
                        \tat dev.revealed.data.parquet.PageDecoder.bad(PageDecoder.java:70)
                        """)))
                .isEqualTo("a task failed on every attempt: a.parquet: row group 5 is damaged");
    }
}
