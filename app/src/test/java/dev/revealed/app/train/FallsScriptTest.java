package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Repository;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/falls.py} on folders made by hand; intervals from tables of the Poisson and the binomial distribution. */
class FallsScriptTest {
    @TempDir
    private Path folder = Path.of("");

    private void run(String name, Map<String, Object> settings, double... returns) throws IOException {
        Path run = Files.createDirectories(folder.resolve(name));
        Files.writeString(run.resolve("spec.json"), Json.write(Map.of("settings", settings)));
        Files.writeString(run.resolve("result.json"), "{\"expertReturn\": 4000}");
        Files.writeString(
                run.resolve("metrics.jsonl"),
                IntStream.range(0, returns.length)
                        .mapToObj(i -> "{\"steps\": %d, \"episodeTrueReturn\": %s}\n"
                                .formatted((i + 1) * 100_000, Double.isNaN(returns[i]) ? "null" : returns[i]))
                        .collect(Collectors.joining()));
    }

    private String falls(String... more) throws IOException, InterruptedException {
        List<String> command = new java.util.ArrayList<>(List.of("python3", script(), folder.toString()));
        command.addAll(Arrays.asList(more));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            Assumptions.abort("there is no python3 here");
            throw e;
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.replaceAll(" +", " ");
    }

    private static String script() {
        return Repository.root().resolve("scripts/falls.py").toString();
    }

    /** The level is 3000, a fall below 1500. Two falls in 1.0 + 0.3 million steps: (0.242 to 7.225) / 1.3. */
    @Test
    void countsFallsOncePerMillionSteps() throws IOException, InterruptedException {
        Map<String, Object> settings = Map.of("task", "walker2d", "block", 1000);
        run("a", settings, 100, 3100, 1400, 1300, 2900, 1200, 3000, 1499, 3500, 1600, Double.NaN, 3100);
        run("b", settings, 100, 2999, 100, 3000, 3000, 3000, 2000);
        run("never", settings, 100, 200, 300);
        assertThat(falls("--each"))
                .contains("a: watched 1000000, falls at 300000, 800000")
                .contains("b: watched 300000, falls at no step")
                .contains("all 3 1300000 2 1.54 0.19 to 5.56");
    }

    /**
     * By hand, as in {@code FallsTest}: from the first evaluation at 3600, which is at 400,000, two falls in 600,000 steps;
     * without it also the fall at 200,000, three in 900,000.
     */
    @Test
    void countsFromTheFirstEvaluationAtAShare() throws IOException, InterruptedException {
        double[] training = {3000, 1400, 3100, 2900, 1499, 1600, 3000, 100, 2999, 1400};
        double[] evaluations = {3500, 100, 3599, 3600, 100, 100, 3700, 100, 100, 100};
        evaluated(evaluations, training);
        assertThat(falls("--each", "--after", "0.9"))
                .contains("a: watched 600000, falls at 500000, 800000")
                .contains("all 1 600000 2 3.33 0.40 to 12.04");
        assertThat(falls("--each")).contains("a: watched 900000, falls at 200000, 500000, 800000");
        assertThat(falls("--each", "--after", "0.99")).contains("a: watched 0, falls at no step");
    }

    private void evaluated(double[] evaluations, double[] training) throws IOException {
        run("a", Map.of("task", "walker2d"), training);
        Files.writeString(
                folder.resolve("a/metrics.jsonl"),
                IntStream.range(0, training.length)
                        .mapToObj(i -> "{\"steps\": %d, \"trueReturn\": %s, \"episodeTrueReturn\": %s}\n"
                                .formatted((i + 1) * 100_000, evaluations[i], training[i]))
                        .collect(Collectors.joining()));
    }

    /**
     * The demonstrations have a mean of 4000, the expert's policy returns 5000: {@code ImitationTableTest} has the same lines
     * with an experts.json. From 4500, at 300,000 steps, one fall (below 1875) in 300,000; by the demonstrations from 3600, at
     * 100,000, two falls (below 1500) in 500,000.
     */
    @Test
    void countsByTheReturnOfTheExpertThatIsGiven() throws IOException, InterruptedException {
        double[] evaluations = {3600, 3600, 4500, 4500, 4500, 4500};
        double[] training = {3000, 1400, 3750, 1800, 3000, 1400};
        evaluated(evaluations, training);
        assertThat(falls("--each", "--after", "0.9", "--expert", "5000"))
                .contains("a: watched 300000, falls at 400000")
                .contains("all 1 300000 1 3.33 ");
        assertThat(falls("--each", "--after", "0.9")).contains("a: watched 500000, falls at 200000, 600000");
    }

