package dev.revealed.app.estimate;

import dev.revealed.app.Words;
import dev.revealed.data.Grid;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.BadInput;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where simulated individuals start: at given values of some state variables, the others drawn uniformly, but not in
 * absorbing sets of states, within which no action changes what follows: retirement for good, whatever age and health do.
 *
 * @param values given ones, by the name of their variable
 * @param states how many there are to start in, each equally likely
 * @param absorbing how many were left out
 */
record PanelStart(Map<String, Double> values, int states, int absorbing, double[] distribution) {

    static PanelStart of(ChoiceModel model, Kernel kernel, Map<String, Double> given) {
        Map<Integer, Integer> places = places(model.space(), given);
        IntPredicate fits = s -> places.entrySet().stream()
                .allMatch(place -> model.space().coordinate(s, place.getKey()) == place.getValue());
        int[] all = IntStream.range(0, model.states()).filter(fits).toArray();
        BitSet absorbing = absorbing(model, kernel);
        int[] live = Arrays.stream(all).filter(s -> !absorbing.get(s)).toArray();
        int[] states = live.length == 0 ? all : live; // who asks for nothing else gets it
        double[] distribution = new double[model.states()];
        for (int s : states) {
            distribution[s] = 1.0 / states.length;
        }
        return new PanelStart(new LinkedHashMap<>(given), states.length, all.length - states.length, distribution);
    }

    private static Map<Integer, Integer> places(StateSpace space, Map<String, Double> given) {
        List<String> names =
                space.variables().stream().map(StateSpace.Variable::name).toList();
        Map<Integer, Integer> places = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            int v = names.indexOf(name);
            if (v < 0) {
                throw Words.unknown("--start names '%s', which is no state variable".formatted(name), name, names);
            }
            Grid grid = Grid.of(space.variables().get(v));
            int place = grid.find(value);
            if (place < 0) {
                throw new BadInput(
                        "--start has %s=%s, which is not on its grid".formatted(name, value),
                        "The values of %s are %s.".formatted(name, grid));
            }
            places.put(v, place);
        });
        return places;
    }

    /** The states from which no action changes what follows any more: neither there nor in any state reached from there. */
    private static BitSet absorbing(ChoiceModel model, Kernel kernel) {
        int actions = kernel.actions();
        BitSet absorbing = new BitSet();
        absorbing.set(0, kernel.states());
        Deque<Integer> left = new ArrayDeque<>();
        for (int s = 0; s < kernel.states(); s++) {
            if (successors(model, kernel, s).distinct().count() > 1) {
                absorbing.clear(s);
                left.add(s);
            }
        }
        Kernel.Incoming incoming = kernel.incoming();
        while (!left.isEmpty()) {
            int to = left.remove();
            for (int k = incoming.start()[to]; k < incoming.start()[to + 1]; k++) {
                int from = incoming.row()[k] / actions;
                if (isAvailable(model, incoming.row()[k]) && absorbing.get(from)) {
                    absorbing.clear(from);
                    left.add(from);
                }
            }
        }
        return absorbing;
    }

    /** Where each available action leads, with what probability. */
    private static Stream<Map<Integer, Float>> successors(ChoiceModel model, Kernel kernel, int state) {
        return IntStream.range(state * kernel.actions(), (state + 1) * kernel.actions())
                .filter(row -> isAvailable(model, row))
                .mapToObj(row -> {
                    Map<Integer, Float> next = new HashMap<>();
                    for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                        next.put(kernel.successor()[k], (float) kernel.probability()[k]); // alike but for rounding
                    }
                    return next;
                });
    }

    private static boolean isAvailable(ChoiceModel model, int row) {
        return model.cost().logWeight(row) > Double.NEGATIVE_INFINITY;
    }

    /** {@code They start with age=50 in 2 states, each equally likely.} */
    String described() {
        String named = values.entrySet().stream()
                .map(value -> value.getKey() + "=" + ChoiceModels.number(value.getValue()))
                .collect(Collectors.joining(", "));
        return "They start%s in %s%s."
                .formatted(
                        named.isEmpty() ? "" : " with " + named,
                        states == 1 ? "one state" : "any of %d states, each equally likely".formatted(states),
                        absorbing == 0
                                ? ""
                                : "; %d absorbing state%s left out"
                                        .formatted(absorbing, absorbing == 1 ? " is" : "s are"));
    }
}
