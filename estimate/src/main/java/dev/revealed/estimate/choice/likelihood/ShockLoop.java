package dev.revealed.estimate.choice.likelihood;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.Steps;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;

/**
 * Algorithm 1 on a panel whose shocks are not independent Gumbel ones: a policy step that follows the parameters
 * ({@link RowScores#follow}), then a Fisher step along the score under that policy. Parameters of the shocks move with those of
 * the utility.
 *
 * @param tolerance distance to the maximum, in standard errors, at which the loop ends; the model is solved to be sure
 */
record ShockLoop(int iterations, double tolerance) {

    Fit fit(ChoiceProblem problem, FirstStage first, ProgressListener listener) {
        Reward utility = problem.model().utility();
        RowScores tracked = new RowScores(problem.model(), problem.choiceCounts(), first.phi(), false);
        SingleLoop.Step<double[], Gradient> fisher = Steps.fisher(1);
        SingleLoop<double[], RowScores, Gradient> loop = new SingleLoop<>(
                (policy, theta) -> {
                    policy.follow(theta);
                    return policy;
                },
                (theta, policy, stream) -> score(policy, theta),
                (theta, gradient, k) -> Steps.existing(theta, fisher.next(theta, gradient, k), utility::admits));
        SingleLoop.Iterate<double[], RowScores> last = loop.run(
                new SingleLoop.Iterate<>(0, problem.start(), tracked, RandomStream.of(1)),
                (k, theta, policy, gradient) -> {
                    listener.searching("ml-irl", k, iterations);
                    return k < iterations && !(near(gradient) && near(solved(policy, theta)));
                });
        double distance = solved(tracked, last.reward()).decrement();
        boolean converged = distance <= tolerance;
        String status = "%s %s: %.2g standard errors from the maximum"
                .formatted(converged ? "converged" : "not converged", Search.after(last.k()), distance);
        return Fit.likelihood(last.reward(), first.phi(), new Search(last.k(), converged, status, tracked.passes()));
    }

    private boolean near(Gradient gradient) {
        return gradient.decrement() <= tolerance;
    }

    private static Gradient solved(RowScores policy, double[] theta) {
        policy.solve(theta);
        return score(policy, theta);
    }

    private static Gradient score(RowScores policy, double[] theta) {
        policy.scores(theta);
        return new Gradient(policy.gradient(), policy.information());
    }
}
