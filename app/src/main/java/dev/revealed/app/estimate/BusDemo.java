package dev.revealed.app.estimate;

import dev.revealed.app.Words;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.counterfactual.Change;
import dev.revealed.estimate.choice.counterfactual.Counterfactual;
import dev.revealed.estimate.choice.counterfactual.Demand;
import dev.revealed.estimate.choice.counterfactual.Intervals;
import dev.revealed.estimate.choice.counterfactual.Quantities;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The half for economists: simulated buses, whose owner's costs are recovered by two estimators. */
final class BusDemo {
    /** The panel was made by {@code simulate --model rust-bus} with these, seed 1. */
    private static final Map<String, Double> TRUTH = Words.numbers("", "RC=6,theta11=6,theta30=0.35,theta31=0.64");

    private final ChoiceModels.Named buses;
    private final Map<String, ChoiceEstimate> estimates = new LinkedHashMap<>();

    BusDemo(long seed, ProgressListener listener) {
        buses = DemoCommand.embedded(
                "demo-buses.csv",
                file -> ChoiceModels.read("rust-bus", Map.of("groups", "1"), file, ProgressListener.NONE)
                        .calling(Path.of("demo-buses.csv")));
        for (String method : List.of("ml-irl", "nfxp")) {
            estimates.put(
                    method,
                    new ChoiceEstimator(Methods.of(method, Map.of()).on(buses.model()))
                            .fit(buses.problem(), RandomStream.of(seed), listener));
        }
    }

    /** What both methods found, beside the truth. */
    Table table() {
        Table table = Table.of(
                        Column.text(""),
                        Column.decimals("truth", 4),
                        Column.decimals("ml-irl", 4),
                        Column.decimals("std err", 4),
                        Column.decimals("nfxp", 4),
                        Column.decimals("std err", 4))
                .titled("Rust's bus engine")
                .fact("Buses", Numbers.count(buses.panel().size()))
                .fact("Months", Numbers.count(buses.panel().decisions()))
                .fact("States", Numbers.count(buses.model().states()))
                .fact("Discount", buses.model().discount());
        for (Map.Entry<String, Double> truth : TRUTH.entrySet()) {
            Estimate.Parameter loop = parameter("ml-irl", truth.getKey());
            Estimate.Parameter nested = parameter("nfxp", truth.getKey());
            table = table.row(
                    truth.getKey(),
                    truth.getValue(),
                    loop.value(),
                    loop.standardError().orElse(Double.NaN),
                    nested.value(),
                    nested.standardError().orElse(Double.NaN));
        }
        return table.note("Log-likelihood %.6f by ml-irl in %d iterations, %.6f by nfxp in %d."
                .formatted(
                        estimate("ml-irl").logLikelihood(),
                        estimate("ml-irl").iterations(),
                        estimate("nfxp").logLikelihood(),
                        estimate("nfxp").iterations()));
    }

    /** How often engines would be replaced at other prices. */
    Table demand() {
        ChoiceResult result = ChoiceResult.of(buses, estimate("ml-irl"));
        Demand demand = new Counterfactual(
                        buses.model(),
                        result.estimates(),
                        result.fullCovariance(),
                        result.start(buses.model().states()),
                        12,
                        Optional.empty(),
                        new Intervals(0.95, true, 0))
                .demand(
                        Change.none(),
                        "RC",
                        new double[] {3, 4.5, 6, 9},
                        "replace",
                        1,
                        RandomStream.of(1),
                        ProgressListener.NONE);
        Quantities.Spread spread = demand.longRun().spread().orElseThrow();
        Table table = Table.of(
                Column.decimals("RC", 1),
                Column.decimals("engines a year", 3),
                Column.decimals("[0.025", 3),
                Column.decimals("0.975]", 3));
        for (int i = 0; i < demand.values().length; i++) {
            table = table.row(demand.values()[i], demand.longRun().value()[i], spread.low()[i], spread.high()[i]);
        }
        return table;
    }

    private Estimate estimate(String method) {
        return Objects.requireNonNull(estimates.get(method)).estimate();
    }

    private Estimate.Parameter parameter(String method, String name) {
        Optional<Estimate.Parameter> found = estimate(method).parameters().stream()
                .filter(parameter -> parameter.name().equals(name))
                .findFirst();
        return found.orElseThrow();
    }

    String text() {
        return """

                The same question for economists: %d simulated buses, and an owner who every month keeps an engine or
                replaces it (Rust 1987). What does a replacement cost him (RC), and what does wear (theta11)?

                %s
                What if an engine cost less, or more? Replacements of a bus in the long run:

                %s""".formatted(buses.panel().size(), table().toText(), demand().toText());
    }

    /** Choices, utility and value by the ML-IRL estimate. */
    Map<String, ChoicePictures.Captioned> pictures() {
        return ChoiceView.pictures(buses, estimate("ml-irl"), 0.95).all();
    }

    /** The documents of both fits. */
    List<ChoiceView.Document> documents(long seed) {
        return estimates.values().stream()
                .map(found -> new ChoiceView(buses, found, new ChoiceEstimation.Tests(), 0.95, seed).document())
                .toList();
    }
}
