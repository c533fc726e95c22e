package dev.revealed.app;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line's entry point. */
@Command(
        name = "revealed",
        description = "Estimates what people and machines want from what they do.",
        mixinStandardHelpOptions = true,
        version = "revealed 0.1.0",
        synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    /** Runs one command and ends the process with its exit code: 0 done, 2 bad input, 1 an internal failure. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    /** Without a command there is nothing to do but show what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
