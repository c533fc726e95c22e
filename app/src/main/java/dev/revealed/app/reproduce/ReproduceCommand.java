package dev.revealed.app.reproduce;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.CoverageStudy;
import dev.revealed.studies.DeepMountainCarStudy;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.GridWorldStudy;
import dev.revealed.studies.HighDimStudy;
import dev.revealed.studies.ImitationTable;
import dev.revealed.studies.MonteCarloStudy;
import dev.revealed.studies.MountainCarStudy;
import dev.revealed.studies.RewardCoverageStudy;
import dev.revealed.studies.RustStudy;
import dev.revealed.studies.TheoryStudy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The paper's experiments, with the command that makes each. */
@Command(
        name = "reproduce",
        description = "Reproduce published experiments and tables, and see the theorems at work.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "STUDY",
        subcommands = {
            ReproduceCommand.GridWorld.class,
            ReproduceCommand.MountainCar.class,
            ReproduceCommand.Theory.class,
            ReproduceCommand.Rust.class,
            ReproduceCommand.NfxpVsMpec.class,
            ReproduceCommand.Coverage.class,
            ReproduceCommand.RewardCoverage.class,
            ReproduceCommand.HighDim.class,
            ReproduceCommand.DeepMountainCar.class,
            ReproduceCommand.Table1.class
        },
        footer = {"", "Example:", "  ./revealed reproduce gridworld"})
