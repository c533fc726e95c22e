package dev.revealed.app.route;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.CoefficientTable;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.estimate.ParameterRange;
import dev.revealed.estimate.route.RouteEstimate;
import dev.revealed.estimate.route.RouteTypes;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.Normal;
import dev.revealed.settings.Part;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Shows an estimated model of route choice.
 *
 * @param errors which standard errors the table shows
 * @param seconds of the search
 * @param held out-of-sample results, where they were asked for
 */
record RouteEstimateView(
        RouteInput input,
        RouteEstimate estimate,
        RouteResult kept,
        String errors,
        double level,
        double seconds,
        Optional<OutOfSample> held) {

    /** The contract of {@code result.json}. */
    record Document(
            RouteFit fit,
            Climb climb,
            RouteSize size,
            List<Parameter> parameters,
            String standardErrors,
            double level,
            double[][] covariance,
            List<Ratio> ratios,
            Optional<OutOfSample> outOfSample,
            List<String> notes,
            List<String> warnings,
            RouteResult route) {}

    /** What only a search for a maximum has. */
    @Part
    record Climb(double logLikelihoodAtStart, double discount, int evaluations) {}

    /**
     * One parameter.
     *
     * @param standardError the one the table shows
     */
    record Parameter(
            String name,
            double value,
            double standardError,
            double z,
            double pValue,
            double low,
            double high,
            double robustStandardError,
            double hessianStandardError,
            double outerProductStandardError,
            OptionalDouble clusteredStandardError) {}

    /** A coefficient in units of another one. */
    record Ratio(String name, String to, double value, double standardError) {}

    private String title() {
        String types = kept.types()
                .map(own -> ", %d types of drivers".formatted(own.types()))
                .orElse("");
        return title(kept.model()) + types;
    }

    private static String title(String model) {
        return switch (model) {
            case "rl" -> "Recursive logit";
            case "rl-ls" -> "Recursive logit with link size";
            case "nrl" -> "Nested recursive logit";
            default -> "Nested recursive logit with link size";
        };
    }

    private double error(int j) {
        return Math.sqrt(kept.covariance()[j][j]);
    }

    Outcome outcome(long seed, boolean latex) {
        Table table = table();
        List<String> warnings = warnings();
        List<Ratio> ratios = ratios();
        Document document = new Document(
                fit(seed),
                new Climb(estimate.logLikelihoodAtStart(), kept.discount(), estimate.evaluations()),
                RouteSize.of(input.trips()),
                parameters(),
                errors,
                level,
                kept.covariance(),
                ratios,
                held,
                notes(),
                warnings,
                kept);
        Outcome outcome = Outcome.of(document, title()).table("estimate", table);
        if (!ratios.isEmpty()) {
            outcome = outcome.table("ratios", ratioTable(ratios));
        }
        outcome = outcome.report(page -> page.table(errorTable()))
                .file("errors.csv", errorTable().toCsv());
        if (held.isPresent()) {
            outcome = held.get().on(outcome);
        }
        outcome = outcome.warnings(warnings);
        if (!notes().isEmpty()) {
            outcome = outcome.notes(notes());
        }
        outcome = input.provenance(outcome);
        return latex ? outcome.printing(table.toLatex()) : outcome;
    }

    private RouteFit fit(long seed) {
        RouteFit.Search search = new RouteFit.Search(
                "nfxp",
                estimate.spectralRadius(),
                estimate.iterations(),
                estimate.converged(),
                estimate.status(),
                seconds);
        return RouteFit.of(kept.model(), estimate.logLikelihood(), input, search, seed);
    }

    private List<Parameter> parameters() {
        double[][] clustered =
                input.clusters().isEmpty() ? new double[0][] : estimate.clusteredCovariance(input.clusters());
        return IntStream.range(0, estimate.parameters().size())
                .mapToObj(j -> {
                    RouteEstimate.Parameter own = estimate.parameters().get(j);
                    double z = own.value() / error(j);
                    Interval interval = own.range().interval(own.value(), error(j), level);
                    return new Parameter(
                            own.name(),
                            own.value(),
                            error(j),
                            z,
                            2 * Normal.cdf(-Math.abs(z)),
                            interval.low(),
                            interval.high(),
                            own.robustStandardError(),
                            own.standardError(),
                            own.outerProductStandardError(),
                            clustered.length == 0
                                    ? OptionalDouble.empty()
                                    : OptionalDouble.of(Math.sqrt(clustered[j][j])));
                })
                .toList();
    }

    private Table table() {
        List<CoefficientTable.Row> rows = IntStream.range(
                        0, estimate.parameters().size())
                .mapToObj(j -> {
                    RouteEstimate.Parameter own = estimate.parameters().get(j);
                    return new CoefficientTable.Row(own.name(), own.value(), error(j), own.range());
                })
                .toList();
        RouteSize size = RouteSize.of(input.trips());
        String words = switch (errors) {
            case "hessian" -> "inverse Hessian";
            case "opg" -> "outer product of the scores of trips";
            case "cluster" ->
                "sandwich, clustered (%,d clusters)"
                        .formatted(input.clusters().stream().distinct().count());
            default -> "robust (sandwich), trips independent";
        };
        Table table = CoefficientTable.of(rows, level).titled(title()).fact("Model", kept.model());
        table = size.logLikelihood(size.facts(table).fact("Discount", kept.discount()), estimate.logLikelihood())
                .fact("  at the start", Numbers.decimals(estimate.logLikelihoodAtStart(), 3))
                .fact("Spectral radius", Numbers.decimals(estimate.spectralRadius(), 6))
                .fact("Iterations", Numbers.count(estimate.iterations()))
                .fact("Converged", estimate.converged() ? "yes" : "NO");
        if (kept.types().isPresent()) {
            table = table.note(
                    ("Types of drivers that are not observed: %s; the rest are of the last type. Intervals of"
                                    + " shares are computed on the logit scale.")
                            .formatted(
                                    input.clusters().isEmpty()
                                            ? "every trip may be of another type"
                                            : "all trips of a driver are of one type"));
        }
        return table.note("Standard errors: " + words + ".");
    }

    private Table errorTable() {
        return Table.of(
                        parameters(),
                        Field.text("", Parameter::name),
                        Field.decimals("coef", 6, Parameter::value),
                        Field.decimals("robust", 6, Parameter::robustStandardError),
                        Field.decimals("Hessian", 6, Parameter::hessianStandardError),
                        Field.decimals("outer product", 6, Parameter::outerProductStandardError),
                        Field.decimals(
                                "clustered", 6, p -> p.clusteredStandardError().orElse(Double.NaN)))
                .titled("Standard errors of every kind");
    }

    /** Ratios to the numeraire, errors by the delta method. */
    private List<Ratio> ratios() {
        if (kept.numeraire().isEmpty()) {
            return List.of();
        }
        int t = kept.ofDriver().indexOf(kept.numeraire().get());
        double[] theta = estimate.theta();
        double[][] v = kept.covariance();
        Set<Ratio> ratios = new LinkedHashSet<>(); // types may share some
        int rewards = input.features().size() + (kept.linkSizeAt().length > 0 ? 1 : 0);
        for (int[] position : kept.positions()) {
            int unit = position[t];
            for (int j = 0; j < rewards; j++) {
                int own = position[j];
                if (j != t) {
                    double ratio = theta[own] / theta[unit];
                    double variance = (v[own][own] - 2 * ratio * v[own][unit] + ratio * ratio * v[unit][unit])
                            / (theta[unit] * theta[unit]);
                    ratios.add(new Ratio(
                            kept.names().get(own), kept.names().get(unit), ratio, Math.sqrt(Math.max(0, variance))));
                }
            }
        }
        return List.copyOf(ratios);
    }

    private Table ratioTable(List<Ratio> ratios) {
        Field<Ratio> name = Field.text("", Ratio::name);
        Field<Ratio> value = Field.decimals("ratio", 6, Ratio::value);
        Field<Ratio> error = Field.decimals("std err", 6, Ratio::standardError);
        Table table = kept.types().isPresent()
                ? Table.of(ratios, name, Field.text("to", Ratio::to), value, error)
                : Table.of(ratios, name, value, error);
        return table.titled("In units of " + kept.numeraire().orElseThrow())
                .note("Coefficients divided by that of the unit. Standard errors: delta method.");
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(input.notes());
        if (kept.numeraire().isEmpty()) {
            notes.add("No ratios are shown, since no feature is called something like time, cost or length:"
                    + " --ratio-to NAME chooses one.");
        }
        return notes;
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (!estimate.converged()) {
            warnings.add("The search has not converged (%s): the estimate cannot be relied on."
                    .formatted(estimate.status()));
        }
        double rest = 1;
        for (RouteEstimate.Parameter own : estimate.parameters()) {
            if (own.range() == ParameterRange.SHARE) {
                rest -= own.value();
                rare(own.value()).ifPresent(warnings::add);
            }
            if (Math.abs(own.value()) > 8 && own.standardError() > Math.abs(own.value())) {
                warnings.add(
                        "The trips say little about '%s': its error is larger than its estimate, which may run off."
                                .formatted(own.name()));
            }
        }
        if (kept.types().isPresent()) {
            rare(rest).ifPresent(warnings::add);
        }
        return warnings;
    }

    private static Optional<String> rare(double share) {
        return share < RouteTypes.RARE
                ? Optional.of("A type is expected to have only %.1f %% of the drivers: try fewer types."
                        .formatted(100 * share))
                : Optional.empty();
    }
}
