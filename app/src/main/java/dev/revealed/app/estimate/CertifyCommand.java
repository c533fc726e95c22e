package dev.revealed.app.estimate;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.estimate.Certificate;
import dev.revealed.estimate.Certificate.Quantity;
import dev.revealed.estimate.Certificate.Scope;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
            "      --parameters 3 --l1-norm 4 --feature-width 1"
        })
public final class CertifyCommand extends BaseCommand {
    @Option(
            names = "--reward-range",
            paramLabel = "C",
            required = true,
            description = "Largest minus smallest reward; the paper's C_r.")
    private double range;

    @Option(names = "--discount", paramLabel = "X", required = true, description = "Discount factor in [0, 1).")
    private double discount;

    @Option(names = "--actions", paramLabel = "N", required = true, description = "Number of actions.")
    private int actions;

    @Option(
            names = "--delta",
            paramLabel = "X",
            description = "Chance that the statement fails (default: ${DEFAULT-VALUE}).")
    private double delta = 0.05;

    @Option(names = "--horizon", paramLabel = "T", description = "Decisions per trajectory, where they were cut.")
    private @Nullable Integer horizon;

    @Option(names = "--trajectories", paramLabel = "N", description = "Give the bound for this many.")
    private @Nullable Long trajectories;

    @Option(
            names = "--accuracy",
            paramLabel = "EPS",
            description = "Give the number needed for this error of the likelihood.")
    private @Nullable Double accuracy;

    @Option(
            names = "--parameters",
            paramLabel = "P",
            description = "Number of reward parameters: also give the uniform form.")
    private @Nullable Integer parameters;

    @Option(
            names = "--l1-norm",
            paramLabel = "R",
            description = "Uniform form of a linear reward: largest sum of |theta_j|.")
    private @Nullable Double norm;

    @Option(
            names = "--feature-width",
            paramLabel = "W",
            description = "Its largest max phi_j - min phi_j (default: ${DEFAULT-VALUE}).")
    private double width = 1;

    @Option(names = "--radius", paramLabel = "R", description = "Uniform form of any reward: largest |theta|.")
    private @Nullable Double radius;

    @Option(names = "--slope", paramLabel = "L", description = "Its largest |dr/dtheta| (default: ${DEFAULT-VALUE}).")
    private double slope = 1;

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
            List<String> notes) {}

    @Override
    @Nullable
    protected String defaultFolder() {
        return null;
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        if (trajectories == null && accuracy == null) {
            throw new BadInput(
                    "certify was asked nothing",
                    "Give --trajectories N for the bound, --accuracy EPS for the number, or both.");
        }
        Certificate certificate = new Certificate(
                range, discount, actions, delta, horizon == null ? OptionalInt.empty() : OptionalInt.of(horizon));
        List<Scope> scopes = scopes();
        List<Row> bounds = trajectories == null
                ? List.of()
                : certificate.bounds(trajectories, scopes).stream()
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
        List<String> notes = notes(certificate, bounds, scopes);
        StringBuilder text = new StringBuilder();
        Report report = Report.titled("What the data guarantee");
        for (Table table : List.of(
                table("With probability " + Numbers.significant(1 - delta, 4), bounds),
                table("Trajectories needed", needs))) {
            if (!table.rows().isEmpty()) {
                text.append(table.toText()).append('\n');
                report = report.table(table);
            }
        }
        for (String note : notes) {
            text.append(note).append('\n');
            report = report.paragraph(note);
        }
        Picture picture = picture(certificate, scopes);
        return new Outcome(
                new Document(
                        range,
                        discount,
                        actions,
                        delta,
                        certificate.ignorance(),
                        certificate.truncation(),
                        bounds,
                        needs,
                        notes),
                text.toString(),
                report.picture(
                        picture, "How the bounds on the likelihood's error fall with the number of trajectories."),
                Map.of("bounds", picture),
                Map.of());
    }

    private List<Scope> scopes() {
        List<Scope> scopes = new ArrayList<>(List.of(new Certificate.Pointwise()));
        if (norm != null || radius != null) {
            if (parameters == null) {
                throw new BadInput("the uniform form needs the number of parameters", "Add --parameters P.");
            }
            if (norm != null) {
                scopes.add(new Certificate.Linear(parameters, norm, width));
            }
            if (radius != null) {
                scopes.add(new Certificate.Ball(parameters, radius, slope));
            }
        }
        return scopes;
    }

    private List<String> notes(Certificate certificate, List<Row> bounds, List<Scope> scopes) {
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
        if (scopes.size() == 1) {
            notes.add(
                    "For a uniform form add --parameters P with --l1-norm R (linear rewards) or --radius R (any reward).");
        }
        if (horizon != null) {
            notes.add(
                    "Trajectories are cut at %d decisions: the bounds concern those decisions; for the infinite sum add at most %s."
                            .formatted(horizon, Numbers.significant(certificate.truncation(), 4)));
        }
        return notes;
    }

    private static Table table(String title, List<Row> rows) {
        Table table = Table.of(
                        Column.text("quantity"),
                        Column.text("form"),
                        Column.text("at an estimate"),
                        Column.text("trajectories"),
                        Column.number("error", 5))
                .titled(title);
        for (Row row : rows) {
            table = table.row(
                    row.quantity(),
                    row.form(),
                    row.holdsAtAnEstimate() ? "holds" : "does not hold",
                    row.trajectories().isPresent()
                            ? Numbers.count(row.trajectories().getAsLong())
                            : "no number is enough",
                    row.error());
        }
        return table;
    }

    private static Picture picture(Certificate certificate, List<Scope> scopes) {
        double[] count = IntStream.rangeClosed(0, 60)
                .mapToDouble(i -> Math.round(Math.pow(10, i / 10.0)))
                .toArray();
        List<LineChart.Series> series = new ArrayList<>();
        for (Scope scope : scopes) {
            double[] bounds = Arrays.stream(count)
                    .map(n -> certificate
                            .bound(Quantity.LIKELIHOOD_ERROR, scope, (long) n)
                            .value())
                    .toArray();
            series.add(LineChart.Series.of(name(scope), count, bounds));
        }
        double ceiling = certificate.ceiling(Quantity.LIKELIHOOD_ERROR);
        series.add(LineChart.Series.of(
                        "vacuous above", new double[] {count[0], count[60]}, new double[] {ceiling, ceiling})
                .as(LineChart.Mark.DASHES));
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
