package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.studies.MonteCarloStudy;
import dev.revealed.studies.MonteCarloStudy.Row;

/** Shows how often and how fast each method found the maximum. */
final class MonteCarloView {
    private MonteCarloView() {}

    static Outcome of(MonteCarloStudy.Result result) {
        MonteCarloStudy.Settings settings = result.settings();
        Table table = Table.of(
                        result.rows(),
                        decimals("discount", 4, Row::discount),
                        text("method", Row::method),
                        number("fits", 5, Row::fits),
                        number("converged", 5, Row::converged),
                        number("at maximum", 5, Row::atMaximum),
                        number("mean ms", 3, Row::meanMilliseconds),
                        number("largest ms", 3, Row::largestMilliseconds),
                        decimals("iterations", 1, Row::meanIterations),
                        decimals("passes", 0, Row::meanKernelPasses),
                        decimals("RC", 3, Row::meanRC),
                        decimals("(sd)", 3, Row::standardDeviationRC),
                        decimals("theta11", 3, Row::meanTheta11),
                        decimals("(sd)", 3, Row::standardDeviationTheta11))
                .titled("Su and Judd's Monte Carlo: 175 bins, %d observations, %d samples from 5 starts"
                        .formatted(settings.buses() * settings.months(), settings.replications()))
                .note("Milliseconds are CPU time of the thread that makes the fit.")
                .note("At maximum: within 1e-4 of the best log-likelihood any method found on the sample.");
        return Outcome.of(result, "NFXP, ML-IRL and MPEC").table("table", table).notes(result.notes());
    }
}
