package dev.revealed.estimate;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The maximum-entropy problem of Theorem 2, solved as the convex programme it is over occupancy measures x(s,a):
 *
 * <pre>
 *   maximise  - sum x(s,a) log(x(s,a) / x(s)),      x(s) = sum_a x(s,a),   x >= 0
 *   subject to  x(s) - gamma sum P(s|s',a') x(s',a') = rho(s)       (flow)
 *               sum x(s,a) phi(s,a) = target                        (features)
 * </pre>
 *
 * by infeasible-start Newton on its optimality conditions (Boyd and Vandenberghe, section 10.3). Nothing of the dual is
 * used: no soft values, no likelihood. That is what makes the gap between the two a test. In the policy itself the
 * entropy is not concave; in occupancies it is.
 *
 * <p>Dense, for small processes. The flow's right side must be a distribution: features of demonstrations cut short
 * belong to a signed start measure and have no maximum-entropy problem of this kind.
 */
public final class MaximumEntropy {
    private static final int MOST_STEPS = 200;
    private static final double TARGET_RESIDUAL = 1e-13;
    private static final double ACCEPTED_RESIDUAL = 1e-10;

    /** A constraint whose part outside the others is smaller than this share of it says nothing new. */
    private static final double DEPENDENT = 1e-10;

    private final Mdp mdp;
    private final LinearReward features;
    private final double[] target;

    /** Rows of states the start can reach; others have no occupancy and no place in the programme. */
    private final int[] rows;

    private final double[][] flow;
    private final double[] start;
    private final double[][] phi;

    /**
     * The optimum.
     *
     * @param value the discounted entropy, the largest any policy with these features has
     * @param occupancy x(s,a) by row; zero where the start cannot lead
     * @param policy x(s,a)/x(s) by row; uniform where the start cannot lead
     * @param dependentConstraints feature constraints that the flow and other features imply
     * @param residual largest violation of an optimality condition
     */
    public record Solution(
            double value,
            double[] occupancy,
            double[] policy,
            int newtonSteps,
            int dependentConstraints,
            double residual) {}

    /**
     * Independent constraints with orthonormal rows, and how many were dropped; consistent when the dropped ones agree.
     */
    private record Constraints(double[][] rows, double[] right, int dropped, boolean consistent) {}

    private MaximumEntropy(Mdp mdp, LinearReward features, double[] target) {
        if (target.length != features.parameters()) {
            throw new BadInput(
                    "there are %d targets for %d features".formatted(target.length, features.parameters()),
                    "Give one target per feature.");
        }
        for (int j = 0; j < target.length; j++) {
            BadInput.finite("the target of feature " + features.names().get(j), target[j]);
        }
        this.mdp = mdp;
        this.features = features;
        this.target = target.clone();
        int actions = mdp.actions();
        int[] states = reachable(mdp);
        int[] number = new int[mdp.states()];
        rows = new int[states.length * actions];
        start = new double[states.length];
        for (int i = 0; i < states.length; i++) {
            number[states[i]] = i;
            start[i] = mdp.start()[states[i]];
        }
        Arrays.setAll(rows, v -> states[v / actions] * actions + v % actions);
        flow = new double[states.length][rows.length];
        Kernel kernel = mdp.kernel();
        for (int v = 0; v < rows.length; v++) {
            flow[v / actions][v] += 1;
            for (int k = kernel.rowStart()[rows[v]]; k < kernel.rowStart()[rows[v] + 1]; k++) {
                flow[number[kernel.successor()[k]]][v] -= mdp.discount() * kernel.probability()[k];
            }
        }
        phi = Arrays.stream(features.derivatives(new double[target.length]))
                .map(column ->
                        Arrays.stream(rows).mapToDouble(row -> column[row]).toArray())
                .toArray(double[][]::new);
    }

    /** The policy of largest discounted entropy among those with the given discounted features. */
    public static Solution solve(Mdp mdp, LinearReward features, double[] target) {
        return new MaximumEntropy(mdp, features, target).solve();
    }

    /** How near, in Euclidean norm, any policy comes to the given discounted features. */
    public static double smallestMismatch(Mdp mdp, LinearReward features, double[] target) {
        MaximumEntropy programme = new MaximumEntropy(mdp, features, target);
        return Vec.norm(programme.mismatch(programme.nearest()));
    }

