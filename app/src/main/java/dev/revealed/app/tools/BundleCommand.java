package dev.revealed.app.tools;

import dev.revealed.app.PlainOptions;
import dev.revealed.app.view.Console;
import dev.revealed.cuda.CudaFailure;
import dev.revealed.cuda.Kernels;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "  tar xzf revealed.tar.gz && revealed/revealed demo",
            "  ./revealed bundle --cuda --out revealed-cuda.tar.gz"
        })
public final class BundleCommand implements Callable<Integer> {
    @Option(names = "--out", paramLabel = "FILE", required = true, description = "The archive to make, a .tar.gz file.")
    private Path out = Path.of("");

    @Option(
            names = "--cuda",
            description =
                    "For a machine with an NVIDIA GPU: compile the kernels for a trial where NVRTC is installed, say in"
                            + " the archive's README what that machine must have, and keep the archive under 64 MiB.")
    private boolean cuda;

    @Mixin
    private PlainOptions plain = new PlainOptions();

    private static final long CUDA_LIMIT = 64L << 20;
    private static final List<Integer> CAPABILITIES = List.of(75, 80, 90);

    /**
     * What the document says of an archive.
     *
     * @param kernels with --cuda, what is known of them
     */
    record Document(
            String file,
            long bytes,
            String version,
            String java,
            List<String> modules,
            List<String> natives,
            @Nullable String kernels) {}

    @Override
    public Integer call() {
        String name = String.valueOf(out.getFileName());
        if (!name.endsWith(".tar.gz") && !name.endsWith(".tgz")) {
            throw new BadInput(
                    "%s does not fit its content: a bundle is a compressed tar archive".formatted(out),
                    "Use a name that ends in .tar.gz or .tgz.");
        }
        if (Files.exists(out)) {
            throw new BadInput("there is already something named " + out, "Move it away, or choose another name.");
        }
        Path folder = out.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new BadInput(
                    "%s cannot be written: %s is not a folder that you may write to".formatted(out, folder),
                    "Choose another place with --out.");
        }
        Console console = Console.system(plain.json);
        Bundle bundle = Bundle.ofThisProcess();
        if (cuda && !bundle.brings("cuda")) {
            throw new BadInput(
                    "this Revealed was built without its module cuda", "Use the launcher: ./revealed bundle.");
        }
        bundle.write(out, cuda, cuda ? CUDA_LIMIT : Long.MAX_VALUE);
        // not before: what a trial makes of this process, jlink would write into the runtime
        String kernels = cuda ? kernels(out) : null;
        long bytes = out.toFile().length();
        console.say("Packed %s: %.1f MiB.".formatted(out, bytes / Bundle.MIB));
        console.say(
                bundle.natives().isEmpty()
                        ? "MuJoCo is not installed here, so the archive has none: simulated tasks will ask for it."
                        : "It brings " + String.join(", ", bundle.natives()) + ".");
        if (kernels != null) {
            console.say(kernels);
        }
        console.say("To use it: tar xzf %s && revealed/revealed %s".formatted(name, cuda ? "gpu --check" : "demo"));
        console.json(Json.write(new Document(
                out.toString(),
                bytes,
                Provenance.currentVersion(),
                Runtime.version().toString(),
                bundle.modules(),
                bundle.natives(),
                kernels)));
        return 0;
    }

    /** What can be known of the kernels here, where there may be no compiler for them. */
    private static String kernels(Path archive) {
        try {
            return Kernels.compile(CAPABILITIES)
                    .map("The CUDA kernels compile for devices of capability 7.5, 8.0 and 9.0 (%s)."::formatted)
                    .orElse("No NVRTC is installed here: the CUDA kernels will be compiled at the first start there.");
        } catch (CudaFailure e) {
            archive.toFile().delete(); // it would be of no use
            throw e;
        }
    }
}
