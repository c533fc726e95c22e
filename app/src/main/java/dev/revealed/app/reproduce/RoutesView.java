package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.studies.route.RoutesStudy;
import dev.revealed.studies.route.RoutesStudy.Model;
import dev.revealed.studies.route.RoutesStudy.Parameter;

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
        return all.notes(result.notes());
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
