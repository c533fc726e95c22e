package dev.revealed.studies;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.ChiSquared;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
     * @param published the printed row, where the spec of this project holds it
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
            List<Estimate.Parameter> transitions,
            double logLikelihood,
            double choiceLogLikelihood,
            boolean converged,
            Optional<Published> published) {}

    /** What Rust printed. */
    public record Published(
            double RC, double standardErrorRC, double theta11, double standardErrorTheta11, double logLikelihood) {}

    /** A cell of Table VIII: the choice likelihood under one cost function, the moves estimated beforehand. */
    public record CostRow(
            String cost,
            String groups,
            int bins,
            double discount,
            double choiceLogLikelihood,
            boolean converged,
            Optional<Double> published) {}

    /** A likelihood-ratio test. */
    public record Test(String hypothesis, int bins, double statistic, int degreesOfFreedom, double pValue) {}

    public record Result(
            List<Row> rows, List<Row> rows175, List<CostRow> costs, List<Test> tests, List<String> notes) {}

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
                        "Table IX, groups 1-3, discount 0: the printed log-likelihood -2710.746 does not add up with Table VIII"
                                + " (-134.747) and Table VI (-2575.98); their sum is -2710.727, ours -2710.724. The standard"
                                + " error of RC there is printed as 1.0417; ours is 1.0462. Both are taken for misprints.",
                        "Standard errors are outer products of the scores of single months, choice and move together, as"
                                + " Rust's."));
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
        return new Row(
                groups,
                bins,
                discount,
                (int) problem.panel().decisions(),
                parameters.get(0).value(),
                parameters.get(0).standardError().orElse(Double.NaN),
                parameters.get(1).value(),
                parameters.get(1).standardError().orElse(Double.NaN),
                parameters.subList(2, parameters.size()),
                estimate.logLikelihood(),
                estimate.choiceLogLikelihood().orElse(Double.NaN),
                estimate.converged(),
                bins == 90 ? Optional.ofNullable(TABLE_IX.get(groups + " " + discount)) : Optional.empty());
    }

    private static final Map<String, Published> TABLE_IX = Map.of(
            "1-3 0.9999", new Published(11.7270, 2.602, 4.8259, 1.792, -2708.366),
            "4 0.9999", new Published(10.0750, 1.582, 2.2930, 0.639, -3304.155),
            "1-4 0.9999", new Published(9.7558, 1.227, 2.6275, 0.618, -6055.250),
            "1-3 0.0", new Published(8.2985, 1.0417, 109.9031, 26.163, -2710.746),
            "4 0.0", new Published(7.6358, 0.7197, 71.5133, 13.778, -3306.028),
            "1-4 0.0", new Published(7.3055, 0.5067, 70.2769, 10.750, -6061.641));

    private static final Map<String, Double> TABLE_VIII_LINEAR = Map.of(
            "1-3 0.9999", -132.389,
            "4 0.9999", -163.584,
            "1-4 0.9999", -300.250,
            "1-3 0.0", -134.747,
            "4 0.0", -165.458,
            "1-4 0.0", -306.641);

    private static CostRow cost(Path data, RustBus.Cost cost, String groups, int bins, double discount) {
        Estimate estimate = new ChoiceEstimator(NestedFixedPoint.standard())
                .fit(problem(data, groups, bins, discount, cost), RandomStream.of(0), ProgressListener.NONE)
                .estimate();
        Optional<Double> printed = bins == 90 && cost == RustBus.Cost.LINEAR
                ? Optional.ofNullable(TABLE_VIII_LINEAR.get(groups + " " + discount))
                : Optional.empty();
        double found = estimate.choiceLogLikelihood().orElse(Double.NaN);
        return new CostRow(cost.toString(), groups, bins, discount, found, estimate.converged(), printed);
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
