package dev.revealed.app.estimate;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.CoefficientChart;
import dev.revealed.app.view.CoefficientTable;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.PageMap;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Estimate.TracePoint;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.ValueGap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Shows an estimate: the table people know, a picture of the run, and the document every fit has. */
final class EstimateView {
    /** Larger tables are shown by their beginning; the whole is in estimate.csv. */
    private static final int ROWS_SHOWN = 40;

    private EstimateView() {}

    /** The contract of {@code result.json} for a reward on a process. */
    record Document(
            FitDocument fit,
            String objective,
            List<Parameter> parameters,
            double ridge,
            List<String> warnings,
            Optional<double[]> parametersAtHeldOutStop,
            Optional<ValueGap> valueGap,
            Optional<OfflineView.Document> offline,
            OptionalDouble spectralRadius) {}

    /** One parameter of the document. */
    record Parameter(String name, double value, OptionalDouble standardError) {}

    static Outcome of(Estimate estimate, Problem problem, long seed) {
        return of(estimate, problem, Optional.empty(), seed);
    }

    /** @param offline what there is to say where the transition law was estimated */
    static Outcome of(Estimate estimate, Problem problem, Optional<OfflineView.Document> offline, long seed) {
        Table table = offline.map(document -> document.facts(shortened(estimate, problem)))
                .orElseGet(() -> shortened(estimate, problem));
        Optional<ValueGap> gap =
                problem.reward().stateOnly() ? Optional.of(ValueGap.of(problem, estimate.theta())) : Optional.empty();
        Outcome outcome = Outcome.of(document(estimate, problem, gap, offline, seed), "An estimated reward")
                .table(table)
                .warnings(estimate.warnings());
        if (gap.isPresent()) {
            outcome = outcome.notes(List.of(sentence(gap.get())));
        }
        if (estimate.stopped().isPresent()) {
            List<NamedValue> stopped = NamedValue.of(
                    names(estimate.parameters()), estimate.stopped().get());
            outcome = outcome.say(
                            "Part of the trajectories was held out: the table and its likelihoods are of the others. The parameters at the"
                                    + " best held-out likelihood are in stopped.csv.\n")
                    .file("stopped.csv", NamedValue.table(stopped).toCsv());
        }
        outcome = outcome.picture(
                "parameters",
                parameters(estimate),
                "Where an interval crosses zero, the data do not decide the sign of the parameter.");
        if (!estimate.trace().isEmpty()) {
            outcome = outcome.picture("trace", trace(estimate));
        }
        Optional<PageMap> board = Board.of(problem.mdp().kernel()).map(found -> found.map(problem, estimate.theta()));
        if (board.isPresent()) {
            outcome = outcome.map(board.get());
        }
        return outcome.file("estimate.csv", csv(estimate, problem)).file("estimate.tex", table.toLatex());
    }

    private static String csv(Estimate estimate, Problem problem) {
        if (estimate.parameters().size() <= ROWS_SHOWN) {
            return table(estimate, problem).toCsv();
        }
        return Table.of(
                        estimate.parameters(),
                        Field.text("", Estimate.Parameter::name),
                        Field.number("coef", 4, Estimate.Parameter::value),
                        Field.number("std err", 4, p -> p.standardError().orElse(Double.NaN)))
                .toCsv();
    }

    /** What Lemma 4 says of the estimate. */
    static String sentence(ValueGap gap) {
        if (gap.gap().isPresent()) {
            return ("Value gap (Lemma 4): the soft-optimal policy is worth %s from the start and the observed choices %s, a"
                            + " gap of %s. If the reward is right, sampling alone leaves about %s.")
                    .formatted(
                            Numbers.significant(gap.optimalValue(), 5),
                            Numbers.significant(gap.expertValue().getAsDouble(), 5),
                            Numbers.significant(gap.gap().getAsDouble(), 3),
                            Numbers.significant(gap.sampling().getAsDouble(), 3));
        }
        String without = "Value gap (Lemma 4): without actions the expert's entropy is unknown, and with it the gap";
        return gap.gapPlusEntropy().isPresent()
                ? "%s; the gap plus that entropy is %s."
                        .formatted(
                                without,
                                Numbers.significant(gap.gapPlusEntropy().getAsDouble(), 5))
                : without + ".";
    }

    private static Document document(
            Estimate estimate,
            Problem problem,
            Optional<ValueGap> gap,
            Optional<OfflineView.Document> offline,
            long seed) {
        return new Document(
                FitDocument.of(estimate, seed),
                problem.objective().name().toLowerCase(Locale.ROOT),
                estimate.parameters().stream()
                        .map(p -> new Parameter(p.name(), p.value(), p.standardError()))
                        .toList(),
                problem.ridge(),
                estimate.warnings(),
                estimate.stopped(),
                gap,
                offline,
                spectralRadius(estimate, problem));
    }

