package dev.revealed.mdp;

import dev.revealed.mdp.kernel.PolicyChain;
import dev.revealed.mdp.kernel.PolicyProducts;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ChainSystems;
import dev.revealed.numeric.Csr;
import dev.revealed.numeric.Krylov;
import dev.revealed.numeric.LinearMap;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Solves a soft process exactly: optimal values, values of a policy, occupancies.
 *
 * <p>Optimal values are found by sweeps where those contract quickly, since nothing is cheaper, and else by Newton's method,
 * which here is soft policy iteration (docs/design/finite-processes.md); each linear system is solved by conjugate
 * residuals around multigrid. A cold start at a far horizon goes through shorter ones, each twice the last: far from any
 * reward the first policies are random walks, near it they are traps, and the longer the horizon the more the two look like
 * separate chains to the linear solver. Doubling lets the region that knows its way grow by a bounded factor at a time.
 *
 * <p>Everything is measured in the span seminorm, since a constant added to all values changes no choice; the constant
 * itself follows in closed form.
 */
public final class SoftSolver {
    /** Which way to solve for optimal values. */
    public enum Method {
        AUTOMATIC,
        VALUE_ITERATION,
        /** Newton with every linear system solved to rounding. */
        POLICY_ITERATION,
        /** Newton with systems solved only as well as the step deserves. */
        NEWTON_KANTOROVICH
    }

    /**
     * @param residualSpan span of T V - V when last seen
     * @param errorSpan estimated span of the error of V: the last Newton step, or the geometric tail of the sweeps
     */
    public record Solution(String method, boolean converged, int newtonSteps, double residualSpan, double errorSpan) {
        /** For callers whose own answer would be worthless without this one. */
        public Solution orThrow() {
            BadInput.when(
                    !converged && method.equals(UndiscountedSolver.NAME),
                    "values without discount were not found at these parameters: there the process hardly ever ends, or"
                            + " they are too large",
                    "Give every step a cost that can be estimated, leave out features that change no choice, or choose a"
                            + " discount below 1.");
            if (!converged) {
                throw new ArithmeticException("soft values did not converge by %s: span of the residual %.2g"
                        .formatted(method, residualSpan));
            }
            return this;
        }
    }

    /** Sweeps are preferred to Newton while they are expected to finish within this many. */
    private static final int PATIENCE = 200;

    private static final int PROBE = 5;
    private static final double FIRST_HORIZON = 100;
    private static final double SHORTEST_STRIDE = 1.1;
    private static final double STAGE_TOLERANCE = 0.05;
    private static final int NEWTON_LIMIT = 40;
    private static final double CAUTION = 10;

    /** What one run of conjugate residuals is asked for, before the true residual is looked at again. */
    private static final double DIGITS = 1e-12;

    /** A residual this small relative to the answer that will not shrink is rounding. */
    private static final double ROUNDING = 1e-12;

    /** A spectral radius this near to 1 may be 1. */
    static final double ROUNDING_OF_RADIUS = 1e-9;

    private final SoftProcess process;
    private final Method method;
    private final int states;
    private final double[] image;
    private final double[] residual;
    private final double[] step;
    private final ChainSystems systems;
    private @Nullable PolicyChain chain;
    private @Nullable UndiscountedSolver undiscounted;
    private int newtonSteps;
    private ProgressListener listener = ProgressListener.NONE;

    public SoftSolver(SoftProcess process) {
        this(process, Method.AUTOMATIC);
    }

    public SoftSolver(SoftProcess process, Method method) {
        this.process = process;
        this.method = method;
        states = process.mdp().states();
        image = new double[states];
        residual = new double[states];
        step = new double[states];
        systems = new ChainSystems(states, process.passes()::add);
    }

    /**
     * Optimal values and policy, from the values given (zero is a cold start) until the residual and the estimated error
     * are within the tolerance in span.
     */
    public Solution solve(double[] reward, SoftPolicy policy, double tolerance) {
        return solve(reward, policy, tolerance, ProgressListener.NONE);
    }

