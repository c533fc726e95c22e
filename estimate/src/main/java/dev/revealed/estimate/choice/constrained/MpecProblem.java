package dev.revealed.estimate.choice.constrained;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.nlp.Nlp;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The likelihood of choices as a constrained maximum over parameters and values together. With
 * Q(s,a) = u(s,a;theta) + gamma sum P(s'|s,a) h(s') and T(s) = tau log sum_a w(s,a) exp(Q(s,a)/tau):
 *
 * <pre>  maximise sum of log pi(a|s) = (Q(s,a) - T(s))/tau + log w(s,a)   subject to   T(s) - h(s) - g = 0</pre>
 *
 * Values are relative: V(s) = h(s) + g/(1 - gamma), with h = 0 in one state. Written in V itself the equations of a patient
 * agent are nearly singular: the level of all values, 1/(1 - gamma) times what a period is worth, is what they determine
 * worst, while only differences matter to a choice. In (g, h) nothing grows as the discount nears one; g tends to the payoff per period and h
 * to the relative values of the undiscounted problem. The variables of Su and Judd, expected values by state and action,
 * drift in the same way, and there are more of them. Values on which no observed choice depends, however indirectly, are
 * left out; at discount zero those are all.
 *
 * <p>With a horizon values are those of each period, counted from the last, and nothing is nearly singular: they are the
 * variables themselves.
 *
 * <p>Derivatives are exact. Q is affine, so the Hessian of the Lagrangian is a sum over states of covariances under pi of
 * the derivatives of Q, each a block on the parameters and successors that matter in that state.
 *
 * <p>Variables are g, h of all valued states but the first, and the {@link UtilityCoordinates} of theta.
 */
final class MpecProblem implements Nlp {
    /** The likelihood is that of so many average decisions: a scale on which solvers' tolerances mean what they should. */
    private static final double DECISIONS = 100;

    private final int actions;
    private final double tau;
    private final double[] shares; // of those decisions, by row
    private final double[] visits; // of those decisions, by state
    private final double[] logWeight;
    private final UtilityCoordinates utility;
    private final boolean relative; // whether values are relative: with a horizon they are not
    private final int[] valued; // states whose value matters; the first is the one of relative value zero
    private final int[] number; // of a state among them, or -1: the variable h(s) is, unless it is the first
    private final int[] active; // states that matter at all: valued, or a choice was observed there

    private final int[][] variable; // by state: what Q depends on there
    private final double[][] slope; // by row: derivatives of Q with respect to those
    private final double[][] centred; // the same less their mean under pi
    private final int[] useStart; // by variable: the states that depend on it, and as their which variable
    private final int[] useState;
    private final int[] useIndex;
    private final int[] hessianStart; // rows of the Hessian in its pattern
    private final Pattern hessian;
    private final Pattern jacobian;

    private final double[] start;
    private final double[] point; // where the following were computed
    private final double[] policy;
    private final double[] logPolicy;
    private final double[] backup;
    private long passes;

    MpecProblem(ChoiceModel model, double[] phi, double[] counts, double[] theta) {
        int states = model.states();
        actions = model.actions().size();
        tau = model.cost().temperature();
        logWeight = new double[counts.length];
        boolean[] available = new boolean[counts.length];
        double all = Vec.sum(counts);
        shares = new double[counts.length];
        visits = new double[states];
        for (int row = 0; row < counts.length; row++) {
            logWeight[row] = model.cost().logWeight(row);
            available[row] = logWeight[row] > Double.NEGATIVE_INFINITY;
            shares[row] = DECISIONS * counts[row] / all;
            visits[row / actions] += shares[row];
        }
        utility = new UtilityCoordinates(model.utility(), available);

        Kernel kernel = model.law().kernel(phi);
        relative = !model.law().horizon();
        valued = model.discount() > 0 ? reachable(kernel) : new int[0];
        number = new int[states];
        Arrays.fill(number, -1);
        for (int k = 0; k < valued.length; k++) {
            number[valued[k]] = k;
        }
        active = IntStream.range(0, states)
                .filter(s -> number[s] >= 0 || visits[s] > 0)
                .toArray();
        variable = new int[states][0];
        slope = new double[counts.length][0];
        int[] place = new int[variables()];
        Arrays.fill(place, -1);
        for (int s : active) {
            depend(s, kernel, relative || !model.law().ended(s) ? model.discount() : 0, place);
        }
        centred = Arrays.stream(slope).map(double[]::clone).toArray(double[][]::new);

        useStart = new int[variables() + 1];
        for (int[] own : variable) {
            for (int v : own) {
                useStart[v + 1]++;
            }
        }
        for (int v = 0; v < variables(); v++) {
            useStart[v + 1] += useStart[v];
        }
        useState = new int[useStart[variables()]];
        useIndex = new int[useState.length];
        int[] next = useStart.clone();
        for (int s : active) {
            for (int k = 0; k < variable[s].length; k++) {
                useState[next[variable[s][k]]] = s;
                useIndex[next[variable[s][k]]++] = k;
            }
        }
        hessianStart = new int[variables() + 1];
        hessian = hessianPattern();
        jacobian = jacobianPattern();

        point = new double[variables()];
        policy = new double[counts.length];
        logPolicy = new double[counts.length];
        backup = new double[states];
        start = new double[variables()];
        double[] z = utility.of(theta);
        System.arraycopy(z, 0, start, valued.length, z.length);
        evaluate(start);
        if (valued.length > 0 && relative) {
            start[0] = backup[valued[0]];
        } else if (valued.length > 0) {
            double[] values = model.solve(theta, phi).values();
            for (int k = 0; k < valued.length; k++) {
                start[k] = values[valued[k]];
            }
        }
    }

