package dev.revealed.data;

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
 */
public record ProcessData(
        Mdp mdp,
        boolean startGiven,
        Optional<LinearReward> features,
        Optional<double[]> reference,
        Optional<double[]> trueReward) {}
