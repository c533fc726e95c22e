package dev.revealed.app;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** Examples in a command's help: those longer than a line go on in the next one as a shell reads them. */
final class Examples {
    /** A word, with its quotes and the blanks within them. */
    private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+");

    private static final String MORE = " \\";
    private static final String INDENT = "      ";

    private Examples() {}

    /** What stands at the end of a command's help. */
    static String footer(CommandLine.Help help) {
        CommandLine.Model.UsageMessageSpec usage = help.commandSpec().usageMessage();
        return List.of(usage.footer()).stream()
                .flatMap(line -> wrap(line, usage.width()).stream())
                .map(line -> line + "%n".formatted())
                .collect(Collectors.joining());
    }

    /** A command in as many lines as it needs, each of at most {@code width} characters where its words allow it. */
    static List<String> wrap(String command, int width) {
        List<String> lines = new ArrayList<>();
        if (command.length() <= width || !command.strip().startsWith("./revealed ")) {
            return List.of(command);
        }
        StringBuilder line = new StringBuilder("  ");
        for (String word :
                WORD.matcher(command).results().map(MatchResult::group).toList()) {
            if (!line.toString().isBlank()) {
                if (line.length() + 1 + word.length() + MORE.length() > width) {
                    lines.add(line + MORE);
                    line = new StringBuilder(INDENT);
                } else {
                    line.append(' ');
                }
            }
            line.append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
