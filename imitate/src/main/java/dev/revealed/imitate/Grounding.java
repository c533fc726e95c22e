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
 *   <li>Negative where the demonstrations terminate more often per step than the first episodes of the agent, which has
 *       learnt nothing then: terminating is what the expert is good at.
 *   <li>Positive elsewhere, in particular where no demonstration terminated: an expert that terminates less often than an
 *       agent without skill cannot have wanted to.
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
    private int sign = 1; // of the rewards; 0 in runs from before there was one, if a demonstration terminated

    public Grounding(RewardProblem.Ground settings, AfterEnd afterEnd, Episodes demonstrations) {
        this.settings = settings;
        applies = settings.ground() && afterEnd == AfterEnd.MASK;
        terminated = demonstrations.all().stream().anyMatch(one -> one.ending() == Ending.TERMINATED);
    }

    /** Chooses the sign, before the first move. */
    public void choose(ExpertAndAgent sides, Episodes agent) {
        sign = sides.expertTerminatesSooner(agent) ? -1 : 1;
    }

    /** Whether there is a constant to choose. */
    public boolean applies() {
        return applies && sign != 0;
    }

    /**
     * How far the constant moves.
     *
     * @param first whether it goes all the way, as the first move does
     */
    public double move(VisitRewards expert, VisitRewards agent, boolean first) {
        double worst = Math.min(expert.low(), agent.low());
        double margin = MARGIN * Math.max(0, expert.mean() - worst);
        double gap = sign > 0 ? margin - worst : -margin - Math.max(expert.high(), agent.high());
        return (first ? 1 : settings.groundPace()) * gap;
    }

    public void save(Tensors into) {
        into.put(SIGN, sign);
    }

    /** Runs from before there was a sign made rewards positive, or were not grounded where a demonstration terminated. */
    public void restore(Tensors from) {
        sign = from.has(SIGN) ? (int) from.longs(SIGN)[0] : terminated ? 0 : 1;
    }
}
