package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What is said where memory runs out: one message, and no option that the command does not have. */
class MemoryTest {
    /** By the command as it was typed. */
    private static String remedyOf(String typed) {
        String[] words = typed.split(" ", -1);
        CommandLine line = Main.commandLine();
        line.parseArgs(words);
        return Main.memoryRemedy(
                Objects.requireNonNull(line.getSubcommands().get(words[0])).getCommandSpec());
    }

    private static String remedy(String command) {
        return Main.memoryRemedy(
                Objects.requireNonNull(Main.commandLine().getSubcommands().get(command))
                        .getCommandSpec());
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "estimate", "simulate", "counterfactual", "expert", "imitate", "record", "reward"})
    void onlyOptionsOfTheCommandAreAdvised(String command) {
        CommandLine line =
                Objects.requireNonNull(Main.commandLine().getSubcommands().get(command));
        assertThat(Pattern.compile("--[a-z-]+").matcher(remedy(command)).results())
                .extracting(MatchResult::group)
                .isSubsetOf(line.getCommandSpec().optionsMap().keySet());
    }

    @Test
    void theyAreThoseThatMemoryGrowsWith() {
        assertThat(remedy("estimate")).startsWith("Use a smaller model, or allow more: REVEALED_JAVA_OPTS=");
        assertThat(remedy("imitate")).startsWith("Use a smaller model, lower --replay or --batch, or");
        assertThat(remedyOf("imitate --seeds 1-2")).contains("lower --replay or --batch or --at-once, or");
        assertThat(remedyOf("simulate --model gridworld")).contains("lower --size or --length, or");
        assertThat(remedyOf("simulate --mdp mdp.npz")).contains("lower --length, or");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rust-bus", "own.yaml"})
    void thoseOfAProcessDoNotHelpAPanel(String model) {
        assertThat(remedyOf("simulate --model " + model)).contains("lower --periods, or");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneMessageAndExitCode2(boolean wrapped) {
        StringWriter err = new StringWriter();
        CommandLine line =
                Main.commandLine().addSubcommand("fill", new Fill(wrapped)).setErr(new PrintWriter(err));
        Objects.requireNonNull(line.getSubcommands().get("fill")).setErr(new PrintWriter(err));
        assertThat(line.execute("fill")).isEqualTo(2);
        assertThat(err.toString()).isEqualToIgnoringNewLines("""
                revealed: not enough memory (Java heap space)
                  Use a smaller model, lower --batch, or allow more: REVEALED_JAVA_OPTS=-Xmx20g ./revealed ...
                """);
    }

    @Command(name = "fill")
    static final class Fill implements Callable<Integer> {
        private final boolean wrapped;

        @SuppressWarnings("UnusedVariable") // only that there is such an option
        @Option(names = "--batch")
        private int batch;

        Fill(boolean wrapped) {
            this.wrapped = wrapped;
        }

        @Override
        public Integer call() {
            OutOfMemoryError error = new OutOfMemoryError("Java heap space");
            if (wrapped) { // as a thread pool passes it on
                throw new IllegalStateException(error);
            }
            throw error;
        }
    }
}
