package dev.revealed.app.tools;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Device;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.studio.StudioBench;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.bench.BellmanBench;
import dev.revealed.bench.BridgeBench;
import dev.revealed.bench.EstimateBench;
import dev.revealed.bench.GpuSacBench;
import dev.revealed.bench.MujocoBench;
import dev.revealed.bench.RouteBench;
import dev.revealed.bench.SacBench;
import dev.revealed.bench.SolveBench;
import dev.revealed.cuda.Gpu;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.route.BorlangeData;
import dev.revealed.studies.route.RoutesStudy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speed, compared with a lower bound and with alternatives. */
@Command(
        name = "bench",
        description = "Measure speed, compared with theoretical limits and with simpler implementations.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "BENCHMARK",
        subcommands = {
            BenchCommand.Bellman.class,
            BenchCommand.Solve.class,
            BenchCommand.Estimate.class,
            BenchCommand.Mujoco.class,
            BenchCommand.Bridge.class,
            BenchCommand.Sac.class,
            BenchCommand.Routes.class,
            PanelBenchCommand.class,
            BenchCommand.Page.class
        },
        footer = {"", "Example:", "  ./revealed bench bellman --states 1000000 --actions 4 --successors 8"})
public final class BenchCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Name a benchmark: bellman, solve, estimate, mujoco, bridge, sac, routes, panels or studio.");
    }

    /** A table that leaves a folder only where one is asked for. */
    abstract static class Benchmark extends BaseCommand {
        @Override
        @Nullable
        protected String defaultFolder() {
            return null;
        }

        static Outcome shown(String name, Object result, Table table, String below) {
            return Outcome.of(result, "bench " + name)
                    .say(table.toText() + below)
                    .report(page -> page.table(table))
                    .file(name + ".csv", table.toCsv());
        }
    }

    @Command(
            name = "bellman",
            description = "One soft Bellman sweep over a random sparse kernel, in nanoseconds per nonzero.",
            footer = {"", "Example:", "  ./revealed bench bellman --states 1000000 --actions 4 --successors 8 --json"})
    static final class Bellman extends Benchmark {
        @Option(names = "--states", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int states = 1_000_000;

        @Option(names = "--actions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int actions = 4;

        @Option(names = "--successors", paramLabel = "N", description = "Per row, within 64 of the state" + DEFAULT)
        private int successors = 8;

        @Option(names = "--repetitions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int repetitions = 60;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            BellmanBench.Result result =
                    new BellmanBench(states, actions, successors, repetitions).run(seed(), threads(), listener);
            Table table = Table.of(
                            result.rows(),
                            text("name", BellmanBench.Row::name),
                            number("threads", 3, BellmanBench.Row::threads),
                            decimals("ns per nonzero", 3, BellmanBench.Row::nsPerNonzero))
                    .titled("Soft Bellman sweep, " + result.nonzeros() + " nonzeros");
            return shown("bellman", result, table, "");
        }
    }

    @Command(
            name = "solve",
            description = "Soft-optimal values of a large grid from scratch.",
            footer = {"", "Example:", "  ./revealed bench solve --size 1000 --json"})
    static final class Solve extends Benchmark {
        @Option(names = "--size", paramLabel = "N", description = "Side of the grid" + DEFAULT)
        private int size = 1000;

        @Option(names = "--discount", split = ",", paramLabel = "X", description = "default: 0.99,0.9999")
        private double[] discounts = {0.99, 0.9999};

        @Option(names = "--tolerance", paramLabel = "X", description = "Span of the residual" + DEFAULT)
        private double tolerance = 1e-8;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            SolveBench.Result result = new SolveBench(size, tolerance).run(discounts, threads(), listener);
            Table table = Table.of(
                            result.rows(),
                            number("discount", 6, SolveBench.Row::discount),
                            text("method", SolveBench.Row::method),
                            decimals("seconds", 1, SolveBench.Row::seconds),
                            number("kernel passes", 9, SolveBench.Row::kernelPasses),
                            number("Newton steps", 4, SolveBench.Row::newtonSteps),
                            number("residual span", 3, SolveBench.Row::residualSpan))
                    .titled("Soft-optimal values of a %d x %d grid, %d threads".formatted(size, size, threads()));
            return shown("solve", result, table, "");
        }
    }

    @Command(
            name = "estimate",
            description = {
                "Estimators side by side on engines of many components.",
                "Time and kernel passes of each from parameters of zero to within 0.001 of the maximal log-likelihood."
            },
            footer = {"", "Example:", "  ./revealed bench estimate --sizes 100^2 --discounts 0.99 --budget 10 --json"})
    static final class Estimate extends Benchmark {
        @Option(
                names = "--sizes",
                split = ",",
                paramLabel = "K^M",
                description = "Wear bins ^ components: 100^3 has a million states (default: 100^2,46^3).")
        private List<String> sizes = List.of("100^2", "46^3");

        @Option(names = "--discounts", split = ",", paramLabel = "X", description = "default: 0.99,0.999,0.9999")
        private List<Double> discounts = List.of(0.99, 0.999, 0.9999);

        @Option(names = "--budget", paramLabel = "SECONDS", description = "For each method on each problem" + DEFAULT)
        private double budget = 30;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            EstimateBench.Result result = new EstimateBench(
                            sizes.stream().map(EstimateBench.Size::parse).toList(), discounts, budget)
                    .run(seed(), threads(), listener);
            Table table = Table.of(
                            result.rows(),
                            number("states", 8, row -> row.problem().states()),
                            number("discount", 6, row -> row.problem().discount()),
                            text("method", EstimateBench.Row::method),
                            text("within 0.001", row -> row.reached() ? "yes" : "not within budget"),
                            number("gap", 2, EstimateBench.Row::gap),
                            decimals("seconds", 2, row -> row.spent().seconds()),
                            decimals("CPU seconds", 2, row -> row.spent().cpuSeconds()),
                            number("kernel passes", 9, row -> row.spent().kernelPasses()),
                            number("iterations", 6, row -> row.spent().iterations()),
                            decimals(
                                    "times the least seconds",
                                    1,
                                    row -> row.ratios().secondsRatio()),
                            decimals(
                                    "times the least passes",
                                    1,
                                    row -> row.ratios().passesRatio()))
                    .titled("From zero to within 0.001 of the maximal log-likelihood, %d threads".formatted(threads()));
            return shown("estimate", result, table, "\n" + result.note());
        }
    }

    @Command(
            name = "mujoco",
            description = {
                "Steps of the locomotion tasks per second of processor time on one core.",
                "Also the share of that time spent inside MuJoCo. Resets are not counted."
            },
            footer = {"", "Example:", "  ./revealed bench mujoco --tasks hopper,humanoid --json"})
    static final class Mujoco extends Benchmark {
        @Option(names = "--tasks", split = ",", paramLabel = "TASK", description = "default: all")
        private List<String> tasks = Task.names();

        @Option(names = "--steps", paramLabel = "N", description = "Of each task" + DEFAULT)
        private int steps = 2000;

        @Option(names = "--repetitions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int repetitions = 5;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            MujocoBench.Result result =
                    new MujocoBench(tasks.stream().map(Task::named).toList(), steps, repetitions).run(seed(), listener);
            Table table = Table.of(
                            result.rows(),
                            text("task", MujocoBench.Row::task),
                            decimals("steps per second", 0, MujocoBench.Row::stepsPerSecond),
                            decimals("native share", 3, MujocoBench.Row::nativeShare))
                    .titled("Environment steps on one core, random actions");
            return shown("mujoco", result, table, "");
        }
    }

    @Command(
            name = "bridge",
            description = "Steps per second of Python environments, compared with Python alone.",
            footer = {"", "Example:", "  ./revealed bench bridge --task gym:examples/pendulum.py:Pendulum --json"})
    static final class Bridge extends Benchmark {
        @Option(names = "--task", paramLabel = "T", description = "gym:module:Class or gym:file.py:Class" + DEFAULT)
        private String task = "gym:examples/pendulum.py:Pendulum";

        @Option(names = "--task-args", paramLabel = "JSON", description = "Arguments of the environment" + DEFAULT)
        private String taskArgs = "{}";

        @Option(names = "--environments", split = ",", paramLabel = "N", description = "default: 1,16")
        private int[] environments = {1, 16};

        @Option(names = "--steps", paramLabel = "N", description = "Of each environment" + DEFAULT)
        private int steps = 10_000;

        @Option(names = "--repetitions", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
        private int repetitions = 5;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            BridgeBench.Result result =
                    new BridgeBench(task, taskArgs, environments, steps, repetitions).run(seed(), listener);
            Table table = Table.of(
                            result.rows(),
                            number("environments", 3, BridgeBench.Row::environments),
                            number("processes", 3, BridgeBench.Row::processes),
                            number("Python alone, steps/s", 6, BridgeBench.Row::alone),
                            number("bridge, steps/s", 6, BridgeBench.Row::bridged),
                            decimals("share", 2, BridgeBench.Row::share),
                            decimals("more per step, us", 1, BridgeBench.Row::overhead))
                    .titled(result.task());
            return shown("bridge", result, table, "");
        }
    }

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
    static final class Sac extends Benchmark {
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
            return outcome(
                    new GpuSacBench(gpu, seconds, "To compare with PyTorch, name its script: --torch torch_sac.py.")
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
                throw new BadInput(
                        "--torch measures a GPU", "Use it with --device cuda; on the CPU there is --libtorch.");
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

    @Command(
            name = "routes",
            description = {
                "Recursive logit on Borlänge: evaluations and whole estimates, compared with SciPy if python3 has it.",
                "Also compared with the floor: the multiply-adds of the solves. With --links, one evaluation on a generated city."
            },
            footer = {
                "",
                "Example:",
                "  ./revealed bench routes --json",
                "  ./revealed bench routes --links 100000 --destinations 1000 --json"
            })
    static final class Routes extends Benchmark {
        @Option(
                names = "--data",
                paramLabel = "DIR",
                description = "Folder with link_pairs.csv.gz, destinations.csv.gz and trips.csv.gz" + DEFAULT)
        private Path data = Path.of("../shared/data/borlange");

        @Option(names = "--links", paramLabel = "N", description = "A generated city of about so many links instead.")
        private @Nullable Integer links;

        @Option(names = "--destinations", paramLabel = "N", description = "Of the generated city" + DEFAULT)
        private int destinations = 1000;

        @Option(names = "--python", paramLabel = "PROGRAM", description = "Python with SciPy" + DEFAULT)
        private String python = "python3";

        @Override
        protected Outcome outcome(ProgressListener listener) {
            RouteBench.Result result = links == null ? borlange(listener) : city(links, listener);
            Table table = Table.of(
                            result.rows(),
                            text("work", RouteBench.Row::work),
                            number("threads", 3, RouteBench.Row::threads),
                            number("seconds", 3, RouteBench.Row::seconds),
                            number("CPU seconds", 3, RouteBench.Row::cpuSeconds),
                            number("aim", 3, RouteBench.Row::aim),
                            number("CPU / floor", 3, RouteBench.Row::timesFloor),
                            number("SciPy / ours", 3, RouteBench.Row::timesFasterThanScipy))
                    .titled(
                            "Recursive logit on %,d links, %,d destinations; %,d entries in the factors; %.1f GB of heap"
                                    .formatted(
                                            result.links(),
                                            result.destinations(),
                                            result.factorEntries(),
                                            result.heapGigabytes()));
            return shown("routes", result, table, "").notes(result.notes());
        }

        private RouteBench.Result borlange(ProgressListener listener) {
            BorlangeData borlange = BorlangeData.read(data, listener);
            return new RouteBench(borlange.trips(), borlange.features(), List.of(python))
                    .run(RoutesStudy.linkSize(), threads(), listener);
        }

        private RouteBench.Result city(int about, ProgressListener listener) {
            return RouteBench.city(about, destinations, seed(), threads(), listener);
        }
    }

    @Command(
            name = "studio",
            description = {
                "The local page: its start, a long list, lines of runs that grow, and the sliders of a choice model.",
                "The server is a program of its own. What a browser paints is measured where there is a Chromium."
            },
            footer = {"", "Example:", "  ./revealed bench studio --training --json"})
    static final class Page extends Benchmark {
        @Option(names = "--folder", paramLabel = "DIR", description = "Runs to start on" + DEFAULT)
        private Path folder = Path.of("results");

        @Option(names = "--runs", paramLabel = "N", description = "Runs in the long list" + DEFAULT)
        private int runs = 500;

        @Option(names = "--live", paramLabel = "N", description = "Runs that grow at the same time" + DEFAULT)
        private int live = 30;

        @Option(names = "--seconds", paramLabel = "N", description = "For which they grow" + DEFAULT)
        private int seconds = 20;

        @Option(
                names = "--training",
                description = "Also train as many runs of Hopper, and measure what watching them costs: some minutes.")
        private boolean training;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            if (!Files.isDirectory(folder)) {
                throw new BadInput("there is no folder " + folder, "Name one that holds run folders, with --folder.");
            }
            StudioBench.Result result =
                    new StudioBench(Main::launch, runs, live, seconds).run(folder, training, listener);
            Table table = Table.of(
                            result.rows(),
                            text("what", StudioBench.Row::what),
                            number("value", 4, StudioBench.Row::value),
                            text("unit", StudioBench.Row::unit),
                            text(
                                    "aim",
                                    row -> row.aim()
                                            .map(aim -> "at most " + Numbers.significant(aim, 4))
                                            .orElse("")),
                            text(
                                    "reached",
                                    row -> row.reached()
                                            .map(yes -> yes ? "yes" : "no")
                                            .orElse("")))
                    .titled("The local page; %d cores, load %.1f at the beginning"
                            .formatted(result.cores(), result.load()));
            return shown("studio", result, table, String.join("\n", result.notes()));
        }
    }
}