    /** The exact discounted features of a policy given by its probabilities: a target that some policy meets. */
    public static double[] features(Mdp mdp, LinearReward features, double[] policy) {
        MaximumEntropy programme = new MaximumEntropy(mdp, features, new double[features.parameters()]);
        double[] own =
                Arrays.stream(programme.rows).mapToDouble(row -> policy[row]).toArray();
        return Dense.multiply(programme.phi, programme.occupancy(own));
    }

    private Solution solve() {
        Constraints constraints = constraints();
        if (!constraints.consistent) {
            throw infeasible();
        }
        double[][] a = constraints.rows;
        double[] b = constraints.right;
        double[] x = uniformOccupancy();
        double[] multiplier = new double[b.length];
        double scale = Math.max(1, Vec.maxAbs(b));
        double[] residual = residual(x, multiplier, a, b);
        int steps = 0;
        while (Vec.maxAbs(residual) > TARGET_RESIDUAL * scale && steps < MOST_STEPS) {
            // In the root of an occupancy as its unit, the Hessian of the entropy has entries of order one.
            double[] roots = Arrays.stream(x).map(Math::sqrt).toArray();
            double[] direction = newton(entropyHessian(x), a, residual, roots);
            double step = Math.min(1, 0.99 * toBoundary(x, direction));
            double size = Vec.norm(residual);
            double[] next = x;
            double[] nextMultiplier = multiplier;
            double[] nextResidual = residual;
            boolean smaller = false;
            for (int i = 0; i < 60 && !smaller; i++, step *= 0.5) {
                next = Vec.plus(x, step, direction);
                nextMultiplier = Vec.plus(multiplier, step, Arrays.copyOfRange(direction, x.length, direction.length));
                nextResidual = residual(next, nextMultiplier, a, b);
                smaller = Vec.norm(nextResidual) <= (1 - 0.01 * step) * size;
            }
            if (!smaller) {
                break; // rounding, or no feasible point
            }
            x = next;
            multiplier = nextMultiplier;
            residual = nextResidual;
            steps++;
        }
        if (!(Vec.maxAbs(residual) <= ACCEPTED_RESIDUAL * scale)) {
            throw infeasible();
        }
        return solution(x, steps, constraints.dropped, Vec.maxAbs(residual));
    }

    private Solution solution(double[] x, int steps, int dropped, double residual) {
        double[] occupancy = new double[mdp.rows()];
        double[] policy = new double[mdp.rows()];
        Arrays.fill(policy, 1.0 / mdp.actions());
        double[] logPolicy = gradient(x);
        for (int v = 0; v < x.length; v++) {
            occupancy[rows[v]] = x[v];
            policy[rows[v]] = Math.exp(logPolicy[v]);
        }
        return new Solution(-Vec.dot(x, logPolicy), occupancy, policy, steps, dropped, residual);
    }

    /** log(x(s,a)/x(s)): the gradient of sum x log(x/x(s)), and the log-policy. */
    private double[] gradient(double[] x) {
        double[] gradient = new double[x.length];
        int actions = mdp.actions();
        for (int first = 0; first < x.length; first += actions) {
            double state = Arrays.stream(x, first, first + actions).sum();
            for (int v = first; v < first + actions; v++) {
                gradient[v] = Math.log(x[v] / state);
            }
        }
        return gradient;
    }

    /** diag(1/x) less 1/x(s) in each state's block: singular along a state's scaling, which the flow fixes. */
    private double[][] entropyHessian(double[] x) {
        double[][] hessian = new double[x.length][x.length];
        int actions = mdp.actions();
        for (int first = 0; first < x.length; first += actions) {
            double state = Arrays.stream(x, first, first + actions).sum();
            for (int v = first; v < first + actions; v++) {
                Arrays.fill(hessian[v], first, first + actions, -1 / state);
                hessian[v][v] += 1 / x[v];
            }
        }
        return hessian;
    }

