package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** Commands in pages and in help: each one names a command and options that exist. */
class DocumentedCommandsTest {
    /** A line that begins with the launcher, with the lines that it goes on in. */
    private static final Pattern LINE = Pattern.compile("(?m)^[ $]*\\./revealed ((?:.*\\\\\\n)*.*)$");

    /** The beginning of a command within a sentence or the cell of a table. */
    private static final Pattern INLINE = Pattern.compile("`\\./revealed ([^`\\n]+)`");

    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(?:\\$\\([^)]*\\)|[^\\s'\"])+");

    /** Where a command ends and the shell's own words begin. */
    private static final Set<String> END = Set.of("#", ">", "2>", "|", "&&", "&", ";");

    @Test
    void commandsOfPagesAreUnderstood() throws IOException {
        List<String> wrong = new ArrayList<>();
        int whole = 0;
        for (Path page : Repository.pages()) {
            String text = Files.readString(page);
            List<String> commands = commands(LINE, text);
            whole += commands.size();
            Stream.concat(
                            commands.stream().map(command -> refusal(command, false)),
                            commands(INLINE, text).stream().map(command -> refusal(command, true)))
                    .filter(why -> !why.isEmpty())
                    .forEach(why -> wrong.add(page.getFileName() + ": " + why));
        }
        assertThat(wrong).isEmpty();
        assertThat(whole).isGreaterThan(200);
    }

    @Test
    void examplesOfHelpAreUnderstoodAndFitTheScreen() {
        List<String> examples = examples(Main.commandLine()).toList();
        assertThat(examples).hasSizeGreaterThan(50);
        assertThat(examples.stream().map(command -> refusal(command, false)).filter(why -> !why.isEmpty()))
                .isEmpty();
        assertThat(footers(Main.commandLine())).allMatch(line -> line.length() <= 80);
    }

    private static Stream<String> examples(CommandLine line) {
        line.setUsageHelpAutoWidth(false).setUsageHelpWidth(80);
        return Stream.concat(
                commands(LINE, line.getUsageMessage()).stream(),
                line.getSubcommands().values().stream().flatMap(DocumentedCommandsTest::examples));
    }

    /** Lines of help from the examples on. */
    private static Stream<String> footers(CommandLine line) {
        line.setUsageHelpAutoWidth(false).setUsageHelpWidth(80);
        return Stream.concat(
                line.getUsageMessage().lines().dropWhile(text -> !text.startsWith("Example")),
                line.getSubcommands().values().stream().flatMap(DocumentedCommandsTest::footers));
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThat(refusal("estimate --model rust-bus --out 'a folder' > file", false))
                .isEmpty();
        assertThat(refusal("estimate --modle rust-bus", false)).contains("--modle");
        assertThat(refusal("estimate --model", false)).contains("--model");
        assertThat(refusal("estimate --model", true)).isEmpty();
        assertThat(refusal("estimation --model rust-bus", false)).contains("estimation");
    }

    private static List<String> commands(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    /**
     * The command and why it is not understood; empty where it is.
     *
     * @param beginning whether something may follow that it needs
     */
    private static String refusal(String command, boolean beginning) {
        List<String> words = WORD.matcher(command.replace("\\\n", " "))
                .results()
                .map(DocumentedCommandsTest::word)
                .takeWhile(word -> !END.contains(word))
                .toList();
        List<String> typed =
                words.stream().takeWhile(word -> !word.equals("...")).toList();
        if (typed.isEmpty()) {
            return "";
        }
        try {
            Main.commandLine(typed.getFirst()).parseArgs(typed.toArray(String[]::new));
            return "";
        } catch (MissingParameterException e) {
            return beginning || typed.size() < words.size() ? "" : command + ": " + e.getMessage();
        } catch (ParameterException e) {
            return command + ": " + e.getMessage();
        }
    }

    private static String word(MatchResult found) {
        return found.group(1) != null ? found.group(1) : found.group(2) != null ? found.group(2) : found.group();
    }
}
