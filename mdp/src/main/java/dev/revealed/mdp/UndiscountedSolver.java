package dev.revealed.mdp;

import dev.revealed.mdp.kernel.EndingProcess;
import dev.revealed.numeric.Csr;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.sparse.SparseSystem;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The half of {@link SoftSolver} for processes that end and have no discount: all systems are solved directly. */
final class UndiscountedSolver {
    static final String NAME = "Newton's method without discount";

    /** Newton steps at most, and a step after which values do not exist. */
    private static final int STEPS = 100;

    private static final double RUNAWAY = 1e12;
    private static final double NEARLY = 1e-7;

    private final SoftProcess process;
    private final Function<double[], Csr> matrix;
    private final BiConsumer<double[], SoftPolicy> evaluate;
    private final int states;
    private final double[] image;
    private @Nullable SparseSystem systems;
    private int newtonSteps;

    /**
     * @param matrix I - P of a policy
     * @param evaluate writes the values of a policy under a reward
     */
    UndiscountedSolver(SoftProcess process, Function<double[], Csr> matrix, BiConsumer<double[], SoftPolicy> evaluate) {
        this.process = process;
        this.matrix = matrix;
        this.evaluate = evaluate;
        states = process.mdp().states();
        image = new double[states];
    }

    /**
     * Values without discount by Newton's method from the values given. Where the first policies hardly ever end, although
     * better ones do, once more from the values of heading for the end: no policy met from there is worse, so each ends in
     * time where values exist.
     */
    SoftSolver.Solution solve(double[] reward, SoftPolicy policy, double tolerance, ProgressListener listener) {
        newtonSteps = 0;
        SoftSolver.Solution found = rise(reward, policy, tolerance, listener);
        boolean other = process.cost().shocks() != null; // then policies are not valued one by one
        if (!found.converged() && !other && headHome(reward, policy)) {
            found = rise(reward, policy, tolerance, listener);
        }
        if (!found.converged()) {
            Arrays.fill(policy.values(), 0);
        }
        return found;
    }

    /**
     * Newton's method without discount, every system solved directly. After its first step values rise from one policy's
     * to the next's, towards the optimal ones where these exist.
     */
    private SoftSolver.Solution rise(double[] reward, SoftPolicy policy, double tolerance, ProgressListener listener) {
        double[] values = policy.values();
        double error = Double.POSITIVE_INFINITY;
        double span = Double.NaN;
        for (int k = 0; k < STEPS; k++) {
            listener.progress("soft values by Newton's method", newtonSteps, 0);
            span = process.improve(reward, values, image, policy).span();
            if (error <= tolerance
                    || (error < NEARLY * (1 + Vec.maxAbs(values)) && span <= 8 * SoftSolver.floor(values))) {
                if (!endsInTime(policy)) {
                    break;
                }
                System.arraycopy(image, 0, values, 0, states);
                return new SoftSolver.Solution(NAME, true, newtonSteps, span, error);
            }
            if (!factor(policy.policy())) {
                break;
            }
            double[] step = Vec.plus(image, -1, values);
            solve(step);
            newtonSteps++;
            double before = error;
            error = Vec.maxAbs(step);
            if (!(error < RUNAWAY)) {
                break;
            }
            Vec.axpy(1, step, values);
            if (error < NEARLY && error >= 0.5 * before) {
                error = 0; // nothing is left but rounding
            }
        }
        return new SoftSolver.Solution(NAME, false, newtonSteps, span, error);
    }

    /** Values of the policy that picks evenly among the actions that may lead nearer to the end; false if that takes for ever. */
    private boolean headHome(double[] reward, SoftPolicy policy) {
        int actions = process.mdp().actions();
        EndingProcess ending = new EndingProcess(process.mdp(), process.cost());
        int[] distance = ending.stepsToEnd();
        Arrays.fill(policy.policy(), 0);
        Arrays.fill(policy.logPolicy(), Double.NEGATIVE_INFINITY);
        for (int s = 0; s < states; s++) {
            int here = s;
            int[] nearer = IntStream.range(s * actions, (s + 1) * actions)
                    .filter(row -> ending.leads(row, next -> distance[next] < distance[here]))
                    .toArray();
            for (int row : nearer) {
                policy.policy()[row] = 1.0 / nearer.length;
                policy.logPolicy()[row] = -Math.log(nearer.length);
            }
        }
        if (!factor(policy.policy())) {
            return false;
        }
        evaluate.accept(reward, policy);
        return Vec.maxAbs(policy.values()) < RUNAWAY;
    }

    /** Whether the process ends within so many steps that rounding does not decide how many. */
    private boolean endsInTime(SoftPolicy policy) {
        if (!factor(policy.policy())) {
            return false;
        }
        double[] steps = new double[states];
        Arrays.fill(steps, 1);
        solve(steps);
        return Vec.maxAbs(steps) < 1 / SoftSolver.ROUNDING_OF_RADIUS;
    }

    /** Prepares the systems of a policy; false where the process does not end surely under it. */
    boolean factor(double[] policy) {
        Csr entries = matrix.apply(policy);
        SparseSystem known = systems;
        if (known == null) {
            known = new SparseSystem(states, entries.start(), entries.column());
            systems = known;
        }
        double[] m = new double[entries.value().length];
        for (int s = 0; s < states; s++) {
            for (int e = entries.start()[s]; e < entries.start()[s + 1]; e++) {
                double value = entries.value()[e];
                m[e] = Math.max(0, entries.column()[e] == s ? 1 - value : -value);
            }
        }
        for (int end : process.mdp().ends()) { // whatever the policy says of them
            Arrays.fill(m, entries.start()[end], entries.start()[end + 1], 0);
        }
        return known.factor(m);
    }

    /** x = (I - P_pi)^-1 x of the policy last prepared, and 0 where the process has ended. */
    void solve(double[] x) {
        for (int end : process.mdp().ends()) {
            x[end] = 0;
        }
        process.passes().add(1);
        Objects.requireNonNull(systems).solve(x);
    }

    /** Expected visits, given where it begins: x = (I - P_pi')^-1 x of the policy last prepared. */
    void solveTransposed(double[] x) {
        process.passes().add(1);
        Objects.requireNonNull(systems).solveTransposed(x);
    }
}
