package dev.revealed.app.certify;

import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.estimate.Certificate;
import dev.revealed.estimate.Certificate.Quantity;
import dev.revealed.estimate.Certificate.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Bounds and numbers of trajectories with the notes that they are to be read with. */
final class CertificateView {
    private CertificateView() {}

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

    /** What is certified: given as options or, where they are not, read off the data. */
    record Given(
            Certificate certificate,
            OptionalLong trajectories,
            List<Scope> scopes,
            Optional<CertifiedData.Found> data) {}

    /** @param accuracy to count the trajectories for; null where nobody asked */
    static Outcome of(Given given, @Nullable Double accuracy) {
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
                        certificate.delta(),
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
            outcome =
                    outcome.table(table("With probability " + Numbers.significant(1 - certificate.delta(), 4), bounds));
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

    private static List<String> notes(Given given, List<Row> bounds) {
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
        if (certificate.horizon().isPresent()) {
            notes.add(
                    "Trajectories are cut at %d decisions: the bounds concern those decisions; for the infinite sum add at most %s."
                            .formatted(
                                    certificate.horizon().getAsInt(),
                                    Numbers.significant(certificate.truncation(), 4)));
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