    /** Gradient of the Lagrangian, then violation of the constraints. */
    private double[] residual(double[] x, double[] multiplier, double[][] a, double[] b) {
        double[] residual = Arrays.copyOf(gradient(x), x.length + b.length);
        for (int i = 0; i < b.length; i++) {
            for (int v = 0; v < x.length; v++) {
                residual[v] += multiplier[i] * a[i][v];
            }
            residual[x.length + i] = Vec.dot(a[i], x) - b[i];
        }
        return residual;
    }

    /**
     * Solves [H A'; A 0] d = -residual, with each variable measured in units of {@code scale} and each constraint in its
     * length in those units: occupancies of rare choices are smaller than others by many orders.
     */
    private static double[] newton(double[][] hessian, double[][] a, double[] residual, double[] scale) {
        int n = hessian.length;
        double[] unit = Arrays.copyOf(scale, residual.length);
        double[][] system = new double[residual.length][residual.length];
        for (int v = 0; v < n; v++) {
            for (int u = 0; u < n; u++) {
                system[v][u] = hessian[v][u] * scale[v] * scale[u];
            }
        }
        for (int i = 0; i < a.length; i++) {
            for (int v = 0; v < n; v++) {
                system[n + i][v] = a[i][v] * scale[v];
            }
            unit[n + i] = 1 / Vec.norm(system[n + i]);
            for (int v = 0; v < n; v++) {
                system[n + i][v] *= unit[n + i];
                system[v][n + i] = system[n + i][v];
            }
        }
        double[] right = new double[residual.length];
        Arrays.setAll(right, i -> -residual[i] * unit[i]);
        double[] solution = solve(system, right);
        Arrays.setAll(solution, i -> solution[i] * unit[i]);
        return solution;
    }

    /** By the inverse, with one correction for its rounding. */
    private static double[] solve(double[][] system, double[] right) {
        double[][] inverse = Dense.inverse(system)
                .orElseThrow(() -> new ArithmeticException("a linear system of the programme is singular"));
        double[] x = Dense.multiply(inverse, right);
        double[] left = Vec.plus(right, -1, Dense.multiply(system, x));
        return Vec.plus(x, 1, Dense.multiply(inverse, left));
    }

    /**
     * Flow and feature constraints made orthonormal one after another (Gram-Schmidt, twice for rounding). A feature
     * that adds nothing, such as a constant or a potential h(s) - gamma E h(s'), is dropped if its target agrees with
     * what the others imply.
     */
    private Constraints constraints() {
        List<double[]> kept = new ArrayList<>();
        List<Double> right = new ArrayList<>();
        int dropped = 0;
        boolean consistent = true;
        for (int i = 0; i < flow.length + phi.length; i++) {
            boolean isFlow = i < flow.length;
            double[] row = (isFlow ? flow[i] : phi[i - flow.length]).clone();
            double value = isFlow ? start[i] : target[i - flow.length];
            double size = Math.max(Vec.norm(row), Double.MIN_NORMAL);
            for (int pass = 0; pass < 2; pass++) {
                for (int k = 0; k < kept.size(); k++) {
                    double along = Vec.dot(row, kept.get(k));
                    Vec.axpy(-along, kept.get(k), row);
                    value -= along * right.get(k);
                }
            }
            double left = Vec.norm(row);
            if (left > DEPENDENT * size) {
                double inverse = 1 / left;
                Arrays.setAll(row, v -> row[v] * inverse);
                kept.add(row);
                right.add(value * inverse);
            } else {
                dropped++;
                consistent &= Math.abs(value) <= 1e-8 * Math.max(1, size / (1 - mdp.discount()));
            }
        }
        return new Constraints(
                kept.toArray(double[][]::new),
                right.stream().mapToDouble(Double::doubleValue).toArray(),
                dropped,
                consistent);
    }

    private double[] uniformOccupancy() {
        double[] policy = new double[rows.length];
        Arrays.fill(policy, 1.0 / mdp.actions());
        return occupancy(policy);
    }

    /** x = pi d with (I - gamma P_pi') d = rho, solved directly. */
    private double[] occupancy(double[] policy) {
        double[][] system = new double[start.length][start.length];
        for (int i = 0; i < start.length; i++) {
            for (int v = 0; v < rows.length; v++) {
                system[i][v / mdp.actions()] += policy[v] * flow[i][v];
            }
        }
        double[] visits = solve(system, start);
        double[] x = new double[rows.length];
        Arrays.setAll(x, v -> policy[v] * visits[v / mdp.actions()]);
        return x;
    }