    public Solution solve(double[] reward, SoftPolicy policy, double tolerance, ProgressListener listener) {
        this.listener = listener;
        newtonSteps = 0;
        if (process.mdp().layered()) {
            process.induct(reward, policy);
            return new Solution("backward induction", true, 0, 0, 0);
        }
        if (process.mdp().undiscounted()) {
            return undiscounted().solve(reward, policy, tolerance, listener);
        }
        double[] values = policy.values();
        boolean cold = Vec.maxAbs(values) == 0;
        Measure end = method == Method.AUTOMATIC || method == Method.VALUE_ITERATION
                ? sweep(reward, values, tolerance, method == Method.AUTOMATIC ? PATIENCE : Integer.MAX_VALUE)
                : Measure.NONE;
        if (!end.done && method != Method.VALUE_ITERATION) {
            double[] guess = values.clone();
            end = cold ? climb(reward, policy, tolerance) : newton(process, reward, policy, tolerance, tolerance);
            if (!end.done && !cold) {
                Arrays.fill(values, 0);
                end = climb(reward, policy, tolerance);
            }
            if (!end.done) {
                if (!Vec.isFinite(values)) {
                    System.arraycopy(guess, 0, values, 0, states);
                }
                end = sweep(reward, values, tolerance, Integer.MAX_VALUE);
            }
        }
        SoftProcess.Change change = process.improve(reward, values, image, policy);
        ChainSystems.shift(image, values, change.centre(process.mdp().discount()));
        return new Solution(name(), end.done, newtonSteps, end.residual, end.error);
    }

    /** Whether nobody would keep a process of this spectral radius from ending; at 1 itself, to rounding, he might. */
    public static boolean ends(double spectralRadius) {
        return spectralRadius < 1 - ROUNDING_OF_RADIUS;
    }

    /** The half of this solver for processes without discount; made on first use. */
    private UndiscountedSolver undiscounted() {
        UndiscountedSolver made = undiscounted;
        if (made == null) {
            made = new UndiscountedSolver(process, policy -> chain(policy, 1), this::evaluate);
            undiscounted = made;
        }
        return made;
    }

    private String name() {
        return switch (method) {
            case AUTOMATIC -> newtonSteps == 0 ? "value iteration" : "value iteration, then Newton-Kantorovich";
            case VALUE_ITERATION -> "value iteration";
            case POLICY_ITERATION -> "soft policy iteration";
            case NEWTON_KANTOROVICH -> "Newton-Kantorovich";
        };
    }

    private record Measure(boolean done, double residual, double error) {
        static final Measure NONE = new Measure(false, Double.NaN, Double.NaN);
    }

    /** Newton's method at horizons 100, 200, 400, ... and at last the true one; by smaller strides where one fails. */
    private Measure climb(double[] reward, SoftPolicy policy, double tolerance) {
        double[] values = policy.values();
        double[] kept = values.clone();
        double target = 1 / (1 - process.mdp().discount());
        double reached = FIRST_HORIZON / 2;
        double stride = 2;
        while (true) {
            boolean last = reached * stride > 0.999 * target; // a stage short of it by rounding would never end
            double horizon = last ? target : reached * stride;
            SoftProcess at = last ? process : process.withDiscount(1 - 1 / horizon);
            double residual =
                    last ? tolerance : STAGE_TOLERANCE * process.cost().temperature();
            double error = last ? tolerance : Double.POSITIVE_INFINITY;
            Measure end = newton(at, reward, policy, residual, error);
            if ((last && end.done) || (!end.done && stride < SHORTEST_STRIDE)) {
                return end;
            } else if (end.done) {
                reached = horizon;
                System.arraycopy(values, 0, kept, 0, states);
            } else {
                System.arraycopy(kept, 0, values, 0, states);
                stride = Math.sqrt(horizon / reached);
            }
        }
    }

    /**
     * Sweeps of T, recentred, as long as the rate observed over the last few promises an end within {@code patience};
     * without a limit to patience as long as rounding leaves anything to gain.
     */
    private Measure sweep(double[] reward, double[] values, double tolerance, int patience) {
        double before = Double.NaN;
        double limit = 20 + 40 / (1 - process.mdp().discount());
        for (int k = 1; ; k++) {
            SoftProcess.Change change = process.backup(reward, values, image);
            ChainSystems.shift(image, values, -image[0]);
            double span = change.span();
            if (span <= floor(values)) {
                return new Measure(true, span, span / (1 - process.mdp().discount()));
            }
            if (k % PROBE == 0) {
                listener.progress("soft values by sweeps", k, 0);
                double rate = Math.pow(span / before, 1.0 / PROBE);
                double error = rate < 1 ? span * rate / (1 - rate) : Double.POSITIVE_INFINITY;
                if (span <= tolerance && error <= tolerance) {
                    return new Measure(true, span, error);
                }
                double toGo = Math.log(tolerance / Math.max(span, error)) / Math.log(rate);
                boolean hopeless = patience < Integer.MAX_VALUE && !(rate < 1 && k + toGo <= patience);
                if (k > PROBE && (hopeless || k > limit)) {
                    return new Measure(false, span, error);
                }
                before = span;
            }
        }
    }

