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
import java.util.stream.IntStream;

/** What a counterfactual changes along one variable of the state, the first that varies. */
final class CounterfactualPictures {
    private static final int MOST_ACTIONS = 6;

    private final ChoiceModel model;
    private final Effects effects;
    private final int variable;
    /** States along the variable, with the others as they are where most decisions were made. */
    private final int[] along;

    private final double[] places;

    /** @param start how many decisions were made in each state */
    CounterfactualPictures(ChoiceModel model, double[] start, Effects effects) {
        this.model = model;
        this.effects = effects;
        StateSpace space = model.space();
        variable = Arrays.stream(ChoicePictures.variables(space)).findFirst().orElse(0);
        along = ChoicePictures.along(space, variable, ChoicePictures.most(start));
        places = space.variables().get(variable).values().clone();
    }

    private String axis() {
        StateSpace space = model.space();
        return space.variables().get(variable).name() + ChoicePictures.elsewhere(space, along[0], variable);
    }

    private Series series(String name, Quantities q, int stride, int first) {
        int[] rows = Arrays.stream(along).map(s -> s * stride + first).toArray();
        Series plain = Series.of(name, places, ChoicePictures.read(rows, row -> q.value()[row]));
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
                    .with(
                            series("baseline", effects.choiceProbabilities().baseline(), actions, a),
                            series(
                                    "counterfactual",
                                    effects.choiceProbabilities().counterfactual(),
                                    actions,
                                    a)));
        }
        return panels.size() == 1 ? panels.getFirst() : new Panels("What is chosen", 2, panels);
    }

    /** The long run over the variable, with its band where the state has no other. */
    Picture stationary() {
        LineChart chart = LineChart.titled("Where individuals are in the long run")
                .size(640, 360)
                .x(model.space().variables().get(variable).name(), Scale.LINEAR)
                .y("share", Scale.LINEAR);
        if (along.length == model.states()) {
            return chart.with(
                    series("baseline", effects.stationary().baseline(), 1, 0),
                    series("counterfactual", effects.stationary().counterfactual(), 1, 0));
        }
        return chart.with(
                Series.of("baseline", places, marginal(effects.stationary().baseline())),
                Series.of(
                        "counterfactual", places, marginal(effects.stationary().counterfactual())));
    }

    private double[] marginal(Quantities q) {
        double[] sums = new double[places.length];
        for (int s = 0; s < model.states(); s++) {
            sums[model.space().coordinate(s, variable)] += q.value()[s];
        }
        return sums;
    }
}
