package dev.revealed.studies.theory;

import dev.revealed.estimate.Duality;
import dev.revealed.estimate.MaximumEntropy;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Theorem 2's gap on random processes, each with the features of a random policy: one no reward of the class makes
 * optimal, so that the maximum-entropy policy is not simply the one the features came from.
 */
public final class DualityStudy {
    private DualityStudy() {}

    /** The two problems of one process; see {@link Duality}. */
    public record Gap(
            int process,
            int states,
            int actions,
            int features,
            double discount,
            double primal,
            double dual,
            double gap,
            double policyDistance,
            int newtonSteps,
            int dualIterations) {}

    static List<Gap> run(TheoryStudy.Settings settings, RandomStream stream, ProgressListener listener) {
        List<Gap> gaps = new ArrayList<>();
        for (int i = 0; i < settings.dualityProcesses(); i++) {
            listener.progress("duality", i, settings.dualityProcesses());
            RandomStream own = stream.at(i);
            Mdp mdp = TheoryProblem.process(settings.process(), own.named("process"));
            LinearReward reward = TheoryProblem.features(mdp, settings.process().features() + i, own.named("features"));
            double[] policy = policy(mdp, own.named("policy"));
            Duality duality = Duality.of(mdp, reward, MaximumEntropy.features(mdp, reward, policy));
            gaps.add(new Gap(
                    i + 1,
                    mdp.states(),
                    mdp.actions(),
                    reward.parameters(),
                    mdp.discount(),
                    duality.primal(),
                    duality.dual(),
                    duality.gap(),
                    duality.policyDistance(),
                    duality.newtonSteps(),
                    duality.dualIterations()));
        }
        listener.progress("duality", settings.dualityProcesses(), settings.dualityProcesses());
        return gaps;
    }

    /** In every state a point drawn evenly from the simplex. */
    private static double[] policy(Mdp mdp, RandomStream stream) {
        double[] policy = new double[mdp.rows()];
        for (int begin = 0; begin < policy.length; begin += mdp.actions()) {
            double sum = 0;
            for (int row = begin; row < begin + mdp.actions(); row++) {
                policy[row] = stream.nextExponential();
                sum += policy[row];
            }
            for (int row = begin; row < begin + mdp.actions(); row++) {
                policy[row] /= sum;
            }
        }
        return policy;
    }
}
