package dev.revealed.mdp;

import dev.revealed.mdp.kernel.EndingProcess;
import dev.revealed.mdp.kernel.PolicyProducts;
import dev.revealed.mdp.shock.Shocks;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Sweeps;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A decision process whose agent pays an information cost. Its operators are those that all methods consist of; each is
 * one pass over the kernel, and is counted. Results do not depend on the number of threads. One job at a time uses an
 * instance.
 */
public final class SoftProcess {
    private final Mdp mdp;
    private final InformationCost cost;
    private final Passes passes;
    private final ThreadLocal<Sweeps.Scratch> scratch;
    private final double[] blockMin;
    private final double[] blockMax;
    private final double[] rowBuffer;
    private @Nullable SoftSolver solver;

    /**
     * Smallest and largest change of a value in one pass: what the span seminorm and its bounds are made of. Without
     * discount the values of ended states never change, so that the span is a norm.
     */
    public record Change(double min, double max) {
        public double span() {
            return max - min;
        }

        /** What to add to the new values so that they lie in the middle of the bounds on the fixed point, where these are known. */
        public double centre(double discount) {
            return discount == 1 ? 0 : discount / (1 - discount) * 0.5 * (min + max);
        }
    }

    public SoftProcess(Mdp mdp, InformationCost cost) {
        this.mdp = mdp;
        this.cost = cost;
        double[] logWeight = cost.logWeight();
        if (logWeight != null && logWeight.length != mdp.rows()) {
            throw new BadInput(
                    "the reference policy has %d rows, the process %d".formatted(logWeight.length, mdp.rows()),
                    "Give one probability per state and action.");
        }
        double[] scale = cost.scale();
        if (scale != null && scale.length != mdp.states()) {
            throw new BadInput(
                    "the scale of the shocks is given for %d states, the process has %d"
                            .formatted(scale.length, mdp.states()),
                    "Give one scale per state.");
        }
        scratch = ThreadLocal.withInitial(() -> new Sweeps.Scratch(mdp.actions()));
        blockMin = new double[Parallel.blocks(mdp.states())];
        blockMax = new double[blockMin.length];
        rowBuffer = new double[mdp.rows()];
        passes = new Passes();
    }

    /** The same process seen with another discount; shares the pass count and the buffers. */
    private SoftProcess(SoftProcess other, double discount) {
        mdp = new Mdp(other.mdp.kernel(), discount, other.mdp.start());
        cost = other.cost;
        passes = other.passes;
        scratch = other.scratch;
        blockMin = other.blockMin;
        blockMax = other.blockMax;
        rowBuffer = other.rowBuffer;
    }

    SoftProcess withDiscount(double discount) {
        return new SoftProcess(this, discount);
    }

    public Mdp mdp() {
        return mdp;
    }

    public InformationCost cost() {
        return cost;
    }

    public Passes passes() {
        return passes;
    }

    /** The solver all exact answers of this process share, since its work space is many vectors; made on first use. */
    public SoftSolver solver() {
        SoftSolver made = solver;
        if (made == null) {
            made = new SoftSolver(this);
            solver = made;
        }
        return made;
    }

    /** Soft Bellman backup: next = T values. */
    public Change backup(double[] reward, double[] values, double[] next) {
        return improve(reward, values, next, null);
    }

    /** The backup together with the policy, if any, that is soft-greedy for {@code values}: evaluation's result, improved. */
    public Change improve(double[] reward, double[] values, double[] next, @Nullable SoftPolicy policy) {
        if (cost.shocks() != null) {
            actionValues(reward, values, rowBuffer);
            return choose(cost.shocks(), 0, mdp.states(), rowBuffer, values, next, policy);
        }
        passes.add(1);
        Sweeps.Rows kernel = mdp.kernel().sweepRows();
        double[] ahead = mdp.kernel().ahead(values);
        Parallel.range(mdp.states(), (from, to) -> {
            Sweeps.Scratch own = scratch.get();
            Sweeps.softBackup(
                    from,
                    to,
                    mdp.actions(),
                    kernel,
                    reward,
                    cost.logWeight(),
                    mdp.discount(),
                    cost.temperature(),
                    cost.scale(),
                    ahead,
                    values,
                    next,
                    policy == null ? null : policy.logPolicy(),
                    policy == null ? null : policy.policy(),
                    own);
            note(from, own);
        });
        if (mdp.undiscounted()) {
            return ended(values, next, policy);
        }
        return change();
    }

