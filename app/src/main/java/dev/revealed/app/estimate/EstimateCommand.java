package dev.revealed.app.estimate;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.app.route.RouteEstimation;
import dev.revealed.app.route.RouteModelOptions;
import dev.revealed.app.route.RouteOptions;
import dev.revealed.app.tasks.TaskOptions;
import dev.revealed.data.ProcessData;
import dev.revealed.data.Trajectories;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Estimator;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Nfxp;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.StepRule;
import dev.revealed.estimate.offline.OfflineEstimate;
import dev.revealed.estimate.offline.OfflineEstimator;
import dev.revealed.estimate.offline.OfflineProblem;
import dev.revealed.mdp.AnchoredReward;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.PerceptronReward;
import dev.revealed.mdp.Reward;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.task.TaskRunner;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Estimates the reward behind trajectories on a process of the user's own. */
@Command(
        name = "estimate",
        description = {
            "Estimate the reward behind observed trajectories on a finite decision process (--mdp) or from a "
                    + "log of moves in place of its transition law (--transitions), the parameters of a dynamic "
                    + "discrete-choice model on a panel (--model), or route choice on a road network (--network).",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed simulate --model gridworld --out example",
            "  ./revealed estimate --mdp example/mdp.npz --trajectories example/trajectories.csv",
            "  ./revealed estimate --transitions log.csv --trajectories example/trajectories.csv --features"
                    + " example/features.csv --discount 0.9",
            "  ./revealed estimate --model rust-bus --data buses.csv --set groups=1-4 --method nfxp",
            "  ./revealed estimate --model rust-bus --query \"SELECT * FROM 'buses/*.parquet' WHERE period < 60\"",
            "  ./revealed estimate --network pairs.csv --trips trips.csv --feature time --feature constant=1",
            "",
            "File formats: docs/guide/formats.md. For economists: docs/guide/econometrics.md",
            "Road networks: docs/guide/routes.md. Without a kernel: docs/guide/offline.md"
        })
public final class EstimateCommand extends BaseCommand {
    private static final List<String> METHODS = List.of("ml-irl", "maxent-irl", "deep-maxent-irl", "nfxp");
    private static final List<String> FORMS = List.of("auto", "paper", "tracked", "preconditioned");

    enum RewardKind {
        LINEAR,
        STATE,
        STATE_ACTION,
        PERCEPTRON;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    @Mixin
    private ProcessOptions files = new ProcessOptions();

    @Option(
            names = "--trajectories",
            paramLabel = "FILE",
            description = "Observed trajectories: CSV with trajectory,time,state[,action], or NPZ.")
    private @Nullable Path trajectories;

    @Option(
            names = "--method",
            paramLabel = "NAME",
            completionCandidates = Methods.Names.class,
            description = "With --mdp: ml-irl, maxent-irl, deep-maxent-irl, nfxp. With --model:"
                    + " ${COMPLETION-CANDIDATES} (default: ml-irl).")
    private String method = "ml-irl";

    @Option(
            names = "--form",
            paramLabel = "NAME",
            description = "Form of ml-irl. With --mdp: auto (by the number of parameters), paper, tracked,"
                    + " preconditioned (default: auto). With --model: preconditioned, paper (default:"
                    + " preconditioned); of td-ccp: plain, robust (default: plain).")
    private @Nullable String form;

    @Option(
            names = "--reward",
            description = "${COMPLETION-CANDIDATES} (default: linear where there are features, else state).")
    private @Nullable RewardKind reward;

    @Option(
            names = "--hidden",
            split = ",",
            paramLabel = "N",
            description =
                    "Hidden layers of a perceptron (default: 16,16). With --network: units of the one hidden layer of --model"
                            + " neural (default: 16).")
    private int @Nullable [] hidden;

    @Option(
            names = "--objective",
            description = "${COMPLETION-CANDIDATES}: the paper's discounted surrogate, or every choice alike (default:"
                    + " surrogate).")
    private Problem.Objective objective = Problem.Objective.SURROGATE;

    @Option(
            names = "--ridge",
            paramLabel = "X",
            description = "Ridge penalty X/2 |theta|^2 (default: 0, or 0.01 for tables and perceptrons).")
    private @Nullable Double ridge;

    @Option(
            names = "--reference-action",
            paramLabel = "A",
            description =
                    "An action whose reward is known to be 0 everywhere: makes the estimate unique (Corollary 1).")
    private @Nullable Integer referenceAction;

