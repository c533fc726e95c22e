package dev.revealed.data.model;

import dev.revealed.data.Grid;
import dev.revealed.data.Place;
import dev.revealed.mdp.choice.StateSpace;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** The horizon of a model file. */
final class Periods {
    private static final int MOST_PERIODS = 10_000;

    private Periods() {}

    /** The periods of a horizon: their number, or a name with whole numbers in steps of one; and the end after the last. */
    static StateSpace.Variable read(ModelReader model, Yaml node) {
        String name = ModelReader.PERIOD;
        double[] periods;
        if (node.isMapping()) {
            Map<String, Yaml> entries =
                    node.mapping("a number of periods, or a name with them, for example {age: 25..64}");
            node.badWhen(
                    entries.size() != 1,
                    "%d names are given".formatted(entries.size()),
                    "Give the periods one name, for example {age: 25..64}.");
            name = entries.keySet().iterator().next();
            periods = model.numbers(Objects.requireNonNull(entries.get(name)));
        } else {
            double count = model.number(node);
            node.badWhen(
                    count != Math.rint(count) || count < 1 || count > MOST_PERIODS,
                    "the horizon is %s".formatted(Place.plain(count)),
                    "Give a whole number of periods from 1 to %d, or a name with them: {age: 25..64}."
                            .formatted(MOST_PERIODS));
            periods = IntStream.rangeClosed(1, (int) count).asDoubleStream().toArray();
        }
        model.take(node, name, "the period");
        for (int t = 0; t < periods.length; t++) {
            node.badWhen(
                    periods[t] != Math.rint(periods[t])
                            || periods[0] < 0
                            || periods[t] != periods[0] + t
                            || periods.length > MOST_PERIODS,
                    "the periods are %s".formatted(Grid.of(new StateSpace.Variable(name, periods))),
                    "Give whole numbers from 0 on in steps of one, at most %d of them.".formatted(MOST_PERIODS));
        }
        double[] withEnd = Arrays.copyOf(periods, periods.length + 1);
        withEnd[periods.length] = periods[periods.length - 1] + 1;
        return new StateSpace.Variable(name, withEnd);
    }
}
