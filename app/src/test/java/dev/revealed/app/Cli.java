package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.runs.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The command line as a user has it: words in, an exit code and two streams out. */
public final class Cli {
    private String out = "";
    private String err = "";

    public int run(String... args) {
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        PrintStream oldOut = System.out;
        PrintStream oldErr = System.err;
        try (PrintStream newOut = new PrintStream(stdout, true, StandardCharsets.UTF_8);
                PrintStream newErr = new PrintStream(stderr, true, StandardCharsets.UTF_8)) {
            System.setOut(newOut);
            System.setErr(newErr);
            int code = Main.commandLine()
                    .setErr(new PrintWriter(newErr, true, StandardCharsets.UTF_8))
                    .execute(args);
            out = stdout.toString(StandardCharsets.UTF_8);
            err = stderr.toString(StandardCharsets.UTF_8);
            return code;
        } finally {
            System.setOut(oldOut);
            System.setErr(oldErr);
        }
    }

    /** A line as it is typed, with blanks between words. */
    public int type(String line) {
        return run(line.split(" "));
    }

    /** A line in which {@code @} stands for a folder. */
    public int type(Path folder, String line) {
        return run(Arrays.stream(line.split(" "))
                .map(word -> word.replace("@", folder + "/"))
                .toArray(String[]::new));
    }

    /** The document of a line that is expected to work; {@code @} stands for a folder. */
    public Map<?, ?> document(Path folder, String line) {
        assertThat(type(folder, line + " --json")).as(() -> line + "\n" + err).isZero();
        return Json.read(out, Map.class);
    }

    /** A parameter in the document of an estimate. */
    public static Map<?, ?> parameter(Map<?, ?> estimate, String name) {
        return ((List<?>) Objects.requireNonNull(estimate.get("parameters")))
                .stream()
                        .map(one -> (Map<?, ?>) one)
                        .filter(one -> name.equals(one.get("name")))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no parameter " + name));
    }

    /** A number of a parameter, such as its {@code value} or its {@code standardError}. */
    public static double number(Map<?, ?> estimate, String parameter, String key) {
        return ((Number) Objects.requireNonNull(parameter(estimate, parameter).get(key), key)).doubleValue();
    }

    /** A line that is expected to work. */
    public void done(String line) {
        assertThat(type(line)).as(err).isZero();
    }

    /** Estimates a discrete-choice model. */
    public int estimate(String model, String data, String... more) {
        List<String> args = new ArrayList<>(List.of("estimate", "--model", model, "--data", data));
        args.addAll(List.of(more));
        return run(args.toArray(String[]::new));
    }

    /** What the last command printed. */
    public String out() {
        return out;
    }

    public String err() {
        return err;
    }
}