    private boolean available(int row) {
        return logWeight[row] > Double.NEGATIVE_INFINITY;
    }

    /** States that can follow an observed one, sooner or later; the most visited of them first. */
    private int[] reachable(Kernel kernel) {
        boolean[] seen = new boolean[visits.length];
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        for (int s = 0; s < visits.length; s++) {
            if (visits[s] > 0) {
                queue.add(s);
            }
        }
        while (!queue.isEmpty()) {
            int s = queue.remove();
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                if (available(row)) {
                    kernel.successors(row, (to, p) -> {
                        if (!seen[to]) {
                            seen[to] = true;
                            queue.add(to);
                        }
                    });
                }
            }
        }
        int[] states = IntStream.range(0, seen.length).filter(s -> seen[s]).toArray();
        int most = 0;
        for (int k = 1; k < states.length; k++) {
            most = visits[states[k]] > visits[states[most]] ? k : most;
        }
        int first = states[most];
        System.arraycopy(states, 0, states, 1, most);
        states[0] = first;
        return states;
    }

    /** Whether a value is a variable: all but the one that is zero by definition. */
    private boolean isVariable(int number) {
        return relative ? number > 0 : number >= 0;
    }

    /**
     * The variables that the action values of a state depend on, and the slopes.
     *
     * @param place -1 everywhere, and so again afterwards
     */
    private void depend(int s, Kernel kernel, double discount, int[] place) {
        int[][] own = {new int[16]};
        int[] count = {0};
        IntConsumer add = v -> {
            if (place[v] < 0) {
                if (count[0] == own[0].length) {
                    own[0] = Arrays.copyOf(own[0], 2 * count[0]);
                }
                place[v] = count[0];
                own[0][count[0]++] = v;
            }
        };
        double[][] columns = utility.columns();
        for (int row = s * actions; row < (s + 1) * actions; row++) {
            for (int j = 0; j < columns.length; j++) {
                if (columns[j][row] != 0) {
                    add.accept(valued.length + j);
                }
            }
            if (available(row) && discount > 0) {
                kernel.successors(row, (to, p) -> {
                    if (isVariable(number[to])) {
                        add.accept(number[to]);
                    }
                });
            }
        }
        variable[s] = Arrays.copyOf(own[0], count[0]);
        for (int row = s * actions; row < (s + 1) * actions; row++) {
            double[] slopes = new double[count[0]];
            slope[row] = slopes;
            for (int j = 0; j < columns.length; j++) {
                if (columns[j][row] != 0) {
                    slopes[place[valued.length + j]] = columns[j][row];
                }
            }
            if (available(row) && discount > 0) {
                kernel.successors(row, (to, p) -> {
                    if (isVariable(number[to])) {
                        slopes[place[number[to]]] += discount * p;
                    }
                });
            }
        }
        for (int v : variable[s]) {
            place[v] = -1;
        }
    }

    /** Row by row of the lower triangle: two variables meet wherever some state depends on both. */
    private Pattern hessianPattern() {
        IntStream.Builder row = IntStream.builder();
        IntStream.Builder column = IntStream.builder();
        int size = 0;
        int[] seen = new int[variables()];
        Arrays.fill(seen, -1);
        for (int v = 0; v < variables(); v++) {
            for (int use = useStart[v]; use < useStart[v + 1]; use++) {
                for (int u : variable[useState[use]]) {
                    if (u <= v && seen[u] < v) {
                        seen[u] = v;
                        row.add(v);
                        column.add(u);
                        size++;
                    }
                }
            }
            hessianStart[v + 1] = size;
        }
        return new Pattern(row.build().toArray(), column.build().toArray());
    }

    /** Equation by equation: g, then h(s) unless it is zero by definition, then what T depends on. */
    private Pattern jacobianPattern() {
        IntStream.Builder row = IntStream.builder();
        IntStream.Builder column = IntStream.builder();
        for (int i = 0; i < valued.length; i++) {
            IntStream own = i > 0 && relative ? IntStream.of(0, i) : IntStream.of(i);
            for (int v :
                    IntStream.concat(own, Arrays.stream(variable[valued[i]])).toArray()) {
                row.add(i);
                column.add(v);
            }
        }
        return new Pattern(row.build().toArray(), column.build().toArray());
    }

    /** Action values, policy and backup at x, unless they are there already. */
    private void evaluate(double[] x) {
        if (passes > 0 && Arrays.equals(x, point)) {
            return;
        }
        passes++;
        System.arraycopy(x, 0, point, 0, x.length);
        for (int s : active) {
            int[] own = variable[s];
            double best = Double.NEGATIVE_INFINITY;
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                double q = utility.offset()[row];
                for (int k = 0; k < own.length; k++) {
                    q += slope[row][k] * x[own[k]];
                }
                logPolicy[row] = available(row) ? q / tau + logWeight[row] : Double.NEGATIVE_INFINITY;
                best = Math.max(best, logPolicy[row]);
            }
            double sum = 0;
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                policy[row] = Math.exp(logPolicy[row] - best);
                sum += policy[row];
            }
            double log = best + Math.log(sum);
            backup[s] = tau * log;
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                policy[row] /= sum;
                logPolicy[row] -= log;
            }
        }
    }

    /** Parameters of the utility at a point. */
    double[] theta(double[] x) {
        return utility.theta(Arrays.copyOfRange(x, valued.length, x.length));
    }

    /** Points evaluated: each costs one pass over the kernel. */
    long passes() {
        return passes;
    }

    @Override
    public int variables() {
        return valued.length + utility.columns().length;
    }

    @Override
    public int constraints() {
        return valued.length;
    }

    @Override
    public double[] start() {
        return start.clone();
    }

    @Override
    public double objective(double[] x) {
        evaluate(x);
        double sum = 0;
        for (int row = 0; row < shares.length; row++) {
            sum -= shares[row] == 0 ? 0 : shares[row] * logPolicy[row];
        }
        return sum;
    }

    @Override
    public void gradient(double[] x, double[] gradient) {
        evaluate(x);
        Arrays.fill(gradient, 0);
        for (int row = 0; row < shares.length; row++) {
            double surprise = (visits[row / actions] * policy[row] - shares[row]) / tau;
            int[] own = variable[row / actions];
            for (int k = 0; surprise != 0 && k < own.length; k++) {
                gradient[own[k]] += surprise * slope[row][k];
            }
        }
    }

    @Override
    public void constraints(double[] x, double[] values) {
        evaluate(x);
        for (int i = 0; i < valued.length; i++) {
            values[i] = backup[valued[i]] - x[i] - (i == 0 || !relative ? 0 : x[0]);
        }
    }

    @Override
    public Pattern jacobian() {
        return jacobian;
    }

    @Override
    public void jacobian(double[] x, double[] values) {
        evaluate(x);
        int e = 0;
        for (int i = 0; i < valued.length; i++) {
            values[e++] = -1;
            if (i > 0 && relative) {
                values[e++] = -1;
            }
            for (int k = 0; k < variable[valued[i]].length; k++) {
                values[e++] = mean(valued[i], k);
            }
        }
    }

    private double mean(int s, int k) {
        double mean = 0;
        for (int row = s * actions; row < (s + 1) * actions; row++) {
            mean += policy[row] * slope[row][k];
        }
        return mean;
    }

    @Override
    public Pattern hessian() {
        return hessian;
    }

    @Override
    public void hessian(double[] x, double factor, double[] multipliers, double[] values) {
        evaluate(x);
        for (int s : active) {
            for (int k = 0; k < variable[s].length; k++) {
                double mean = mean(s, k);
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    centred[row][k] = slope[row][k] - mean;
                }
            }
        }
        Arrays.fill(values, 0);
        int[] place = new int[variables()];
        for (int v = 0; v < variables(); v++) {
            for (int e = hessianStart[v]; e < hessianStart[v + 1]; e++) {
                place[hessian.column()[e]] = e;
            }
            for (int use = useStart[v]; use < useStart[v + 1]; use++) {
                int s = useState[use];
                double multiplier = number[s] < 0 ? 0 : multipliers[number[s]];
                double weight = (factor * visits[s] / tau + multiplier) / tau;
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    double own = weight * policy[row] * centred[row][useIndex[use]];
                    for (int k = 0; own != 0 && k < variable[s].length; k++) {
                        if (variable[s][k] <= v) {
                            values[place[variable[s][k]]] += own * centred[row][k];
                        }
                    }
                }
            }
        }
    }

    @Override
    public int[] determined() {
        return IntStream.range(0, valued.length).toArray();
    }
}
