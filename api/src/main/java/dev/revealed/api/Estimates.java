package dev.revealed.api;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.EstimateText;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of an estimation. Printing it shows the table of coefficients with standard errors and 95 % intervals.
 *
 * @param method as it was named
 * @param logLikelihood at the estimate; of choices and moves together where a transition law was estimated
 * @param status how the search ended, in a sentence
 * @param standardErrors what the standard errors are made of, in words
 * @param warnings what to know before relying on it, a sentence each
 */
public record Estimates(
        String method,
        List<Coefficient> coefficients,
        double logLikelihood,
        boolean converged,
        String status,
        int iterations,
        String standardErrors,
        List<String> warnings) {

    public Estimates {
        coefficients = List.copyOf(coefficients);
        warnings = List.copyOf(warnings);
    }

    static Estimates of(String method, Estimate found, List<String> warnings) {
        List<String> all = new ArrayList<>(warnings);
        all.addAll(found.warnings());
        return new Estimates(
                method,
                found.parameters().stream()
                        .map(each -> new Coefficient(each.name(), each.value(), each.standardError()))
                        .toList(),
                found.logLikelihood(),
                found.converged(),
                found.status(),
                found.iterations(),
                found.covariance().length == 0 ? "none" : found.standardErrors(),
                all);
    }

    /**
     * The coefficient of that name.
     *
     * {@snippet :
     * double cost = estimates.coefficient("RC").value();
     * }
     */
    public Coefficient coefficient(String name) {
        List<String> names = coefficients.stream().map(Coefficient::name).toList();
        int place = names.indexOf(name);
        if (place < 0) {
            throw new BadInput(
                    "there is no coefficient '%s'".formatted(name),
                    Closest.question(name, names)
                            + "There is %s."
                                    .formatted(
                                            names.size() > 20
                                                    ? String.join(", ", names.subList(0, 20))
                                                            + " and %d more".formatted(names.size() - 20)
                                                    : String.join(", ", names)));
        }
        return coefficients.get(place);
    }

    /**
     * These estimates, for programs that must not go on where the search did not converge.
     *
     * {@snippet :
     * Estimates estimates = estimation.estimate().orThrow();
     * }
     *
     * @throws IllegalStateException with the status, where the search did not converge
     */
    public Estimates orThrow() {
        if (!converged) {
            throw new IllegalStateException("%s: %s".formatted(method, status));
        }
        return this;
    }

    /** The table, with how the search ended above it and the warnings below. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("%s: %s; log-likelihood %s\n"
                .formatted(method, status, String.format(Locale.ROOT, "%.3f", logLikelihood)));
        text.append(EstimateText.table(coefficients.stream()
                .map(each -> new Estimate.Parameter(each.name(), each.value(), each.standardError()))
                .toList()));
        text.append("Standard errors: ").append(standardErrors).append(".\n");
        warnings.forEach(warning -> text.append("warning: ").append(warning).append('\n'));
        return text.toString();
    }
}