    /** Expected maxima and choice probabilities of some states under shocks that are not independent Gumbel ones. */
    private Change choose(
            Shocks shocks,
            int first,
            int end,
            double[] q,
            double[] values,
            double[] next,
            @Nullable SoftPolicy policy) {
        double[] range = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        Parallel.range(
                end - first,
                (from, to) -> shocks.chooseEach(
                        first + from,
                        first + to,
                        mdp.actions(),
                        q,
                        cost.logWeight(),
                        next,
                        policy == null ? null : policy.logPolicy(),
                        policy == null ? null : policy.policy()));
        for (int s = first; s < end; s++) {
            range[0] = Math.min(range[0], next[s] - values[s]);
            range[1] = Math.max(range[1], next[s] - values[s]);
        }
        checkNumbers(Double.isNaN(range[1]));
        return new Change(range[0], range[1]);
    }

    /** Undoes the backup where the process has ended. */
    private Change ended(double[] values, double[] next, @Nullable SoftPolicy policy) {
        for (int end : mdp.ends()) {
            next[end] = 0;
        }
        if (policy != null) {
            policy.end(mdp);
        }
        double min = 0;
        double max = 0;
        for (int s = 0; s < next.length; s++) {
            double change = next[s] - values[s];
            checkNumbers(Double.isNaN(change));
            min = Math.min(min, change);
            max = Math.max(max, change);
        }
        return new Change(min, max);
    }

    /** One sweep of soft policy evaluation under {@code policy}. */
    public Change evaluate(double[] reward, SoftPolicy policy, double[] values, double[] next) {
        payoff(reward, policy, rowBuffer);
        return sweep(rowBuffer, policy.policy(), values, next);
    }

    /** next = sum_a policy (payoff + gamma P values): evaluation of any payoff, a reward's derivative included. */
    public Change sweep(double[] payoff, double[] policy, double[] values, double[] next) {
        passes.add(1);
        Sweeps.Rows kernel = mdp.kernel().sweepRows();
        double[] ahead = mdp.kernel().ahead(values);
        Parallel.range(mdp.states(), (from, to) -> {
            Sweeps.Scratch own = scratch.get();
            Sweeps.evaluate(from, to, mdp.actions(), kernel, payoff, policy, mdp.discount(), ahead, values, next, own);
            note(from, own);
        });
        return change();
    }

    /** Optimal values and policy of a process with a horizon, by backward induction: one pass. */
    void induct(double[] reward, SoftPolicy policy) {
        Kernel.Operator periods = periods();
        double[] values = policy.values();
        double[] expected = new double[mdp.rows()];
        for (int layer = periods.layers() - 1; layer >= 0; layer--) {
            periods.expect(layer, values, expected);
            int first = layer * (mdp.states() / periods.layers());
            Shocks shocks = cost.shocks();
            if (shocks != null) {
                int end = first + mdp.states() / periods.layers();
                for (int row = first * mdp.actions(); row < end * mdp.actions(); row++) {
                    rowBuffer[row] = reward[row] + mdp.discount() * expected[row];
                }
                choose(shocks, first, end, rowBuffer, values, values, policy);
                continue;
            }
            Parallel.range(mdp.states() / periods.layers(), (from, to) -> {
                Sweeps.Scratch own = scratch.get();
                Sweeps.softBackup(
                        first + from,
                        first + to,
                        mdp.actions(),
                        mdp.kernel().sweepRows(),
                        reward,
                        cost.logWeight(),
                        mdp.discount(),
                        cost.temperature(),
                        cost.scale(),
                        expected,
                        values,
                        values,
                        policy.logPolicy(),
                        policy.policy(),
                        own);
            });
        }
        passes.add(1);
        checkNumbers(!Vec.isFinite(values));
    }

    /** x = b + gamma P_pi x of a process with a horizon, by backward induction: one pass. */
    void induct(double[] policy, double[] b, double[] x) {
        Kernel.Operator periods = periods();
        int actions = mdp.actions();
        double[] expected = new double[mdp.rows()];
        int size = mdp.states() / periods.layers();
        for (int layer = periods.layers() - 1; layer >= 0; layer--) {
            periods.expect(layer, x, expected);
            PolicyProducts.plus(layer * size, (layer + 1) * size, actions, policy, expected, mdp.discount(), b, x);
        }
        passes.add(1);
    }

