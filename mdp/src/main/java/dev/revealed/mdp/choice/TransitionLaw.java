package dev.revealed.mdp.choice;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.kernel.LayeredKernel;
import dev.revealed.numeric.BadInput;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The transition law of the state, with parameters phi that are estimated. Each state variable is moved by a family of
 * distributions of its own, independently of the others given the state and the action:
 *
 * <pre>  P(s'|s,a; phi) = product over variables of P_v(x'_v | cell_v(s,a); phi_v)</pre>
 */
public final class TransitionLaw {
    private final StateSpace space;
    private final int actions;
    private final List<Part> parts;
    private final int[] ends;
    private final boolean horizon;
    private final Plan plan;
    private volatile @Nullable List<LawRows> layers;
    private final int[] first;
    private final int[] strides;
    private final List<String> names;
    private volatile @Nullable Made last;

    /** What a move depends on. */
    @FunctionalInterface
    public interface Cell {
        int of(int state, int action);
    }

    /** Where an outcome takes the variable: the place of its next value in its grid. */
    @FunctionalInterface
    public interface Destination {
        /** Outcome i leads to the i-th value. */
        Destination OUTCOME = new Destination() {
            @Override
            public int of(int state, int action, int outcome) {
                return outcome;
            }

            @Override
            public boolean isOutcome(int state, int action) {
                return true;
            }
        };

        int of(int state, int action, int outcome);

        /** Whether outcome i is known to lead to the i-th value there: it saves asking for each. */
        default boolean isOutcome(int state, int action) {
            return false;
        }
    }

    /** A destination that stays where it is in states in which the process has ended. */
    private record Stopping(Destination moving, boolean[] ended, StateSpace space, int variable)
            implements Destination {
        @Override
        public int of(int state, int action, int outcome) {
            return ended[state] ? space.coordinate(state, variable) : moving.of(state, action, outcome);
        }

        @Override
        public boolean isOutcome(int state, int action) {
            return !ended[state] && moving.isOutcome(state, action);
        }
    }

    /** The move of one variable. */
    public record Part(TransitionFamily family, Cell cell, Destination destination) {}

    /** @param parts one for each variable, in their order */
    public TransitionLaw(StateSpace space, int actions, List<Part> parts) {
        this(space, actions, parts, new int[0], false, Plan.AUTOMATIC);
    }

    private TransitionLaw(StateSpace space, int actions, List<Part> parts, int[] ends, boolean horizon, Plan plan) {
        if (parts.size() != space.variables().size()) {
            throw new BadInput(
                    "%d laws for %d state variables"
                            .formatted(parts.size(), space.variables().size()),
                    "Give each state variable its law.");
        }
        this.space = space;
        this.actions = actions;
        this.parts = List.copyOf(parts);
        this.ends = ends;
        this.horizon = horizon;
        this.plan = plan;
        first = new int[parts.size() + 1];
        List<String> all = new ArrayList<>();
        for (int v = 0; v < parts.size(); v++) {
            all.addAll(parts.get(v).family().names());
            first[v + 1] = all.size();
        }
        names = List.copyOf(all);
        strides = new int[parts.size()];
        Arrays.setAll(strides, space::stride);
    }

    /** The same law but for states in which the process ends: nothing moves there any more. */
    public TransitionLaw ending(boolean[] ended) {
        List<Part> stopping = new ArrayList<>();
        for (int v = 0; v < parts.size(); v++) {
            Part part = parts.get(v);
            stopping.add(new Part(part.family, part.cell, new Stopping(part.destination, ended, space, v)));
        }
        int[] all = IntStream.range(0, ended.length).filter(s -> ended[s]).toArray();
        return new TransitionLaw(space, actions, stopping, all, false, plan);
    }

    /**
     * A law whose first variable is the period: it moves on by one until the last, in which the process has ended and only
     * terminal values are left. Kernels are made period by period, and values found by backward induction.
     */
    public static TransitionLaw overPeriods(StateSpace space, int actions, List<Part> parts) {
        int last = space.variables().getFirst().size() - 1;
        boolean[] ended = new boolean[space.size()];
        Arrays.fill(ended, last * space.stride(0), ended.length, true);
        Part clock = new Part(
                KnownProbabilities.certain(), (s, a) -> 0, (s, a, o) -> Math.min(last, space.coordinate(s, 0) + 1));
        List<Part> all = new ArrayList<>(List.of(clock));
        all.addAll(parts);
        TransitionLaw moving = new TransitionLaw(space, actions, all).ending(ended);
        return new TransitionLaw(space, actions, moving.parts, moving.ends, true, Plan.AUTOMATIC);
    }

