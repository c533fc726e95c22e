package dev.revealed.app.tasks;

import picocli.CommandLine.Option;

/** The same for commands that have no other way to go on after an interruption. */
public final class ResumableTaskOptions extends TaskOptions {
    @Option(
            names = "--resume",
            description = "Go on with an interrupted command: the same command with its folder as --out.")
    private boolean resume;

    public boolean resume() {
        return resume;
    }
}