    @Option(
            names = "--held-out",
            paramLabel = "SHARE",
            description =
                    "Share of trajectories kept aside to choose a stopping point. With --model: share of individuals"
                            + " kept aside, whose likelihood is reported.")
    private @Nullable Double heldOut;

    @Option(
            names = "--iterations",
            paramLabel = "K",
            description =
                    "Maximum number of iterations. With --model there is then one search: without a maximum it does "
                            + "not start again from other values. For a neural reward on a road network: number of steps "
                            + "(default there: 200).")
    private @Nullable Integer iterations;

    @Option(names = "--alpha0", paramLabel = "X", description = "Step alpha0/K^sigma of the paper form (default: 1).")
    private @Nullable Double alpha0;

    @Option(
            names = "--sigma",
            paramLabel = "X",
            description = "Exponent sigma of the step alpha0/K^sigma (default: 0.5).")
    private @Nullable Double sigma;

    @Option(
            names = "--trace",
            paramLabel = "N",
            description =
                    "Iterations at which the quantities of Theorem 1 are computed exactly and recorded (default: 0).")
    private @Nullable Integer trace;

    @Mixin(name = OfflineOptions.HEADING)
    private OfflineOptions offline = new OfflineOptions();

    @Mixin(name = ChoiceOptions.HEADING)
    private ChoiceOptions choice = new ChoiceOptions();

    @Mixin(name = TaskOptions.HEADING)
    private TaskOptions machines = new TaskOptions();

    @Mixin(name = RouteOptions.HEADING)
    private RouteOptions roads = new RouteOptions();

    @Mixin(name = RouteModelOptions.HEADING)
    private RouteModelOptions routes = new RouteModelOptions();

    /** What both forms understand; everything else belongs to one of them alone. */
    private static final Set<String> SHARED =
            Set.of(("--json --seed --out --threads --method --form --iterations --alpha0 --sigma --start --discount"
                            + " --bootstrap --held-out")
                    .split(" "));

    /** The number of states is a fact of the log, not a size to choose. */
    @Override
    protected boolean heeds(String option) {
        return !option.equals("--states");
    }

    @Override
    protected String comment() {
        return choice.latex ? "% " : "";
    }

    @Override
    protected Optional<TaskOptions> taskOptions() {
        return Optional.of(machines);
    }

    @Override
    protected boolean resuming() {
        return choice.resume;
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        checkRanges();
        if (roads.network != null || roads.trips != null) {
            refuseOthers();
            return new RouteEstimation(roads, routes, typed(), listener).outcome(seed());
        }
        boolean isChoice = choice.model != null;
        refuseMixtures(isChoice);
        return isChoice
                ? new ChoiceEstimation(choice, method, typed(), readers(), tasks()).outcome(seed(), listener)
                : process(listener);
    }

    @Override
    public void checkInputs() {
        if (choice.model != null && (choice.data != null || choice.query != null)) {
            new ChoiceEstimation(choice, method, typed(), TaskRunner.THREADS, TaskRunner.THREADS).check();
        } else if (trajectories != null && !offline.given() && roads.network == null) {
            Trajectories.read(trajectories(), files.read().mdp());
        }
    }

    private boolean ofRoads(String option) {
        return belongs(option, RouteOptions.HEADING) || belongs(option, RouteModelOptions.HEADING);
    }

    private void refuseOthers() {
        for (OptionSpec option : matched()) {
            if (!RouteEstimation.SHARED.contains(option.longestName()) && !ofRoads(option.longestName())) {
                throw new BadInput(
                        option.longestName() + " has no effect with --network",
                        "What road networks take is under '%s' in ./revealed estimate --help."
                                .formatted(RouteOptions.HEADING));
            }
        }
    }

    /** An option of the one form has no meaning in the other: to drop it silently would be a wrong result. */
    private void refuseMixtures(boolean isChoice) {
        for (OptionSpec option : matched()) {
            if (ofRoads(option.longestName())) {
                throw new BadInput(
                        option.longestName() + " has no effect without --network",
                        "It belongs to road networks; name the file of one.");
            }
            boolean ofChoice = belongs(option.longestName(), ChoiceOptions.HEADING)
                    || belongs(option.longestName(), TaskOptions.HEADING);
            if (!SHARED.contains(option.longestName()) && ofChoice != isChoice) {
                throw isChoice
                        ? new BadInput(
                                option.longestName() + " has no effect with --model",
                                "It belongs to a process of states and actions (--mdp). What choice models take is under"
                                        + " 'Choice models' in ./revealed estimate --help.")
                        : new BadInput(
                                option.longestName() + " has no effect without --model",
                                "It belongs to choice models; name one, for example --model rust-bus.");
            }
        }
    }

