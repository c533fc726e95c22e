package dev.revealed.app.estimate;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.CoefficientTable;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.hidden.RecursiveIntegration;
import dev.revealed.estimate.choice.inference.TestResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows an estimate of a model with a hidden variable.
 *
 * @param error how much the log-likelihood at the estimate differs with twice the nodes
 * @param exact whether that is little enough
 */
record HiddenView(
        ChoiceModels.Named named,
        Estimate estimate,
        double error,
        boolean exact,
        ChoiceEstimation.Tests tests,
        double level,
        long seed) {

    /** The contract of {@code result.json}. */
    record Document(
            FitDocument fit,
            String model,
            String data,
            int nodes,
            double nodesError,
            List<Estimate.Parameter> parameters,
            double[][] covariance,
            List<TestResult> tests,
            List<String> warnings) {}

    private int nodes() {
        return RecursiveIntegration.hidden(named.model())
                .map(process -> process.nodes().length)
                .orElse(0);
    }

    private List<String> warnings() {
        List<String> all = new ArrayList<>(estimate.warnings());
        all.addAll(named.warnings());
        all.addAll(tests.failed());
        if (estimate.converged() && !exact) {
            all.add(
                    "with twice the nodes the log-likelihood differs by %s: the hidden variable is too persistent for its nodes"
                            .formatted(Numbers.significant(error, 2)));
        }
        return all;
    }

    Outcome outcome() {
        List<String> names =
                estimate.parameters().stream().map(Estimate.Parameter::name).toList();
        double[] errors = estimate.parameters().stream()
                .mapToDouble(p -> p.standardError().orElse(Double.NaN))
                .toArray();
        Table table = CoefficientTable.of(names, estimate.theta(), errors, level)
                .titled("Dynamic discrete choice with a hidden variable")
                .fact("Model", named.name())
                .fact("Method", estimate.method())
                .fact("Individuals", named.panel().size())
                .fact("Observations", Numbers.count(named.panel().decisions()))
                .fact("Nodes", nodes())
                .fact("Discount", named.model().discount())
                .fact("Log-likelihood", Numbers.decimals(estimate.logLikelihood(), 3))
                .fact("Iterations", estimate.iterations())
                .fact("Converged", estimate.converged() ? "yes" : "no")
                .note("Standard errors: %s.".formatted(estimate.standardErrors()));
        if (estimate.converged()) {
            table = table.note(
                    "With twice the nodes the log-likelihood differs by %s.".formatted(Numbers.significant(error, 2)));
        }
        Outcome outcome = Outcome.of(
                        new Document(
                                FitDocument.of(estimate, seed),
                                named.name(),
                                named.file().toString(),
                                nodes(),
                                error,
                                estimate.parameters(),
                                estimate.covariance(),
                                tests.done(),
                                warnings()),
                        "An estimate")
                .table(table)
                .file("table.tex", table.toLatex());
        for (TestResult test : tests.done()) {
            outcome = outcome.say("H0 %s: %s chi2(%d) = %s, P = %s"
                    .formatted(
                            test.hypothesis(),
                            test.name(),
                            test.df(),
                            Numbers.decimals(test.statistic(), 3),
                            Numbers.decimals(test.pValue(), 3)));
        }
        return outcome.warnings(warnings());
    }
}
