package dev.revealed.estimate.offline;

import dev.revealed.estimate.Problem;
import dev.revealed.estimate.RewardBootstrap;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.OffsetReward;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.offline.LoggedDynamics;
import dev.revealed.mdp.offline.MoveCounts;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * What is to be estimated where the transition law is not known: the reward of demonstrations, in the world that a log of
 * moves suggests. The agent is thought to pay {@code caution * U(s, a)} for going where the log leaves the law unsure.
 *
 * @param agent discount, start distribution, information cost and likelihood
 * @param caution weight of the uncertainty; 0 takes the estimated law at its word
 */
public record OfflineProblem(
        Log log, Agent agent, Reward reward, Demonstrations demonstrations, double ridge, double caution) {

    /**
     * What is known of the moves.
     *
     * @param counts of the log, without the demonstrations
     * @param demonstrationsToo whether the moves of the demonstrations are part of the log
     * @param terminal states where the process ends
     */
    public record Log(
            MoveCounts counts, boolean demonstrationsToo, LoggedDynamics.Law law, double prior, Set<Integer> terminal) {
        public Log {
            terminal = Set.copyOf(terminal);
        }

        /**
         * All moves.
         *
         * @param logged in the place of the counts
         * @param times how often each trajectory counts, where the demonstrations are part of the log
         */
        private MoveCounts together(MoveCounts logged, Demonstrations demonstrations, double[] times) {
            return demonstrationsToo
                    ? logged.plus(MoveCounts.of(counts.states(), counts.actions(), demonstrations, times))
                    : logged;
        }

        private LoggedDynamics dynamics(MoveCounts all) {
            return LoggedDynamics.of(all, law, prior, terminal);
        }
    }

    /**
     * What is known of the agent.
     *
     * @param start the start distribution; where there is none the observed starts stand for it
     */
    public record Agent(double discount, Optional<double[]> start, InformationCost cost, Problem.Objective objective) {}

    public OfflineProblem {
        BadInput.notNegative("`caution`", caution);
        BadInput.when(
                log.demonstrationsToo && !demonstrations.hasActions(),
                "the demonstrations are part of the log, but hold no actions",
                "Record the actions, or leave the demonstrations out of the log.");
        BadInput.when(
                caution > 0 && !demonstrations.hasActions(),
                "the demonstrations hold no actions, but the penalty on uncertain moves depends on them",
                "Take `caution` 0, or record the actions.");
    }

    public OfflineProblem withCaution(double other) {
        return new OfflineProblem(log, agent, reward, demonstrations, ridge, other);
    }

    /** From other demonstrations; where they are part of the log, their moves take the place of the former ones' there. */
    public OfflineProblem withDemonstrations(Demonstrations other) {
        return new OfflineProblem(log, agent, reward, other, ridge, caution);
    }

    /** All moves that the law is estimated from. */
    public MoveCounts counts() {
        double[] once = new double[demonstrations.size()];
        Arrays.fill(once, 1);
        return log.together(log.counts, demonstrations, once);
    }

    /** Stage one: the law that the log suggests, and how unsure it is. */
    public LoggedDynamics dynamics() {
        return log.dynamics(counts());
    }

    /** Stage two: the reward of the demonstrations in that world, less the penalty. */
    public Problem problem() {
        return problem(dynamics());
    }

    /** The same in a world that was estimated already. */
    public Problem problem(LoggedDynamics dynamics) {
        Problem problem =
                new Problem(mdp(dynamics), agent.cost, penalised(dynamics), demonstrations, agent.objective, ridge);
        return agent.start.isPresent() ? problem : problem.withObservedStarts();
    }

    private Mdp mdp(LoggedDynamics dynamics) {
        Mdp anywhere = Mdp.uniformStart(dynamics.kernel(), agent.discount);
        return agent.start.map(anywhere::withStart).orElse(anywhere);
    }

    private Reward penalised(LoggedDynamics dynamics) {
        return caution == 0
                ? reward
                : new OffsetReward(
                        reward,
                        Arrays.stream(dynamics.uncertainty())
                                .map(u -> -caution * u)
                                .toArray());
    }

    /** The world of a bootstrap sample: the log resampled, and the moves of the trajectories that are in the sample. */
    RewardBootstrap.World resampled(double[] times, RandomStream stream) {
        LoggedDynamics dynamics = log.dynamics(log.together(log.counts.resampled(stream), demonstrations, times));
        return new RewardBootstrap.World(new SoftProcess(mdp(dynamics), agent.cost), penalised(dynamics));
    }
}
