package dev.revealed.imitate;

import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.Tensors;

/**
 * Chooses the constant in the reward where nothing follows termination. The likelihood does not determine it, because rows
 * of expert and agent have the same total weight; but it decides whether terminating early pays. It is moved until nearly
 * all rewards have the sign that the expert's episodes ask for:
 *
 * <ul>
 *   <li>Positive where no demonstration terminated, or those that did took longer than the first episodes of the agent,
 *       which has learnt nothing then: an expert that kept going so long cannot have wanted to terminate.
 *   <li>Negative where the demonstrations were shorter than those: terminating is what the expert is good at.
 * </ul>
 *
 * The lowest (or highest) one in a hundred rows is ignored and the constant moves gradually, so single rewards may still
 * have the other sign; values, which include entropy, may have any.
 */
public final class Grounding {
    private static final double MARGIN =
            0.1; // of the lowest reward from 0, as a share of the expert's mean above the lowest

    private static final String SIGN = "imitate.sign"; // in checkpoints

    private final RewardProblem.Ground settings;
    private final boolean applies;
    private final boolean terminated;
    private int sign; // of the rewards; 0 before the first step

    public Grounding(RewardProblem.Ground settings, AfterEnd afterEnd, Episodes demonstrations) {
        this.settings = settings;
        applies = settings.ground() && afterEnd == AfterEnd.MASK;
        terminated = demonstrations.all().stream().anyMatch(one -> one.ending() == Ending.TERMINATED);
    }

    /** Whether there is a constant to choose. */
    public boolean applies() {
        return applies;
    }

    /**
     * How far the constant moves. The first step goes all the way.
     *
     * @param length of the agent's episodes relative to the expert's
     */
    public double move(VisitRewards expert, VisitRewards agent, double length) {
        boolean first = sign == 0;
        if (first) {
            sign = terminated && length > 1 ? -1 : 1;
        }
        double worst = Math.min(expert.low(), agent.low());
        double margin = MARGIN * Math.max(0, expert.mean() - worst);
        double gap = sign > 0 ? margin - worst : -margin - Math.max(expert.high(), agent.high());
        return (first ? 1 : settings.groundPace()) * gap;
    }

    public void save(Tensors into) {
        into.put(SIGN, sign);
    }

    /** Checkpoints from before there was a sign have positive rewards. */
    public void restore(Tensors from) {
        sign = from.has(SIGN) ? (int) from.longs(SIGN)[0] : 1;
    }
}
