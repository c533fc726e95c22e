package dev.revealed.app.reproduce;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Device;
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
import dev.revealed.studies.StartsStudy;
import dev.revealed.studies.Table1Plan;
import dev.revealed.studies.offline.OfflinePlan;
import dev.revealed.studies.offline.OfflineTable;
import dev.revealed.studies.offline.OfflineTheoryStudy;
import dev.revealed.studies.route.HeldOutStudy;
import dev.revealed.studies.route.RoutesStudy;
import dev.revealed.studies.theory.TheoryStudy;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
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
        footer = {"", "Example:", "  ./revealed reproduce gridworld"})
public final class ReproduceCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Override
    public void run() {
        List<String> names = List.copyOf(spec.subcommands().keySet());
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Name a study: %s or %s."
                        .formatted(String.join(", ", names.subList(0, names.size() - 1)), names.getLast()));
    }

    /** Adds a command for each study. */
    public static void addStudies(CommandLine reproduce) {
        for (BaseCommand study : studies()) {
            CommandLine line = new CommandLine(study);
            if (study instanceof StudyCommand<?> described) {
                described.describe(line.getCommandSpec());
            }
            reproduce.addSubcommand(line);
        }
    }

    private static List<BaseCommand> studies() {
        return List.of(
                new StudyCommand<>(
                        "gridworld",
                        "Figure 1: rewards of a grid world recovered by ML-IRL and by nested MaxEnt-IRL.",
                        "--json --out results-gridworld",
                        GridWorldStudy.Settings.STANDARD,
                        (settings, listener) -> GridWorldView.of(GridWorldStudy.run(settings, listener))),
                new StudyCommand<>(
                        "mountain-car",
                        "Figure 2: steps to the goal of policies learnt from 1 to 50 demonstrations.",
                        "--json --out results-mountain-car",
                        MountainCarStudy.Settings.STANDARD,
                        (settings, listener) -> MountainCarView.of(MountainCarStudy.run(settings, listener))),
                new StudyCommand<>(
                        "theory",
                        "Theorem 1's rates, Theorem 2's gap, Lemma 1's coverage, Corollary 1's concavity, Corollary 2's"
                                + " convergence in probability.",
                        "--json --out results-theory",
                        TheoryStudy.Settings.STANDARD,
                        (settings, listener) -> TheoryView.of(TheoryStudy.run(settings, listener))),
                new StudyCommand<>(
                        "offline-theory",
                        "Rewards from a log of moves: how the error falls with the log, what a penalty on uncertain moves"
                                + " buys, and how often intervals hold the truth.",
                        "--json --out results-offline-theory",
                        OfflineTheoryStudy.Settings.STANDARD,
                        (settings, listener) -> OfflineTheoryView.of(OfflineTheoryStudy.run(settings, listener))),
                new Rust(),
                new Routes(),
                new NfxpVsMpec(),
                new StudyCommand<>(
                        "coverage",
                        "How often the 95 %% intervals of each estimator contain the truth, how far its mean is from it and how often"
                                + " it warns, over panels simulated from three models.",
                        "--panels 200 --models two-ar",
                        CoverageStudy.Settings.STANDARD,
                        (settings, listener) -> CoverageView.of(CoverageStudy.run(settings, listener))),
                new StudyCommand<>(
                        "starts",
                        "Whether each estimator finds the maximum from random starting values, and says so where not.",
                        "--starts 20 --json",
                        StartsStudy.Settings.STANDARD,
                        (settings, listener) -> StartsView.of(StartsStudy.run(settings, listener))),
                new StudyCommand<>(
                        "reward-coverage",
                        "How often 95 %% intervals of a reward contain the truth, trajectories or blocks of one resampled.",
                        "--sets 50",
                        RewardCoverageStudy.Settings.STANDARD,
                        (settings, listener) -> RewardCoverageView.of(RewardCoverageStudy.run(settings, listener))),
                new StudyCommand<>(
                        "highdim",
                        "Dynamic discrete choice with 24 continuous covariates: a soft Q-network where no grid is possible.",
                        "--json --out results-highdim",
                        HighDimStudy.Settings.STANDARD,
                        (settings, listener) -> HighDimView.of(HighDimStudy.run(settings, listener))),
                new StudyCommand<>(
                        "mountain-car-deep",
                        "The undiscretised mountain car: a soft Q-network learns from states of 1 to 20 drives.",
                        "--json --out results-mountain-car-deep",
                        DeepMountainCarStudy.Settings.STANDARD,
                        (settings, listener) -> DeepMountainCarView.of(DeepMountainCarStudy.run(settings, listener))),
                new Table1(),
                new Offline());
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
            name = "routes",
            description = {
                "Fosgerau et al. (2013) and Mai et al. (2015): route choice of 1,832 car trips in Borlänge.",
                "",
                "Recursive logit (rl), with link size (rl-ls), nested (nrl), and both (nrl-ls), compared with published estimates.",
                "With --neural instead: trips held out, predicted by rl, rl-ls and a neural reward."
            },
            footer = {
                "",
                "Example:",
                "  ./revealed reproduce routes --models rl,rl-ls",
                "  ./revealed reproduce routes --models rl --methods",
                "  ./revealed reproduce routes --neural --splits 20"
            })
    static final class Routes extends BaseCommand {
        @Option(
                names = "--data",
                paramLabel = "DIR",
                description = "Folder with link_pairs.csv.gz, destinations.csv.gz and trips.csv.gz" + DEFAULT)
        private Path data = Path.of("../shared/data/borlange");

        @Option(
                names = "--models",
                split = ",",
                paramLabel = "MODEL",
                description = "Models to estimate (default: rl,rl-ls,nrl,nrl-ls).")
        private List<String> models = RoutesStudy.MODELS;

        @Option(
                names = "--methods",
                description = "Estimate rl also by ML-IRL, MaxEnt-IRL and nested fixed point, beside Newton's method.")
        private boolean methods;

        @Option(
                names = "--neural",
                description = "Compare a neural reward with rl and rl-ls on random fifths of the trips.")
        private boolean neural;

        @Option(names = "--splits", paramLabel = "N", description = "Of --neural" + DEFAULT)
        private int splits = HeldOutStudy.STANDARD.splits();

        @Override
        protected Outcome outcome(ProgressListener listener) {
            BadInput.when(
                    neural && methods,
                    "--neural and --methods are two studies",
                    "Give one of them; each has a folder of its own.");
            return neural
                    ? RoutesView.of(
                            new HeldOutStudy(splits, HeldOutStudy.STANDARD.neural()).run(data, seed(), listener))
                    : RoutesView.of(RoutesStudy.run(data, models, methods, listener));
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
        private double[] discounts = {0.975, 0.985, 0.995, 0.999, 0.9995, 0.9999};

        @Override
        protected Outcome outcome(ProgressListener listener) {
            return MonteCarloView.of(
                    MonteCarloStudy.run(MonteCarloStudy.Settings.of(replications, discounts, seed()), listener));
        }
    }

    @Command(
            name = "table1",
            description = {
                "The paper's MuJoCo table with our results, from run folders of 'imitate' and 'expert --reward'.",
                "",
                "Nothing is trained: finished runs are gathered, those that differ in the seed alone together. With --plan "
                        + "it shows which runs of the protocol (docs/design/table1.md) are missing, how long they take, and "
                        + "the command that makes them."
            },
            footer = {
                "",
                "Example:",
                "  ./revealed reproduce table1 --from results/table1 --json",
                "  ./revealed reproduce table1 --plan --from results/table1 --device cuda --out plan"
            })
    static final class Table1 extends BaseCommand {
        @Option(names = "--from", paramLabel = "DIR", description = "Folder that holds run folders, at any depth.")
        private @Nullable Path from;

        @Option(
                names = "--plan",
                description =
                        "Show what is left to run, rather than the table; with --out, files for 'imitate --runs'.")
        private boolean plan;

        @Option(
                names = "--device",
                paramLabel = "cpu|cuda",
                description = "With --plan: where missing runs are to train (default: cpu).")
        private @Nullable Device device;

        @Option(
                names = "--at-once",
                paramLabel = "N",
                description = "With --plan: how many of them train at a time (default: 16).")
        private @Nullable Integer atOnce;

        @Option(
                names = "--budget",
                paramLabel = "STEPS",
                description =
                        "Steps up to which the area under a learning curve is taken (default: those that all runs on"
                                + " the same demonstrations have).")
        private @Nullable Long budget;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            if (plan) {
                Device where = device == null ? Device.CPU : device;
                int most = atOnce == null ? 16 : positive("--at-once", atOnce);
                List<GatheredRun> made =
                        from == null ? List.of() : GatheredRun.under(from).finished();
                return Table1PlanView.of(Table1Plan.of(made, where == Device.CUDA, most), where.toString());
            }
            if (from == null) {
                throw new BadInput(
                        "--from is missing", "Name a folder that holds runs; or see with --plan what there is to run.");
            }
            BadInput.when(
                    device != null || atOnce != null,
                    "--device and --at-once have no effect without --plan",
                    "Leave them out, or add --plan.");
            OptionalLong steps =
                    budget == null ? OptionalLong.empty() : OptionalLong.of(positive("--budget", budget.longValue()));
            GatheredRun.Found found = GatheredRun.under(from);
            int unfinished = found.unfinished().size();
            if (found.finished().isEmpty()) {
                throw new BadInput(
                        "no run in %s has come to its end%s"
                                .formatted(from, unfinished == 0 ? "" : " (unfinished: %d)".formatted(unfinished)),
                        "Name a folder with run folders of 'imitate', each with its spec.json and result.json.");
            }
            return ImitationTableView.of(ImitationTable.of(from, found, steps, seed()));
        }
    }

    @Command(
            name = "offline",
            description = {
                "ML-IRL without a simulator: three tasks, three kinds of log, beside cloning and runs in the simulator.",
                "",
                "Nothing is trained: finished runs are gathered. With --plan it shows every command from the experts on."
            },
            footer = {
                "",
                "Example:",
                "  ./revealed reproduce offline --plan --device cuda --out plan",
                "  ./revealed reproduce offline --from results/offline --json"
            })
    static final class Offline extends BaseCommand {
        @Option(names = "--from", paramLabel = "DIR", description = "Folder that holds run folders, at any depth.")
        private @Nullable Path from;

        @Option(
                names = "--plan",
                description = "Show the commands that make the table; with --out, also files for 'imitate --runs'.")
        private boolean plan;

        @Option(
                names = "--device",
                paramLabel = "cpu|cuda",
                description = "With --plan: where runs are to train (default: cpu).")
        private @Nullable Device device;

        @Override
        protected Outcome outcome(ProgressListener listener) {
            if (plan) {
                return OfflineTableView.of(OfflinePlan.of((device == null ? Device.CPU : device).toString()));
            }
            if (from == null) {
                throw new BadInput(
                        "--from is missing", "Name a folder that holds runs; or see with --plan how they are made.");
            }
            BadInput.when(device != null, "--device has no effect without --plan", "Leave it out, or add --plan.");
            return OfflineTableView.of(OfflineTable.of(GatheredRun.under(from)));
        }
    }
}
