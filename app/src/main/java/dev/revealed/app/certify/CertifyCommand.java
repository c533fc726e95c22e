package dev.revealed.app.certify;

import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.data.ProcessData;
import dev.revealed.data.ProcessFiles;
import dev.revealed.estimate.Certificate;
import dev.revealed.estimate.Certificate.Scope;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Answers what Lemma 1 and Corollary 2 answer, and says where they must not be read as they stand. */
@Command(
        name = "certify",
        description =
                "What a number of trajectories guarantees, and how many an accuracy needs (Lemma 1, Corollary 2).",
        footer = {
            "",
            "Example: the bound for 100 trajectories, and how many an error of 0.5 needs",
            "  ./revealed certify --reward-range 2 --discount 0.9 --actions 5 --trajectories 100 --accuracy 0.5 \\",
            "      --parameters 3 --l1-norm 4 --feature-width 1",
            "",
            "Example: the same numbers read off files; options override them",
            "  ./revealed certify --mdp example/mdp.npz --trajectories example/trajectories.csv"
        })
public final class CertifyCommand extends BaseCommand {
    @Option(names = "--reward-range", paramLabel = "C", description = "Largest minus smallest reward; the paper's C_r.")
    private @Nullable Double range;

    @Option(names = "--discount", paramLabel = "X", description = "Discount factor in [0, 1).")
    private @Nullable Double discount;

    @Option(names = "--actions", paramLabel = "N", description = "Number of actions.")
    private @Nullable Integer actions;

    @Option(
            names = "--mdp",
            paramLabel = "FILE",
            description = "Process from which discount, actions, features and ergodicity are read: NPZ, or CSV with"
                    + " state,action,next,probability.")
    private @Nullable Path mdp;

    @Option(
            names = "--features",
            paramLabel = "FILE",
            description = "With --mdp: reward features, CSV with state[,action],feature,value.")
    private @Nullable Path features;

    @Option(names = "--delta", paramLabel = "X", description = "Probability that a bound fails" + DEFAULT)
    private double delta = 0.05;

    @Option(
            names = "--horizon",
            paramLabel = "T",
            description = "Decisions per trajectory, if demonstrations are finite.")
    private @Nullable Integer horizon;

    @Option(
            names = "--trajectories",
            paramLabel = "N|FILE",
            description =
                    "Number of trajectories to give bounds for; or, with --mdp, a file whose number and lengths are"
                            + " read.")
    private @Nullable String trajectories;

    @Option(
            names = "--accuracy",
            paramLabel = "EPS",
            description = "Largest error of the likelihood: reports the number of trajectories that it needs.")
    private @Nullable Double accuracy;

    @Option(
            names = "--parameters",
            paramLabel = "P",
            description = "Number of reward parameters: also gives the uniform bounds.")
    private @Nullable Integer parameters;

    @Option(
            names = "--l1-norm",
            paramLabel = "R",
            description = "For the uniform bound of a linear reward: the largest sum of |theta_j|.")
    private @Nullable Double norm;

    @Option(
            names = "--feature-width",
            paramLabel = "W",
            description = "With --l1-norm: the largest max phi_j - min phi_j (default: that of the features, or 1).")
    private @Nullable Double width;

    @Option(
            names = "--radius",
            paramLabel = "R",
            description = "For the uniform bound of any reward: the largest |theta|.")
    private @Nullable Double radius;

    @Option(
            names = "--slope",
            paramLabel = "L",
            description = "With --radius: the largest |dr/dtheta| (default: that of the features, or 1).")
    private @Nullable Double slope;

    @Override
    @Nullable
    protected String defaultFolder() {
        return null;
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        if (trajectories == null && accuracy == null) {
            throw new BadInput(
                    "there is nothing to certify",
                    "Give --trajectories N for the bound, --accuracy EPS for the number, or both.");
        }
        return CertificateView.of(given(listener), accuracy);
    }

    private CertificateView.Given given(ProgressListener listener) {
        if (mdp == null) {
            unread("--features", features != null);
            unread(
                    "--trajectories FILE",
                    trajectories != null && count(trajectories).isEmpty());
            Certificate certificate = new Certificate(
                    known("the range of the reward", "--reward-range", range),
                    known("the discount", "--discount", discount),
                    known("the number of actions", "--actions", actions),
                    delta,
                    optional(horizon));
            List<Scope> scopes =
                    scopes(optional(parameters), norm, width == null ? 1 : width, slope == null ? 1 : slope);
            return new CertificateView.Given(
                    certificate,
                    trajectories == null ? OptionalLong.empty() : count(trajectories),
                    scopes,
                    Optional.empty());
        }
        ProcessData process = ProcessFiles.read(
                Main.existing(mdp),
                Optional.ofNullable(features).map(Main::existing),
                Optional.empty(),
                Optional.empty(),
                discount == null ? OptionalDouble.empty() : OptionalDouble.of(discount));
        Optional<Path> file = Optional.ofNullable(trajectories)
                .filter(text -> count(text).isEmpty())
                .map(Path::of)
                .map(Main::existing);
        CertifiedData data = CertifiedData.read(process, file);
        CertifiedData.Range read = range != null
                ? new CertifiedData.Range(range, "--reward-range", OptionalDouble.empty())
                : data.range(norm, radius, listener);
        OptionalInt cut = horizon != null ? OptionalInt.of(horizon) : data.shortest();
        Certificate certificate = new Certificate(
                read.width(),
                process.mdp().discount(),
                actions != null ? actions : process.mdp().actions(),
                delta,
                cut);
        Double largest = norm != null
                ? norm
                : read.norm().isPresent() ? Double.valueOf(read.norm().getAsDouble()) : null;
        List<Scope> scopes = scopes(
                parameters != null ? OptionalInt.of(parameters) : data.parameters(),
                largest,
                width != null ? width : data.featureWidth().orElse(1),
                slope != null ? slope : data.slope().orElse(1));
        return new CertificateView.Given(
                certificate,
                file.isPresent()
                        ? data.trajectories()
                        : trajectories == null ? OptionalLong.empty() : count(trajectories),
                scopes,
                Optional.of(data.found(read)));
    }

    private static <T> T known(String what, String option, @Nullable T value) {
        if (value == null) {
            throw new BadInput(
                    what + " is not known", "Give it as %s, or a process to read it from as --mdp.".formatted(option));
        }
        return value;
    }

    private static void unread(String option, boolean given) {
        if (given) {
            throw new BadInput(option + " has no effect without --mdp", "Name the process with --mdp too.");
        }
    }

    private static OptionalInt optional(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    /** A number of trajectories; empty where the text is the name of a file. */
    private static OptionalLong count(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException aFile) {
            return OptionalLong.empty();
        }
    }

    private List<Scope> scopes(OptionalInt count, @Nullable Double largest, double featureWidth, double steepest) {
        List<Scope> scopes = new ArrayList<>(List.of(new Certificate.Pointwise()));
        if (largest != null || radius != null) {
            if (count.isEmpty()) {
                throw new BadInput("the uniform form needs the number of parameters", "Add --parameters P.");
            }
            if (largest != null) {
                scopes.add(new Certificate.Linear(count.getAsInt(), largest, featureWidth));
            }
            if (radius != null) {
                scopes.add(new Certificate.Ball(count.getAsInt(), radius, steepest));
            }
        }
        return scopes;
    }
}
