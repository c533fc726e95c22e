package dev.revealed.mdp.rules;

import dev.revealed.mdp.Reward;
import dev.revealed.numeric.RandomStream;

/**
 * A reward whose parameters have starting values and rules.
 *
 * @param starts where searches begin
 */
public record RuledReward(Reward free, double[] starts, ParameterRules rules) implements Reward.Derived {
    public RuledReward {
        if (starts.length != free.parameters()) {
            throw new IllegalArgumentException(
                    "%d starts of %d parameters".formatted(starts.length, free.parameters()));
        }
        starts = starts.clone();
    }

    @Override
    public boolean stateOnly() {
        return free.stateOnly();
    }

    @Override
    public double[] initial(RandomStream stream) {
        return starts.clone();
    }
}
