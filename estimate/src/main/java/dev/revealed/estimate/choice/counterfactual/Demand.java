package dev.revealed.estimate.choice.counterfactual;

import java.util.List;

/**
 * How often an action is expected to be taken against the value of a parameter: engines bought against their price.
 *
 * @param horizon number of periods counted
 * @param individuals number of individuals counted
 * @param values of the parameter
 * @param longRun expected number in the long run: individuals times horizon times share
 * @param fromStart expected number in the first periods from the start distribution
 * @param rejected draws of impossible parameters, which were drawn again
 */
public record Demand(
        String parameter,
        String action,
        int horizon,
        int individuals,
        double[] values,
        Quantities longRun,
        Quantities fromStart,
        int rejected,
        List<String> warnings) {}
