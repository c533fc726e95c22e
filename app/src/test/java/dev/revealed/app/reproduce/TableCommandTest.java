package dev.revealed.app.reproduce;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Main;
import dev.revealed.app.Repository;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TableCommandTest {

    /** Without the Vector API a table's runs take twenty times as long; launchers add it by the command's name. */
    @Test
    void launchedWithTheVectorModule() throws IOException {
        List<String> patterns = Files.readAllLines(
                        Repository.root().resolve("app/src/main/resources/dev/revealed/app/tools/java-options.sh"))
                .stream()
                .filter(line -> line.startsWith("case") && line.contains("'reproduce ") && line.contains("vector="))
                .flatMap(line -> Pattern.compile("'reproduce (\\S+?)'(\\?)?")
                        .matcher(line)
                        .results())
                .map((MatchResult found) -> found.group(1) + (found.group(2) == null ? "" : "?"))
                .toList();
        List<String> tables =
                requireNonNull(Main.commandLine().getSubcommands().get("reproduce"))
                        .getSubcommands()
                        .entrySet()
                        .stream()
                        .filter(command -> command.getValue().getCommand() instanceof TableCommand)
                        .map(command -> command.getKey())
                        .toList();
        assertThat(tables)
                .hasSizeGreaterThan(3)
                .allSatisfy(name -> assertThat(patterns)
                        .anySatisfy(
                                pattern -> assertThat(matches(pattern, name)).isTrue()));
    }

    private static boolean matches(String pattern, String name) {
        return FileSystems.getDefault().getPathMatcher("glob:" + pattern).matches(Path.of(name));
    }
}
