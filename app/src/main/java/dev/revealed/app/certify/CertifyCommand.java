package dev.revealed.app.certify;

import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.data.ProcessData;
import dev.revealed.data.ProcessFiles;
import dev.revealed.estimate.Certificate;
import dev.revealed.estimate.Certificate.Quantity;
import dev.revealed.estimate.Certificate.Scope;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
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
            "Example: the bound for 100 trajectories, and the number needed for an error of 0.5",
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

    /** One bound, or one number needed. */
    record Row(
            String quantity,
            String form,
            boolean holdsAtAnEstimate,
            OptionalLong trajectories,
            double error,
            @Nullable Boolean vacuous,
            @Nullable Boolean uninformative) {}

    record Document(
            double rewardRange,
            double discount,
            int actions,
            double delta,
            double ignorance,
            double truncation,
            List<Row> bounds,
            List<Row> needs,
            List<String> notes,
            Optional<CertifiedData.Found> data) {}

    @Override
    @Nullable
    protected String defaultFolder() {
        return null;
    }

    /** What is certified: given as options or, where they are not, read off the data. */
    private record Given(
            Certificate certificate,
            OptionalLong trajectories,
            OptionalInt horizon,
            List<Scope> scopes,
            Optional<CertifiedData.Found> data) {}

    @Override
    protected Outcome outcome(ProgressListener listener) {
        if (trajectories == null && accuracy == null) {
            throw new BadInput(
                    "there is nothing to certify",
                    "Give --trajectories N for the bound, --accuracy EPS for the number, or both.");
        }
        Given given = given(listener);
        Certificate certificate = given.certificate();
        List<Scope> scopes = given.scopes();
        List<Row> bounds = given.trajectories().isEmpty()
                ? List.of()
                : certificate.bounds(given.trajectories().getAsLong(), scopes).stream()
                        .map(b -> new Row(
                                name(b.quantity()),
                                name(b.scope()),
                                b.scope().uniform(),
                                OptionalLong.of(b.trajectories()),
                                b.value(),
                                b.vacuous(),
                                b.uninformative()))
                        .toList();
        List<Row> needs = accuracy == null
                ? List.of()
                : certificate.needs(accuracy, scopes).stream()
                        .map(n -> new Row(
                                name(n.quantity()),
                                name(n.scope()),
                                n.scope().uniform(),
                                n.trajectories(),
                                n.accuracy(),
                                null,
                                null))
                        .toList();
        List<String> notes = notes(given, bounds);
        Outcome outcome = Outcome.of(
                new Document(
                        certificate.range(),
                        certificate.discount(),
                        certificate.actions(),
                        delta,
                        certificate.ignorance(),
                        certificate.truncation(),
                        bounds,
                        needs,
                        notes,
                        given.data()),
                "What the data guarantee");
        if (given.data().isPresent()) {
            outcome = outcome.table(read(given));
        }
        if (!bounds.isEmpty()) {
            outcome = outcome.table(table("With probability " + Numbers.significant(1 - delta, 4), bounds));
        }
        if (!needs.isEmpty()) {
            outcome = outcome.table(table("Trajectories needed", needs));
        }
        return outcome.notes(notes)
                .picture(
                        "bounds",
                        picture(certificate, scopes),
                        "How the bounds on the likelihood's error fall with the number of trajectories.");
    }

    private Given given(ProgressListener listener) {
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
            return new Given(
                    certificate,
                    trajectories == null ? OptionalLong.empty() : count(trajectories),
                    optional(horizon),
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
        return new Given(
                certificate,
                file.isPresent()
                        ? data.trajectories()
                        : trajectories == null ? OptionalLong.empty() : count(trajectories),
                cut,
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

    /** What was read, as a table. */
    private static Table read(Given given) {
        CertifiedData.Found data = given.data().orElseThrow();
        Table table = Table.of(Column.text("quantity"), Column.text("value"))
                .titled("Read off the data")
                .row("states", Numbers.count(data.states()))
                .row("actions", Numbers.count(given.certificate().actions()))
                .row("discount", Numbers.significant(given.certificate().discount(), 6))
                .row(
                        "range of the reward",
                        "%s (%s)"
                                .formatted(
                                        Numbers.significant(given.certificate().range(), 5), data.rewardRangeFrom()));
        if (data.trajectories().isPresent()) {
            table = table.row("trajectories", Numbers.count(data.trajectories().getAsLong()))
                    .row(
                            "decisions in each",
                            "%s to %s"
                                    .formatted(
                                            Numbers.count(data.shortest().orElseThrow()),
                                            Numbers.count(data.longest().orElseThrow())));
        }
        if (data.parameters().isPresent()) {
            table = table.row("features", Numbers.count(data.parameters().getAsInt()))
                    .row(
                            "largest width of a feature",
                            Numbers.significant(data.featureWidth().orElseThrow(), 5))
                    .row(
                            "largest norm of the features",
                            Numbers.significant(data.slope().orElseThrow(), 5));
        }
        if (data.l1Norm().isPresent()) {
            table = table.row(
                    "sum of |theta_j|", Numbers.significant(data.l1Norm().getAsDouble(), 5));
        }
        return data.ergodicity().isEmpty()
                ? table
                : table.row(
                        "ergodicity (Assumption 2)",
                        "kappa %s, rho %s, %s"
                                .formatted(
                                        Numbers.significant(
                                                data.ergodicity().get().kappa(), 4),
                                        Numbers.significant(
                                                data.ergodicity().get().rho(), 4),
                                        data.ergodicity().get().everyPolicy()
                                                ? "every policy"
                                                : "the policy of the observed choices"));
    }

    private List<String> notes(Given given, List<Row> bounds) {
        Certificate certificate = given.certificate();
        List<String> notes = new ArrayList<>();
        for (Row row : bounds) {
            if (Boolean.TRUE.equals(row.vacuous())) {
                notes.add(
                        "VACUOUS: the %s bound on the %s exceeds the largest value that quantity can have: it says nothing."
                                .formatted(row.form(), row.quantity()));
            } else if (row.quantity().equals(name(Quantity.EXCESS)) && Boolean.TRUE.equals(row.uninformative())) {
                notes.add(
                        ("UNINFORMATIVE: the %s bound on the %s exceeds log|A|/(1-gamma) = %s, which the uniform policy"
                                        + " guarantees without any data.")
                                .formatted(
                                        row.form(), row.quantity(), Numbers.significant(certificate.ignorance(), 4)));
            }
        }
        notes.add(
                "Lemma 1 (the pointwise form) holds for a theta fixed before the data were seen. An estimate is chosen by the"
                        + " data: for it only a uniform form is a guarantee. Corollary 2 as printed reads the pointwise form there.");
        if (given.scopes().size() == 1) {
            notes.add(
                    "For a uniform form add --parameters P with --l1-norm R (linear rewards) or --radius R (any reward).");
        }
        if (given.horizon().isPresent()) {
            notes.add(
                    "Trajectories are cut at %d decisions: the bounds concern those decisions; for the infinite sum add at most %s."
                            .formatted(given.horizon().getAsInt(), Numbers.significant(certificate.truncation(), 4)));
        }
        given.data().ifPresent(data -> notes.addAll(notes(data)));
        return notes;
    }

    private static List<String> notes(CertifiedData.Found data) {
        List<String> notes = new ArrayList<>();
        if (data.rewardRangeFrom().equals("the estimated reward")) {
            notes.add(
                    "The range and the norm are those of the reward estimated from these trajectories. The bounds hold for a"
                            + " range and a norm that were fixed before the data were seen: give --reward-range and --l1-norm.");
        }
        if (data.ergodicity().isEmpty()) {
            notes.add(
                    data.ergodicityExamined()
                            ? "Assumption 2 does not hold: the chain of the observed choices does not forget where it started."
                                    + " The bounds on the likelihood do not need it; the rates of Theorem 1 do."
                            : "Assumption 2 was not examined: the process is too large.");
        }
        return notes;
    }

    private static Table table(String title, List<Row> rows) {
        return Table.of(
                        rows,
                        text("quantity", Row::quantity),
                        text("form", Row::form),
                        text("at an estimate", row -> row.holdsAtAnEstimate() ? "holds" : "does not hold"),
                        text(
                                "trajectories",
                                row -> row.trajectories().isPresent()
                                        ? Numbers.count(row.trajectories().getAsLong())
                                        : "no number is enough"),
                        number("error", 5, Row::error))
                .titled(title);
    }

    private static Picture picture(Certificate certificate, List<Scope> scopes) {
        double[] count = IntStream.range(0, 61)
                .mapToDouble(i -> Math.round(Math.pow(10, i / 10.0)))
                .toArray();
        List<LineChart.Series> series = new ArrayList<>();
        for (Scope scope : scopes) {
            series.add(LineChart.Series.of(
                    name(scope),
                    count,
                    Arrays.stream(count)
                            .map(n -> certificate
                                    .bound(Quantity.LIKELIHOOD_ERROR, scope, (long) n)
                                    .value())
                            .toArray()));
        }
        series.add(LineChart.Series.level(
                "vacuous above", count[0], count[60], certificate.ceiling(Quantity.LIKELIHOOD_ERROR)));
        return LineChart.titled("Bounds on |L - L^|")
                .x("trajectories", Scale.LOG10)
                .y("bound", Scale.LOG10)
                .with(series.toArray(LineChart.Series[]::new));
    }

    private static String name(Quantity quantity) {
        return switch (quantity) {
            case LIKELIHOOD_ERROR -> "likelihood error |L - L^|";
            case EXCESS -> "excess L(theta*) - L(theta^)";
        };
    }

    private static String name(Scope scope) {
        return switch (scope) {
            case Certificate.Pointwise() -> "pointwise (the paper's)";
            case Certificate.Linear linear -> "uniform, linear";
            case Certificate.Ball ball -> "uniform, covering";
        };
    }
}
