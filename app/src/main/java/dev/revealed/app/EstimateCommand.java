package dev.revealed.app;

import dev.revealed.data.ProcessData;
import dev.revealed.data.Trajectories;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Estimator;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Nfxp;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.StepRule;
import dev.revealed.mdp.AnchoredReward;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.PerceptronReward;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Estimates the reward behind trajectories on a process of the user's own. */
@Command(
        name = "estimate",
        description = "Estimate the reward behind observed trajectories on a finite decision process.",
        footer = {
            "",
            "Example:",
            "  ./revealed simulate --model gridworld --out example",
            "  ./revealed estimate --mdp example/mdp.npz --trajectories example/trajectories.csv",
            "",
            "File formats: docs/guide/formats.md"
        })
final class EstimateCommand extends Verb {
    enum Method {
        ML_IRL,
        MAXENT_IRL,
        DEEP_MAXENT_IRL,
        NFXP;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    enum Form {
        AUTO,
        PAPER,
        TRACKED,
        PRECONDITIONED
    }

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
            required = true,
            description = "Observed trajectories: CSV with trajectory,time,state[,action], or NPZ.")
    private Path trajectories = Path.of("");

    @Option(names = "--method", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Method method = Method.ML_IRL;

    @Option(
            names = "--form",
            description = "Form of ml-irl: ${COMPLETION-CANDIDATES} (default: auto, by the number of parameters).")
    private Form form = Form.AUTO;

    @Option(
            names = "--reward",
            description = "${COMPLETION-CANDIDATES} (default: linear where there are features, else state).")
    private @Nullable RewardKind reward;

    @Option(
            names = "--hidden",
            split = ",",
            paramLabel = "N",
            description = "Hidden layers of a perceptron (default: 16,16).")
    private int[] hidden = {16, 16};

    @Option(
            names = "--objective",
            description = "${COMPLETION-CANDIDATES}: the paper's discounted surrogate, or every choice alike (default:"
                    + " surrogate).")
    private Problem.Objective objective = Problem.Objective.SURROGATE;

    @Option(
            names = "--ridge",
            paramLabel = "X",
            description = "Penalty X/2 |theta|^2 (default: 0, or 0.01 for tables and perceptrons).")
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
            description = "Share of trajectories kept aside to choose a stopping point.")
    private double heldOut;

    @Option(names = "--iterations", paramLabel = "K", description = "Most iterations.")
    private @Nullable Integer iterations;

    @Option(names = "--alpha0", paramLabel = "X", description = "Step alpha0/K^sigma of the paper form (default: 1).")
    private double alpha0 = 1;

    @Option(names = "--sigma", paramLabel = "X", description = "Its exponent (default: 0.5).")
    private double sigma = 0.5;

    @Option(names = "--trace", paramLabel = "N", description = "Points of the run to record exactly (default: 0).")
    private int trace;

    @Override
    Outcome outcome(ProgressListener listener) {
        ProcessData data = files.read();
        Demonstrations demonstrations = Trajectories.read(Main.existing(trajectories), data.mdp());
        Mdp mdp = data.startGiven() ? data.mdp() : data.mdp().withStart(observedStarts(data.mdp(), demonstrations));
        RewardKind kind = reward != null ? reward : data.features().isPresent() ? RewardKind.LINEAR : RewardKind.STATE;
        Problem problem = new Problem(
                mdp,
                files.cost(data),
                anchored(reward(kind, mdp, data), mdp),
                demonstrations,
                objective,
                ridge != null ? ridge : kind == RewardKind.LINEAR ? 0 : 0.01);
        Estimate estimate = estimator(problem).fit(problem, RandomStream.of(seed()), listener);
        return EstimateView.of(estimate, problem, seed());
    }

    private Reward reward(RewardKind kind, Mdp mdp, ProcessData data) {
        return switch (kind) {
            case LINEAR ->
                data.features()
                        .orElseThrow(() -> new BadInput(
                                "a linear reward needs features", "Give --features FILE, or --reward state."));
            case STATE -> LinearReward.perState(mdp.states(), mdp.actions());
            case STATE_ACTION -> LinearReward.perStateAction(mdp.states(), mdp.actions());
            case PERCEPTRON ->
                perceptron(
                        mdp,
                        data.features()
                                .orElseThrow(() ->
                                        new BadInput("a perceptron needs inputs", "Give them as --features FILE.")));
        };
    }

    /** The features as inputs of a perceptron. */
    private Reward perceptron(Mdp mdp, LinearReward features) {
        boolean stateOnly = features.stateOnly();
        int stride = stateOnly ? mdp.actions() : 1;
        double[][] inputs = new double[mdp.rows() / stride][features.parameters()];
        double[] column = new double[mdp.rows()];
        for (int j = 0; j < features.parameters(); j++) {
            features.derivative(new double[features.parameters()], j, column);
            for (int i = 0; i < inputs.length; i++) {
                inputs[i][j] = column[i * stride];
            }
        }
        return stateOnly
                ? PerceptronReward.ofStates(mdp.actions(), inputs, hidden)
                : PerceptronReward.ofRows(mdp.actions(), inputs, hidden);
    }

    private Reward anchored(Reward free, Mdp mdp) {
        return referenceAction == null
                ? free
                : new AnchoredReward(free, mdp.actions(), referenceAction, new double[mdp.states()]);
    }

    private Estimator estimator(Problem problem) {
        boolean perceptron = problem.reward() instanceof PerceptronReward;
        StepRule step = perceptron ? new StepRule.Adam(0.01) : new StepRule.Automatic();
        MlIrl single = switch (method) {
            case NFXP -> null;
            case MAXENT_IRL -> MlIrl.maxEnt(step, count(5_000), 1e-4);
            case DEEP_MAXENT_IRL -> {
                if (!perceptron) {
                    throw new BadInput("deep-maxent-irl needs a perceptron", "Add --reward perceptron.");
                }
                yield MlIrl.deepMaxEnt(0.01, count(2_000), 1e-3);
            }
            case ML_IRL ->
                switch (form) {
                    case AUTO ->
                        perceptron
                                ? MlIrl.deep(0.01, count(20_000), 1e-3)
                                : iterations == null
                                        ? MlIrl.suited(problem)
                                        : MlIrl.suited(problem).limitedTo(iterations);
                    case PAPER -> MlIrl.paper(alpha0, sigma, count(5_000));
                    case TRACKED -> MlIrl.tracked(step, count(200_000), 1e-4);
                    case PRECONDITIONED -> MlIrl.preconditioned().limitedTo(count(500));
                };
        };
        if (single == null) {
            return new Nfxp(count(2_000), Nfxp.standard().tolerance());
        }
        if (!(heldOut >= 0 && heldOut < 1)) {
            throw new BadInput("--held-out is " + heldOut, "Choose a share in [0, 1), for example 0.2.");
        }
        return single.holdingOut(heldOut).tracing(trace);
    }

    private int count(int otherwise) {
        int count = iterations == null ? otherwise : iterations;
        if (count < 1) {
            throw new BadInput("--iterations is " + count, "Allow at least one.");
        }
        return count;
    }

    /** Where no start distribution is given, the observed starts stand for it. */
    static double[] observedStarts(Mdp mdp, Demonstrations demonstrations) {
        double[] start = new double[mdp.states()];
        for (Trajectory trajectory : demonstrations.trajectories()) {
            start[trajectory.states()[0]] += 1.0 / demonstrations.size();
        }
        return start;
    }
}