    /** Newton's method until residual and step are within their tolerances; a partial solve is a partial step if useful. */
    private Measure newton(
            SoftProcess at, double[] reward, SoftPolicy policy, double residualTolerance, double errorTolerance) {
        double[] values = policy.values();
        double last = Double.NaN;
        double span = Double.NaN;
        double error = Double.NaN;
        for (int k = 0; k < NEWTON_LIMIT; k++) {
            listener.progress("soft values by Newton-Kantorovich", newtonSteps, 0);
            span = at.improve(reward, values, image, policy).span();
            double floor = floor(values);
            boolean good = span <= Math.max(residualTolerance, floor);
            if (good && (errorTolerance == Double.POSITIVE_INFINITY || error <= errorTolerance || span <= floor)) {
                return new Measure(true, span, error);
            }
            double shrunk = CAUTION * error * span / last; // the error shrinks about as the residual does
            if (good && shrunk <= errorTolerance) {
                return new Measure(true, span, shrunk);
            }
            double forcing = Double.isNaN(last) ? 0.1 : Math.max(1e-3, Math.min(0.1, Math.pow(span / last, 1.5)));
            if (method == Method.POLICY_ITERATION) {
                forcing = 1e-10;
            }
            last = span;
            difference(image, values);
            // step = (I - gamma P_pi)^-1 residual up to a constant
            double left = systems(policy.policy(), at.mdp().discount())
                    .solve(residual, step, Math.max(forcing * span, floor / 4), floor)
                    .span();
            newtonSteps++;
            error = Vec.span(step);
            boolean useful = left <= Math.max(0.5 * span, 4 * floor);
            if (!useful || !Double.isFinite(error)) {
                return new Measure(good && span <= ChainSystems.ROUGH * floor, span, error);
            }
            add(step, values, -(values[0] + step[0]));
            if (good && error <= errorTolerance) {
                return new Measure(true, span, error);
            }
        }
        return new Measure(false, span, error);
    }

    /** Systems with I - gamma P_pi: from its entries, or where the kernel is an operator from its products. */
    private ChainSystems.Solver systems(double[] policy, double discount) {
        return process.mdp().kernel().operator() == null
                ? systems.of(chain(policy, discount), false)
                : systems.ofProducts((x, y) -> products(policy, discount, x, y), false);
    }

    /** y = (I - gamma P_pi) x; whoever solves systems counts the passes. */
    private void products(double[] policy, double discount, double[] x, double[] y) {
        double[] expected = process.mdp().kernel().ahead(x);
        int actions = process.mdp().actions();
        Parallel.range(states, (from, to) -> PolicyProducts.plus(from, to, actions, policy, expected, -discount, x, y));
    }

    private Csr chain(double[] policy, double discount) {
        PolicyChain known = chain;
        if (known == null) {
            known = new PolicyChain(process.mdp().kernel());
            chain = known;
        }
        process.passes().add(1);
        return known.at(policy, discount);
    }

    /** Soft values of a policy under a reward, exactly; {@code policy.values()} is the guess and the answer. */
    public void evaluate(double[] reward, SoftPolicy policy) {
        double[] payoff = new double[reward.length];
        process.payoff(reward, policy, payoff);
        under(policy.policy()).values(payoff, policy.values());
    }

    /** Linear systems of one policy, prepared once; good until this solver is asked for something else. */
    public Under under(double[] policy) {
        return new Under(policy);
    }

    /** Values and occupancies under a fixed policy, to rounding where nothing else is asked for. */
    public final class Under {
        private final double[] policy;
        private final double discount = process.mdp().discount();
        private final LinearMap matrix;
        private final ChainSystems.Solver linear;

        private Under(double[] policy) {
            this.policy = policy;
            if (process.mdp().undiscounted() && !undiscounted().factor(policy)) {
                throw new ArithmeticException("the process does not end surely under the policy");
            }
            boolean written = process.mdp().kernel().operator() == null;
            matrix = written ? chain(policy, discount) : (x, y) -> products(policy, discount, x, y);
            linear = matrix instanceof Csr rows ? systems.of(rows, false) : systems.ofProducts(matrix, false);
        }

        /** Systems with the transposed matrix. */
        private ChainSystems.Solver backwards() {
            return matrix instanceof Csr entries
                    ? systems.of(entries.transpose(), true)
                    : systems.ofProducts(
                            (x, y) -> {
                                double[] flow = new double[policy.length];
                                int actions = process.mdp().actions();
                                Arrays.setAll(flow, row -> x[row / actions] * policy[row]);
                                process.mdp().kernel().push(flow, y);
                                Arrays.setAll(y, s -> x[s] - discount * y[s]);
                            },
                            true);
        }

