package dev.revealed.app.estimate;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.app.route.RouteDraws;
import dev.revealed.app.route.RouteOptions;
import dev.revealed.app.view.Table;
import dev.revealed.data.ProcessData;
import dev.revealed.data.ProcessFiles;
import dev.revealed.data.Trajectories;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Draws trajectories of a soft-optimal agent, and writes them with their process in every format estimate reads. */
@Command(
        name = "simulate",
        description = {
            "Simulate trajectories of an agent with a known reward, and write them with their process; or a "
                    + "panel of a dynamic discrete-choice model with known parameters; or trips on a road network.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed simulate --model gridworld --out example",
            "  ./revealed estimate --mdp example/mdp.npz --trajectories example/trajectories.csv",
            "  ./revealed simulate --model rust-bus --individuals 100 --periods 120 --out buses",
            "  ./revealed estimate --model rust-bus --data buses/panel.csv",
            "  ./revealed simulate --model rust-bus --individuals 1000000 --periods 100 --format parquet --out large",
            "  ./revealed simulate --model examples/entry.yaml --start active=0 --parameters ...",
            "  ./revealed simulate --from city --demand demand.csv"
        })
public final class SimulateCommand extends BaseCommand {
    @Option(
            names = "--model",
            paramLabel = "NAME|FILE",
            description = "Built-in process: gridworld, random; or a choice model: rust-bus, or a YAML file of your own"
                    + " (default: gridworld).")
    private String model = "gridworld";

    @Option(names = "--size", paramLabel = "N", description = "Side of the board, or number of states (default: 8).")
    private int size = 8;

    @Mixin
    private ProcessOptions files = new ProcessOptions();

    @Option(
            names = "--parameters",
            paramLabel = "NAME=VALUE,...",
            description =
                    "True reward for a process of your own, for example home=2,mud=-1; or the parameters of a choice"
                            + " model, for example RC=10,theta11=2.5,theta30=0.35,theta31=0.64.")
    private @Nullable String parameters;

    @Option(names = "--trajectories", paramLabel = "N", description = "How many" + DEFAULT)
    private int count = 200;

    @Option(names = "--length", paramLabel = "T", description = "Decisions in each trajectory" + DEFAULT)
    private int length = 30;

    @Option(names = "--states-only", description = "Leave the actions out.")
    private boolean statesOnly;

    @Mixin(name = ChoiceOptions.HEADING)
    private Panels panels = new Panels();

    /** The options of a panel. */
    static final class Panels {
        @Option(
                names = "--set",
                paramLabel = "KEY=VALUE",
                description = "A setting of the model, for example bins=90, discount=0.9999, cost=linear.")
        private Map<String, String> set = new LinkedHashMap<>();

        @Option(names = "--individuals", paramLabel = "N", description = "How many" + DEFAULT)
        private int individuals = 100;

        @Option(
                names = "--periods",
                paramLabel = "T",
                description = "Decisions of each individual that enter the likelihood" + DEFAULT)
        private int periods = 120;

        @Option(
                names = "--format",
                paramLabel = "NAME",
                description = "File of the panel: csv, or parquet for large ones" + DEFAULT)
        private String format = ChoiceSimulation.Format.CSV.toString();
    }

    @Mixin(name = RouteDraws.HEADING)
    private RouteDraws draws = new RouteDraws();

    @Mixin(name = RouteOptions.HEADING)
    private RouteOptions roads = new RouteOptions();

    private static final List<String> FILES =
            List.of("mdp.npz kernel.csv features.csv start.csv trajectories.csv truth.csv parameters.csv".split(" "));

    /** What both forms understand. */
    private static final Set<String> SHARED =
            Set.of("--json --seed --out --threads --model --parameters --discount --initial --start".split(" "));

    /** What the document says of a simulation. */
    record Document(
            int states,
            int actions,
            double discount,
            int trajectories,
            int length,
            long seed,
            String dataHash,
            List<String> files) {}

    /** What a simulation on a road network understands beside its own options. */
    private static final Set<String> OF_ROADS = Set.of("--json", "--seed", "--out", "--threads", "--parameters");

    private boolean ofRoads(String option) {
        return belongs(option, RouteDraws.HEADING) || belongs(option, RouteOptions.HEADING);
    }

    private boolean isRoads() {
        return roads.network != null || draws.from != null;
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        for (OptionSpec option : matched()) {
            String name = option.longestName();
            if (isRoads() ? !OF_ROADS.contains(name) && !ofRoads(name) : ofRoads(name)) {
                throw new BadInput(
                        "%s has no effect %s".formatted(name, isRoads() ? "on a road network" : "here"),
                        isRoads()
                                ? "What road networks take is under '%s' in ./revealed simulate --help."
                                        .formatted(RouteOptions.HEADING)
                                : "It belongs to road networks: give --network FILE or --from RESULT.");
            }
        }
        if (isRoads()) {
            return draws.outcome(roads, parameters, seed(), listener);
        }
        boolean isChoice = isChoice();
        for (OptionSpec option : matched()) {
            if (ofOtherForm(option.longestName())) {
                throw new BadInput(
                        "%s has no effect %s"
                                .formatted(option.longestName(), isChoice ? "with --model " + model : "here"),
                        "It belongs to %s; drop it, or change the model."
                                .formatted(isChoice ? "processes" : "choice models, such as --model rust-bus"));
            }
        }
        return isChoice
                ? new ChoiceSimulation(
                                model,
                                settings(),
                                given(),
                                initial(),
                                panels.individuals,
                                panels.periods,
                                Words.choose("--format", panels.format, List.of(ChoiceSimulation.Format.values())))
                        .outcome(seed(), listener)
                : process();
    }

