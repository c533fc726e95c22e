package dev.revealed.mdp.model;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A bus with several components that wear out on their own: Rust's engine, as many times as there are components, in one
 * workshop that replaces at most one of them a month.
 *
 * <pre>  u(x, keep) = - sum_i c_i x_i / k,     u(x, replace i) = -RC_i - sum_{l != i} c_l x_l / k,     x_i = 1..k</pre>
 *
 * where a new component still costs its first bin. Wear moves up by 0, 1, ... bins, independently by component. With k bins
 * and m components there are k^m states: the model to see how an estimator grows with the state space while the economics
 * stay the same.
 */
public final class MultiEngine {
    public static final int KEEP = 0;

    private MultiEngine() {}

    /**
     * @param components number of components m; action i replaces component i = 1..m
     * @param bins number of wear bins k of each
     * @param largest largest number of bins a component moves in a month
     */
    public static ChoiceModel of(int components, int bins, int largest, double discount) {
        if (components < 1 || bins < 2 || largest < 1) {
            throw new BadInput(
                    "%d components of %d bins that move by at most %d".formatted(components, bins, largest),
                    "Give at least one component, two bins, and a move of one bin.");
        }
        int actions = components + 1;
        double[] grid = IntStream.rangeClosed(1, bins).asDoubleStream().toArray();
        StateSpace space = new StateSpace(IntStream.rangeClosed(1, components)
                .mapToObj(i -> new StateSpace.Variable("wear" + i, grid))
                .toList());
        int[] shifts = IntStream.rangeClosed(0, largest).toArray();
        List<TransitionLaw.Part> parts = new ArrayList<>();
        for (int i = 0; i < components; i++) {
            int own = i;
            int stride = space.stride(i);
            List<String> names = IntStream.range(0, largest)
                    .mapToObj(j -> "p%d%d".formatted(own + 1, j))
                    .toList();
            parts.add(new Shifts(names, shifts, bins)
                    .part((state, action) -> action == own + 1 ? 0 : state / stride % bins));
        }
        List<String> choices = IntStream.range(0, actions)
                .mapToObj(a -> a == KEEP ? "keep" : "replace" + a)
                .toList();
        TransitionLaw law = new TransitionLaw(space, actions, parts);
        LinearReward utility = utility(space, components, bins);
        return new ChoiceModel("multi-engine", choices, law, discount, utility, InformationCost.STANDARD);
    }

    private static LinearReward utility(StateSpace space, int components, int bins) {
        int actions = components + 1;
        int states = space.size();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= components; i++) {
            names.add("RC" + i);
            names.add("c" + i);
        }
        int entries = Math.toIntExact((long) states * (actions * components + components));
        int[] row = new int[entries];
        int[] feature = new int[entries];
        double[] value = new double[entries];
        int k = 0;
        for (int s = 0; s < states; s++) {
            for (int a = 0; a < actions; a++) {
                if (a != KEEP) {
                    row[k] = s * actions + a;
                    feature[k] = 2 * (a - 1);
                    value[k++] = -1;
                }
                for (int i = 0; i < components; i++) {
                    double wear = a == i + 1 ? 1 : space.value(s, i);
                    row[k] = s * actions + a;
                    feature[k] = 2 * i + 1;
                    value[k++] = -wear / bins;
                }
            }
        }
        return LinearReward.ofTriplets(actions, false, states * actions, names, row, feature, value);
    }
}
