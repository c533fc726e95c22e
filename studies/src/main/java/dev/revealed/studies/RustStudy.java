package dev.revealed.studies;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.stats.ChiSquared;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Rust (1987): Table IX (90 bins) and Table X (175 bins) by full maximum likelihood with linear cost, Table VIII's
 * likelihoods of all cost functions, and the tests of his section 5.
 */
public final class RustStudy {
    private static final List<String> GROUPS = List.of("1-3", "4", "1-4");
    private static final List<Double> DISCOUNTS = List.of(0.9999, 0.0);

    private RustStudy() {}

    /**
     * A row of Table IX or X.
     *
     * @param comparisons with what he printed, figure by figure
     */
    public record Row(
            String groups,
            int bins,
            double discount,
            int observations,
            double RC,
            double standardErrorRC,
            double theta11,
            double standardErrorTheta11,
            List<Move> transitions,
            double logLikelihood,
            double choiceLogLikelihood,
            boolean converged,
            List<PublishedRust.Comparison> comparisons) {}

    /** The probability that mileage moves by so many bins. */
    public record Move(String name, double value, OptionalDouble standardError) {}

    /** A cell of Table VIII: the choice likelihood under one cost function, the moves estimated beforehand. */
    public record CostRow(
            String cost,
            String groups,
            int bins,
            double discount,
            double choiceLogLikelihood,
            boolean converged,
            Optional<PublishedRust.Comparison> comparison) {}

    /** A likelihood-ratio test. */
    public record Test(String hypothesis, int bins, double statistic, int degreesOfFreedom, double pValue) {}

    public record Result(List<Row> rows, List<Row> rows175, List<CostRow> costs, List<Test> tests, List<String> notes) {

        /** Every figure that he printed beside ours: Table VIII, then IX and X. */
        public List<PublishedRust.Comparison> comparisons() {
            Stream<PublishedRust.Comparison> eight = costs.stream().flatMap(row -> row.comparison.stream());
            Stream<PublishedRust.Comparison> others =
                    Stream.of(rows, rows175).flatMap(List::stream).flatMap(row -> row.comparisons.stream());
            return Stream.concat(eight, others).toList();
        }
    }

    public static Result run(Path data, ProgressListener listener) {
        List<Row> rows = rows(data, 90, listener);
        List<Row> rows175 = rows(data, 175, listener);
        List<Test> tests =
                Stream.concat(tests(rows).stream(), tests(rows175).stream()).toList();
        List<CostRow> costs = new ArrayList<>();
        for (int bins : new int[] {90, 175}) {
            for (RustBus.Cost cost : RustBus.Cost.values()) {
                for (String groups : GROUPS) {
                    for (double discount : DISCOUNTS) {
                        costs.add(cost(data, cost, groups, bins, discount));
                        listener.progress("Table VIII", costs.size(), 72);
                    }
                }
            }
        }
        return new Result(
                rows,
                rows175,
                costs,
                tests,
                List.of(
                        "Standard errors are outer products of the scores of single months, choice and move together, as"
                                + " Rust's.",
                        "Rust's nonparametric cost of Table VIII is not estimated here: he prints -110.832 (groups 1-3),"
                                + " -138.556 (4) and -261.641 (1-4)."));
    }

    private static List<Row> rows(Path data, int bins, ProgressListener listener) {
        List<Row> rows = new ArrayList<>();
        for (double discount : DISCOUNTS) {
            for (String groups : GROUPS) {
                rows.add(row(data, groups, bins, discount));
                listener.progress("full maximum likelihood, " + bins + " bins", rows.size(), 6);
            }
        }
        return rows;
    }

    private static Row row(Path data, String groups, int bins, double discount) {
        ChoiceProblem problem = problem(data, groups, bins, discount, RustBus.Cost.LINEAR);
        Estimate estimate = new ChoiceEstimator(NestedFixedPoint.standard().full(true))
                .fit(problem, RandomStream.of(0), ProgressListener.NONE)
                .estimate();
        List<Estimate.Parameter> parameters = estimate.parameters();
        Map<String, Double> figures = new HashMap<>(Map.of("log-likelihood", estimate.logLikelihood()));
        for (Estimate.Parameter parameter : parameters) {
            figures.put(parameter.name(), parameter.value());
            figures.put("se " + parameter.name(), parameter.standardError().orElse(Double.NaN));
        }
        return new Row(
                groups,
                bins,
                discount,
                (int) problem.panel().decisions(),
                parameters.get(0).value(),
                parameters.get(0).standardError().orElse(Double.NaN),
                parameters.get(1).value(),
                parameters.get(1).standardError().orElse(Double.NaN),
                parameters.stream()
                        .skip(2)
                        .map(p -> new Move(p.name(), p.value(), p.standardError()))
                        .toList(),
                estimate.logLikelihood(),
                estimate.choiceLogLikelihood().orElse(Double.NaN),
                estimate.converged(),
                PublishedRust.compare(bins == 90 ? "IX" : "X", "linear", groups, discount, figures));
    }

    private static CostRow cost(Path data, RustBus.Cost cost, String groups, int bins, double discount) {
        Estimate estimate = new ChoiceEstimator(NestedFixedPoint.standard())
                .fit(problem(data, groups, bins, discount, cost), RandomStream.of(0), ProgressListener.NONE)
                .estimate();
        double found = estimate.choiceLogLikelihood().orElse(Double.NaN);
        Optional<PublishedRust.Comparison> comparison = bins == 90
                ? PublishedRust.compare(
                                "VIII", cost.toString(), groups, discount, Map.of("choice log-likelihood", found))
                        .stream()
                        .findFirst()
                : Optional.empty();
        return new CostRow(cost.toString(), groups, bins, discount, found, estimate.converged(), comparison);
    }

    private static ChoiceProblem problem(Path data, String groups, int bins, double discount, RustBus.Cost cost) {
        Map<String, String> settings =
                Map.of("groups", groups, "bins", "" + bins, "discount", "" + discount, "cost", "" + cost);
        ChoiceData read = RustBusFiles.read(data, RustBusFiles.Settings.of(settings), ProgressListener.NONE);
        return new ChoiceProblem(read.model(), read.panel());
    }

    /** Are groups 1-3 and 4 alike (pooled against apart), and is he myopic (discount 0 against 0.9999)? */
    private static List<Test> tests(List<Row> rows) {
        List<Test> tests = new ArrayList<>();
        for (int d = 0; d < DISCOUNTS.size(); d++) {
            Row low = rows.get(3 * d);
            Row high = rows.get(3 * d + 1);
            Row pooled = rows.get(3 * d + 2);
            String hypothesis = "groups 1-3 and 4 share all parameters, discount " + pooled.discount;
            double gain = low.logLikelihood + high.logLikelihood - pooled.logLikelihood;
            int degrees = parameters(low) + parameters(high) - parameters(pooled);
            tests.add(test(hypothesis, pooled.bins, 2 * gain, degrees));
        }
        for (int g = 0; g < GROUPS.size(); g++) {
            String hypothesis = "discount 0 rather than 0.9999, groups " + GROUPS.get(g);
            double gain = rows.get(g).logLikelihood - rows.get(3 + g).logLikelihood;
            tests.add(test(hypothesis, rows.get(g).bins, 2 * gain, 1));
        }
        return tests;
    }

    private static int parameters(Row row) {
        return row.transitions.size() + 2;
    }

    private static Test test(String hypothesis, int bins, double statistic, int degrees) {
        return new Test(hypothesis, bins, statistic, degrees, ChiSquared.upperTail(Math.max(0, statistic), degrees));
    }
}