    /** Occupancy under a policy of a process with a horizon, forwards: one pass. */
    void follow(double[] policy, double[] start, double[] occupancy) {
        Kernel.Operator periods = periods();
        int size = mdp.states() / periods.layers();
        int actions = mdp.actions();
        double[] arriving = new double[mdp.states()];
        double[] flow = new double[mdp.rows()];
        for (int layer = 0; layer < periods.layers(); layer++) {
            for (int s = layer * size; s < (layer + 1) * size; s++) {
                occupancy[s] = start[s] + mdp.discount() * arriving[s];
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    flow[row] = occupancy[s] * policy[row];
                }
            }
            periods.push(layer, flow, arriving);
        }
        passes.add(1);
    }

    private static void checkNumbers(boolean bad) {
        BadInput.when(
                bad,
                "a soft value became NaN: a reward is NaN or infinite, or a state has no available action",
                "Check the rewards and the reference policy; every state needs an action it may take.");
    }

    private Kernel.Operator periods() {
        return Objects.requireNonNull(mdp.kernel().operator());
    }

    /** Reward less information cost, row by row, in the convention of the design page. */
    public void payoff(double[] reward, SoftPolicy policy, double[] payoff) {
        BadInput.when(
                cost.shocks() != null,
                "what a policy costs in information is known for Gumbel shocks only, and these are others",
                "Use nfxp, which solves the model instead of valuing policies.");
        int actions = mdp.actions();
        Parallel.range(mdp.rows(), (from, to) -> {
            for (int row = from; row < to; row++) {
                payoff[row] = policy.policy()[row] == 0
                        ? 0
                        : reward[row]
                                - cost.temperature(row / actions) * (policy.logPolicy()[row] - cost.logWeight(row));
            }
        });
    }

    /** q = reward + gamma P values. */
    public void actionValues(double[] reward, double[] values, double[] q) {
        passes.add(1);
        Sweeps.Rows kernel = mdp.kernel().sweepRows();
        double[] ahead = mdp.kernel().ahead(values);
        Parallel.range(mdp.rows(), (from, to) -> Sweeps.affine(from, to, kernel, reward, mdp.discount(), ahead, q));
    }

    /**
     * By what factor the exponentiated rewards of a process without discount grow per step if it is kept from ending: the
     * exponential of the most that reward and entropy come to per step, in units of the temperature, among policies that
     * never risk the end. Values exist where it is below 1. With certain transitions it is the spectral radius of their
     * matrix; 0 where nothing keeps the process going.
     */
    public double spectralRadius(double[] reward) {
        return new EndingProcess(mdp, cost).spectralRadius(reward);
    }

    /** What is expected after the rows of some states, discounted: by state and action. */
    double[] expected(int[] states, double[] values) {
        int actions = mdp.actions();
        passes.add(mdp.kernel().operator() == null ? 0 : 1);
        double[] ahead = mdp.kernel().ahead(values);
        double[] expected = new double[states.length * actions];
        Arrays.setAll(expected, i -> mdp.expected(states[i / actions] * actions + i % actions, ahead));
        return expected;
    }

    /** One sweep of discounted occupancy: next = start + gamma P_pi' occupancy. Returns the largest change. */
    public double occupancy(double[] start, double[] policy, double[] occupancy, double[] next) {
        Parallel.range(mdp.states(), (from, to) -> Sweeps.flow(from, to, mdp.actions(), occupancy, policy, rowBuffer));
        gather(start, mdp.discount(), rowBuffer, next);
        double largest = 0;
        for (int s = 0; s < next.length; s++) {
            largest = Math.max(largest, Math.abs(next[s] - occupancy[s]));
        }
        return largest;
    }

    /** Sweeps of the policy's occupancy, until nothing changes by more than the tolerance; {@code next} is overwritten. */
    void occupancy(double[] start, SoftPolicy policy, double[] next, double tolerance, int most) {
        double change = Double.POSITIVE_INFINITY;
        for (int i = 0; i < most && change > tolerance; i++) {
            change = occupancy(start, policy.policy(), policy.occupancy(), next);
            System.arraycopy(next, 0, policy.occupancy(), 0, next.length);
        }
    }

    /** next(s') = sum over rows of P(s'|row) x(row). */
    public void push(double[] x, double[] next) {
        gather(new double[mdp.states()], 1, x, next);
    }

    private void gather(double[] start, double discount, double[] flow, double[] next) {
        passes.add(1);
        if (mdp.kernel().operator() != null) {
            double[] arriving = new double[next.length];
            mdp.kernel().push(flow, arriving);
            Parallel.range(next.length, (from, to) -> {
                for (int s = from; s < to; s++) {
                    next[s] = Math.fma(discount, arriving[s], start[s]);
                }
            });
            return;
        }
        Kernel.Incoming incoming = mdp.kernel().incoming();
        Sweeps.Rows rows = new Sweeps.Rows(incoming.start(), incoming.row(), incoming.probability());
        Parallel.range(mdp.states(), (from, to) -> Sweeps.affine(from, to, rows, start, discount, flow, next));
    }

    private void note(int from, Sweeps.Scratch own) {
        blockMin[from / Parallel.BLOCK] = own.minChange();
        blockMax[from / Parallel.BLOCK] = own.maxChange();
    }

    private Change change() {
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (int block = 0; block < blockMin.length; block++) {
            min = Math.min(min, blockMin[block]);
            max = Math.max(max, blockMax[block]);
        }
        checkNumbers(Double.isNaN(max));
        return new Change(min, max);
    }
}
