package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.Fit;
import java.util.Optional;

/**
 * All that an estimation of a choice model found.
 *
 * @param fit what the method found, from which tests go on
 * @param bootstrap the replications, where the standard errors are a bootstrap's
 * @param types {@code [individual][type]}: the probability of each unobserved type given what the individual did, where
 *     there are types
 */
public record ChoiceEstimate(
        Estimate estimate, Fit fit, Optional<Bootstrap.Result> bootstrap, Optional<double[][]> types) {

    /** Whether another search than the first found it. */
    public boolean restarted() {
        return estimate.warnings().stream().anyMatch(warning -> warning.contains(CheckedSearch.RESTARTED));
    }
}
