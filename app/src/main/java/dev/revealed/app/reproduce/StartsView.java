package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.studies.StartsStudy;
import dev.revealed.studies.StartsStudy.Row;

/** Shows from how many starts each method finds what it should. */
final class StartsView {
    private StartsView() {}

    static Outcome of(StartsStudy.Result result) {
        Table table = Table.of(
                        result.rows(),
                        text("model", Row::model),
                        text("method", Row::method),
                        number("starts", 6, Row::starts),
                        number("at the maximum", 6, Row::atMaximum),
                        number("of them restarted", 6, Row::restarted),
                        number("said otherwise", 6, Row::saidOtherwise),
                        number("wrong silently", 6, Row::wrongSilently),
                        number("seconds each", 2, Row::secondsPerStart))
                .titled("Random starts, up to %s times the truth"
                        .formatted(result.settings().size()));
        return Outcome.of(result, "Starting values").table("starts", table).notes(result.notes());
    }
}
