package dev.revealed.estimate;

import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.numeric.Vec;
import java.util.OptionalDouble;

/**
 * Lemma 4's value gap at a reward: the soft value of the start under the soft-optimal policy, less that under the expert's
 * policy. For state-only rewards, maximising the likelihood is minimising this gap; it is never negative, and zero where
 * the expert is soft-optimal. The expert's policy is the observed frequencies of actions, and the soft-optimal policy in
 * states where no choice was observed.
 *
 * @param optimalValue expected soft value of the start under the soft-optimal policy
 * @param expertValue the same under the expert's policy; absent without actions
 * @param gap their difference; absent without actions
 * @param sampling what the gap is expected to be if the reward is right, since frequencies of few choices differ from the
 *     policy that made them; absent without actions
 * @param gapPlusEntropy without actions, the gap plus the expert's discounted entropy, which states alone do not reveal
 */
public record ValueGap(
        double optimalValue,
        OptionalDouble expertValue,
        OptionalDouble gap,
        OptionalDouble sampling,
        OptionalDouble gapPlusEntropy) {

    /** From so many choices on, the expected divergence of frequencies is that of a chi-squared variable. */
    private static final int MANY = 1000;

    /** The gap of a problem's demonstrations at parameters of its reward. */
    public static ValueGap of(Problem problem, double[] theta) {
        SoftProcess process = problem.process();
        double[] reward = new double[problem.mdp().rows()];
        problem.reward().finiteValues(theta, reward);
        SoftPolicy optimal = SoftPolicy.start(process);
        process.solver().solve(reward, optimal, ExactLikelihood.TOLERANCE).orThrow();
        double value = Vec.dot(problem.mdp().start(), optimal.values());
        return problem.demonstrations().hasActions()
                ? observed(problem, process, reward, optimal, value)
                : new ValueGap(
                        value,
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        upToEntropy(problem, process, reward, optimal));
    }

    private static ValueGap observed(
            Problem problem, SoftProcess process, double[] reward, SoftPolicy optimal, double value) {
        Mdp mdp = problem.mdp();
        double[] counts = Likelihood.choiceCounts(mdp, problem.demonstrations());
        SoftPolicy expert = optimal.copy();
        double[] divergence = new double[mdp.states()]; // expected of the frequencies, in each state
        for (int s = 0; s < mdp.states(); s++) {
            int begin = s * mdp.actions();
            int end = begin + mdp.actions();
            double visits = 0;
            for (int row = begin; row < end; row++) {
                visits += counts[row];
            }
            if (visits == 0) {
                continue;
            }
            for (int row = begin; row < end; row++) {
                expert.policy()[row] = counts[row] / visits;
                expert.logPolicy()[row] = Math.log(expert.policy()[row]);
            }
            divergence[s] = process.cost().temperature(s) * expectedDivergence(optimal, begin, end, (int) visits);
        }
        process.solver().evaluate(reward, expert);
        process.solver().under(expert.policy()).occupancy(mdp.start(), expert.occupancy());
        double expertValue = Vec.dot(mdp.start(), expert.values());
        return new ValueGap(
                value,
                OptionalDouble.of(expertValue),
                OptionalDouble.of(value - expertValue),
                OptionalDouble.of(Vec.dot(expert.occupancy(), divergence)),
                OptionalDouble.empty());
    }

    /** Expected KL(frequencies of n choices || policy) in one state: entropy of the policy less that of the frequencies. */
    private static double expectedDivergence(SoftPolicy policy, int begin, int end, int n) {
        double sum = 0;
        int possible = 0;
        for (int row = begin; row < end; row++) {
            double p = policy.policy()[row];
            if (p > 0) {
                possible++;
                sum += meanLogFrequency(p, n) - p * policy.logPolicy()[row];
            }
        }
        return n > MANY ? (possible - 1) / (2.0 * n) : sum;
    }

    /** E[(k/n) log(k/n)] of a binomial k. */
    private static double meanLogFrequency(double p, int n) {
        if (p >= 1 || n > MANY) {
            return 0;
        }
        double odds = Math.log(p) - Math.log1p(-p);
        double log = n * Math.log1p(-p);
        double mean = 0;
        for (int k = 1; k <= n; k++) {
            log += Math.log((n - k + 1.0) / k) + odds;
            double share = (double) k / n;
            mean += Math.exp(log) * share * Math.log(share);
        }
        return mean;
    }

    /** Minus the surrogate likelihood, in units of the reward. Another reference policy than the uniform adds the unknown. */
    private static OptionalDouble upToEntropy(
            Problem problem, SoftProcess process, double[] reward, SoftPolicy optimal) {
        if (problem.cost().logWeight() != null) {
            return OptionalDouble.empty();
        }
        double surrogate = new Likelihood.Surrogate(process, problem.demonstrations())
                .value(reward, optimal.values(), optimal.logPolicy());
        return OptionalDouble.of(-problem.cost().temperature() * surrogate);
    }
}
