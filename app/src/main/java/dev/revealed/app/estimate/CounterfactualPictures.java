package dev.revealed.app.estimate;

import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.estimate.choice.counterfactual.Effects;
import dev.revealed.estimate.choice.counterfactual.Quantities;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.StateSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What a counterfactual changes along one variable of the state, the first that varies.
 *
 * @param along states along the variable, with the others as they are where most decisions were made
 * @param places values of the variable in these states
 */
record CounterfactualPictures(ChoiceModel model, Effects effects, int variable, int[] along, double[] places) {
    private static final int MOST_ACTIONS = 6;

    /** @param start how many decisions were made in each state */
    CounterfactualPictures(ChoiceModel model, double[] start, Effects effects) {
        StateSpace space = model.space();
        int variable =
                Arrays.stream(ChoicePictures.variables(space)).findFirst().orElse(0);
        int[] along = ChoicePictures.along(space, variable, ChoicePictures.most(start));
        this(
                model,
                effects,
                variable,
                along,
                space.variables().get(variable).values().clone());
    }

    private String axis() {
        StateSpace space = model.space();
        return space.variables().get(variable).name() + ChoicePictures.elsewhere(space, along[0], variable);
    }

    private Series series(Quantities q, int stride, int first) {
        int[] rows = Arrays.stream(along).map(s -> s * stride + first).toArray();
        Series plain = Series.of("", places, ChoicePictures.read(rows, row -> q.value()[row]));
        return q.spread()
                .map(s -> plain.band(
                        ChoicePictures.read(rows, row -> s.low()[row]),
                        ChoicePictures.read(rows, row -> s.high()[row])))
                .orElse(plain);
    }

    /** The actions that have a row or a picture each: that one alone where there are two, or too many. */
    static int[] shown(ChoiceModel model, int action) {
        int actions = model.actions().size();
        return actions == 2 || actions > MOST_ACTIONS
                ? new int[] {action}
                : IntStream.range(0, actions).toArray();
    }

    Picture choices(int action) {
        int actions = model.actions().size();
        int[] shown = shown(model, action);
        List<Picture> panels = new ArrayList<>();
        for (int a : shown) {
            panels.add(LineChart.titled(
                            shown.length == 1
                                    ? "What is chosen"
                                    : model.actions().get(a))
                    .size(shown.length == 1 ? 640 : 400, 340)
                    .x(axis(), Scale.LINEAR)
                    .y("probability of " + model.actions().get(a), Scale.LINEAR)
                    .with(both(effects.choiceProbabilities(), q -> series(q, actions, a))));
        }
        return panels.size() == 1 ? panels.getFirst() : new Panels("What is chosen", 2, panels);
    }

    /** The long run over the variable, with its band where the state has no other. */
    Picture stationary() {
        LineChart chart = LineChart.titled("Where individuals are in the long run")
                .size(640, 360)
                .x(model.space().variables().get(variable).name(), Scale.LINEAR)
                .y("share", Scale.LINEAR);
        boolean alone = along.length == model.states();
        return chart.with(
                both(effects.stationary(), q -> alone ? series(q, 1, 0) : Series.of("", places, marginal(q))));
    }

    private static Series[] both(Effects.Comparison compared, Function<Quantities, Series> series) {
        return new Series[] {
            series.apply(compared.baseline()).named("baseline"),
            series.apply(compared.counterfactual()).named("counterfactual")
        };
    }

    private double[] marginal(Quantities q) {
        double[] sums = new double[places.length];
        for (int s = 0; s < model.states(); s++) {
            sums[model.space().coordinate(s, variable)] += q.value()[s];
        }
        return sums;
    }
}
