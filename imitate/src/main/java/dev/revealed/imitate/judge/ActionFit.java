package dev.revealed.imitate.judge;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.GaussianActor;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import java.util.Objects;

/**
 * How well a policy predicts demonstrated actions, trajectory by trajectory. It needs neither a simulator nor a reward, so it
 * can choose between policies on demonstrations that none of them learnt from.
 *
 * @param unit the largest absolute action of these demonstrations (1 where all are 0): the same for every policy, which a
 *     policy's own bound is not
 * @param logLikelihoods of an action, the mean over a trajectory's steps
 * @param errors root mean squared distance between the policy's mean action and the demonstrated one, as a share of the unit
 */
public record ActionFit(double unit, double[] logLikelihoods, double[] errors) {
    private static final int CHUNK = 1000;

    public static ActionFit of(GaussianActor policy, Episodes demonstrations) {
        BadInput.when(
                !demonstrations.hasActions(),
                "the demonstrations have no actions",
                "Name demonstrations with actions.");
        BadInput.when(
                demonstrations.observationSize() != policy.observations()
                        || demonstrations.actionSize() != policy.actions(),
                "the policy takes %d observations to %d actions, and the demonstrations have %d and %d"
                        .formatted(
                                policy.observations(),
                                policy.actions(),
                                demonstrations.observationSize(),
                                demonstrations.actionSize()),
                "Name demonstrations of the task that it was trained on.");
        GaussianActor worker = policy.worker(CHUNK);
        double unit = unit(demonstrations);
        double[] likelihoods = new double[demonstrations.size()];
        double[] errors = new double[demonstrations.size()];
        for (int i = 0; i < errors.length; i++) {
            Episode one = demonstrations.all().get(i);
            likelihoods[i] = logLikelihood(worker, one) / one.length();
            errors[i] = Math.sqrt(squares(worker, one) / one.length() / policy.actions()) / unit;
        }
        return new ActionFit(unit, likelihoods, errors);
    }

    /** Of these demonstrations, which have actions. */
    public static double unit(Episodes demonstrations) {
        double largest = 0;
        for (Episode one : demonstrations.all()) {
            for (float action : Objects.requireNonNull(one.actions(), "checked before")) {
                largest = Math.max(largest, Math.abs(action));
            }
        }
        return largest > 0 ? largest : 1;
    }

    private static double logLikelihood(GaussianActor policy, Episode one) {
        float[] actions = Objects.requireNonNull(one.actions(), "checked before");
        double sum = 0;
        for (int from = 0; from < one.length(); from += CHUNK) {
            int rows = Math.min(CHUNK, one.length() - from);
            sum += policy.logDensity(
                    rows, one.observations(), from * one.observationSize(), actions, from * one.actionSize());
        }
        return sum;
    }

    private static double squares(GaussianActor policy, Episode one) {
        float[] actions = Objects.requireNonNull(one.actions(), "checked before");
        float[] means = new float[actions.length];
        for (int from = 0; from < one.length(); from += CHUNK) {
            int rows = Math.min(CHUNK, one.length() - from);
            policy.actDeterministic(
                    rows, one.observations(), from * one.observationSize(), means, from * one.actionSize());
        }
        double sum = 0;
        for (int i = 0; i < means.length; i++) {
            double away = (double) means[i] - actions[i];
            sum += away * away;
        }
        return sum;
    }

    public double logLikelihood() {
        return Vec.mean(logLikelihoods);
    }

    public double logLikelihoodError() {
        return Vec.standardError(logLikelihoods);
    }

    public double error() {
        return Vec.mean(errors);
    }

    public double errorStandardError() {
        return Vec.standardError(errors);
    }
}
