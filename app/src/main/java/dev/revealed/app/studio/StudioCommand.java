package dev.revealed.app.studio;

import dev.revealed.numeric.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Opens the page over run folders. */
@Command(
        name = "studio",
        description = {
            "Show runs in the browser, finished or still running: curves, robots, rewards and choice models.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed studio",
            "  ./revealed studio results/ --port 8080 --no-open",
            "",
            "Guide: docs/guide/studio.md"
        })
public final class StudioCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FOLDER",
            arity = "0..*",
            description = "Folders with runs, anywhere below them (default: out, or results where there is no out).")
    private List<Path> folders = new ArrayList<>();

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Override
    public Integer call() {
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw new BadInput("there is no folder " + folder, "Name one that holds run folders.");
            }
        }
        List<Path> shown = folders.isEmpty() ? usual() : folders;
        return server.serve(shown, studio -> studio.address());
    }

    private static List<Path> usual() {
        Path out = Path.of("out");
        Path results = Path.of("results");
        return List.of(Files.isDirectory(out) || !Files.isDirectory(results) ? out : results);
    }
}
