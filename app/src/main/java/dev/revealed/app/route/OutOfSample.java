package dev.revealed.app.route;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.estimate.route.RouteValidation.Split;
import java.util.List;
import java.util.Optional;

/** Means over splits of log-likelihoods per trip; the standard error is that of the mean over splits. */
record OutOfSample(
        String by,
        int splits,
        double testLogLikelihoodPerTrip,
        double standardError,
        double trainLogLikelihoodPerTrip,
        List<Split> all) {

    /** What splits say; nothing where there are none. */
    static Optional<OutOfSample> of(String by, List<Split> all) {
        if (all.isEmpty()) {
            return Optional.empty();
        }
        double test = all.stream().mapToDouble(Split::test).average().orElseThrow();
        double train = all.stream().mapToDouble(Split::train).average().orElseThrow();
        double variance = all.stream()
                        .mapToDouble(split -> (split.test() - test) * (split.test() - test))
                        .sum()
                / Math.max(1, all.size() - 1);
        return Optional.of(new OutOfSample(
                by,
                all.size(),
                test,
                all.size() > 1 ? Math.sqrt(variance / all.size()) : Double.NaN,
                train,
                List.copyOf(all)));
    }

    Outcome on(Outcome outcome) {
        Table table = Table.of(Column.text(""), Column.decimals("per trip", 6), Column.decimals("std err", 6))
                .row("estimated on", trainLogLikelihoodPerTrip, Double.NaN)
                .row("held out", testLogLikelihoodPerTrip, standardError)
                .titled("Log-likelihood out of sample")
                .note("Means over %d random splits by %s; the standard error is that of the mean over splits."
                        .formatted(splits, by));
        return outcome.table(table).file("splits.csv", Table.csv(Split.class, all));
    }
}
