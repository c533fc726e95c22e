package dev.revealed.app.estimate;

import dev.revealed.app.Words;
import dev.revealed.data.Grid;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Where simulated individuals start: at given values of some state variables, the others drawn uniformly, but not in
 * absorbing states, where nothing would ever happen.
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
        int[] live =
                Arrays.stream(all).filter(s -> !isAbsorbing(model, kernel, s)).toArray();
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

    /** Whether whatever can be done there leads back there. */
    private static boolean isAbsorbing(ChoiceModel model, Kernel kernel, int state) {
        for (int a = 0; a < kernel.actions(); a++) {
            int row = state * kernel.actions() + a;
            if (model.cost().logWeight(row) == Double.NEGATIVE_INFINITY) {
                continue;
            }
            for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                if (kernel.successor()[k] != state && kernel.probability()[k] > 0) {
                    return false;
                }
            }
        }
        return true;
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