    private double[] mismatch(double[] x) {
        return Vec.plus(Dense.multiply(phi, x), -1, target);
    }

    /**
     * The occupancy with the nearest features, by a log-barrier: minimise |phi x - target|^2/2 - weight * sum log x.
     */
    private double[] nearest() {
        double[][] square = new double[rows.length][rows.length];
        for (double[] column : phi) {
            for (int v = 0; v < rows.length; v++) {
                Vec.axpy(column[v], column, square[v]);
            }
        }
        double[] x = uniformOccupancy();
        for (double weight = 0.1; weight > 1e-14; weight *= 0.2) {
            for (int i = 0; i < 30; i++) {
                double[] miss = mismatch(x);
                double[] residual = new double[x.length + flow.length];
                double[][] hessian = new double[x.length][];
                for (int v = 0; v < x.length; v++) {
                    for (int j = 0; j < phi.length; j++) {
                        residual[v] += miss[j] * phi[j][v];
                    }
                    residual[v] -= weight / x[v];
                    hessian[v] = square[v].clone();
                    hessian[v][v] += weight / (x[v] * x[v]);
                }
                double[] direction = newton(hessian, flow, residual, x);
                double slope = Vec.dot(Arrays.copyOf(residual, x.length), direction);
                if (slope > -1e-3 * weight) {
                    break;
                }
                double step = Math.min(1, 0.9 * toBoundary(x, direction));
                double before = barrier(x, weight);
                while (step > 1e-12 && barrier(Vec.plus(x, step, direction), weight) > before + 0.1 * step * slope) {
                    step *= 0.5;
                }
                x = Vec.plus(x, step, direction);
            }
        }
        return x;
    }

    private double barrier(double[] x, double weight) {
        double[] miss = mismatch(x);
        return 0.5 * Vec.dot(miss, miss)
                - weight * Arrays.stream(x).map(Math::log).sum();
    }

    private BadInput infeasible() {
        double[] x = nearest();
        double[] miss = mismatch(x);
        int worst = 0;
        for (int j = 1; j < miss.length; j++) {
            worst = Math.abs(miss[j]) > Math.abs(miss[worst]) ? j : worst;
        }
        double size = Vec.norm(miss);
        if (size <= 1e-5 * Math.max(1, Vec.norm(target))) {
            return new BadInput(
                    "only a policy that hardly ever takes some action comes near these features",
                    "They lie on the edge of what is possible, where the likelihood has no maximiser; give features of"
                            + " a policy that takes every action, or more demonstrations.");
        }
        return new BadInput(
                "no policy has these features: the nearest misses them by %.6g, most in %s (wanted %.6g, nearest %.6g)"
                        .formatted(size, features.names().get(worst), target[worst], target[worst] + miss[worst]),
                "Give discounted features of a policy of this process, or of enough demonstrations of it.");
    }

    /** The longest step that keeps every x positive. */
    private static double toBoundary(double[] x, double[] direction) {
        double step = Double.POSITIVE_INFINITY;
        for (int v = 0; v < x.length; v++) {
            if (direction[v] < 0) {
                step = Math.min(step, -x[v] / direction[v]);
            }
        }
        return step;
    }

    /** The states that the start can lead to. */
    private static int[] reachable(Mdp mdp) {
        boolean[] seen = new boolean[mdp.states()];
        List<Integer> open = new ArrayList<>();
        for (int s = 0; s < seen.length; s++) {
            if (mdp.start()[s] > 0) {
                seen[s] = true;
                open.add(s);
            }
        }
        Kernel kernel = mdp.kernel();
        while (!open.isEmpty()) {
            int s = open.removeLast();
            int end = kernel.rowStart()[(s + 1) * mdp.actions()];
            for (int k = kernel.rowStart()[s * mdp.actions()]; k < end; k++) {
                int next = kernel.successor()[k];
                if (!seen[next] && kernel.probability()[k] > 0) {
                    seen[next] = true;
                    open.add(next);
                }
            }
        }
        return IntStream.range(0, seen.length).filter(s -> seen[s]).toArray();
    }
}
