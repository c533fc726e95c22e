package dev.revealed.data;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import java.util.Optional;

/**
 * A decision process with what its files say besides.
 *
 * @param mdp transition law, discount and start distribution
 * @param startGiven whether a start distribution was given; otherwise the process starts anywhere with equal chance
 * @param features what the reward depends on
 * @param reference the reference policy pi0, row by row
 * @param trueReward the reward that made the data, row by row, where it is known
 * @param shockScale scale of the shocks by state, where it depends on the state
 */
public record ProcessData(
        Mdp mdp,
        boolean startGiven,
        Optional<LinearReward> features,
        Optional<double[]> reference,
        Optional<double[]> trueReward,
        Optional<double[]> shockScale) {

    public ProcessData(
            Mdp mdp,
            boolean startGiven,
            Optional<LinearReward> features,
            Optional<double[]> reference,
            Optional<double[]> trueReward) {
        this(mdp, startGiven, features, reference, trueReward, Optional.empty());
    }

    /** The same with another true reward. */
    public ProcessData withTrueReward(double[] rows) {
        return new ProcessData(mdp, startGiven, features, reference, Optional.of(rows), shockScale);
    }

    /** What deliberate choice costs here, at a temperature. */
    public InformationCost cost(double temperature) {
        InformationCost plain = reference
                .map(pi0 -> InformationCost.of(temperature, mdp.actions(), pi0))
                .orElseGet(() -> InformationCost.ofTemperature(temperature));
        return shockScale.map(plain::scaled).orElse(plain);
    }
}
