package dev.revealed.app.tools;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Device;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.bench.GpuSacBench;
import dev.revealed.bench.SacBench;
import dev.revealed.cuda.Gpu;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed of Soft Actor-Critic, on the processor or on a GPU. */
@Command(
        name = "sac",
        description = {
            "Soft Actor-Critic updates per second at the sizes of Hopper and Humanoid, compared with libtorch.",
            "Also compared with the floor: the matrix products of an update at the processor's peak speed."
        },
        footer = {
            "",
            "Example:",
            "  ./revealed bench sac --libtorch --json",
            "  ./revealed bench sac --device cuda --json"
        })
final class SacBenchCommand extends BenchCommand.Benchmark {
    @Option(
            names = "--device",
            paramLabel = "cpu|cuda",
            description = "cpu (default), or cuda: one run and many at once on a GPU, compared with PyTorch on it.")
    private Device device = Device.CPU;

    @Option(names = "--seconds", paramLabel = "X", description = "For each contender at each size" + DEFAULT)
    private double seconds = 2;

    @Option(
            names = "--libtorch",
            description = "Build the rival in first; downloads about 150 MB once, for Linux on x86-64.")
    private boolean libtorch;

    @Option(
            names = "--torch",
            paramLabel = "FILE",
            description = "With --device cuda: the Python script that measures PyTorch (default: " + TORCH
                    + " where it exists).")
    private @Nullable Path torch;

    private static final String TORCH = "../shared/rivals/torch_sac.py";

    @Override
    protected Outcome outcome(ProgressListener listener) {
        return switch (device) {
            case CPU -> onProcessor(listener);
            case CUDA -> onGpu(listener);
        };
    }

    private Outcome onGpu(ProgressListener listener) {
        if (libtorch) {
            throw new BadInput("--libtorch runs on the CPU", "Leave it out, or use --device cpu.");
        }
        Optional<Path> script = torch != null
                ? Optional.of(Main.existing(torch))
                : Optional.of(Path.of(TORCH)).filter(Files::isRegularFile);
        Gpu.Found found = Gpu.find();
        Gpu gpu = found.gpu()
                .orElseThrow(() -> new BadInput(
                        "--device cuda needs a GPU: " + found.reason(), "Use --device cpu. Or: " + found.remedy()));
        return outcome(new GpuSacBench(gpu, seconds, "To compare with PyTorch, name its script: --torch torch_sac.py.")
                .run(seed(), threads(), script, listener, this::notice));
    }

    static Outcome outcome(GpuSacBench.Result result) {
        Table table = Table.of(
                        result.rows(),
                        text("device", GpuSacBench.Row::device),
                        text("task", GpuSacBench.Row::task),
                        number("batch", 4, GpuSacBench.Row::batch),
                        number("runs", 3, GpuSacBench.Row::runs),
                        text("name", GpuSacBench.Row::name),
                        decimals("updates per second", 0, GpuSacBench.Row::updatesPerSecond),
                        decimals("times the best PyTorch", 2, GpuSacBench.Row::timesBestTorch))
                .titled("Soft Actor-Critic updates of all runs together, " + result.gpu()
                        + (result.torch().isEmpty() ? "" : ", PyTorch " + result.torch()));
        return shown("sac", result, table, String.join("\n", result.notes()));
    }

    private Outcome onProcessor(ProgressListener listener) {
        if (torch != null) {
            throw new BadInput("--torch measures a GPU", "Use it with --device cuda; on the CPU there is --libtorch.");
        }
        SacBench.Result result = new SacBench(
                        seconds, "To compare with libtorch (a download of 150 MB): ./revealed bench sac --libtorch")
                .run(seed(), threads(), listener);
        if (libtorch && !result.note().isEmpty()) {
            throw new BadInput(
                    "libtorch is not part of this build",
                    "Start it by the script ./revealed, which builds it in, on Linux on x86-64.");
        }
        Table table = Table.of(
                        result.rows(),
                        text("task", SacBench.Row::task),
                        number("batch", 4, SacBench.Row::batch),
                        number("threads", 3, SacBench.Row::threads),
                        text("name", SacBench.Row::name),
                        decimals("updates per second", 0, SacBench.Row::updatesPerSecond),
                        decimals("share of floor", 2, SacBench.Row::shareOfFloor))
                .titled("Soft Actor-Critic updates; the peak of one core is %.0f GFLOP/s"
                        .formatted(result.peakGigaflops()));
        return shown("sac", result, table, result.note());
    }
}