    /** Without discount: how far from 1 what keeps values finite is. */
    private static OptionalDouble spectralRadius(Estimate estimate, Problem problem) {
        return problem.mdp().undiscounted()
                ? OptionalDouble.of(problem.spectralRadius(estimate.theta()))
                : OptionalDouble.empty();
    }

    static List<String> names(List<Estimate.Parameter> parameters) {
        return parameters.stream().map(Estimate.Parameter::name).toList();
    }

    private static double[] values(List<Estimate.Parameter> parameters) {
        return parameters.stream().mapToDouble(Estimate.Parameter::value).toArray();
    }

    static Table coefficients(List<Estimate.Parameter> shown, double level) {
        return CoefficientTable.of(rows(shown), level);
    }

    static List<CoefficientTable.Row> rows(List<Estimate.Parameter> shown) {
        return shown.stream().map(CoefficientTable.Row::of).toList();
    }

    static Table table(Estimate estimate, Problem problem) {
        return table(estimate, problem, estimate.parameters());
    }

    private static Table shortened(Estimate estimate, Problem problem) {
        List<Estimate.Parameter> all = estimate.parameters();
        return all.size() <= ROWS_SHOWN
                ? table(estimate, problem)
                : table(estimate, problem, all.subList(0, ROWS_SHOWN))
                        .note("... and " + (all.size() - ROWS_SHOWN) + " more in estimate.csv");
    }

    private static Table table(Estimate estimate, Problem problem, List<Estimate.Parameter> shown) {
        Table table = coefficients(shown, 0.95)
                .titled("Estimated reward")
                .fact("Method", estimate.method())
                .fact("Objective", problem.objective().name().toLowerCase(Locale.ROOT))
                .fact("States", Numbers.count(problem.mdp().states()))
                .fact("Actions", Numbers.count(problem.mdp().actions()))
                .fact("Discount", problem.mdp().discount())
                .fact("Trajectories", Numbers.count(problem.demonstrations().size()))
                .fact("Decisions", Numbers.count(problem.demonstrations().decisions()))
                .fact(
                        problem.objective() == Problem.Objective.SURROGATE ? "Surrogate log-lik." : "Log-likelihood",
                        Numbers.significant(estimate.logLikelihood(), 7));
        if (estimate.choiceLogLikelihood().isPresent()) {
            table = table.fact(
                    "Choice log-lik.",
                    Numbers.significant(estimate.choiceLogLikelihood().getAsDouble(), 7));
        }
        OptionalDouble radius = spectralRadius(estimate, problem);
        if (radius.isPresent()) {
            table = table.fact("Spectral radius", Numbers.decimals(radius.getAsDouble(), 6))
                    .note("Without discount values exist where the spectral radius is below 1.");
        }
        if (problem.objective() == Problem.Objective.SURROGATE) {
            table = table.note(
                    "The surrogate is a discounted mean per trajectory; the choice log-likelihood sums over decisions.");
        }
        return table.fact("Ridge", problem.ridge())
                .fact("Iterations", Numbers.count(estimate.iterations()))
                .fact("Kernel passes", Numbers.count(estimate.kernelPasses()))
                .fact("Converged", estimate.converged() ? "yes" : "NO")
                .note("Standard errors: " + estimate.standardErrors()
                        + (problem.ridge() > 0 ? "; intervals are about the value the ridge shrinks to." : "."));
    }

    /** By name where names can be read; else by number. */
    private static Picture parameters(Estimate estimate) {
        if (estimate.parameters().size() <= ROWS_SHOWN) {
            return new CoefficientChart(
                    "Parameters with 95 % intervals",
                    estimate.parameters().stream()
                            .map(p -> new CoefficientChart.Row(p.name(), p.value(), p.interval(0.95)))
                            .toList());
        }
        int n = Math.min(estimate.parameters().size(), 1000); // more cannot be distinguished
        List<Estimate.Parameter> shown = estimate.parameters().subList(0, n);
        double[] index = IntStream.rangeClosed(1, n).asDoubleStream().toArray();
        return LineChart.titled("Parameters with 95 % intervals")
                .x("parameter, in the order of the table", Scale.LINEAR)
                .y("value", Scale.LINEAR)
                .with(Series.of("estimate", index, values(shown))
                        .bars(shown, p -> 1.96 * p.standardError().orElse(0))
                        .as(LineChart.Mark.POINTS));
    }

    private static Picture trace(Estimate estimate) {
        return LineChart.titled("The run: both quantities of Theorem 1")
                .x("kernel passes", Scale.LOG10)
                .y("size", Scale.LOG10)
                .with(
                        Series.of(
                                "gradient norm", estimate.trace(), TracePoint::kernelPasses, TracePoint::gradientNorm),
                        Series.of("policy error", estimate.trace(), TracePoint::kernelPasses, TracePoint::policyError));
    }
}