    private Outcome process(ProgressListener listener) {
        if (offline.given()) {
            return offline(listener);
        }
        refuseOffline();
        ProcessData data = files.read();
        Demonstrations demonstrations = Trajectories.read(trajectories(), data.mdp());
        Mdp mdp = data.mdp();
        RewardKind kind = kind(data);
        checkOptions(kind);
        Problem given = new Problem(
                mdp, files.cost(data), anchored(reward(kind, mdp, data), mdp), demonstrations, objective, ridge(kind));
        Problem problem = data.startGiven() ? given : given.withObservedStarts();
        Estimate estimate =
                estimator(problem, kind == RewardKind.PERCEPTRON).fit(problem, RandomStream.of(seed()), listener);
        return EstimateView.of(estimate, problem, seed());
    }

    /** In the world that a log suggests. */
    private Outcome offline(ProgressListener listener) {
        OfflineOptions.Read read = offline.read(files, trajectories);
        ProcessData data = read.data();
        Mdp mdp = data.mdp();
        Demonstrations demonstrations = Trajectories.read(trajectories(), mdp, OfflineOptions.UNSEEN_MOVE);
        RewardKind kind = kind(data);
        checkOptions(kind);
        OfflineProblem problem = new OfflineProblem(
                read.log(),
                new OfflineProblem.Agent(
                        mdp.discount(),
                        data.startGiven() ? Optional.of(mdp.start()) : Optional.empty(),
                        files.cost(data),
                        objective),
                anchored(reward(kind, mdp, data), mdp),
                demonstrations,
                ridge(kind),
                offline.caution());
        int draws = choice.bootstrap == null ? OfflineOptions.DRAWS : choice.bootstrap;
        Estimator second = estimator(problem.problem(), kind == RewardKind.PERCEPTRON);
        OfflineEstimate found =
                new OfflineEstimator(second, offline.choice(), draws).fit(problem, RandomStream.of(seed()), listener);
        return OfflineView.of(found, read.log(), seed());
    }

    private void refuseOffline() {
        for (OptionSpec option : matched()) {
            String name = option.longestName();
            if (belongs(name, OfflineOptions.HEADING) || name.equals("--bootstrap")) {
                throw new BadInput(
                        name + " has no effect without --transitions",
                        "It belongs to a process that is known from a log of moves%s."
                                .formatted(name.equals("--bootstrap") ? ", or to choice models (--model)" : ""));
            }
        }
    }

    private Path trajectories() {
        if (trajectories == null) {
            throw new BadInput("no trajectories are given", "Name their file with --trajectories.");
        }
        return Main.existing(trajectories);
    }

    private RewardKind kind(ProcessData data) {
        return reward != null ? reward : data.features().isPresent() ? RewardKind.LINEAR : RewardKind.STATE;
    }

    private double ridge(RewardKind kind) {
        return ridge != null ? ridge : kind == RewardKind.LINEAR ? 0 : 0.01;
    }

    /** Refuses values that make no sense, and options that would be ignored: a dropped wish is a wrong result. */
    private void checkOptions(RewardKind kind) {
        boolean loop = !method().equals("nfxp");
        boolean paper = method().equals("ml-irl") && form().equals("paper");
        unused("--form", form != null && !method().equals("ml-irl"), "--method ml-irl");
        unused("--held-out", heldOut != null && !loop, "ml-irl and maxent-irl");
        unused("--trace", trace != null && !loop, "ml-irl and maxent-irl");
        unused("--alpha0", alpha0 != null && !paper, "--form paper");
        unused("--sigma", sigma != null && !paper, "--form paper");
        unused("--hidden", hidden != null && kind != RewardKind.PERCEPTRON, "--reward perceptron");
        sensible("--held-out", heldOut, heldOut == null || (heldOut >= 0 && heldOut < 1), "a share in [0, 1)");
        sensible("--trace", trace, trace == null || trace >= 0, "a number of points");
        int[] layers = hidden;
        for (int k = 0; layers != null && k < layers.length; k++) {
            sensible("--hidden", layers[k], layers[k] >= 1, "at least one unit in each layer");
        }
    }

