package dev.revealed.app.tools;

import dev.revealed.app.Main;
import dev.revealed.app.PlainOptions;
import dev.revealed.app.Words;
import dev.revealed.app.view.Console;
import dev.revealed.cuda.Check;
import dev.revealed.cuda.Gpu;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.train.ReplayMemory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which GPU there is, and whether it computes what the CPU does. */
@Command(
        name = "gpu",
        description = {
            "Show which GPU --device cuda would use, or why there is none; with --check, compare it with the CPU.",
            ""
        },
        footer = {"", "Example:", "  ./revealed gpu --check"})
public final class GpuCommand implements Callable<Integer> {
    @Option(
            names = "--check",
            description = "Compare the GPU with the CPU: the same updates, the same bits twice, checkpoints both ways.")
    private boolean check;

    @Option(
            names = "--small",
            description = "With --check: few and small updates, for a memory checker such as compute-sanitizer.")
    private boolean small;

    @Mixin
    private PlainOptions plain = new PlainOptions();

    /**
     * @param reason what there is, or why nothing can be used
     * @param parts of the check, where it was asked for
     */
    record Document(
            boolean usable,
            String reason,
            @Nullable String name,
            @Nullable Integer multiprocessors,
            @Nullable Long freeMemory,
            @Nullable List<CheckedPart> parts) {

        static Document of(Gpu.Found found, @Nullable List<Check.Part> parts) {
            Optional<Gpu> gpu = found.gpu();
            return new Document(
                    gpu.isPresent(),
                    found.reason(),
                    gpu.map(Gpu::name).orElse(null),
                    gpu.map(Gpu::multiprocessors).orElse(null),
                    gpu.map(Gpu::freeMemory).orElse(null),
                    parts == null ? null : parts.stream().map(CheckedPart::of).toList());
        }
    }

    /** @param problem why it failed; left out where it passed */
    record CheckedPart(
            String name, boolean passed, @Nullable String problem, double seconds) {
        static CheckedPart of(Check.Part part) {
            return new CheckedPart(part.name(), part.passed(), part.problem(), part.seconds());
        }
    }

    @Override
    public Integer call() {
        if (small && !check) {
            throw new BadInput("--small without --check", "Use both: ./revealed gpu --check --small.");
        }
        Console console = Console.system(plain.json);
        Gpu.Found found = Gpu.find();
        if (check && found.gpu().isEmpty()) {
            throw new BadInput("there is no GPU to check: " + found.reason(), found.remedy());
        }
        console.say(summary(found));
        List<Check.Part> parts = check ? Check.run(found.gpu().orElseThrow(), small, console::say) : null;
        if (parts != null) {
            console.say(verdict(parts));
            for (Check.Part part : parts) {
                Throwable cause = part.cause();
                if (cause != null) {
                    console.warn("%s: %s".formatted(part.name(), Main.details(cause)));
                }
            }
        }
        console.json(Json.write(Document.of(found, parts)));
        return parts == null ? 0 : code(parts);
    }

    /** What there is in a few words, or that the CPU does it instead. */
    static String summary(Gpu.Found found) {
        return found.gpu()
                .map(gpu -> "%s, %d multiprocessors, %s of memory free."
                        .formatted(found.reason(), gpu.multiprocessors(), ReplayMemory.size((double) gpu.freeMemory())))
                .orElseGet(() -> "No GPU can be used, so the CPU does everything: %s. %s"
                        .formatted(found.reason(), Words.options(found.remedy())));
    }

    static String verdict(List<Check.Part> parts) {
        long failed = parts.stream().filter(part -> !part.passed()).count();
        return failed == 0
                ? "All %d parts passed.".formatted(parts.size())
                : "%d of %d parts FAILED: do not use --device cuda here.".formatted(failed, parts.size());
    }

    static int code(List<Check.Part> parts) {
        return parts.stream().allMatch(Check.Part::passed) ? 0 : 1;
    }
}
