package dev.revealed.app.tasks;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.runs.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import picocli.CommandLine;

/** Does tasks on a machine of a cluster: makes the list anew from the arguments of its command, and does those it is asked for. */
public final class TaskHost {
    private TaskHost() {}

    /**
     * The tasks of a command, each of which gives its result as JSON, by the question and its number.
     *
     * @param name of the list, and what it depends on; another list means that this machine has other files or versions
     * @param earlier what lists of the command before it found, by name
     * @param threads for one task; 0 where tasks are done by the program that asks, which has its own
     */
    public static BiFunction<double[][], Integer, String> tasks(
            List<String> arguments, String name, String inputs, Map<String, List<String>> earlier, int threads) {
        List<String> all = new ArrayList<>(arguments);
        if (threads > 0) {
            Locale.setDefault(Locale.ROOT);
            all = new ArrayList<>(Arguments.without(arguments, "--threads"));
            all.addAll(List.of("--threads", Integer.toString(threads)));
            Parallel.threads(threads);
        }
        TaskList<?> tasks = parsed(all).taskList(name, earlier);
        BadInput.when(
                !tasks.inputs().equals(inputs),
                "this machine reads other files than the one that asks, or runs another version of Revealed",
                "Give every machine the same files under the same names, as shared storage does.");
        return (question, task) -> Json.line(tasks.answer().to(question, task));
    }

    /** The command with these arguments, ready to be asked. */
    static BaseCommand parsed(List<String> arguments) {
        CommandLine line = Main.commandLine(arguments.getFirst());
        CommandLine.ParseResult parsed = line.parseArgs(arguments.toArray(String[]::new));
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        return (BaseCommand) parsed.commandSpec().userObject();
    }
}
