package dev.revealed.app.estimate;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Mark;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.app.view.Table.Field;
import dev.revealed.estimate.choice.counterfactual.Change;
import dev.revealed.estimate.choice.counterfactual.Counterfactual;
import dev.revealed.estimate.choice.counterfactual.Demand;
import dev.revealed.estimate.choice.counterfactual.Effects;
import dev.revealed.estimate.choice.counterfactual.Effects.Comparison;
import dev.revealed.estimate.choice.counterfactual.Intervals;
import dev.revealed.estimate.choice.counterfactual.Quantities;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.runs.Provenance;
import dev.revealed.settings.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Shows a counterfactual: what was, what would be, and the difference, each with its interval.
 *
 * @param changes what is changed, in words
 * @param action the one that is counted
 */
record CounterfactualView(
        ChoiceResult result,
        Counterfactual asked,
        Change change,
        List<String> changes,
        Effects effects,
        Optional<Demand> demand,
        String action,
        long seed) {
    /** The document lists no more rows of states than these; states.csv has all. */
    private static final int ROWS_IN_DOCUMENT = 20_000;

    private ChoiceModel model() {
        return asked.model();
    }

    private List<String> warnings() {
        List<String> all = new ArrayList<>(result.warnings());
        all.addAll(effects.warnings());
        demand.ifPresent(curve -> all.addAll(curve.warnings()));
        if (change.discount().isPresent() && change.discount().getAsDouble() != model().discount()) {
            all.add("Values at different discounts are sums over different futures: compare the annuities.");
        }
        return all.stream().distinct().toList();
    }

    /** A number with its intervals, as far as they were asked for. */
    record Estimated(
            double value,
            OptionalDouble standardError,
            OptionalDouble low,
            OptionalDouble high,
            OptionalDouble bootstrapStandardError,
            OptionalDouble bootstrapLow,
            OptionalDouble bootstrapHigh) {

        static Estimated of(Quantities q, int i) {
            return new Estimated(
                    q.value()[i],
                    at(q.spread().map(Quantities.Spread::standardError), i),
                    at(q.spread().map(Quantities.Spread::low), i),
                    at(q.spread().map(Quantities.Spread::high), i),
                    at(q.bootstrap().map(Quantities.Spread::standardError), i),
                    at(q.bootstrap().map(Quantities.Spread::low), i),
                    at(q.bootstrap().map(Quantities.Spread::high), i));
        }

        private static OptionalDouble at(Optional<double[]> values, int i) {
            return values.isPresent() ? OptionalDouble.of(values.get()[i]) : OptionalDouble.empty();
        }
    }

    record Compared(Estimated baseline, Estimated counterfactual, Estimated change) {
        static Compared of(Comparison c, int i) {
            return new Compared(
                    Estimated.of(c.baseline(), i), Estimated.of(c.counterfactual(), i), Estimated.of(c.change(), i));
        }
    }

    record ActionRow(String action, Compared share, Compared longRun, Compared fromStart) {}

    /** @param low end of the counterfactual's interval */
    record StateRow(
            int state,
            String at,
            Optional<String> action,
            double baseline,
            double counterfactual,
            double change,
            OptionalDouble low,
            OptionalDouble high) {}

    /** One point of the demand curve: what is expected in the long run, and from the observed states. */
    record DemandRow(
            double value,
            double expected,
            OptionalDouble standardError,
            OptionalDouble low,
            OptionalDouble high,
            OptionalDouble bootstrapLow,
            OptionalDouble bootstrapHigh,
            Estimated fromStart) {}

    record Welfare(
            Compared value,
            Compared annuity,
            Compared atStationary,
            Compared flow,
            Optional<String> numeraire,
            Optional<Compared> valueInNumeraire,
            Optional<Compared> annuityInNumeraire) {}

    /** The contract of {@code result.json} for a counterfactual. */
    record Document(
            Asked asked,
            List<ActionRow> actions,
            Welfare welfare,
            Optional<String> parameter,
            List<DemandRow> rows,
            List<StateRow> choiceProbabilities,
            List<StateRow> stationary,
            List<String> warnings,
            long seed,
            String dataHash,
            String version) {}

    /** What was compared, and how. */
    @Part
    record Asked(
            String model,
            String data,
            String method,
            Map<String, Double> set,
            List<String> changes,
            double discount,
            double counterfactualDiscount,
            int horizon,
            int individuals,
            String action,
            double level,
            String intervals,
            int draws,
            int rejectedDraws) {}

    /** The document alone. */
    Outcome answer() {
        return Outcome.of(document(), "A counterfactual");
    }

    Outcome outcome() {
        Table table = table();
        Outcome outcome = Outcome.of(document(), "A counterfactual")
                .table(table)
                .file("effects.csv", effectsCsv())
                .file("effects.tex", table.toLatex())
                .file("states.csv", statesCsv());
        if (demand.isPresent()) {
            Table curve = table(demand.get());
            outcome = outcome.table(curve).file("demand.csv", csv(demand.get())).file("demand.tex", curve.toLatex());
        }
        outcome = outcome.warnings(warnings());
        if (demand.isPresent()) {
            outcome = outcome.picture(
                    "demand",
                    picture(demand.get()),
                    "How often the action is taken against what it costs; the band is the interval.");
        }
        CounterfactualPictures along = new CounterfactualPictures(model(), asked.start(), effects);
        return outcome.picture(
                        "choices",
                        along.choices(index()),
                        "How probable a choice is, as estimated and as changed; bands are intervals.")
                .picture("stationary", along.stationary(), "The share of time spent in each state in the long run.")
                .report(page -> ChoiceResult.model(page, result.model(), result.text())
                        .provenance("estimated on", result.data())
                        .provenance("hash of the choices", result.dataHash()));
    }

    private int index() {
        return model().actions().indexOf(action);
    }

    private Document document() {
        Intervals intervals = asked.intervals();
        Effects.Welfare w = effects.welfare();
        int actions = model().actions().size();
        Asked about = new Asked(
                result.model(),
                result.data(),
                result.method(),
                change.values(),
                changes,
                result.estimatedDiscount().orElse(model().discount()),
                change.discount().orElse(result.estimatedDiscount().orElse(model().discount())),
                asked.horizon(),
                demand.map(Demand::individuals).orElse(1),
                action,
                intervals.level(),
                kinds().isEmpty() ? "none" : String.join(" and ", kinds()),
                intervals.draws(),
                effects.rejected() + demand.map(Demand::rejected).orElse(0));
        return new Document(
                about,
                IntStream.range(0, actions)
                        .mapToObj(a -> new ActionRow(
                                model().actions().get(a),
                                Compared.of(effects.shares(), a),
                                Compared.of(effects.longRun(), a),
                                Compared.of(effects.fromStart(), a)))
                        .toList(),
                new Welfare(
                        Compared.of(w.value(), 0),
                        Compared.of(w.annuity(), 0),
                        Compared.of(w.atStationary(), 0),
                        Compared.of(w.flow(), 0),
                        asked.numeraire(),
                        w.valueInNumeraire().map(c -> Compared.of(c, 0)),
                        w.annuityInNumeraire().map(c -> Compared.of(c, 0))),
                demand.map(Demand::parameter),
                demand.map(CounterfactualView::rows).orElse(List.of()),
                states(effects.choiceProbabilities(), actions),
                states(effects.stationary(), 1),
                warnings(),
                seed,
                result.dataHash(),
                Provenance.currentVersion());
    }

    private static List<DemandRow> rows(Demand curve) {
        return IntStream.range(0, curve.values().length)
                .mapToObj(i -> {
                    Estimated expected = Estimated.of(curve.longRun(), i);
                    return new DemandRow(
                            curve.values()[i],
                            expected.value,
                            expected.standardError,
                            expected.low,
                            expected.high,
                            expected.bootstrapLow,
                            expected.bootstrapHigh,
                            Estimated.of(curve.fromStart(), i));
                })
                .toList();
    }

    private List<StateRow> states(Comparison c, int actions) {
        double[] before = c.baseline().value();
        if (before.length > ROWS_IN_DOCUMENT) {
            return List.of();
        }
        return IntStream.range(0, before.length)
                .mapToObj(row -> {
                    Estimated after = Estimated.of(c.counterfactual(), row);
                    return new StateRow(
                            row / actions,
                            model().space().describe(row / actions),
                            actions == 1
                                    ? Optional.empty()
                                    : Optional.of(model().actions().get(row % actions)),
                            before[row],
                            after.value,
                            c.change().value()[row],
                            after.low,
                            after.high);
                })
                .toList();
    }

    /** The kinds of intervals there are. */
    private static Map<String, Quantities.Spread> spreads(Quantities of) {
        Map<String, Quantities.Spread> spreads = new LinkedHashMap<>();
        of.delta().ifPresent(spread -> spreads.put("delta", spread));
        of.bootstrap().ifPresent(spread -> spreads.put("bootstrap", spread));
        return spreads;
    }

    private List<String> kinds() {
        return List.copyOf(spreads(effects.shares().change()).keySet());
    }

    /** What a row compares, by its names in the table and in effects.csv. */
    private record Line(String name, String written, Comparison comparison, int at) {
        List<Quantities> sides() {
            return List.of(comparison.baseline(), comparison.counterfactual(), comparison.change());
        }
    }

    private Stream<Line> lines(int a) {
        String name = model().actions().get(a);
        return Stream.of(
                new Line(name + ", share in the long run", "share of " + name, effects.shares(), a),
                new Line(
                        name + ", number in " + periods() + " of the long run",
                        "number of " + name + " in the long run",
                        effects.longRun(),
                        a),
                new Line(
                        name + ", number in the first " + periods(),
                        "number of " + name + " from the observed states",
                        effects.fromStart(),
                        a));
    }

    private List<Line> welfare() {
        Effects.Welfare w = effects.welfare();
        String annuity = "... as an annuity per period";
        String flow = "utility per period in the long run";
        List<Line> lines = new ArrayList<>(List.of(
                new Line("value, from the observed states", "value", w.value(), 0),
                new Line(annuity, "annuity", w.annuity(), 0),
                new Line(
                        "value, from the baseline's long run",
                        "value at the stationary distribution",
                        w.atStationary(),
                        0),
                new Line(flow, flow, w.flow(), 0)));
        String unit = "value in units of " + asked.numeraire().orElse("");
        w.valueInNumeraire().ifPresent(c -> lines.add(new Line(unit, "value in the numeraire", c, 0)));
        w.annuityInNumeraire().ifPresent(c -> lines.add(new Line(annuity, "annuity in the numeraire", c, 0)));
        return lines;
    }

    private String periods() {
        return asked.horizon() == 1 ? "period" : asked.horizon() + " periods";
    }

    private Table table() {
        Table table = Table.of(
                        Column.text("per individual"),
                        Column.number("baseline", 5),
                        Column.number("counterfactual", 5),
                        Column.number("change", 5))
                .titled("Counterfactual");
        table = ChoiceResult.model(table, model(), result.model(), result.text())
                .fact("Method", result.method())
                .fact("Discount", result.estimatedDiscount().orElse(model().discount()));
        for (String each : changes) {
            table = table.fact("Change", each);
        }
        table = rows(
                table,
                Arrays.stream(CounterfactualPictures.shown(model(), index()))
                        .boxed()
                        .flatMap(this::lines)
                        .toList());
        table = rows(table.heading("Welfare, in the scale of the utility"), welfare());
        if (!kinds().isEmpty()) {
            table = table.note("Below each number its %s %% interval%s: %s."
                    .formatted(
                            Numbers.significant(100 * asked.intervals().level(), 4),
                            kinds().size() > 1 ? "s" : "",
                            String.join(", then ", words())));
        }
        if (effects.rejected() > 0) {
            table = table.note(
                    "%s draws were outside the possible and drawn again.".formatted(Numbers.count(effects.rejected())));
        }
        return table;
    }

    private List<String> words() {
        return kinds().stream()
                .map(kind -> kind.equals("delta")
                        ? "delta method"
                        : "parametric bootstrap of %s draws"
                                .formatted(Numbers.count(asked.intervals().draws())))
                .toList();
    }

    private static Table rows(Table to, List<Line> lines) {
        Table table = to;
        for (Line line : lines) {
            List<Quantities> sides = line.sides();
            table = table.row(Stream.concat(Stream.of(line.name), sides.stream().map(q -> (Object) q.value()[line.at]))
                    .toArray());
            for (String kind : spreads(sides.getFirst()).keySet()) {
                table = table.row(Stream.concat(Stream.of(""), sides.stream().map(q -> interval(q, kind, line.at)))
                        .toArray());
            }
        }
        return table;
    }

    private static String interval(Quantities q, String kind, int at) {
        Quantities.Spread spread = Objects.requireNonNull(spreads(q).get(kind));
        return "[" + Numbers.significant(spread.low()[at], 4) + ", " + Numbers.significant(spread.high()[at], 4) + "]";
    }

    private Table table(Demand curve) {
        List<Field<Integer>> fields = new ArrayList<>();
        fields.add(Field.number(curve.parameter(), 6, i -> curve.values()[i]));
        fields.add(Field.number("in the long run", 5, i -> curve.longRun().value()[i]));
        spreads(curve.longRun()).forEach((kind, spread) -> {
            fields.add(Field.number("[" + kind, 4, i -> spread.low()[i]));
            fields.add(Field.number(kind + "]", 4, i -> spread.high()[i]));
        });
        fields.add(Field.number("from here", 5, i -> curve.fromStart().value()[i]));
        return Table.of(IntStream.range(0, curve.values().length).boxed().toList(), fields)
                .titled("Expected number of '%s' in %s%s"
                        .formatted(
                                curve.action(),
                                periods(),
                                curve.individuals() == 1
                                        ? " per individual"
                                        : " by %s individuals".formatted(Numbers.count(curve.individuals()))));
    }

    private String effectsCsv() {
        StringBuilder csv = new StringBuilder(
                "quantity,side,value,standard_error,low,high,bootstrap_standard_error,bootstrap_low,bootstrap_high\n");
        List<String> sides = List.of("baseline", "counterfactual", "change");
        Stream<Line> ofActions =
                IntStream.range(0, model().actions().size()).boxed().flatMap(this::lines);
        Stream.concat(ofActions, welfare().stream()).forEach(line -> {
            for (int i = 0; i < sides.size(); i++) {
                csv.append(line.written).append(',').append(sides.get(i)).append(',');
                append(csv, Estimated.of(line.sides().get(i), line.at));
                csv.append('\n');
            }
        });
        return csv.toString();
    }

    private static void append(StringBuilder csv, Estimated e) {
        csv.append(e.value);
        for (OptionalDouble x :
                List.of(e.standardError, e.low, e.high, e.bootstrapStandardError, e.bootstrapLow, e.bootstrapHigh)) {
            csv.append(',');
            x.ifPresent(csv::append);
        }
    }

    private static String csv(Demand curve) {
        StringBuilder csv = new StringBuilder(
                "value,expected,standard_error,low,high,bootstrap_standard_error,bootstrap_low,bootstrap_high,from_start\n");
        for (int i = 0; i < curve.values().length; i++) {
            csv.append(curve.values()[i]).append(',');
            append(csv, Estimated.of(curve.longRun(), i));
            csv.append(',').append(curve.fromStart().value()[i]).append('\n');
        }
        return csv.toString();
    }

    /** A quantity by state: entries stride * state + first. */
    private record StateColumn(String name, Quantities of, int stride, int first) {
        Stream<String> names() {
            return Stream.concat(
                    Stream.of(name), of.spread().stream().flatMap(spread -> Stream.of(name + " low", name + " high")));
        }

        void append(StringBuilder csv, int state) {
            int at = state * stride + first;
            csv.append(',').append(of.value()[at]);
            of.spread()
                    .ifPresent(spread ->
                            csv.append(',').append(spread.low()[at]).append(',').append(spread.high()[at]));
        }
    }

    private static Stream<StateColumn> columns(String name, Comparison c, int stride, int first) {
        return Stream.of(
                new StateColumn(name + " baseline", c.baseline(), stride, first),
                new StateColumn(name + " counterfactual", c.counterfactual(), stride, first));
    }

    /** Everything by state: its variables, then long run, value and choice probabilities before and after. */
    private String statesCsv() {
        StateSpace space = model().space();
        List<StateColumn> shown = new ArrayList<>();
        columns("stationary", effects.stationary(), 1, 0).forEach(shown::add);
        columns("value", effects.values(), 1, 0).forEach(shown::add);
        List<String> actions = model().actions();
        for (int a = 0; a < actions.size(); a++) {
            columns("probability of " + actions.get(a), effects.choiceProbabilities(), actions.size(), a)
                    .forEach(shown::add);
        }
        StringBuilder csv = new StringBuilder("state");
        space.variables().forEach(v -> csv.append(',').append(v.name()));
        shown.stream()
                .flatMap(StateColumn::names)
                .forEach(name -> csv.append(',').append(name));
        for (int s = 0; s < model().states(); s++) {
            csv.append('\n').append(s);
            for (int v = 0; v < space.variables().size(); v++) {
                csv.append(',').append(space.value(s, v));
            }
            for (StateColumn column : shown) {
                column.append(csv, s);
            }
        }
        return csv.append('\n').toString();
    }

    private Picture picture(Demand curve) {
        Series series =
                Series.of("in the long run", curve.values(), curve.longRun().value());
        return LineChart.titled("Expected number of '%s' in %s".formatted(curve.action(), periods()))
                .x(curve.parameter(), Scale.LINEAR)
                .y(curve.individuals() == 1 ? "per individual" : "by " + curve.individuals(), Scale.LINEAR)
                .with(
                        curve.longRun()
                                .spread()
                                .map(s -> series.band(s.low(), s.high()))
                                .orElse(series),
                        Series.of(
                                        "from the observed states",
                                        curve.values(),
                                        curve.fromStart().value())
                                .as(Mark.DASHES));
    }
}
