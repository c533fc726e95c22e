package dev.revealed.app.reproduce;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.tasks.ResumableTaskOptions;
import dev.revealed.app.tasks.TaskOptions;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.CoverageStudy;
import dev.revealed.studies.DeepMountainCarStudy;
import dev.revealed.studies.GridWorldStudy;
import dev.revealed.studies.HighDimStudy;
import dev.revealed.studies.MonteCarloStudy;
import dev.revealed.studies.MountainCarStudy;
import dev.revealed.studies.RewardCoverageStudy;
import dev.revealed.studies.RustStudy;
import dev.revealed.studies.StartsStudy;
import dev.revealed.studies.offline.OfflineTheoryStudy;
import dev.revealed.studies.route.HeldOutStudy;
import dev.revealed.studies.route.RoutesStudy;
import dev.revealed.studies.theory.TheoryStudy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The paper's experiments, with the command that makes each. */
@Command(
        name = "reproduce",
        description = "Reproduce published experiments and tables, and check the theorems by simulation.",
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
                        "Rewards from a log of moves: how the error falls with the log, what a penalty on uncertain "
                                + "moves gains, and how often intervals contain the truth.",
                        "--json --out results-offline-theory",
                        OfflineTheoryStudy.Settings.STANDARD,
                        (settings, listener) -> OfflineTheoryView.of(OfflineTheoryStudy.run(settings, listener))),
                new Rust(),
                new Routes(),
                new NfxpVsMpec(),
                StudyCommand.shared(
                        "coverage",
                        "How often the 95 %% intervals of each estimator contain the truth, how far its mean is from it and how often"
                                + " it warns, over panels simulated from three models.",
                        "--panels 200 --models two-ar",
                        CoverageStudy.Settings.STANDARD,
                        (settings, runner, listener) -> CoverageView.of(CoverageStudy.run(settings, runner, listener))),
                StudyCommand.shared(
                        "starts",
                        "Whether each estimator finds the maximum from random starting values, and says so where not.",
                        "--starts 20 --json",
                        StartsStudy.Settings.STANDARD,
                        (settings, runner, listener) -> StartsView.of(StartsStudy.run(settings, runner, listener))),
                StudyCommand.shared(
                        "reward-coverage",
                        "How often 95 %% intervals of a reward contain the truth, trajectories or blocks of one resampled.",
                        "--sets 50",
                        RewardCoverageStudy.Settings.STANDARD,
                        (settings, runner, listener) ->
                                RewardCoverageView.of(RewardCoverageStudy.run(settings, runner, listener))),
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
                new Table1Command(),
                new Table2Command(),
                new RewardQualityCommand(),
                new OfflineCommand());
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

        @Option(names = "--splits", paramLabel = "N", description = "Random splits of --neural" + DEFAULT)
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

        @Mixin(name = TaskOptions.HEADING)
        private ResumableTaskOptions machines = new ResumableTaskOptions();

        @Override
        protected Optional<TaskOptions> taskOptions() {
            return Optional.of(machines);
        }

        @Override
        protected boolean resuming() {
            return machines.resume();
        }

        @Override
        protected Outcome outcome(ProgressListener listener) {
            return MonteCarloView.of(MonteCarloStudy.run(
                    MonteCarloStudy.Settings.of(replications, discounts, seed()), tasks(), listener));
        }
    }
}
