package dev.revealed.app.estimate;

import dev.revealed.app.Words;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
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
import java.util.stream.IntStream;

/** The half for economists: simulated buses, whose owner's costs are recovered by two estimators. */
final class BusDemo {
    /** The panel was made by {@code simulate --model rust-bus} with these, seed 1. */
    private static final Map<String, Double> TRUTH = Words.numbers("", "RC=6,theta11=6,theta30=0.35,theta31=0.64");

    private final ChoiceModels.Named buses;
    private final Map<String, ChoiceView> fits = new LinkedHashMap<>();

    BusDemo(long seed, ProgressListener listener) {
        buses = DemoCommand.embedded(
                "demo-buses.csv",
                file -> ChoiceModels.read("rust-bus", Map.of("groups", "1"), file, ProgressListener.NONE)
                        .calling(Path.of("demo-buses.csv")));
        for (String method : List.of("ml-irl", "nfxp")) {
            ChoiceEstimate found = new ChoiceEstimator(Methods.of(method, Map.of()))
                    .fit(buses.problem(), RandomStream.of(seed), listener);
            fits.put(
                    method,
                    new ChoiceView(
                            buses,
                            found,
                            new ChoiceEstimation.Tests(),
                            ChoiceEstimation.Judgement.of(buses.problem(), found.estimate()),
                            Optional.empty(),
                            Optional.empty(),
                            0.95,
                            seed));
        }
    }

    /** Estimates of both methods, compared with the truth. */
    Table table() {
        return Table.of(
                        List.copyOf(TRUTH.entrySet()),
                        Field.text("", Map.Entry::getKey),
                        Field.decimals("truth", 4, Map.Entry::getValue),
                        Field.decimals(
                                "ml-irl", 4, truth -> parameter("ml-irl", truth).value()),
                        Field.decimals("std err", 4, truth -> error("ml-irl", truth)),
                        Field.decimals(
                                "nfxp", 4, truth -> parameter("nfxp", truth).value()),
                        Field.decimals("std err", 4, truth -> error("nfxp", truth)))
                .titled("Rust's bus engine")
                .fact("Buses", Numbers.count(buses.panel().size()))
                .fact("Months", Numbers.count(buses.panel().decisions()))
                .fact("States", Numbers.count(buses.model().states()))
                .fact("Discount", buses.model().discount())
                .note("Log-likelihood %.6f by ml-irl in %d iterations, %.6f by nfxp in %d."
                        .formatted(
                                estimate("ml-irl").logLikelihood(),
                                estimate("ml-irl").iterations(),
                                estimate("nfxp").logLikelihood(),
                                estimate("nfxp").iterations()));
    }

    /** How often engines would be replaced at other prices. */
    Table demand() {
        ChoiceResult result = ChoiceResult.of(
                buses, estimate("ml-irl"), Optional.empty(), buses.problem().visits());
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
        return Table.of(
                IntStream.range(0, demand.values().length).boxed().toList(),
                Field.decimals("RC", 1, i -> demand.values()[i]),
                Field.decimals("engines a year", 3, i -> demand.longRun().value()[i]),
                Field.decimals("[0.025", 3, i -> spread.low()[i]),
                Field.decimals("0.975]", 3, i -> spread.high()[i]));
    }

    private ChoiceView fit(String method) {
        return Objects.requireNonNull(fits.get(method));
    }

    private Estimate estimate(String method) {
        return fit(method).estimate();
    }

    private Estimate.Parameter parameter(String method, Map.Entry<String, Double> truth) {
        return estimate(method).parameters().stream()
                .filter(parameter -> parameter.name().equals(truth.getKey()))
                .findFirst()
                .orElseThrow();
    }

    private double error(String method, Map.Entry<String, Double> truth) {
        return parameter(method, truth).standardError().orElse(Double.NaN);
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
    ChoicePictures pictures() {
        return fit("ml-irl").pictures();
    }

    /** The documents of both fits. */
    List<ChoiceView.Document> documents() {
        return fits.values().stream().map(ChoiceView::document).toList();
    }
}