    /** 3 of 8 and 0 of 8, by tables: Clopper-Pearson 0.085 to 0.755 and 0 to 0.369, Wilson 0.137 to 0.694 and 0 to 0.324. */
    @Test
    void sharesOfForksHaveIntervals() throws IOException, InterruptedException {
        for (int i = 1; i <= 8; i++) {
            Map<String, Object> settings = Map.of("fork", "run@200", "block", 1000, "fork-number", i);
            Map<String, Object> none = new java.util.TreeMap<>(settings);
            none.put("intervene", "none");
            run("none-" + i, none, 100, 100, 3000, i <= 3 ? 1000 : 2000, 3000, 100);
            none.put("intervene", "freeze-reward");
            run("frozen-" + i, none, 100, 100, 3000, 3000, 3000, 100);
        }
        assertThat(falls("--within", "300000"))
                .contains("intervene none 8 0 0 3 0.38 0.09 to 0.76 0.14 to 0.69")
                .contains("intervene freeze-reward 8 0 0 0 0.00 0.00 to 0.37 0.00 to 0.32");
        assertThat(falls()).contains("intervene freeze-reward 8 0 0 8 1.00 0.63 to 1.00 0.68 to 1.00");
    }

    private static Map<String, Object> fork(int number) {
        return Map.of("fork", "run@200", "block", 1000, "fork-number", number);
    }

    /** Forked at 200,000. Of those that run on for 300,000 steps one falls and one stands: a share of a half. */
    @Test
    void forksThatEndEarlierAreCensored() throws IOException, InterruptedException {
        run("falls", fork(1), 3000, 3000, 3000, 3000, 1000);
        run("stands", fork(2), 3000, 3000, 3000, 3000, Double.NaN);
        run("short", fork(3), 3000, 3000, 3000, 3000);
        run("short-fallen", fork(4), 3000, 3000, 1000);
        assertThat(falls("--each", "--within", "300000"))
                .contains("falls: forked at 200000, falls at 500000")
                .contains("stands: forked at 200000, stands\n")
                .contains("short: forked at 200000, censored at 400000")
                .contains("short-fallen: forked at 200000, censored at 300000")
                .contains("all 4 2 0 1 0.50 ");
    }

    @Test
    void withoutALimitForksWithoutAResultAreCensored() throws IOException, InterruptedException {
        run("stands", fork(1), 3000, 3000, 3000);
        run("unfinished", fork(2), 3000, 3000, 3000);
        Files.delete(folder.resolve("unfinished/result.json"));
        assertThat(falls("--expert", "4000")).contains("all 2 1 0 0 0.00 ");
        Files.delete(folder.resolve("stands/result.json"));
        assertThat(falls("--expert", "4000")).contains("all 2 2 0 0 - - -");
    }

    @Test
    void forksThatAreNeverAtTheLevelDoNotFall() throws IOException, InterruptedException {
        run("never", fork(1), 100, 2000, 1000, 100);
        run("fallen-before", fork(2), 3000, 1000, 1000, 2000);
        run("in-the-original", fork(3), 3000, 2000, 1000, 100);
        run("after-the-fork", fork(4), 100, 100, 3000, 100);
        run("stands", fork(5), 3000, 2000, 2000, 2000);
        assertThat(falls("--each"))
                .contains("never: forked at 200000, below level")
                .contains("fallen-before: forked at 200000, below level")
                .contains("in-the-original: forked at 200000, falls at 300000")
                .contains("after-the-fork: forked at 200000, falls at 400000")
                .contains("stands: forked at 200000, stands\n")
                .contains("all 5 0 2 2 0.67 ");
    }

    /** Measurements begin with the fork; whether it stood before is known from the training episodes of the original. */
    @Test
    void measurementsFollowTheTrainingOfTheOriginal() throws IOException, InterruptedException {
        run("fork", fork(1), 3000, 3000, 3000, 3000);
        Files.writeString(
                folder.resolve("fork/diagnose.csv"), "step,trainingReturn\n200000,3000\n300000,1000\n400000,900\n");
        assertThat(falls("--each", "--source", "diagnose")).contains("forked at 200000, falls at 300000");
    }
}
