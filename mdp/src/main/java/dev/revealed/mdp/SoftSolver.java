package dev.revealed.mdp;

import dev.revealed.numeric.Csr;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Krylov;
import dev.revealed.numeric.Multigrid;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import org.jspecify.annotations.Nullable;

/**
 * Exact answers on a soft process: optimal values, values of a policy, occupancies.
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
            if (!converged) {
                throw new ArithmeticException("soft values did not converge by %s: span of the residual %.2g"
                        .formatted(method, residualSpan));
            }
            return this;
        }
    }

    /** Sweeps are preferred to Newton while they are expected to finish within this many. */
    private static final int PATIENCE = 200;

    private static final int PROBE = 10;
    private static final double FIRST_HORIZON = 100;
    private static final double SHORTEST_STRIDE = 1.1;
    private static final double STAGE_TOLERANCE = 0.05;
    private static final int NEWTON_LIMIT = 40;
    private static final int PRODUCT_LIMIT = 40;
    private static final int DEPTH = 30;

    /** Elimination costs states^3; up to here it is faster than the sweeps it stands in for. */
    private static final int ELIMINATION_LIMIT = 1000;

    /** A residual this small relative to the answer that will not shrink is rounding. */
    private static final double ROUNDING = 1e-12;

    private final SoftProcess process;
    private final Method method;
    private final int states;
    private final double[] image;
    private final double[] residual;
    private final double[] step;
    private final Krylov krylov;
    private @Nullable PolicyChain chain;
    private int newtonSteps;

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
        krylov = new Krylov(states, DEPTH);
    }

    /**
     * Optimal values and policy, from the values given (zero is a cold start) until the residual and the estimated error
     * are within the tolerance in span.
     */
    public Solution solve(double[] reward, SoftPolicy policy, double tolerance) {
        return solve(reward, policy, tolerance, ProgressListener.NONE);
    }

    public Solution solve(double[] reward, SoftPolicy policy, double tolerance, ProgressListener listener) {
        newtonSteps = 0;
        double[] values = policy.values();
        boolean cold = Vec.maxAbs(values) == 0;
        Measure end = method == Method.AUTOMATIC || method == Method.VALUE_ITERATION
                ? sweep(reward, values, tolerance, method == Method.AUTOMATIC ? PATIENCE : Integer.MAX_VALUE, listener)
                : Measure.NONE;
        if (!end.done && method != Method.VALUE_ITERATION) {
            double[] guess = values.clone();
            end = cold
                    ? climb(reward, policy, tolerance, listener)
                    : newton(process, reward, policy, tolerance, tolerance, listener);
            if (!end.done && !cold) {
                java.util.Arrays.fill(values, 0);
                end = climb(reward, policy, tolerance, listener);
            }
            if (!end.done) {
                if (!Vec.isFinite(values)) {
                    System.arraycopy(guess, 0, values, 0, states);
                }
                end = sweep(reward, values, tolerance, Integer.MAX_VALUE, listener);
            }
        }
        SoftProcess.Change change = process.improve(reward, values, image, policy);
        shift(image, values, change.centre(process.mdp().discount()));
        return new Solution(name(), end.done, newtonSteps, end.residual, end.error);
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
    private Measure climb(double[] reward, SoftPolicy policy, double tolerance, ProgressListener listener) {
        double[] values = policy.values();
        double[] kept = values.clone();
        double target = 1 / (1 - process.mdp().discount());
        double reached = FIRST_HORIZON / 2;
        double stride = 2;
        while (true) {
            boolean last = reached * stride > 0.999 * target; // a stage short of it by rounding would never end
            double horizon = last ? target : reached * stride;
            Measure end = last
                    ? newton(process, reward, policy, tolerance, tolerance, listener)
                    : newton(
                            process.withDiscount(1 - 1 / horizon),
                            reward,
                            policy,
                            STAGE_TOLERANCE * process.cost().temperature(),
                            Double.POSITIVE_INFINITY,
                            listener);
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
    private Measure sweep(double[] reward, double[] values, double tolerance, int patience, ProgressListener listener) {
        double before = Double.NaN;
        double limit = 20 + 40 / (1 - process.mdp().discount());
        for (int k = 1; ; k++) {
            SoftProcess.Change change = process.backup(reward, values, image);
            shift(image, values, -image[0]);
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
            SoftProcess at,
            double[] reward,
            SoftPolicy policy,
            double residualTolerance,
            double errorTolerance,
            ProgressListener listener) {
        double[] values = policy.values();
        double discount = at.mdp().discount();
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
            double forcing = Double.isNaN(last) ? 0.1 : Math.max(1e-3, Math.min(0.1, Math.pow(span / last, 1.5)));
            if (method == Method.POLICY_ITERATION) {
                forcing = 1e-10;
            }
            last = span;
            difference(image, values);
            double left = correct(policy.policy(), discount, Math.max(forcing * span, floor / 4));
            newtonSteps++;
            error = Vec.span(step);
            boolean useful = left <= Math.max(0.5 * span, 4 * floor);
            if (!useful || !Double.isFinite(error)) {
                return new Measure(false, span, error);
            }
            add(step, values, -(values[0] + step[0]));
            if (good && error <= errorTolerance) {
                return new Measure(true, span, error);
            }
        }
        return new Measure(false, span, error);
    }

    /** step = (I - gamma P_pi)^-1 residual up to a constant, to a span of {@code target}; returns the span reached. */
    private double correct(double[] policy, double discount, double target) {
        Csr matrix = chain(policy, discount);
        Multigrid multigrid = new Multigrid(matrix);
        Krylov.Result result = krylov.solve(matrix, multigrid, residual, step, target, PRODUCT_LIMIT);
        process.passes().add(result.products() + (long) Math.ceil(multigrid.passes()));
        if (result.span() > target && direct(matrix)) {
            return 0;
        }
        return result.span();
    }

    /**
     * step = matrix^-1 residual by elimination, for chains of nearly separate traps where conjugate residuals stall; false
     * where the matrix is too large for it.
     */
    private boolean direct(Csr matrix) {
        if (states > ELIMINATION_LIMIT) {
            return false;
        }
        double[][] dense = new double[states][states];
        for (int i = 0; i < states; i++) {
            for (int k = matrix.start()[i]; k < matrix.start()[i + 1]; k++) {
                dense[i][matrix.column()[k]] += matrix.value()[k];
            }
        }
        process.passes().add(states / 3); // what elimination costs in passes, to the order of magnitude
        return Dense.solve(dense, residual)
                .map(solution -> {
                    System.arraycopy(solution, 0, step, 0, states);
                    return true;
                })
                .orElse(false);
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

    /** Values and occupancies under a fixed policy, to rounding. */
    public final class Under {
        private final double[] policy;
        private final double discount = process.mdp().discount();
        private final Csr matrix;

        private Under(double[] policy) {
            this.policy = policy;
            matrix = chain(policy, discount);
        }

        /** x = (I - gamma P_pi)^-1 (sum_a pi payoff), from the guess given. */
        public void values(double[] payoff, double[] x) {
            Multigrid multigrid = new Multigrid(matrix);
            double before = Double.POSITIVE_INFINITY;
            long sweeps = sweepLimit();
            boolean solving = true;
            boolean eliminated = false;
            SoftProcess.Change change = process.sweep(payoff, policy, x, image);
            // The answer has a constant part of its own, unlike optimal values, which are kept centred: it rounds with
            // them.
            while (change.span() > 64 * Math.ulp(1 + Vec.maxAbs(image)) && sweeps > 0) {
                // Where conjugate residuals stall (chains of nearly separate traps), plain sweeps still contract.
                solving = solving && change.span() < 0.5 * before;
                if (!solving && change.span() <= ROUNDING * (1 + Vec.maxAbs(image))) {
                    break;
                }
                before = change.span();
                if (!solving && !eliminated) {
                    eliminated = true;
                    difference(image, x);
                    if (direct(matrix)) {
                        add(step, x, 0);
                        change = process.sweep(payoff, policy, x, image);
                        continue;
                    }
                }
                if (solving) {
                    difference(image, x);
                    double target = Math.max(1e-8 * change.span(), 2 * Math.ulp(1 + Vec.maxAbs(image)));
                    count(krylov.solve(matrix, multigrid, residual, step, target, PRODUCT_LIMIT));
                    add(step, x, 0);
                } else {
                    shift(image, x, change.centre(discount));
                    sweeps--;
                }
                change = process.sweep(payoff, policy, x, image);
            }
            shift(image, x, change.centre(discount));
            process.passes().add((long) Math.ceil(multigrid.passes()));
        }

        /** Discounted occupancy (I - gamma P_pi')^-1 start, from the guess given. */
        public void occupancy(double[] start, double[] occupancy) {
            // With the right total mass the error has none, and sums to zero ever after: the slow mode is gone.
            shift(occupancy, occupancy, (sum(start) / (1 - discount) - sum(occupancy)) / states);
            Csr transposed = matrix.transpose();
            Multigrid multigrid = new Multigrid(transposed);
            double floor = 1e-15 * Math.max(Vec.maxAbs(start), Vec.maxAbs(occupancy));
            double before = Double.POSITIVE_INFINITY;
            long sweeps = sweepLimit();
            boolean solving = true;
            boolean eliminated = false;
            double change = process.occupancy(start, policy, occupancy, image);
            while (change > floor && sweeps > 0) {
                solving = solving && change < 0.5 * before;
                if (!solving && change <= ROUNDING * Math.max(Vec.maxAbs(start), Vec.maxAbs(occupancy))) {
                    break;
                }
                before = change;
                if (!solving && !eliminated) {
                    eliminated = true;
                    difference(image, occupancy);
                    if (direct(transposed)) {
                        add(step, occupancy, 0);
                        change = process.occupancy(start, policy, occupancy, image);
                        continue;
                    }
                }
                if (solving) {
                    difference(image, occupancy);
                    shift(residual, residual, -sum(residual) / states);
                    count(krylov.solve(
                            transposed,
                            (x, y) -> {
                                multigrid.apply(x, y);
                                shift(y, y, -sum(y) / states);
                            },
                            residual,
                            step,
                            1e-6 * Vec.span(residual),
                            PRODUCT_LIMIT));
                    add(step, occupancy, 0);
                } else {
                    System.arraycopy(image, 0, occupancy, 0, states);
                    sweeps--;
                }
                change = process.occupancy(start, policy, occupancy, image);
            }
            process.passes().add((long) Math.ceil(multigrid.passes()));
        }

        private void count(Krylov.Result result) {
            process.passes().add(result.products());
        }

        /** Sweeps after which gamma^k leaves nothing but rounding. */
        private long sweepLimit() {
            return (long) (20 + 40 / (1 - discount));
        }
    }

    /** The residual span below which rounding speaks, not the model. */
    private static double floor(double[] values) {
        return 8 * Math.ulp(1 + Vec.span(values));
    }

    private static double sum(double[] x) {
        return Parallel.sums(x.length, 1, (from, to, sum) -> {
            double own = 0;
            for (int i = from; i < to; i++) {
                own += x[i];
            }
            sum[0] = own;
        })[0];
    }

    private void difference(double[] x, double[] y) {
        Parallel.range(states, (from, to) -> {
            for (int i = from; i < to; i++) {
                residual[i] = x[i] - y[i];
            }
        });
    }

    private static void shift(double[] x, double[] to, double constant) {
        Parallel.range(x.length, (from, end) -> {
            for (int i = from; i < end; i++) {
                to[i] = x[i] + constant;
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