    /** Whether the first variable is the period of a finite horizon. */
    public boolean horizon() {
        return horizon;
    }

    /** States in which the process ends, ascending; do not modify. */
    public int[] ends() {
        return ends;
    }

    public boolean ended(int state) {
        return Arrays.binarySearch(ends, state) >= 0;
    }

    public StateSpace space() {
        return space;
    }

    public int actions() {
        return actions;
    }

    public List<Part> parts() {
        return parts;
    }

    /** Names of all parameters phi. */
    public List<String> names() {
        return names;
    }

    public int parameters() {
        return names.size();
    }

    /** The parameters of one part. */
    public double[] of(int part, double[] phi) {
        return Arrays.copyOfRange(phi, first[part], first[part + 1]);
    }

    /** Number of the first parameter of a part. */
    public int first(int part) {
        return first[part];
    }

    /** The transition law at phi. The one asked for last is at hand as long as somebody uses it. */
    public Kernel kernel(double[] phi) {
        Made made = last;
        Kernel known = made != null && Arrays.equals(made.phi, phi) ? made.kernel.get() : null;
        if (known != null) {
            return known;
        }
        Kernel fresh = build(phi);
        last = new Made(phi.clone(), new WeakReference<>(fresh));
        return fresh;
    }

    private record Made(double[] phi, WeakReference<Kernel> kernel) {}

    private Kernel build(double[] phi) {
        Table table = new Table(phi);
        if (layers().size() == 1) {
            return layers().getFirst().kernel(table);
        }
        Kernel[] periods = new Kernel[layers().size()];
        for (int t = 0; t < periods.length; t++) {
            periods[t] = t > 0 && layers().get(t).equals(layers().get(t - 1))
                    ? periods[t - 1]
                    : layers().get(t).kernel(table);
        }
        return new LayeredKernel(List.of(periods)).kernel();
    }

    /** How the rows factor, in the whole or period by period; found when first asked for. */
    private List<LawRows> layers() {
        List<LawRows> known = layers;
        if (known == null) {
            known = horizon ? LawRows.byPeriod(this, plan) : List.of(LawRows.whole(this, plan));
            layers = known;
        }
        return known;
    }

    /** The same law with its kernel made in a given way; the numbers are the same, but for rounding. */
    public TransitionLaw planned(Plan other) {
        return new TransitionLaw(space, actions, parts, ends, horizon, other);
    }

    /** How kernels are made. */
    public enum Plan {
        /** By factors where those are much fewer numbers. */
        AUTOMATIC,
        FACTORED,
        ENTRIES
    }

    /** The probabilities of every cell at some phi, each found when first asked for: cells are fewer than rows. */
    final class Table {
        private final double[][] own = new double[parts.size()][]; // parameters of each part
        private final double[][][] known = new double[parts.size()][][];

        Table(double[] phi) {
            if (phi.length != parameters()) {
                throw new IllegalArgumentException("%d parameters for a law of %d".formatted(phi.length, parameters()));
            }
            Arrays.setAll(own, v -> TransitionLaw.this.of(v, phi));
            Arrays.setAll(known, v -> new double[parts.get(v).family().cells()][]);
        }

        /** p[v] = probabilities of part v in a row; not to be modified. */
        void at(int s, int a, double[][] p) {
            for (int v = 0; v < p.length; v++) {
                p[v] = of(v, parts.get(v).cell().of(s, a));
            }
        }

        /** Probabilities of a part in a cell; not to be modified. */
        double[] of(int v, int cell) {
            double[] found = known[v][cell];
            if (found == null) {
                found = parts.get(v).family().probabilities(own[v], cell);
                known[v][cell] = found;
            }
            return found;
        }

        /** Parameters of a part. */
        double[] own(int v) {
            return own[v];
        }
    }

    /** All combinations of the outcomes of parts v, v+1, ... */
    void spread(int s, int a, int v, int successor, double weight, double[][] p, Kernel.Row row) {
        if (v == parts.size()) {
            row.add(successor, weight);
            return;
        }
        int stride = strides[v];
        for (int o = 0; o < p[v].length; o++) {
            if (p[v][o] != 0) {
                int to = parts.get(v).destination().of(s, a, o);
                spread(s, a, v + 1, successor + stride * to, weight * p[v][o], p, row);
            }
        }
    }

