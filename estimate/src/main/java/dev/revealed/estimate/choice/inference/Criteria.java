package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.DataChecks;
import dev.revealed.numeric.Vec;

/**
 * What a fit's likelihood is worth for the parameters it took.
 *
 * @param parameters how many were estimated, those of the transition law included
 * @param decisions that were counted, with their weights
 * @param uniformLogLikelihood of the choices, if every available action were as likely as every other
 * @param aic 2 parameters - 2 log-likelihood
 * @param bic log(decisions) parameters - 2 log-likelihood
 * @param pseudoR2 McFadden's: 1 less the ratio of the choices' log-likelihood to the uniform one
 */
public record Criteria(
        int parameters, double decisions, double uniformLogLikelihood, double aic, double bic, double pseudoR2) {

    public static Criteria of(ChoiceProblem problem, Estimate estimate) {
        int k = estimate.parameters().size();
        double n = Vec.sum(problem.choiceCounts());
        double uniform = DataChecks.uniformLogLikelihood(problem);
        double value = estimate.logLikelihood();
        return new Criteria(
                k,
                n,
                uniform,
                2.0 * k - 2 * value,
                Math.log(n) * k - 2 * value,
                1 - estimate.choiceLogLikelihood().orElse(Double.NaN) / uniform);
    }
}
