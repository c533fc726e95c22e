package dev.revealed.app;

import dev.revealed.app.view.Console;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Packs Revealed for machines that have nothing: no Java, no network, no rights to install. */
@Command(
        name = "bundle",
        description = {
            "Pack Revealed, a Java runtime and the native libraries into one archive for Linux, for clusters and other"
                    + " machines without Java or a network.",
            ""
        },
        footer = {
            "",
            "Example:",
            "  ./revealed bundle --out revealed.tar.gz",
            "  tar xzf revealed.tar.gz && revealed/revealed demo"
        })
final class BundleCommand implements Callable<Integer> {
    @Option(names = "--out", paramLabel = "FILE", required = true, description = "The archive to make, a .tar.gz file.")
    private Path out = Path.of("");

    @Option(names = "--json", description = "Print one JSON document on stdout; text goes to stderr.")
    private boolean json;

    @SuppressWarnings("UnusedVariable") // picocli shows the help before anything runs
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    /** What the document says of an archive. */
    record Document(String file, long bytes, String version, String java, List<String> modules, List<String> natives) {}

    @Override
    public Integer call() {
        if (Files.exists(out)) {
            throw new BadInput("there is already something named " + out, "Move it away, or choose another name.");
        }
        Path folder = out.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new BadInput(
                    "%s cannot be written: %s is no folder that you may write to".formatted(out, folder),
                    "Choose another place with --out.");
        }
        Console console = Console.system(json);
        Bundle bundle = Bundle.ofThisProcess();
        bundle.write(out);
        long bytes;
        try {
            bytes = Files.size(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        console.say("Packed %s: %.1f MiB.".formatted(out, bytes / 1048576.0));
        console.say(
                bundle.natives().isEmpty()
                        ? "MuJoCo is not installed here, so the archive has none: simulated tasks will ask for it."
                        : "It brings " + String.join(", ", bundle.natives()) + ".");
        console.say("To use it: tar xzf %s && revealed/revealed demo".formatted(out.getFileName()));
        console.json(Json.write(new Document(
                out.toString(),
                bytes,
                Provenance.currentVersion(),
                Runtime.version().toString(),
                bundle.modules(),
                bundle.natives())));
        return 0;
    }
}
