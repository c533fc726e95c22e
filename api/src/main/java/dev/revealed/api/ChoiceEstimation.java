package dev.revealed.api;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.model.ModelFile;
import dev.revealed.data.panel.PanelFiles;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Estimates a dynamic discrete-choice model on a panel. Immutable: each method returns another estimation.
 *
 * {@snippet :
 * Estimates estimates = ChoiceEstimation.of("rust-bus").panel(Path.of("buses.csv")).method("nfxp").estimate();
 * System.out.println(estimates);
 * }
 */
public final class ChoiceEstimation {
    private static final String BUS = "rust-bus";

    /** In the order in which the command line lists them. */
    private static final Map<String, Supplier<PanelMethod>> METHODS = methodsByName();

    private final String model;
    private final Map<String, String> settings;
    private final @Nullable Path panel;
    private final String method;
    private final StandardErrors standardErrors;
    private final long seed;

    private ChoiceEstimation(
            String model,
            Map<String, String> settings,
            @Nullable Path panel,
            String method,
            StandardErrors standardErrors,
            long seed) {
        this.model = model;
        this.settings = settings;
        this.panel = panel;
        this.method = method;
        this.standardErrors = standardErrors;
        this.seed = seed;
    }

    private static Map<String, Supplier<PanelMethod>> methodsByName() {
        Map<String, Supplier<PanelMethod>> methods = new LinkedHashMap<>();
        methods.put("ml-irl", () -> new MlIrlMethod(MlIrl.preconditioned()));
        methods.put("nfxp", NestedFixedPoint::standard);
        methods.put("mpec", Mpec::standard);
        methods.put("ccp", Ccp::standard);
        methods.put("npl", Npl::standard);
        methods.put("hmss", Hmss::standard);
        methods.put("bbl", Bbl::standard);
        methods.put("td-ccp", TdCcp::semiGradient);
        methods.put("maxent", MaxEnt::standard);
        return methods;
    }

    /**
     * A model: {@code rust-bus}, which is built in, or a YAML file of one's own (docs/guide/models.md).
     *
     * {@snippet :
     * ChoiceEstimation.of("rust-bus");
     * ChoiceEstimation.of("entry.yaml");
     * }
     */
    public static ChoiceEstimation of(String model) {
        String lower = model.toLowerCase(Locale.ROOT);
        if (lower.endsWith(".yaml") || lower.endsWith(".yml")) {
            InputFiles.existing(Path.of(model));
        } else if (!model.equals(BUS)) {
            throw new BadInput(
                    "there is no model '%s'".formatted(model),
                    Closest.question(model, List.of(BUS))
                            + "Built in: %s. A model of your own is a file whose name ends in .yaml.".formatted(BUS));
        }
        return new ChoiceEstimation(model, Map.of(), null, "ml-irl", StandardErrors.OPG, 1);
    }

    /**
     * The names of the methods.
     *
     * {@snippet :
     * ChoiceEstimation.methods().forEach(name -> System.out.println(estimation.method(name).estimate()));
     * }
     */
    public static List<String> methods() {
        return List.copyOf(METHODS.keySet());
    }

    /**
     * A setting of the model, such as {@code discount}, or of the bus model {@code groups}, {@code bins} and {@code cost}.
     *
     * {@snippet :
     * ChoiceEstimation.of("rust-bus").set("groups", "1-3").set("discount", "0.99");
     * }
     */
    public ChoiceEstimation set(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(name, value);
        return new ChoiceEstimation(model, all, panel, method, standardErrors, seed);
    }

    /**
     * The panel: a CSV file with a row for each individual and period (docs/guide/formats.md).
     *
     * {@snippet :
     * estimation.panel(Path.of("buses.csv"));
     * }
     */
    public ChoiceEstimation panel(Path csv) {
        return new ChoiceEstimation(model, settings, InputFiles.existing(csv), method, standardErrors, seed);
    }

    /**
     * How to estimate, one of {@link #methods}; {@code ml-irl} unless set.
     *
     * {@snippet :
     * estimation.method("nfxp");
     * }
     */
    public ChoiceEstimation method(String name) {
        Closest.place("there is no method '%s' for choice models".formatted(name), name, methods(), "There is");
        return new ChoiceEstimation(model, settings, panel, name, standardErrors, seed);
    }

    /**
     * Standard errors: {@code opg} (unless set), {@code hessian}, {@code sandwich}, {@code cluster} or {@code bootstrap} with
     * 500 replications (docs/guide/inference.md).
     *
     * {@snippet :
     * estimation.standardErrors("cluster");
     * }
     */
    public ChoiceEstimation standardErrors(String kind) {
        List<StandardErrors> kinds = List.of(StandardErrors.values());
        List<String> names = kinds.stream().map(StandardErrors::toString).toList();
        int place = Closest.place("there are no standard errors '%s'".formatted(kind), kind, names, "There is");
        return new ChoiceEstimation(model, settings, panel, method, kinds.get(place), seed);
    }

    /**
     * The seed of every random stream, 1 unless set: the same seed gives the same numbers.
     *
     * {@snippet :
     * estimation.seed(7);
     * }
     */
    public ChoiceEstimation seed(long other) {
        return new ChoiceEstimation(model, settings, panel, method, standardErrors, other);
    }

    /**
     * Reads the panel and estimates.
     *
     * {@snippet :
     * Estimates estimates = estimation.estimate().orThrow();
     * }
     *
     * @throws BadInput where model and panel do not fit; it names file, row, field and value, and says what to do
     */
    public Estimates estimate() {
        if (panel == null) {
            throw new BadInput("no panel is given", "Name its CSV file with panel(path) before estimate().");
        }
        ChoiceData data = model.equals(BUS)
                ? PanelFiles.buses(panel, RustBusFiles.Settings.of(settings), ProgressListener.NONE)
                : ModelFile.read(Path.of(model), settings).panel(panel, ProgressListener.NONE);
        ChoiceEstimator estimator = new ChoiceEstimator(named(method), standardErrors);
        return Estimates.of(
                method,
                estimator
                        .fit(new ChoiceProblem(data.model(), data.panel()), seed)
                        .estimate(),
                data.warnings());
    }

    private static PanelMethod named(String method) {
        Supplier<PanelMethod> made = METHODS.get(method);
        if (made == null) {
            throw new IllegalStateException(method + " was checked when it was set");
        }
        return made.get();
    }

    /** What it is about to estimate, from what. */
    @Override
    public String toString() {
        return "%s of %s%s on %s"
                .formatted(
                        method,
                        model,
                        settings.isEmpty() ? "" : " with " + settings,
                        panel == null ? "no panel yet" : panel);
    }
}
