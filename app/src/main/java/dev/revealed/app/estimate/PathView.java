package dev.revealed.app.estimate;

import dev.revealed.app.Outcome;
import dev.revealed.app.estimate.CounterfactualView.Compared;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.estimate.choice.counterfactual.Effects.Comparison;
import dev.revealed.estimate.choice.counterfactual.PathCounterfactual;
import dev.revealed.estimate.choice.counterfactual.Quantities;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.runs.Provenance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Shows a counterfactual of a model with a horizon, period by period: what was, what would be, and the difference.
 *
 * @param changes what is changed, in words
 */
record PathView(
        ChoiceResult result,
        PathCounterfactual asked,
        List<String> changes,
        PathCounterfactual.Effects effects,
        long seed) {

    /** One action in one period. */
    record Row(double period, String action, Compared share) {}

    record ActionRow(String action, Compared number) {}

    /** The contract of {@code result.json} for a counterfactual by period. */
    record Document(
            String model,
            String data,
            String method,
            List<String> changes,
            String period,
            List<ActionRow> actions,
            List<Row> rows,
            Compared value,
            Optional<Compared> valueInNumeraire,
            List<String> warnings,
            long seed,
            String dataHash,
            String version) {}

    private ChoiceModel model() {
        return asked.model();
    }

    private String clock() {
        return model().space().variables().getFirst().name();
    }

    private List<String> warnings() {
        List<String> all = new ArrayList<>(result.warnings());
        all.addAll(effects.warnings());
        return all.stream().distinct().toList();
    }

    private List<Row> rows() {
        int actions = model().actions().size();
        return IntStream.range(0, effects.periods().length * actions)
                .mapToObj(i -> new Row(
                        effects.periods()[i / actions],
                        model().actions().get(i % actions),
                        Compared.of(effects.shares(), i)))
                .toList();
    }

    private Document document() {
        return new Document(
                result.model(),
                result.data(),
                result.method(),
                changes,
                clock(),
                IntStream.range(0, model().actions().size())
                        .mapToObj(a -> new ActionRow(model().actions().get(a), Compared.of(effects.numbers(), a)))
                        .toList(),
                rows(),
                Compared.of(effects.value(), 0),
                effects.valueInNumeraire().map(c -> Compared.of(c, 0)),
                warnings(),
                seed,
                result.dataHash(),
                Provenance.currentVersion());
    }

    /** The document alone. */
    Outcome answer() {
        return Outcome.of(document(), "A counterfactual by period");
    }

    Outcome outcome() {
        Table table = table();
        return Outcome.of(document(), "A counterfactual by period")
                .table(table)
                .file("effects.tex", table.toLatex())
                .file("path.csv", csv())
                .warnings(warnings())
                .picture(
                        "path",
                        picture(),
                        "The share of individuals who take an action, as estimated and as changed; bands are intervals.")
                .report(page -> ChoiceResult.model(page, result.model(), result.text())
                        .provenance("estimated on", result.data())
                        .provenance("hash of the choices", result.dataHash()));
    }

    private Table table() {
        Table table = Table.of(
                        Column.text("per individual"),
                        Column.number("baseline", 5),
                        Column.number("counterfactual", 5),
                        Column.number("change", 5))
                .titled("Counterfactual by period");
        table = ChoiceResult.model(table, model(), result.model(), result.text())
                .fact("Method", result.method())
                .fact("Discount", model().discount());
        for (String each : changes) {
            table = table.fact("Change", each);
        }
        int actions = model().actions().size();
        String from = Numbers.significant(effects.periods()[0], 6);
        for (int a = 0; a < actions; a++) {
            table = lines(
                    table,
                    "number of %s from %s %s on".formatted(model().actions().get(a), clock(), from),
                    effects.numbers(),
                    a);
        }
        table = lines(table, "value at %s %s".formatted(clock(), from), effects.value(), 0);
        if (effects.valueInNumeraire().isPresent()) {
            table = lines(
                    table,
                    "... in units of " + asked.numeraire().orElse(""),
                    effects.valueInNumeraire().get(),
                    0);
        }
        int last = actions - 1;
        table = table.heading("Share of %s by %s".formatted(model().actions().get(last), clock()));
        for (int t = 0; t < effects.periods().length; t++) {
            table = lines(table, Numbers.significant(effects.periods()[t], 6), effects.shares(), t * actions + last);
        }
        return effects.value().change().spread().isPresent()
                ? table.note("Below each number its %s %% interval, by the %s."
                        .formatted(
                                Numbers.significant(100 * asked.intervals().level(), 4),
                                asked.intervals().delta() ? "delta method" : "parametric bootstrap"))
                : table;
    }

    private static Table lines(Table to, String name, Comparison c, int at) {
        Table table = to.row(
                name,
                c.baseline().value()[at],
                c.counterfactual().value()[at],
                c.change().value()[at]);
        return c.change().spread().isPresent()
                ? table.row("", interval(c.baseline(), at), interval(c.counterfactual(), at), interval(c.change(), at))
                : table;
    }

    private static String interval(Quantities q, int at) {
        return q.spread()
                .map(spread -> "[" + Numbers.significant(spread.low()[at], 4) + ", "
                        + Numbers.significant(spread.high()[at], 4) + "]")
                .orElse("");
    }

    private String csv() {
        StringBuilder text = new StringBuilder(clock() + ",action,baseline,counterfactual,change,low,high\n");
        int actions = model().actions().size();
        for (int i = 0; i < effects.periods().length * actions; i++) {
            int at = i;
            Comparison c = effects.shares();
            text.append("%s,%s,%s,%s,%s,%s,%s\n"
                    .formatted(
                            Numbers.significant(effects.periods()[i / actions], 6),
                            model().actions().get(i % actions),
                            c.baseline().value()[i],
                            c.counterfactual().value()[i],
                            c.change().value()[i],
                            c.change()
                                    .spread()
                                    .map(s -> Double.toString(s.low()[at]))
                                    .orElse(""),
                            c.change()
                                    .spread()
                                    .map(s -> Double.toString(s.high()[at]))
                                    .orElse("")));
        }
        return text.toString();
    }

    private Picture picture() {
        int actions = model().actions().size();
        return LineChart.titled("Share of " + model().actions().getLast())
                .size(640, 360)
                .x(clock(), Scale.LINEAR)
                .y("share", Scale.LINEAR)
                .with(
                        series("as estimated", effects.shares().baseline(), actions),
                        series("as changed", effects.shares().counterfactual(), actions));
    }

    private Series series(String name, Quantities q, int actions) {
        int last = actions - 1;
        Series plain = Series.of(name, effects.periods(), every(q.value(), actions, last));
        return q.spread()
                .map(s -> plain.band(every(s.low(), actions, last), every(s.high(), actions, last)))
                .orElse(plain);
    }

    private static double[] every(double[] all, int stride, int first) {
        double[] some = new double[all.length / stride];
        Arrays.setAll(some, i -> all[i * stride + first]);
        return some;
    }
}
