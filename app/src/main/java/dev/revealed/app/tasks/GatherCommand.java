package dev.revealed.app.tasks;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.PlainOptions;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.RunSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes one result of what shards have found. */
@Command(
        name = "gather",
        description = {
            "Put together what the shards of a command have found: the result is that of the same command on one machine.",
            "",
            "Run it where the command was typed, since it reads the same files. Where shards are missing, it names them with"
                    + " what to type for each.",
            ""
        },
        footer = {
            "",
            "Example:",
            "  ./revealed estimate --model rust-bus --data panel.csv --bootstrap 2000 --out boot --shard 1/2",
            "  ./revealed estimate --model rust-bus --data panel.csv --bootstrap 2000 --out boot --shard 2/2",
            "  ./revealed gather boot"
        })
public final class GatherCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The folder that the shards were given with --out.")
    private Path folder = Path.of("");

    @Mixin
    private PlainOptions plain = new PlainOptions();

    @Override
    public Integer call() {
        BadInput.when(
                !RunSpec.isIn(folder),
                "there is nothing to gather in %s".formatted(folder),
                "Name the folder that the shards were given with --out.");
        List<String> words = new ArrayList<>(Arguments.withoutSwitches(
                Arguments.without(RunSpec.read(folder).provenance().command(), "--out"), "--json"));
        words.addAll(List.of("--out", folder.toString()));
        if (plain.json) {
            words.add("--json");
        }
        CommandLine line = Main.commandLine(words.getFirst());
        CommandLine verb = line;
        for (String word : words) {
            CommandLine inner = verb.getSubcommands().get(word);
            if (inner == null) {
                break;
            }
            verb = inner;
        }
        ((BaseCommand) verb.getCommandSpec().userObject()).gatherShards();
        return line.execute(words.toArray(String[]::new));
    }
}