    /** rows[s*A + a] = sum over s' of dP(s'|s,a)/dphi_k values[s']. */
    public void derivative(double[] phi, int k, double[] values, double[] rows) {
        int part = part(k);
        Part moved = parts.get(part);
        Table table = new Table(phi);
        if (layers().stream().anyMatch(LawRows::factored)) {
            layers().forEach(layer -> layer.derivative(table, part, k - first[part], values, rows));
            return;
        }
        double[][] p = new double[parts.size()][];
        for (int s = 0; s < space.size(); s++) {
            for (int a = 0; a < actions; a++) {
                table.at(s, a, p);
                p[part] = new double[p[part].length];
                moved.family().derivative(table.own[part], moved.cell().of(s, a), k - first[part], p[part]);
                rows[s * actions + a] = mean(s, a, p, values);
            }
        }
    }

    private double mean(int s, int a, double[][] p, double[] values) {
        double[] sum = new double[1];
        spread(s, a, 0, 0, 1, p, (successor, weight) -> sum[0] += weight * values[successor]);
        return sum[0];
    }

    private int part(int k) {
        int part = 0;
        while (first[part + 1] <= k) {
            part++;
        }
        return part;
    }

    /**
     * Sum over rows of weight[row] times dP(row)/dphi_k values, for all k at once: how a weighted sum of expected values
     * changes with the law.
     */
    public double[] gradient(double[] phi, double[] weight, double[] values) {
        double[] gradient = new double[phi.length];
        Table table = new Table(phi);
        if (layers().stream().anyMatch(LawRows::factored)) {
            layers().forEach(layer -> layer.gradient(table, weight, values, gradient));
            return gradient;
        }
        double[][] p = new double[parts.size()][];
        for (int s = 0; s < space.size(); s++) {
            for (int a = 0; a < actions; a++) {
                double w = weight[s * actions + a];
                if (w == 0) {
                    continue;
                }
                table.at(s, a, p);
                for (int v = 0; v < p.length; v++) {
                    if (first[v + 1] > first[v]) {
                        add(s, a, v, table.own[v], p, w, values, gradient);
                    }
                }
            }
        }
        return gradient;
    }

    private void add(int s, int a, int v, double[] own, double[][] p, double w, double[] values, double[] gradient) {
        Part part = parts.get(v);
        int cell = part.cell().of(s, a);
        double[] kept = p[v];
        double[] given = new double[kept.length]; // expected value given each outcome of this part
        for (int o = 0; o < kept.length; o++) {
            p[v] = new double[kept.length];
            p[v][o] = 1;
            given[o] = mean(s, a, p, values);
        }
        p[v] = kept;
        part.family().accumulate(own, cell, w, given, gradient, first[v]);
    }

    /** The outcome of a part that led from state and action to the next state; -1 where none does. */
    public int outcome(int part, int state, int action, int next) {
        Part p = parts.get(part);
        int goal = space.coordinate(next, part);
        int cell = p.cell().of(state, action);
        int count = p.family().outcomes(cell);
        if (goal < count && leads(p, cell, state, action, goal, goal)) { // most laws number outcomes by where they lead
            return goal;
        }
        for (int o = 0; o < count; o++) {
            if (leads(p, cell, state, action, o, goal)) {
                return o;
            }
        }
        return -1;
    }

    private static boolean leads(Part part, int cell, int state, int action, int outcome, int goal) {
        return part.destination().of(state, action, outcome) == goal
                && part.family().possible(cell, outcome);
    }

    /**
     * What is said of a move that the law rules out.
     *
     * @param action as it is called
     * @param where the state before was seen, in brackets; or nothing
     */
    public BadInput impossible(int part, int state, String action, int next, String where) {
        double value = space.value(next, part);
        return new BadInput(
                "%s is %s, which the model rules out after %s with action %s%s"
                        .formatted(
                                space.variables().get(part).name(),
                                value == Math.rint(value) && Math.abs(value) < 1e15
                                        ? Long.toString((long) value)
                                        : Double.toString(value),
                                space.describe(state),
                                action,
                                where),
                "Either the transition law or the data is wrong: such a move can never be observed.");
    }
}