        /** x = (I - gamma P_pi)^-1 (sum_a pi payoff), from the guess given. */
        public void values(double[] payoff, double[] x) {
            if (process.mdp().layered()) {
                PolicyProducts.plus(
                        0, states, process.mdp().actions(), policy, payoff, 1, new double[states], residual);
                process.induct(policy, residual, x);
                return;
            }
            if (process.mdp().undiscounted()) {
                process.sweep(payoff, policy, new double[states], x);
                undiscounted().solve(x);
                return;
            }
            double before = Double.POSITIVE_INFINITY;
            long sweeps = sweepLimit();
            boolean solving = true;
            ChainSystems.shift(x, x, -x[0]); // a large constant would only add its rounding; it follows in the end
            SoftProcess.Change change = process.sweep(payoff, policy, x, image);
            while (change.span() > Math.max(8 * floor(image), ROUNDING * Vec.span(image)) && sweeps > 0) {
                // Where conjugate residuals stall (chains of nearly separate traps), plain sweeps still contract.
                solving = solving && change.span() < 0.5 * before;
                before = change.span();
                if (solving) {
                    difference(image, x);
                    double floor = floor(image);
                    linear.solve(residual, step, Math.max(DIGITS * change.span(), floor / 4), floor);
                    add(step, x, -(x[0] + step[0]));
                } else {
                    ChainSystems.shift(image, x, -image[0]);
                    sweeps--;
                }
                change = process.sweep(payoff, policy, x, image);
            }
            ChainSystems.shift(image, x, change.centre(discount));
        }

        /**
         * Several x = (I - gamma P_pi)^-1 b at once, from the guesses given, and only so far that the span of each residual
         * is within its tolerance.
         *
         * @param b by state: payoffs already averaged over the actions
         */
        public void values(double[][] b, double[][] x, double[] tolerance) {
            if (process.mdp().layered()) {
                for (int c = 0; c < b.length; c++) {
                    process.induct(policy, b[c], x[c]);
                }
                return;
            }
            if (process.mdp().undiscounted()) {
                for (int c = 0; c < b.length; c++) {
                    System.arraycopy(b[c], 0, x[c], 0, states);
                    undiscounted().solve(x[c]);
                }
                return;
            }
            double[][] left = new double[b.length][states];
            double[][] correction = new double[b.length][states];
            Parallel.tasks(b.length, c -> {
                matrix.multiply(x[c], left[c]);
                for (int s = 0; s < states; s++) {
                    left[c][s] = b[c][s] - left[c][s];
                }
            });
            process.passes().add(b.length);
            Krylov.Result[] results = linear.solve(left, correction, tolerance);
            Parallel.tasks(b.length, c -> {
                double constant = results[c].mean() / (1 - discount);
                for (int s = 0; s < states; s++) {
                    x[c][s] += correction[c][s] + constant;
                }
            });
        }

        /** Discounted occupancy (I - gamma P_pi')^-1 start, from the guess given. */
        public void occupancy(double[] start, double[] occupancy) {
            if (process.mdp().layered()) {
                process.follow(policy, start, occupancy);
                return;
            }
            if (process.mdp().undiscounted()) {
                System.arraycopy(start, 0, occupancy, 0, states);
                undiscounted().solveTransposed(occupancy);
                return;
            }
            // With the right total mass the error has none, and sums to zero ever after: the slow mode is gone.
            ChainSystems.shift(
                    occupancy,
                    occupancy,
                    (ChainSystems.sum(start) / (1 - discount) - ChainSystems.sum(occupancy)) / states);
            ChainSystems.Solver backwards = backwards();
            double before = Double.POSITIVE_INFINITY;
            long sweeps = sweepLimit();
            boolean solving = true;
            double change = process.occupancy(start, policy, occupancy, image);
            double size = Math.max(Vec.maxAbs(start), Vec.maxAbs(occupancy));
            while (change > ROUNDING * size && sweeps > 0) {
                solving = solving && change < 0.5 * before;
                before = change;
                if (solving) {
                    difference(image, occupancy);
                    ChainSystems.shift(residual, residual, -ChainSystems.sum(residual) / states);
                    backwards.solve(residual, step, DIGITS * Vec.span(residual), 8 * Math.ulp(size));
                    add(step, occupancy, 0);
                } else {
                    System.arraycopy(image, 0, occupancy, 0, states);
                    sweeps--;
                }
                change = process.occupancy(start, policy, occupancy, image);
            }
        }

        /** Sweeps after which gamma^k leaves nothing but rounding. */
        private long sweepLimit() {
            return (long) (20 + 40 / (1 - discount));
        }
    }

    /** The residual span below which rounding speaks, not the model. */
    static double floor(double[] values) {
        return 8 * Math.ulp(1 + Vec.span(values));
    }

    private void difference(double[] x, double[] y) {
        Parallel.range(states, (from, to) -> {
            for (int i = from; i < to; i++) {
                residual[i] = x[i] - y[i];
            }
        });
    }

    private static void add(double[] x, double[] to, double constant) {
        Parallel.range(x.length, (from, end) -> {
            for (int i = from; i < end; i++) {
                to[i] += x[i] + constant;
            }
        });
    }
}
