package dev.revealed.estimate.choice.counterfactual;

import java.util.List;
import java.util.Optional;

/**
 * What a change does, with intervals for what was before, what is after, and the difference, whose errors are those of one
 * estimate and largely cancel.
 *
 * @param horizon number of periods over which actions are counted
 * @param shares of the actions among all decisions in the long run, by action
 * @param longRun expected number of each action per individual within the horizon, in the long run: horizon times share
 * @param fromStart the same in the first periods after the change, from the start distribution
 * @param choiceProbabilities by row, state times number of actions plus action
 * @param stationary long-run distribution over the states
 * @param values expected discounted utility, by state
 * @param rejected draws of impossible parameters, which were drawn again
 */
public record Effects(
        int horizon,
        Comparison shares,
        Comparison longRun,
        Comparison fromStart,
        Welfare welfare,
        Comparison choiceProbabilities,
        Comparison stationary,
        Comparison values,
        int rejected,
        List<String> warnings) {

    /** The same quantities in the model as estimated, in the changed one, and how much they change. */
    public record Comparison(Quantities baseline, Quantities counterfactual, Quantities change) {}

    /**
     * Expected discounted utility, in units of the utility shock's scale unless said otherwise; each has one entry.
     *
     * @param value mean of the values under the start distribution
     * @param annuity the same as an even flow: (1 - discount) times the value
     * @param atStationary mean of the values under the long-run distribution of the model as estimated: for individuals
     *     surprised by the change after living long without it
     * @param flow utility per period in the long run, each model in its own
     * @param valueInNumeraire value over the size of the numeraire's estimated coefficient
     */
    public record Welfare(
            Comparison value,
            Comparison annuity,
            Comparison atStationary,
            Comparison flow,
            Optional<Comparison> valueInNumeraire,
            Optional<Comparison> annuityInNumeraire) {}
}