public final class ReproduceCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Name a study: gridworld, mountain-car, theory, rust, nfxp-vs-mpec, coverage, "
                        + "reward-coverage, highdim, mountain-car-deep or table1.");
    }

    @Command(
            name = "gridworld",
            description = "Figure 1: rewards of a grid world recovered by ML-IRL and by nested MaxEnt-IRL.",
            footer = {"", "Example:", "  ./revealed reproduce gridworld --json --out results-gridworld"})
    static final class GridWorld extends BaseCommand {
        @Option(names = "--step", paramLabel = "X", description = "Constant step of ML-IRL" + DEFAULT)
        private double step = 0.03;

        @Option(
                names = "--nested-step",
                paramLabel = "X",
                description = "Constant step of MaxEnt-IRL (default: that of ML-IRL).")
        private @Nullable Double nestedStep;

        @Option(
                names = "--ridge",
                paramLabel = "X",
                description = "Weight of the squared reward that is taken off" + DEFAULT)
        private double ridge = 0.1;

        @Option(names = "--sets", paramLabel = "N", description = "Demonstration sets" + DEFAULT)
        private int sets = 20;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            return GridWorldView.of(GridWorldStudy.run(
                    GridWorldStudy.Settings.standard(seed())
                            .with(sets, ridge, step, nestedStep == null ? step : nestedStep),
                    listener));
        }
    }

    @Command(
            name = "mountain-car",
            description = "Figure 2: steps to the goal of policies learnt from 1 to 50 demonstrations.",
            footer = {"", "Example:", "  ./revealed reproduce mountain-car --json --out results-mountain-car"})
    static final class MountainCar extends BaseCommand {
        @Option(names = "--step", paramLabel = "X", description = "Constant step of ML-IRL" + DEFAULT)
        private double step = 0.001;

        @Option(names = "--nested-step", paramLabel = "X", description = "Constant step of MaxEnt-IRL" + DEFAULT)
        private double nestedStep = 0.1;

        @Option(names = "--sets", paramLabel = "N", description = "Demonstration sets" + DEFAULT)
        private int sets = 10;

        @Option(names = "--grid", paramLabel = "N", description = "Positions and velocities of the grid" + DEFAULT)
        private int grid = 40;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            return MountainCarView.of(MountainCarStudy.run(
                    MountainCarStudy.Settings.standard(seed()).with(grid, sets, step, nestedStep), listener));
        }
    }

    @Command(
            name = "theory",
            description = "Theorem 1's rates, Theorem 2's gap, Lemma 1's coverage.",
            footer = {"", "Example:", "  ./revealed reproduce theory --json --out results-theory"})
    static final class Theory extends BaseCommand {
        @Override
        protected Outcome outcome(ProgressListener listener) {
            return TheoryView.of(TheoryStudy.run(TheoryStudy.Settings.standard().withSeed(seed()), listener));
        }
    }

    @Command(
            name = "rust",
            description = "Rust (1987), Tables VIII, IX and X: Harold Zurcher's bus engines.",
            footer = {"", "Example:", "  ./revealed reproduce rust --data ../shared/data/rust_bus_groups_1_to_4.csv"})
    static final class Rust extends BaseCommand {
        @Option(
                names = "--data",
                paramLabel = "FILE",
                required = true,
                description = "The bus panel: CSV with bus_id,group,period,mileage,decision.")
        private Path data = Path.of("");

        @Override
        protected Outcome outcome(ProgressListener listener) {
            return RustView.of(RustStudy.run(Main.existing(data), listener));
        }
    }

    @Command(
            name = "nfxp-vs-mpec",
            description = "Su and Judd's Monte Carlo as Iskhakov et al. ran it: NFXP, ML-IRL and MPEC side by side.",
            footer = {"", "Example:", "  ./revealed reproduce nfxp-vs-mpec --replications 20"})
    static final class NfxpVsMpec extends BaseCommand {
        @Option(names = "--replications", paramLabel = "N", description = "Samples at each discount" + DEFAULT)
        private int replications = 250;

        @Option(
                names = "--discounts",
                split = ",",
                paramLabel = "X",
                description = "Discount factors (default: 0.975,0.985,0.995,0.999,0.9995,0.9999).")
        private double @Nullable [] discounts;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            MonteCarloStudy.Settings standard = MonteCarloStudy.Settings.standard(seed());
            List<Double> wanted = discounts == null
                    ? standard.discounts()
                    : Arrays.stream(discounts).boxed().toList();
            return MonteCarloView.of(MonteCarloStudy.run(standard.with(replications, wanted), listener));
        }
    }

    @Command(
            name = "coverage",
            description = "How often the 95 %% intervals of each estimator hold the truth, over simulated panels.",
            footer = {"", "Example:", "  ./revealed reproduce coverage --panels 200"})
    static final class Coverage extends BaseCommand {
        @Option(names = "--panels", paramLabel = "N", description = "Simulated panels" + DEFAULT)
        private int panels = 2000;

        @Option(names = "--buses", paramLabel = "N", description = "Buses in each" + DEFAULT)
        private int buses = 200;

        @Option(names = "--months", paramLabel = "T", description = "Months of each bus" + DEFAULT)
        private int months = 50;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            return CoverageView.of(
                    CoverageStudy.run(CoverageStudy.Settings.standard(seed()).with(panels, buses, months), listener));
        }
    }

    @Command(
            name = "reward-coverage",
            description =
                    "How often 95 %% intervals of a reward hold the truth, trajectories or blocks of one being drawn anew.",
            footer = {"", "Example:", "  ./revealed reproduce reward-coverage --sets 50"})
    static final class RewardCoverage extends BaseCommand {
        @Option(
                names = "--sets",
                paramLabel = "N",
                description = "Simulated sets of demonstrations for each case" + DEFAULT)
        private int sets = 500;

        @Option(names = "--draws", paramLabel = "N", description = "Bootstrap samples of each" + DEFAULT)
        private int draws = 199;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            return RewardCoverageView.of(RewardCoverageStudy.run(
                    RewardCoverageStudy.Settings.standard(seed()).with(sets, draws), listener));
        }
    }

    @Command(
            name = "highdim",
            description =
                    "Dynamic discrete choice with 24 continuous covariates: a soft Q-network where no grid is possible.",
            footer = {"", "Example:", "  ./revealed reproduce highdim --json --out results-highdim"})
    static final class HighDim extends BaseCommand {
        @Option(names = "--machines", paramLabel = "N", description = "Machines observed" + DEFAULT)
        private int machines = 1000;

        @Option(names = "--periods", paramLabel = "T", description = "Periods of each" + DEFAULT)
        private int periods = 50;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            return HighDimView.of(
                    HighDimStudy.run(HighDimStudy.Settings.standard(seed()).with(machines, periods), listener));
        }
    }

    @Command(
            name = "mountain-car-deep",
            description = "The undiscretised mountain car: a soft Q-network learns from states of 1 to 20 drives.",
            footer = {"", "Example:", "  ./revealed reproduce mountain-car-deep --json --out results-mountain-car-deep"
            })
    static final class DeepMountainCar extends BaseCommand {
        @Option(names = "--sets", paramLabel = "N", description = "Demonstration sets" + DEFAULT)
        private int sets = 3;

        @Option(names = "--iterations", paramLabel = "N", description = "Iterations of Algorithm 1" + DEFAULT)
        private int iterations = 60;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            return DeepMountainCarView.of(DeepMountainCarStudy.run(
                    DeepMountainCarStudy.Settings.standard(seed()).with(sets, iterations), listener));
        }
    }

    @Command(
            name = "table1",
            description = {
                "The paper's MuJoCo table beside ours, from run folders that 'imitate' and 'expert --reward' left.",
                "",
                "Nothing is trained: finished runs are gathered, those that differ in the seed alone together."
            },
            footer = {"", "Example:", "  ./revealed reproduce table1 --from results/table1 --json"})
    static final class Table1 extends BaseCommand {
        @Option(
                names = "--from",
                paramLabel = "DIR",
                required = true,
                description = "Folder that holds run folders, at any depth.")
        private Path from = Path.of("");

        @Override
        protected Outcome outcome(ProgressListener listener) {
            GatheredRun.Found found = GatheredRun.under(from);
            if (found.finished().isEmpty()) {
                throw new BadInput(
                        "no run in %s has come to its end%s"
                                .formatted(
                                        from,
                                        found.unfinished().isEmpty()
                                                ? ""
                                                : " (begun: %d)"
                                                        .formatted(found.unfinished()
                                                                .size())),
                        "Name a folder with run folders of 'imitate', each with its spec.json and result.json.");
            }
            return ImitationTableView.of(ImitationTable.of(from, found, seed()));
        }
    }
}
