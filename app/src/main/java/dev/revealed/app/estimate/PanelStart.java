package dev.revealed.app.estimate;

import dev.revealed.app.Words;
import dev.revealed.data.Grid;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.HiddenProcess;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Where simulated individuals start: at given values of some state variables, the others drawn uniformly, but not in
 * absorbing sets of states, within which no action changes what follows: permanent retirement, whatever age and health do.
 *
 * @param values given ones, by the name of their variable
 * @param states how many there are to start in, each equally likely
 * @param absorbing how many were left out
 */
record PanelStart(Map<String, Double> values, int states, int absorbing, double[] distribution) {

    static PanelStart of(ChoiceModel model, Kernel kernel, Map<String, Double> asked) {
        Map<String, Double> given = new LinkedHashMap<>(asked);
        if (model.law().horizon()) { // where nothing else is said, lives begin in the first period
            StateSpace.Variable clock = model.space().variables().getFirst();
            given.putIfAbsent(clock.name(), clock.values()[0]);
        }
        Map<Integer, Integer> places = places(model.space(), given);
        IntPredicate fits = s -> places.entrySet().stream()
                .allMatch(place -> model.space().coordinate(s, place.getKey()) == place.getValue());
        int[] all = IntStream.range(0, model.states()).filter(fits).toArray();
        BitSet absorbing = absorbing(model, kernel);
        int[] live = Arrays.stream(all).filter(s -> !absorbing.get(s)).toArray();
        int[] states = live.length == 0 ? all : live; // who asks for nothing else gets it
        double[] distribution = new double[model.states()];
        double sum = 0;
        for (int s : states) {
            distribution[s] = weight(model, s);
            sum += distribution[s];
        }
        for (int s : states) {
            distribution[s] /= sum;
        }
        return new PanelStart(new LinkedHashMap<>(given), states.length, all.length - states.length, distribution);
    }

    /** All alike, but for a hidden variable, which begins as it is in the long run. */
    private static double weight(ChoiceModel model, int state) {
        int last = model.space().variables().size() - 1;
        return model.law().parts().get(last).family() instanceof HiddenProcess process
                ? process.weights()[model.space().coordinate(state, last)]
                : 1;
    }

    private static Map<Integer, Integer> places(StateSpace space, Map<String, Double> given) {
        List<String> names =
                space.variables().stream().map(StateSpace.Variable::name).toList();
        Map<Integer, Integer> places = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            int v = names.indexOf(name);
            if (v < 0) {
                throw Words.unknown("--initial names '%s', which is not a state variable".formatted(name), name, names);
            }
            Grid grid = Grid.of(space.variables().get(v));
            int place = grid.find(value);
            if (place < 0) {
                throw new BadInput(
                        "--initial has %s=%s, which is not on its grid".formatted(name, value),
                        "The values of %s are %s.".formatted(name, grid));
            }
            places.put(v, place);
        });
        return places;
    }

    /** The states from which no action changes what follows any more: neither there nor in any state reached from there. */
    private static BitSet absorbing(ChoiceModel model, Kernel kernel) {
        if (kernel.operator() != null) {
            return absorbingByProducts(model, kernel);
        }
        int actions = kernel.actions();
        BitSet absorbing = new BitSet();
        absorbing.set(0, kernel.states());
        Deque<Integer> left = new ArrayDeque<>();
        Moves alike = new Moves(model, kernel);
        for (int s = 0; s < kernel.states(); s++) {
            if (!alike.in(s)) {
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

    /**
     * The same for a kernel that is known by its products. Two rows that lead alike expect the same of any function of the
     * next state; rows that do not differ in what they expect of one drawn at random.
     */
    private static BitSet absorbingByProducts(ChoiceModel model, Kernel kernel) {
        int actions = kernel.actions();
        RandomStream stream = RandomStream.of(1).named("absorbing");
        double[] live = new double[kernel.states()];
        double[] expected = new double[kernel.rows()];
        kernel.expect(
                IntStream.range(0, live.length)
                        .mapToDouble(s -> stream.nextDouble())
                        .toArray(),
                expected);
        for (int s = 0; s < live.length; s++) {
            double[] rows = IntStream.range(s * actions, (s + 1) * actions)
                    .filter(row -> isAvailable(model, row))
                    .mapToDouble(row -> expected[row])
                    .toArray();
            live[s] = Arrays.stream(rows).anyMatch(x -> Math.abs(x - rows[0]) > Moves.ROUNDING) ? 1 : 0;
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            kernel.expect(live, expected);
            for (int row = 0; row < expected.length; row++) {
                if (live[row / actions] == 0 && expected[row] > 0 && isAvailable(model, row)) {
                    live[row / actions] = 1;
                    changed = true;
                }
            }
        }
        BitSet absorbing = new BitSet();
        for (int s = 0; s < live.length; s++) {
            absorbing.set(s, live[s] == 0);
        }
        return absorbing;
    }

    /** Compares where actions lead, up to rounding. */
    private static final class Moves {
        private static final double ROUNDING = 1e-9;

        private final ChoiceModel model;
        private final Kernel kernel;
        private final double[]
                difference; // of two actions' probabilities, by next state; zeros between two comparisons

        Moves(ChoiceModel model, Kernel kernel) {
            this.model = model;
            this.kernel = kernel;
            difference = new double[kernel.states()];
        }

        /** Whether all actions available in the state lead to the same next states with the same probabilities. */
        boolean in(int state) {
            int first = -1;
            for (int row = state * kernel.actions(); row < (state + 1) * kernel.actions(); row++) {
                if (isAvailable(model, row)) {
                    if (first >= 0 && !same(first, row)) {
                        return false;
                    }
                    first = row;
                }
            }
            return true;
        }

        private boolean same(int one, int other) {
            add(one, 1);
            add(other, -1);
            return Math.max(farthest(one), farthest(other)) < ROUNDING; // both: each clears what it visits
        }

        private void add(int row, double sign) {
            for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                difference[kernel.successor()[k]] += sign * kernel.probability()[k];
            }
        }

        private double farthest(int row) {
            double most = 0;
            for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                most = Math.max(most, Math.abs(difference[kernel.successor()[k]]));
                difference[kernel.successor()[k]] = 0;
            }
            return most;
        }
    }

    private static boolean isAvailable(ChoiceModel model, int row) {
        return model.cost().logWeight(row) > Double.NEGATIVE_INFINITY;
    }

    private boolean isEven() {
        return Arrays.stream(distribution).allMatch(p -> p == 0 || Math.abs(p * states - 1) < 1e-9);
    }

    /** {@code They start with age=50 in 2 states, each equally likely.} */
    String described() {
        String named = values.entrySet().stream()
                .map(value -> value.getKey() + "=" + ChoiceModels.number(value.getValue()))
                .collect(Collectors.joining(", "));
        return "They start%s in %s%s."
                .formatted(
                        named.isEmpty() ? "" : " with " + named,
                        states == 1
                                ? "one state"
                                : isEven()
                                        ? "any of %d states, each equally likely".formatted(states)
                                        : "any of %d states, as likely as the hidden variable is there"
                                                .formatted(states),
                        absorbing == 0
                                ? ""
                                : "; %d absorbing state%s left out"
                                        .formatted(absorbing, absorbing == 1 ? " is" : "s are"));
    }
}
