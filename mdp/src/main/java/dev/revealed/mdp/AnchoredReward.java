package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;

/**
 * A reward whose values for one reference action are known. This is what makes the estimate unique (Corollary 1): without
 * it, rewards that differ by a constant or by shaping with a potential explain the same choices. Parameters of a linear
 * reward that only that action has are dropped.
 *
 * @param known reward of the reference action in each state
 */
public record AnchoredReward(Reward free, int actions, int action, double[] known) implements Reward.Derived {
    public AnchoredReward {
        if (free.stateOnly()) {
            throw new BadInput(
                    "a reference action was given for a state-only reward",
                    "A state-only reward has no separate value for one action; drop the reference action.");
        }
        BadInput.index("reference action", action, actions);
        if (known.length * actions != free.rows()) {
            throw new BadInput(
                    "%d known rewards for %d states".formatted(known.length, free.rows() / actions),
                    "Give the reference action's reward in every state.");
        }
        for (int s = 0; s < known.length; s++) {
            BadInput.finite("the known reward of state " + s, known[s]);
        }
        free = free instanceof LinearReward linear ? linear.without(action) : free;
        known = known.clone();
    }

    @Override
    public void values(double[] theta, double[] rows) {
        free.values(theta, rows);
        for (int s = 0; s < known.length; s++) {
            rows[s * actions + action] = known[s];
        }
    }

    @Override
    public void accumulate(double[] theta, double[] weight, double[] gradient) {
        double[] freeWeight = weight.clone();
        for (int s = 0; s < known.length; s++) {
            freeWeight[s * actions + action] = 0;
        }
        free.accumulate(theta, freeWeight, gradient);
    }

    @Override
    public void derivative(double[] theta, int j, double[] rows) {
        free.derivative(theta, j, rows);
        for (int s = 0; s < known.length; s++) {
            rows[s * actions + action] = 0;
        }
    }
}
