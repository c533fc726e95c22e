package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.studies.CoverageStudy;
import dev.revealed.studies.CoverageStudy.Joint;
import dev.revealed.studies.CoverageStudy.Row;

/** Shows how often each estimator's intervals contain the truth. */
final class CoverageView {
    private CoverageView() {}

    static Outcome of(CoverageStudy.Result result) {
        Table table = Table.of(
                        result.rows(),
                        text("model", Row::model),
                        text("method", Row::method),
                        text("parameter", Row::parameter),
                        number("truth", 4, Row::truth),
                        decimals("coverage %", 1, row -> 100 * row.coverage()),
                        number("mean", 5, Row::meanEstimate),
                        number("MC error", 2, Row::monteCarloError),
                        decimals("bias in MC errors", 1, Row::bias),
                        number("spread", 3, Row::spread),
                        number("mean std err", 3, Row::meanStandardError),
                        number("failures", 4, Row::failures),
                        decimals("warned %", 1, row -> 100 * row.warned()),
                        text("93 to 97", Row::verdict))
                .titled("Coverage of 95 % intervals over " + result.settings().panels() + " simulated panels");
        Table joint = Table.of(
                        result.joint(),
                        text("model", Joint::model),
                        text("method", Joint::method),
                        number("parameters", 4, Joint::df),
                        decimals("chi-squared", 2, Joint::statistic),
                        decimals("P", 3, Joint::pValue))
                .titled("Whether the means of all parameters together are the truths (Hotelling)");
        return Outcome.of(result, "Coverage")
                .table("coverage", table)
                .table("means", joint)
                .notes(result.notes());
    }
}
