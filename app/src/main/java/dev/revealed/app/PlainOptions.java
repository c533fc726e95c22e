package dev.revealed.app;

import picocli.CommandLine.Option;

/** The options of commands that make no run: they have no seed, no threads and no folder. */
public final class PlainOptions {
    @Option(names = "--json", description = "Print one JSON document on stdout; text goes to stderr.")
    public boolean json;

    @SuppressWarnings("UnusedVariable") // picocli shows the help before anything runs
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;
}
