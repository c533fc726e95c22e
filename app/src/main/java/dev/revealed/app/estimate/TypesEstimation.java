package dev.revealed.app.estimate;

import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.app.view.Table;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.inference.Hypothesis;
import dev.revealed.estimate.choice.inference.TestResult;
import dev.revealed.estimate.choice.inference.Wald;
import dev.revealed.estimate.choice.types.TypesEstimator;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Estimates a choice model whose individuals are of a few types that nobody sees. */
final class TypesEstimation {
    /** How each method values choices inside EM. */
    private static final Map<String, TypesEstimator.Form> FORMS =
            Map.of("nfxp", TypesEstimator.Form.FULL, "npl", TypesEstimator.Form.NPL, "ccp", TypesEstimator.Form.CCP);

    private final ChoiceOptions options;
    private final Map<String, String> typed;

    /** @param typed what was typed after each option */
    TypesEstimation(ChoiceOptions options, Map<String, String> typed) {
        this.options = options;
        this.typed = typed;
    }

    Outcome outcome(String model, Path data, double level, long seed, ProgressListener listener) {
        refuseOthers();
        TypesEstimator estimator = estimator();
        ChoiceModels.Named named =
                ChoiceModels.read(model, ChoiceOptions.withDiscount(options.set, typed), data, listener);
        TypesEstimator.Outcome found =
                estimator.outcome(new ChoiceProblem(named.model(), named.panel()), RandomStream.of(seed), listener);
        Estimate estimate = found.estimate();
        List<String> names =
                estimate.parameters().stream().map(Estimate.Parameter::name).toList();
        List<TestResult> tests = new ArrayList<>();
        for (String text : options.tests) { // no likelihood ratio: it is that of a mixture
            tests.add(Wald.test(Hypothesis.parse(text, names), estimate.theta(), estimate.covariance()));
        }
        return new ChoiceView(named, estimate, level, seed)
                .with(tests, List.of())
                .withFile("types.csv", posterior(named.panel(), found.posterior()))
                .outcome(options.latex);
    }

    private TypesEstimator estimator() {
        int types = options.types == null ? 0 : options.types;
        if (types < 2) {
            throw new BadInput("--types is " + types, "Ask for at least 2; without it all individuals are alike.");
        }
        if (options.typeParameters.isEmpty()) {
            throw new BadInput("no parameter differs between the types", "Name at least one, as --type-parameters RC.");
        }
        String method = typed.getOrDefault("--method", "nfxp");
        TypesEstimator.Form form = FORMS.get(method);
        if (form == null) {
            throw Words.unknown(
                    "--types does not go with --method " + method, method, List.copyOf(new TreeSet<>(FORMS.keySet())));
        }
        TypesEstimator standard = TypesEstimator.of(types, options.typeParameters.toArray(String[]::new));
        String iterations = typed.get("--iterations");
        return new TypesEstimator(
                types,
                standard.specific(),
                form,
                options.typesByStart,
                standard.starts(),
                iterations == null ? standard.iterations() : Integer.parseInt(iterations),
                standard.tolerance());
    }

    /** Its standard errors are its own, and so are its steps. */
    private void refuseOthers() {
        Set<String> others = new HashSet<>(Methods.options());
        others.addAll(Set.of("--se", "--bootstrap", "--resume"));
        others.remove("--iterations");
        for (String option : typed.keySet()) {
            if (others.contains(option)) {
                throw new BadInput(
                        option + " has no effect with --types", "Drop it, or estimate without unobserved types.");
            }
        }
    }

    /** How probably each individual is of each type. */
    private static String posterior(Panel panel, double[][] posterior) {
        List<String> header = new ArrayList<>(List.of("individual"));
        for (int k = 1; k <= posterior[0].length; k++) {
            header.add("type " + k);
        }
        StringBuilder csv = new StringBuilder(Table.csvLine(header));
        for (int i = 0; i < posterior.length; i++) {
            List<String> row =
                    new ArrayList<>(List.of(panel.individuals().get(i).name()));
            for (double probability : posterior[i]) {
                row.add(Double.toString(probability));
            }
            csv.append(Table.csvLine(row));
        }
        return csv.toString();
    }
}