    private void checkRanges() {
        sensible("--iterations", iterations, iterations == null || iterations >= 1, "at least one");
        sensible("--alpha0", alpha0, alpha0 == null || (alpha0 > 0 && alpha0 < 1e6), "a positive number");
        sensible("--sigma", sigma, sigma == null || (sigma >= 0 && sigma < 1), "a number in [0, 1)");
    }

    private String method() {
        return Words.choose("--method", method, METHODS);
    }

    private String form() {
        return form == null ? "auto" : Words.choose("--form", form, FORMS);
    }

    private static void unused(String option, boolean isUnused, String where) {
        if (isUnused) {
            throw new BadInput(option + " has no effect here", "It belongs to " + where + "; drop it, or change that.");
        }
    }

    private static void sensible(String option, @Nullable Object value, boolean isSensible, String rule) {
        if (!isSensible) {
            throw new BadInput(option + " is " + value, "Give " + rule + ".");
        }
    }

    private Reward reward(RewardKind kind, Mdp mdp, ProcessData data) {
        return switch (kind) {
            case LINEAR -> features(data, "a linear reward needs features", "Give --features FILE, or --reward state.");
            case STATE -> LinearReward.perState(mdp.states(), mdp.actions());
            case STATE_ACTION -> LinearReward.perStateAction(mdp.states(), mdp.actions());
            case PERCEPTRON ->
                perceptron(mdp, features(data, "a perceptron needs inputs", "Give them as --features FILE."));
        };
    }

    private static LinearReward features(ProcessData data, String problem, String remedy) {
        return data.features().orElseThrow(() -> new BadInput(problem, remedy));
    }

    /** The features as inputs of a perceptron. */
    private Reward perceptron(Mdp mdp, LinearReward features) {
        boolean stateOnly = features.stateOnly();
        int[] layers = hidden == null ? new int[] {16, 16} : hidden;
        int stride = stateOnly ? mdp.actions() : 1;
        double[][] columns = features.derivatives(new double[features.parameters()]);
        double[][] inputs = new double[mdp.rows() / stride][];
        Arrays.setAll(
                inputs,
                i -> Arrays.stream(columns)
                        .mapToDouble(column -> column[i * stride])
                        .toArray());
        return stateOnly
                ? PerceptronReward.ofStates(mdp.actions(), inputs, layers)
                : PerceptronReward.ofRows(mdp.actions(), inputs, layers);
    }

    private Reward anchored(Reward free, Mdp mdp) {
        return referenceAction == null
                ? free
                : new AnchoredReward(free, mdp.actions(), referenceAction, new double[mdp.states()]);
    }

    private Estimator estimator(Problem problem, boolean perceptron) {
        if (method().equals("nfxp")) {
            return new Nfxp(count(2_000), Nfxp.standard().tolerance());
        }
        return loop(problem, perceptron)
                .holdingOut(heldOut == null ? 0 : heldOut)
                .tracing(trace == null ? 0 : trace);
    }

    private MlIrl loop(Problem problem, boolean perceptron) {
        StepRule step = perceptron ? new StepRule.Adam(0.01) : new StepRule.Automatic();
        if (method().equals("maxent-irl")) {
            return MlIrl.maxEnt(step, count(5_000), 1e-4);
        } else if (method().equals("deep-maxent-irl")) {
            if (!perceptron) {
                throw new BadInput("deep-maxent-irl needs a perceptron", "Add --reward perceptron.");
            }
            return MlIrl.deepMaxEnt(0.01, count(2_000), 1e-3);
        }
        return switch (form()) {
            case "auto" -> {
                MlIrl suited = perceptron ? MlIrl.deep(0.01, 20_000, 1e-3) : MlIrl.suited(problem);
                yield suited.limitedTo(count(suited.iterations()));
            }
            case "paper" -> MlIrl.paper(alpha0 == null ? 1 : alpha0, sigma == null ? 0.5 : sigma, count(5_000));
            case "tracked" -> MlIrl.tracked(step, count(200_000), 1e-4);
            default -> MlIrl.preconditioned().limitedTo(count(500));
        };
    }

    private int count(int otherwise) {
        return iterations == null ? otherwise : iterations;
    }
}
