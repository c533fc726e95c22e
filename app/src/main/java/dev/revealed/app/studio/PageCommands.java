package dev.revealed.app.studio;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.numeric.BadInput;
import dev.revealed.studio.Commands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** The command line as the page uses it. */
final class PageCommands implements Commands {
    @Override
    public List<Form> forms() {
        return List.of();
    }

    @Override
    public String document(String command, Map<String, List<String>> options) {
        List<String> words = new ArrayList<>(List.of(command));
        options.forEach((name, values) -> values.forEach(value -> words.add("--%s=%s".formatted(name, value))));
        try {
            CommandLine.ParseResult parsed = Main.commandLine().parseArgs(words.toArray(String[]::new));
            return ((BaseCommand) parsed.subcommand().commandSpec().userObject()).document();
        } catch (CommandLine.ParameterException e) {
            throw new BadInput(Main.problem(e), "Change it, and try again.");
        }
    }

    @Override
    public List<String> launch(List<String> command) {
        return List.of();
    }
}
