package dev.revealed.app;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceEstimator;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.StandardErrors;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Estimates a dynamic discrete-choice model on a panel. */
final class ChoiceEstimation {
    private final ChoiceOptions options;
    private final String method;
    private final Map<String, String> typed;

    /** @param typed what was typed after each option */
    ChoiceEstimation(ChoiceOptions options, String method, Map<String, String> typed) {
        this.options = options;
        this.method = method;
        this.typed = typed;
    }

    Outcome outcome(long seed, ProgressListener listener) {
        String model = options.model;
        if (model == null || options.data == null) {
            throw new BadInput("no panel is given", "Name its CSV file with --data.");
        }
        double level = options.level == null ? 0.95 : options.level;
        if (!(level > 0 && level < 1)) {
            throw new BadInput("--level is " + level, "Give a number between 0 and 1, for example 0.95.");
        }
        StandardErrors kind = options.standardErrors == null
                ? StandardErrors.OPG
                : Words.choose("--se", options.standardErrors, List.of(StandardErrors.values()));
        Methods chosen = Methods.of(method, typed);
        ChoiceModels.Named named = ChoiceModels.read(model, settings(), options.data, listener);
        ChoiceProblem problem = new ChoiceProblem(named.model(), named.panel());
        Estimate estimate =
                new ChoiceEstimator(chosen.on(named.model()), kind).fit(problem, RandomStream.of(seed), listener);
        return new ChoiceView(named, estimate, level, seed).outcome(options.latex);
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>(options.set);
        String discount = typed.get("--discount");
        if (discount != null && settings.put("discount", discount) != null) {
            throw new BadInput("the discount is given twice", "Keep --discount or --set discount.");
        }
        return settings;
    }
}
