package dev.revealed.mdp.choice;

import dev.revealed.mdp.Kernel;
import dev.revealed.numeric.BadInput;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How the state moves, with parameters phi for the data to decide. Each state variable is moved by a family of distributions of its own,
 * independently of the others given the state and the action:
 *
 * <pre>  P(s'|s,a; phi) = product over variables of P_v(x'_v | cell_v(s,a); phi_v)</pre>
 */
public final class TransitionLaw {
    private final StateSpace space;
    private final int actions;
    private final List<Part> parts;
    private final int[] ends;
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
        int of(int state, int action, int outcome);
    }

    /** The move of one variable. */
    public record Part(TransitionFamily family, Cell cell, Destination destination) {}

    /** @param parts one for each variable, in their order */
    public TransitionLaw(StateSpace space, int actions, List<Part> parts) {
        this(space, actions, parts, new int[0]);
    }

    private TransitionLaw(StateSpace space, int actions, List<Part> parts, int[] ends) {
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
            int variable = v;
            stopping.add(new Part(
                    part.family,
                    part.cell,
                    (s, a, o) -> ended[s] ? space.coordinate(s, variable) : part.destination.of(s, a, o)));
        }
        int[] all = IntStream.range(0, ended.length).filter(s -> ended[s]).toArray();
        return new TransitionLaw(space, actions, stopping, all);
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
        double[][] p = new double[parts.size()][];
        return Kernel.of(space.size(), actions, (s, a, row) -> {
            table.at(s, a, p);
            spread(s, a, 0, 0, 1, p, row);
        });
    }

    /** The probabilities of every cell at some phi, each found when first asked for: cells are fewer than rows. */
    private final class Table {
        private final double[][] own = new double[parts.size()][]; // parameters of each part
        private final double[][][] known = new double[parts.size()][][];

        Table(double[] phi) {
            if (phi.length != parameters()) {
                throw new IllegalArgumentException("%d parameters for a law of %d".formatted(phi.length, parameters()));
            }
            Arrays.setAll(own, v -> of(v, phi));
            Arrays.setAll(known, v -> new double[parts.get(v).family().cells()][]);
        }

        /** p[v] = probabilities of part v in a row; not to be modified. */
        void at(int s, int a, double[][] p) {
            for (int v = 0; v < p.length; v++) {
                Part part = parts.get(v);
                int cell = part.cell().of(s, a);
                double[] found = known[v][cell];
                if (found == null) {
                    found = part.family().probabilities(own[v], cell);
                    known[v][cell] = found;
                }
                p[v] = found;
            }
        }
    }

    /** All combinations of the outcomes of parts v, v+1, ... */
    private void spread(int s, int a, int v, int successor, double weight, double[][] p, Kernel.Row row) {
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
