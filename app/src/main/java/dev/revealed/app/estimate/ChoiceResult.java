package dev.revealed.app.estimate;

import dev.revealed.app.Main;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Table;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.model.ModelFile;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.Mixture;
import dev.revealed.estimate.choice.mixed.Population;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * An estimated choice model as {@code result.json} keeps it under {@code choice}: all that is needed to go on with it
 * without its data.
 *
 * @param model rust-bus, or the name of a model file
 * @param text of the model file
 * @param settings of the model, as they were resolved
 * @param parameters of the utility, then of the transition law
 * @param covariance of the parameters; of the utility's alone where the law has very many, empty where it is not known
 * @param states those that were observed
 * @param shares of the observed decisions made in each of these states
 */
record ChoiceResult(
        String model,
        Optional<String> text,
        Map<String, String> settings,
        String data,
        String dataHash,
        String method,
        boolean converged,
        List<NamedValue> parameters,
        double[][] covariance,
        int[] states,
        double[] shares,
        Optional<Differences> differences) {

    /**
     * How individuals differ, and how many of them there are with each combination of covariates.
     *
     * @param values of the covariates, a row for each combination
     * @param of shares of individuals with it
     */
    record Differences(Population population, double[][] values, double[] of) {
        static Differences of(Population population, Panel panel) {
            Map<List<Double>, Double> counts = new LinkedHashMap<>();
            double all = panel.totalWeight();
            for (Panel.Individual one : panel.individuals()) {
                List<Double> own = population.interactions().isEmpty()
                        ? List.of()
                        : Arrays.stream(one.covariates()).boxed().toList();
                counts.merge(own, one.weight() / all, Double::sum);
            }
            return new Differences(
                    population,
                    counts.keySet().stream()
                            .map(own -> own.stream().mapToDouble(x -> x).toArray())
                            .toArray(double[][]::new),
                    counts.values().stream().mapToDouble(x -> x).toArray());
        }

        Mixture mixture() {
            return population.mixture(values, of);
        }
    }

    private static final String BUS = "rust-bus";

    /**
     * What {@code estimate} writes.
     *
     * @param all how often a decision was made in each state
     */
    static ChoiceResult of(ChoiceModels.Named named, Estimate estimate, Optional<Population> population, double[] all) {
        Map<String, String> settings = new LinkedHashMap<>();
        named.settings().forEach((key, value) -> settings.put(key, value.toString()));
        Map<Integer, Double> visits = new TreeMap<>(); // of the states that were observed
        for (int s = 0; s < all.length; s++) {
            if (all[s] > 0) {
                visits.put(s, all[s]);
            }
        }
        double total = visits.values().stream().mapToDouble(n -> n).sum();
        return new ChoiceResult(
                named.name(),
                named.text(),
                settings,
                named.file().toString(),
                estimate.dataHash(),
                estimate.method(),
                estimate.converged(),
                NamedValue.of(EstimateView.names(estimate.parameters()), estimate.theta()),
                estimate.covariance(),
                visits.keySet().stream().mapToInt(s -> s).toArray(),
                visits.values().stream().mapToDouble(n -> n / total).toArray(),
                population.map(own -> Differences.of(own, named.panel())));
    }

    /** A table with what the model is called, and the name of its file. */
    static Table model(Table table, ChoiceModel model, String name, Optional<String> text) {
        Table called = table.fact("Model", model.name());
        return text.isEmpty() ? called : called.fact("Model file", Path.of(name).getFileName());
    }

    /** Says in the footer of a report which model it is about, and a checksum of its file. */
    static Report model(Report page, String name, Optional<String> text) {
        Report named = page.provenance("model", name);
        return text.isEmpty() ? named : named.provenance("SHA-256 of the model", ChoiceModels.hash(text.get()));
    }

    /**
     * The result of an estimation as it was found.
     *
     * @param warnings of the estimation, each marked as such
     */
    record Recorded(ChoiceResult result, List<String> warnings) {}

    /** Reads what an estimation left, given its folder or its result.json. */
    static Recorded read(Path from) {
        Path file = file(from);
        Map<?, ?> document = document(file);
        Object choice = document.get("choice");
        if (choice == null && document.get("model") != null) {
            throw new BadInput(
                    "%s: this is an estimate with unobserved types that depend on where individuals were first seen"
                            .formatted(file),
                    "This command needs an estimate without them: leave out --types-by-start.");
        }
        if (choice == null) {
            throw new BadInput(
                    "%s: this is a result of another kind%s"
                            .formatted(file, document.get("method") == null ? "" : ", a reward on a decision process"),
                    "A counterfactual needs an estimated choice model: ./revealed estimate --model NAME --data FILE.");
        }
        try {
            return new Recorded(
                    Json.whole(Json.line(choice), ChoiceResult.class).checked(), warnings(document));
        } catch (BadInput e) {
            throw e.in(file.toString());
        }
    }

    private static List<String> warnings(Map<?, ?> document) {
        return document.get("warnings") instanceof List<?> all
                ? all.stream().map("Warning of the estimate: %s"::formatted).toList()
                : List.of();
    }

    private static Path file(Path from) {
        return Main.existing(Files.isDirectory(from) ? from.resolve(RunFiles.RESULT) : from);
    }

    private static Map<?, ?> document(Path file) {
        try {
            return Json.read(text(file), Map.class);
        } catch (BadInput e) {
            throw new BadInput(
                    "%s: this is not the result of an estimation".formatted(file),
                    "Name the folder or the result.json of ./revealed estimate --model.");
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new BadInput(
                    "%s: cannot be read (%s)".formatted(file, BadInput.reason(e)),
                    "Name a text file that you may read.");
        }
    }

    /** The parameters must be those of the model: a result may have been edited, or come from another version. */
    private ChoiceResult checked() {
        ChoiceModel rebuilt = rebuild();
        List<String> names = differences
                .map(own -> Stream.concat(own.population().names().stream(), rebuilt.law().names().stream())
                        .toList())
                .orElse(rebuilt.parameters());
        List<String> found = parameters.stream().map(NamedValue::name).toList();
        if (!names.equals(found)) {
            throw new BadInput(
                    "the parameters %s are not those of the model, %s".formatted(found, names),
                    "Estimate again with this version.");
        }
        for (double[] row : covariance) {
            if (covariance.length > names.size() || row.length != covariance.length) {
                throw new BadInput(
                        "the covariance is not that of %d parameters".formatted(names.size()),
                        "Estimate again with this version.");
            }
        }
        for (NamedValue parameter : parameters) {
            if (!Double.isFinite(parameter.value())) {
                throw new BadInput(
                        "the parameter %s is %s".formatted(parameter.name(), parameter.value()),
                        "Estimate again, with data that identify it.");
            }
        }
        if (settings.containsValue(null)) {
            throw new BadInput("a setting of the model is null", "Estimate again with this version.");
        }
        if (states.length != shares.length || Arrays.stream(states).anyMatch(s -> s < 0 || s >= rebuilt.states())) {
            throw new BadInput("the observed states are not those of the model", "Estimate again with this version.");
        }
        return this;
    }

    /** The model, built from what was kept of it. */
    ChoiceModel rebuild() {
        return text.isPresent() ? ModelFile.parse(model, text.get(), settings).model() : bus();
    }

    /** Whether a name is one of the numbers that the model's file gives, and is not estimated. */
    boolean isSetting(String name) {
        return text.isPresent()
                && settings.containsKey(name)
                && parameters.stream().noneMatch(p -> p.name().equals(name));
    }

    /** The model with other settings; numbers that its file derives from them follow. */
    ChoiceModel rebuild(Map<String, Double> others) {
        Map<String, String> all = overrides();
        others.forEach((name, value) -> all.put(name, value.toString()));
        return ModelFile.parse(model, text.orElseThrow(), all).model();
    }

    /** The settings that were not as the file gives them or derives them from others. */
    private Map<String, String> overrides() {
        List<String> names = new ArrayList<>(settings.keySet());
        names.sort(Comparator.comparing("discount"::equals)); // each may depend on those before it, the discount on all
        Map<String, String> overrides = new LinkedHashMap<>();
        for (String name : names) {
            Double given = ModelFile.parse(model, text.orElseThrow(), overrides)
                    .settings()
                    .get(name);
            String used = settings.get(name);
            if (given == null || given != Double.parseDouble(used)) {
                overrides.put(name, used);
            }
        }
        return overrides;
    }

    private ChoiceModel bus() {
        if (!model.equals(BUS)) {
            throw new BadInput(
                    "the model '%s' is not built in, and its file was not kept".formatted(model),
                    "Estimate again with this version.");
        }
        RustBusFiles.Settings made = RustBusFiles.Settings.of(settings);
        int largest = (int)
                parameters.stream().filter(p -> p.name().startsWith("theta3")).count();
        return RustBus.of(made.bins(), largest, made.discount(), made.cost());
    }

    /** All estimates: those of the utility, then those of the law. */
    double[] estimates() {
        return parameters.stream().mapToDouble(NamedValue::value).toArray();
    }

    /** The parameters of the transition law. */
    double[] phi(ChoiceModel model) {
        double[] all = estimates();
        return Arrays.copyOfRange(all, all.length - model.law().parameters(), all.length);
    }

    /** A part of the population that behaves alike: its share, its model and its utility parameters. */
    record Share(double weight, ChoiceModel model, double[] theta) {}

    /** All parts of the population. */
    List<Share> population(ChoiceModel model) {
        double[] own =
                Arrays.copyOf(estimates(), parameters.size() - model.law().parameters());
        return mixture()
                .map(all -> all.parts(own))
                .orElse(List.of(new Mixture.Part(1, own, OptionalDouble.empty())))
                .stream()
                .map(part -> new Share(
                        part.weight(),
                        part.discount().isEmpty()
                                ? model
                                : model.withDiscount(part.discount().getAsDouble()),
                        part.theta()))
                .toList();
    }

    /** The discount, where it was estimated. */
    OptionalDouble estimatedDiscount() {
        return differences.filter(own -> own.population().discount()).isEmpty()
                ? OptionalDouble.empty()
                : parameters.stream()
                        .filter(p -> p.name().equals("discount"))
                        .mapToDouble(NamedValue::value)
                        .findFirst();
    }

    /** The population, where individuals differ. */
    Optional<Mixture> mixture() {
        return differences.map(Differences::mixture);
    }

    /** The observed distribution over all states. */
    double[] start(int size) {
        double[] start = new double[size];
        for (int i = 0; i < states.length; i++) {
            start[states[i]] = shares[i];
        }
        return start;
    }

    /** The covariance of all parameters: zero where it was too large to keep, NaN where it is not known. */
    double[][] fullCovariance() {
        int p = parameters.size();
        double[][] full = new double[p][p];
        for (int i = 0; i < p; i++) {
            if (covariance.length == 0) {
                Arrays.fill(full[i], Double.NaN);
            } else if (i < covariance.length) {
                System.arraycopy(covariance[i], 0, full[i], 0, covariance[i].length);
            }
        }
        return full;
    }

    /** What to think of before relying on it. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (!converged) {
            warnings.add("The estimation did not converge, so nothing that follows from it can be relied on.");
        }
        if (covariance.length > 0 && covariance.length < parameters.size()) {
            warnings.add(
                    "The errors of the %d parameters of the transition law are not known and left out of the intervals."
                            .formatted(parameters.size() - covariance.length));
        }
        return warnings;
    }
}
