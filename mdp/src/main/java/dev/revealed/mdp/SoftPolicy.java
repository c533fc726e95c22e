package dev.revealed.mdp;

import java.util.Arrays;

/**
 * A policy with its soft values and the occupancy of its agent, as the single loop keeps them between iterations. The
 * loop improves it in place; {@link #copy} keeps one.
 *
 * @param values soft value of each state
 * @param logPolicy log pi(a|s) by row
 * @param policy pi(a|s) by row
 * @param occupancy discounted visits of each state from the likelihood's start measure
 */
public record SoftPolicy(double[] values, double[] logPolicy, double[] policy, double[] occupancy) {

    /** The reference policy with values zero: where every run starts. */
    public static SoftPolicy start(SoftProcess process) {
        Mdp mdp = process.mdp();
        SoftPolicy start = new SoftPolicy(
                new double[mdp.states()], new double[mdp.rows()], new double[mdp.rows()], new double[mdp.states()]);
        for (int row = 0; row < mdp.rows(); row++) {
            start.logPolicy[row] = process.cost().logWeight(row) - Math.log(mdp.actions());
            start.policy[row] = Math.exp(start.logPolicy[row]);
        }
        Arrays.setAll(
                start.occupancy,
                s -> mdp.undiscounted() || mdp.layered() ? mdp.start()[s] : mdp.start()[s] / (1 - mdp.discount()));
        start.end(mdp);
        return start;
    }

    /** Where a process without discount has ended nothing is chosen any more, and the value is 0. */
    void end(Mdp mdp) {
        for (int end : mdp.ends()) {
            values[end] = 0;
            Arrays.fill(policy, end * mdp.actions(), (end + 1) * mdp.actions(), 0);
        }
    }

    public SoftPolicy copy() {
        return new SoftPolicy(values.clone(), logPolicy.clone(), policy.clone(), occupancy.clone());
    }
}
