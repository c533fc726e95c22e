package dev.revealed.app.studio;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.RunSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Opens the page at one policy. */
@Command(
        name = "play",
        description = {"Watch a policy in 3-D in a local page, with the rewards of every step beside it.", ""},
        footer = {
            "",
            "Example:",
            "  ./revealed play --policy results/table1/rows/15-hopper-seed-1",
            "",
            "Guide: docs/guide/studio.md"
        })
public final class PlayCommand implements Callable<Integer> {
    @Option(
            names = "--policy",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the run that trained it, finished or not, or a policy file in it.")
    private Path policy = Path.of("");

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Override
    public Integer call() {
        boolean file = Files.isRegularFile(policy);
        Path run = file ? policy.toAbsolutePath().resolveSibling("").normalize() : policy;
        if (!RunSpec.isIn(run)) {
            throw new BadInput(
                    "there is no run in " + run, "Name the folder that 'expert' or 'imitate' wrote, with --policy.");
        }
        String which = file ? "&policy=" + policy.getFileName() : "";
        return server.serve(
                List.of(run), studio -> studio.address("/robots?run=%s%s".formatted(studio.id(run), which)));
    }
}
