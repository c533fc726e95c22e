package dev.revealed.app;

import dev.revealed.app.view.Report;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.bench.BellmanBench;
import dev.revealed.bench.EstimateBench;
import dev.revealed.bench.GpuSacBench;
import dev.revealed.bench.MujocoBench;
import dev.revealed.bench.SacBench;
import dev.revealed.bench.SolveBench;
import dev.revealed.cuda.Gpu;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed, measured beside the floor and beside what one would do instead. */
@Command(
        name = "bench",
        description = "Measure speed against the floor and against plainer ways.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "BENCHMARK",
        subcommands = {
            BenchCommand.Bellman.class,
            BenchCommand.Solve.class,
            BenchCommand.Estimate.class,
            BenchCommand.Mujoco.class,
            BenchCommand.Sac.class
        },
        footer = {"", "Example:", "  ./revealed bench bellman --states 1000000 --actions 4 --successors 8"})
final class BenchCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Name a benchmark: bellman, solve, estimate, mujoco or sac.");
    }

    @Command(
            name = "bellman",
            description = "One soft Bellman sweep over a random sparse kernel, in nanoseconds per nonzero.",
            footer = {"", "Example:", "  ./revealed bench bellman --states 1000000 --actions 4 --successors 8 --json"})
    static final class Bellman extends Verb {
        @Option(names = "--states", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int states = 1_000_000;

        @Option(names = "--actions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int actions = 4;

        @Option(
                names = "--successors",
                paramLabel = "N",
                description = "Per row, within 64 of the state (default: ${DEFAULT-VALUE}).")
        private int successors = 8;

        @Option(names = "--repetitions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int repetitions = 60;

        @Override
        @Nullable
        String defaultFolder() {
            return null;
        }

        @Override
        Outcome outcome(ProgressListener listener) {
            BellmanBench.Result result =
                    new BellmanBench(states, actions, successors, repetitions).run(seed(), threads(), listener);
            Table table = Table.of(
                            Column.text("name"), Column.number("threads", 3), Column.decimals("ns per nonzero", 3))
                    .titled("Soft Bellman sweep, " + result.nonzeros() + " nonzeros");
            for (BellmanBench.Row row : result.rows()) {
                table = table.row(row.name(), row.threads(), row.nsPerNonzero());
            }
            return new Outcome(
                    result,
                    table.toText(),
                    Report.titled("bench bellman").table(table),
                    Map.of(),
                    Map.of("bellman.csv", table.toCsv()));
        }
    }

    @Command(
            name = "solve",
            description = "Soft-optimal values of a large grid from scratch.",
            footer = {"", "Example:", "  ./revealed bench solve --size 1000 --json"})
    static final class Solve extends Verb {
        @Option(names = "--size", paramLabel = "N", description = "Side of the grid (default: ${DEFAULT-VALUE}).")
        private int size = 1000;

        @Option(names = "--discount", split = ",", paramLabel = "X", description = "default: 0.99,0.9999")
        private double[] discounts = {0.99, 0.9999};

        @Option(
                names = "--tolerance",
                paramLabel = "X",
                description = "Span of the residual (default: ${DEFAULT-VALUE}).")
        private double tolerance = 1e-8;

        @Override
        @Nullable
        String defaultFolder() {
            return null;
        }

        @Override
        Outcome outcome(ProgressListener listener) {
            SolveBench.Result result = new SolveBench(size, tolerance).run(discounts, threads(), listener);
            Table table = Table.of(
                            Column.number("discount", 6),
                            Column.text("method"),
                            Column.decimals("seconds", 1),
                            Column.number("kernel passes", 9),
                            Column.number("Newton steps", 4),
                            Column.number("residual span", 3))
                    .titled("Soft-optimal values of a %d x %d grid, %d threads".formatted(size, size, threads()));
            for (SolveBench.Row row : result.rows()) {
                table = table.row(
                        row.discount(),
                        row.method(),
                        row.seconds(),
                        row.kernelPasses(),
                        row.newtonSteps(),
                        row.residualSpan());
            }
            return new Outcome(
                    result,
                    table.toText(),
                    Report.titled("bench solve").table(table),
                    Map.of(),
                    Map.of("solve.csv", table.toCsv()));
        }
    }

    @Command(
            name = "estimate",
            description = {
                "Estimators side by side on engines of many components: what each spends from parameters of zero to within",
                "0.001 of the maximal log-likelihood."
            },
            footer = {"", "Example:", "  ./revealed bench estimate --sizes 100^2 --discounts 0.99 --budget 10 --json"})
    static final class Estimate extends Verb {
        @Option(
                names = "--sizes",
                split = ",",
                paramLabel = "K^M",
                description = "Wear bins ^ components: 100^3 has a million states (default: 100^2,46^3).")
        private List<String> sizes = List.of("100^2", "46^3");

        @Option(names = "--discounts", split = ",", paramLabel = "X", description = "default: 0.99,0.999,0.9999")
        private List<Double> discounts = List.of(0.99, 0.999, 0.9999);

        @Option(
                names = "--budget",
                paramLabel = "SECONDS",
                description = "For each method on each problem (default: ${DEFAULT-VALUE}).")
        private double budget = 30;

        @Override
        @Nullable
        String defaultFolder() {
            return null;
        }

        @Override
        Outcome outcome(ProgressListener listener) {
            EstimateBench.Result result = new EstimateBench(
                            sizes.stream().map(EstimateBench.Size::parse).toList(), discounts, budget)
                    .run(seed(), threads(), listener);
            Table table = Table.of(
                            Column.number("states", 8),
                            Column.number("discount", 6),
                            Column.text("method"),
                            Column.text("within 0.001"),
                            Column.number("gap", 2),
                            Column.decimals("seconds", 2),
                            Column.decimals("CPU seconds", 2),
                            Column.number("kernel passes", 9),
                            Column.number("iterations", 6),
                            Column.decimals("times the least seconds", 1),
                            Column.decimals("times the least passes", 1))
                    .titled("From zero to within 0.001 of the maximal log-likelihood, %d threads".formatted(threads()));
            for (EstimateBench.Row row : result.rows()) {
                table = table.row(
                        row.process().states(),
                        row.process().discount(),
                        row.method(),
                        row.reached() ? "yes" : "not within budget",
                        row.gap(),
                        row.seconds(),
                        row.cpuSeconds(),
                        row.kernelPasses(),
                        row.iterations(),
                        row.ratios().seconds(),
                        row.ratios().kernelPasses());
            }
            return new Outcome(
                    result,
                    table.toText() + "\n" + result.note(),
                    Report.titled("bench estimate").table(table),
                    Map.of(),
                    Map.of("estimate.csv", table.toCsv()));
        }
    }

    @Command(
            name = "mujoco",
            description = {
                "Steps of the locomotion tasks per second of processor time on one core, and the part of that time that is",
                "MuJoCo's own. Resets are not counted."
            },
            footer = {"", "Example:", "  ./revealed bench mujoco --tasks hopper,humanoid --json"})
    static final class Mujoco extends Verb {
        @Option(names = "--tasks", split = ",", paramLabel = "TASK", description = "default: all")
        private List<String> tasks = Task.names();

        @Option(names = "--steps", paramLabel = "N", description = "Of each task (default: ${DEFAULT-VALUE}).")
        private int steps = 2000;

        @Option(names = "--repetitions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int repetitions = 5;

        @Override
        @Nullable
        String defaultFolder() {
            return null;
        }

        @Override
        Outcome outcome(ProgressListener listener) {
            MujocoBench.Result result =
                    new MujocoBench(tasks.stream().map(Task::named).toList(), steps, repetitions).run(seed(), listener);
            Table table = Table.of(
                            Column.text("task"),
                            Column.decimals("steps per second", 0),
                            Column.decimals("native share", 3))
                    .titled("Environment steps on one core, random actions");
            for (MujocoBench.Row row : result.rows()) {
                table = table.row(row.task(), row.stepsPerSecond(), row.nativeShare());
            }
            return new Outcome(
                    result,
                    table.toText(),
                    Report.titled("bench mujoco").table(table),
                    Map.of(),
                    Map.of("mujoco.csv", table.toCsv()));
        }
    }

    @Command(
            name = "sac",
            description = {
                "Soft Actor-Critic updates per second at the sizes of Hopper and Humanoid, beside libtorch and beside the",
                "floor: the products an update cannot do without, at the speed of the processor's multiply-adds."
            },
            footer = {
                "",
                "Example:",
                "  ./revealed bench sac --libtorch --json",
                "  ./revealed bench sac --device cuda --json"
            })
    static final class Sac extends Verb {
        @Option(
                names = "--device",
                paramLabel = "cpu|cuda",
                description = "cpu (default), or cuda: one run and many at once on a GPU, beside PyTorch on it.")
        private Device device = Device.CPU;

        @Option(
                names = "--seconds",
                paramLabel = "X",
                description = "For each contender at each size (default: ${DEFAULT-VALUE}).")
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
        @Nullable
        String defaultFolder() {
            return null;
        }

        @Override
        Outcome outcome(ProgressListener listener) {
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
            return outcome(new GpuSacBench(gpu, seconds).run(seed(), threads(), script, listener, this::warn));
        }

        static Outcome outcome(GpuSacBench.Result result) {
            Table table = Table.of(
                            Column.text("device"),
                            Column.text("task"),
                            Column.number("batch", 4),
                            Column.number("runs", 3),
                            Column.text("name"),
                            Column.decimals("updates per second", 0),
                            Column.decimals("times the best PyTorch", 2))
                    .titled("Soft Actor-Critic updates of all runs together, " + result.gpu()
                            + (result.torch().isEmpty() ? "" : ", PyTorch " + result.torch()));
            for (GpuSacBench.Row row : result.rows()) {
                table = table.row(
                        row.device(),
                        row.task(),
                        row.batch(),
                        row.runs(),
                        row.name(),
                        row.updatesPerSecond(),
                        row.timesBestTorch());
            }
            return new Outcome(
                    result,
                    table.toText() + String.join("\n", result.notes()),
                    Report.titled("bench sac").table(table),
                    Map.of(),
                    Map.of("sac.csv", table.toCsv()));
        }

        private Outcome onProcessor(ProgressListener listener) {
            if (torch != null) {
                throw new BadInput(
                        "--torch measures a GPU", "Use it with --device cuda; on the CPU there is --libtorch.");
            }
            SacBench.Result result = new SacBench(seconds).run(seed(), threads(), listener);
            if (libtorch && !result.note().isEmpty()) {
                throw new BadInput(
                        "libtorch is not part of this build",
                        "Start it by the script ./revealed, which builds it in, on Linux on x86-64.");
            }
            Table table = Table.of(
                            Column.text("task"),
                            Column.number("batch", 4),
                            Column.number("threads", 3),
                            Column.text("name"),
                            Column.decimals("updates per second", 0),
                            Column.decimals("share of floor", 2))
                    .titled("Soft Actor-Critic updates; the peak of one core is %.0f GFLOP/s"
                            .formatted(result.peakGigaflops()));
            for (SacBench.Row row : result.rows()) {
                table = table.row(
                        row.task(), row.batch(), row.threads(), row.name(), row.updatesPerSecond(), row.shareOfFloor());
            }
            return new Outcome(
                    result,
                    table.toText() + result.note(),
                    Report.titled("bench sac").table(table),
                    Map.of(),
                    Map.of("sac.csv", table.toCsv()));
        }
    }
}
