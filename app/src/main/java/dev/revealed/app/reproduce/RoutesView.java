package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.studies.route.HeldOutStudy;
import dev.revealed.studies.route.MethodsStudy;
import dev.revealed.studies.route.RoutesStudy;
import dev.revealed.studies.route.RoutesStudy.Model;
import dev.revealed.studies.route.RoutesStudy.Parameter;
import java.util.List;

/** Compares our estimates of route choice with the published ones. */
final class RoutesView {
    private RoutesView() {}

    static Outcome of(RoutesStudy.Result result) {
        Outcome all = Outcome.of(result, "Route choice in Borlänge")
                .say("%,d links, %,d pairs, %,d destinations, %,d trips of %,d steps between links.%n"
                        .formatted(
                                result.links(), result.pairs(), result.destinations(), result.trips(), result.steps()));
        for (Model model : result.models()) {
            Table table = Table.of(
                            model.parameters(),
                            text("", Parameter::name),
                            decimals("coef", 6, Parameter::value),
                            text("printed", Parameter::published),
                            decimals("robust std err", 6, Parameter::robustStandardError),
                            text("printed ", Parameter::publishedStandardError),
                            decimals("Hessian", 6, Parameter::standardError),
                            decimals("outer product", 6, Parameter::outerProductStandardError))
                    .titled("%s: log-likelihood %s (printed: %s)%s"
                            .formatted(
                                    title(model.model()),
                                    Numbers.decimals(model.logLikelihood(), 6),
                                    model.publishedLogLikelihood(),
                                    model.converged() ? "" : ", NOT CONVERGED: " + model.status()))
                    .note("%s per trip; spectral radius %s; %d steps of the search."
                            .formatted(
                                    Numbers.decimals(model.logLikelihoodPerTrip(), 9),
                                    Numbers.decimals(model.spectralRadius(), 6),
                                    model.iterations()));
            all = all.table(model.model(), table);
        }
        if (!result.methods().isEmpty()) {
            all = all.table("methods", methods(result.methods()));
        }
        return all.notes(result.notes());
    }

    private static Table methods(List<MethodsStudy.Row> rows) {
        return Table.of(
                        rows,
                        text("method", MethodsStudy.Row::method),
                        decimals("log-likelihood", 6, MethodsStudy.Row::logLikelihood),
                        number("from the maximum, std errs", 2, MethodsStudy.Row::distance),
                        number("largest difference", 2, MethodsStudy.Row::largestDifference),
                        number("iterations", 6, MethodsStudy.Row::iterations),
                        number("solves", 8, MethodsStudy.Row::solves),
                        decimals("sweeps", 0, MethodsStudy.Row::sweeps),
                        decimals("seconds", 2, MethodsStudy.Row::seconds))
                .titled("Recursive logit (rl) by every method, from -1.5")
                .note("Solves and sweeps count all destinations once; derivatives and adjoints count.");
    }

    static Outcome of(HeldOutStudy.Result result) {
        Table table = Table.of(
                        result.rows(),
                        text("model", HeldOutStudy.Row::model),
                        decimals("fitted", 4, HeldOutStudy.Row::training),
                        decimals("held out", 4, HeldOutStudy.Row::test),
                        decimals("[0.025", 4, HeldOutStudy.Row::testLow),
                        decimals("0.975]", 4, HeldOutStudy.Row::testHigh),
                        decimals("gain over rl", 4, HeldOutStudy.Row::gain),
                        decimals("[0.025 ", 4, HeldOutStudy.Row::gainLow),
                        decimals("0.975] ", 4, HeldOutStudy.Row::gainHigh),
                        number("splits better than rl", 4, HeldOutStudy.Row::betterSplits))
                .titled("Log-likelihood per trip, %,d of %,d trips held out, %d splits"
                        .formatted(
                                result.heldOut(),
                                result.trips(),
                                result.splits().size()))
                .note("Intervals allow for trips that splits share (Nadeau and Bengio 2003).");
        return Outcome.of(result, "Route choice in Borlänge: trips held out").table("held-out", table);
    }

    private static String title(String model) {
        return switch (model) {
            case "rl" -> "Recursive logit (rl)";
            case "rl-ls" -> "Recursive logit with link size (rl-ls)";
            case "nrl" -> "Nested recursive logit (nrl)";
            default -> "Nested recursive logit with link size (nrl-ls)";
        };
    }
}