    private boolean isChoice() {
        return !files.given() && (ChoiceModels.isBus(model) || ChoiceModels.isFile(model));
    }

    private boolean ofOtherForm(String option) {
        return !SHARED.contains(option) && !ofRoads(option) && belongs(option, ChoiceOptions.HEADING) != isChoice();
    }

    @Override
    protected boolean heeds(String option) {
        return !ofOtherForm(option) && !(option.equals("--size") && files.given());
    }

    private Map<String, String> settings() {
        return ChoiceOptions.withDiscount(panels.set, typed());
    }

    private Map<String, Double> given() {
        return parameters == null ? Map.of() : Words.numbers("--parameters", parameters);
    }

    /** State variables that individuals of a choice model begin with. */
    private Map<String, Double> initial() {
        String option = typed().containsKey(ProcessOptions.INITIAL) ? ProcessOptions.INITIAL : ProcessOptions.START;
        String typed = typed().get(option);
        return typed == null ? Map.of() : Words.numbers(option, typed);
    }

    private Outcome process() {
        if (count < 1 || length < 1) {
            throw new BadInput("%d trajectories of length %d".formatted(count, length), "Both must be at least 1.");
        }
        List<String> initial = List.of(ProcessOptions.INITIAL, ProcessOptions.START);
        for (String option :
                List.of(ProcessOptions.INITIAL, ProcessOptions.START, "--features", "--reference", "--shock-scale")) {
            if (!files.given() && typed().containsKey(option)) {
                throw new BadInput(
                        option + " has no effect with --model " + model,
                        initial.contains(option)
                                ? "It belongs to --mdp, or to a choice model."
                                : "It belongs to a process of your own; name it with --mdp.");
            }
        }
        RandomStream stream = RandomStream.of(seed());
        Models.Model builtIn = files.given() ? null : Models.of(builtIn(), size, files.discount(0.9), stream);
        Models.Model made =
                builtIn != null && parameters == null ? builtIn : own(builtIn == null ? files.read() : builtIn.data());
        ProcessData data = made.data();
        InformationCost cost = files.cost(data);
        double[] reward = data.trueReward().orElseThrow();
        SoftProcess process = new SoftProcess(data.mdp(), cost);
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process).solve(reward, policy, 1e-10).orThrow();
        Demonstrations drawn = new Simulation(data.mdp(), policy.logPolicy())
                .demonstrations(count, length, stream.named("trajectories"));
        Demonstrations kept = statesOnly ? drawn.statesOnly() : drawn;

        List<String> names = data.features().map(LinearReward::names).orElse(List.of());
        Table table = NamedValue.table(NamedValue.of(names, made.theta()));
        Mdp mdp = data.mdp();
        Document document =
                new Document(mdp.states(), mdp.actions(), mdp.discount(), count, length, seed(), kept.hash(), FILES);
        return Outcome.of(document, "A simulation")
                .say("Simulated %d trajectories of %d decisions on %d states.\nThe true reward:\n%s"
                        .formatted(count, length, mdp.states(), table.toText()))
                .report(page -> page.table(table.titled("The true reward")))
                .file("parameters.csv", table.toCsv())
                .writing(folder -> {
                    ProcessFiles.writeNpz(folder.file("mdp.npz"), data);
                    ProcessFiles.writeCsv(folder.path(), data);
                    Trajectories.write(folder.file("trajectories.csv"), kept);
                });
    }

    private Models.Name builtIn() {
        return Arrays.stream(Models.Name.values())
                .filter(name -> name.name().equalsIgnoreCase(model))
                .findFirst()
                .orElseThrow(() -> ChoiceModels.unknown(model, List.of("gridworld", "random", "rust-bus")));
    }

    /** A process of the user's own, with the reward given on the command line or in its file. */
    private Models.Model own(ProcessData data) {
        if (parameters == null) {
            if (data.trueReward().isEmpty()) {
                throw new BadInput(
                        "no true reward to simulate from",
                        "Give --parameters name=value,..., or a reward array in the NPZ file.");
            }
            return new Models.Model(data, new double[0]);
        }
        LinearReward reward = data.features()
                .orElseThrow(() -> new BadInput("--parameters without features", "Give --features too."));
        double[] theta = Words.ordered("--parameters", given(), reward.names());
        double[] rows = new double[data.mdp().rows()];
        reward.values(theta, rows);
        return new Models.Model(data.withTrueReward(rows), theta);
    }
}
