package dev.revealed.mdp;

import dev.revealed.numeric.RandomStream;

/**
 * Algorithm 1, ML-IRL: one soft policy step, then one gradient step on the reward. What varies - how the policy is
 * evaluated, how the gradient is estimated, how far to step - are its three collaborators; what the reward, the policy and
 * the gradient are is theirs alone (arrays here, networks elsewhere).
 *
 * @param <R> reward parameters
 * @param <P> policy
 * @param <G> gradient
 */
public record SingleLoop<R, P, G>(Lower<R, P> lower, Score<R, P, G> score, Step<R, G> step) {

    /** One soft policy step under the current reward; may reuse the storage of the policy it is given. */
    @FunctionalInterface
    public interface Lower<R, P> {
        P improve(P policy, R reward);
    }

    /** Expert minus agent: the gradient of the likelihood under the current policy. */
    @FunctionalInterface
    public interface Score<R, P, G> {
        G at(R reward, P policy, RandomStream stream);
    }

    /** The reward update. */
    @FunctionalInterface
    public interface Step<R, G> {
        R next(R reward, G gradient, int k);
    }

    /** Where the loop stands. */
    public record Iterate<R, P>(int k, R reward, P policy, RandomStream stream) {
        Iterate<R, P> then(P nextPolicy, R nextReward) {
            return new Iterate<>(k + 1, nextReward, nextPolicy, stream);
        }
    }

    /** Sees theta_k with the gradient and pi_(k+1) found there; answers whether to go on. */
    @FunctionalInterface
    public interface Watcher<R, P, G> {
        boolean goOn(int k, R reward, P improved, G gradient);
    }

    /** Iterations k, k+1, ... until the watcher has seen enough. */
    public Iterate<R, P> run(Iterate<R, P> start, Watcher<R, P, G> watcher) {
        Iterate<R, P> i = start;
        while (true) {
            P policy = lower.improve(i.policy(), i.reward()); // policy evaluation and improvement
            G gradient = score.at(i.reward(), policy, i.stream()); // data sampling I and II, gradient
            if (!watcher.goOn(i.k(), i.reward(), policy, gradient)) {
                return new Iterate<>(i.k(), i.reward(), policy, i.stream());
            }
            i = i.then(policy, step.next(i.reward(), gradient, i.k())); // reward update
        }
    }
}
