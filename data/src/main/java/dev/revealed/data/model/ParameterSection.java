package dev.revealed.data.model;

import dev.revealed.mdp.rules.ParameterRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters of a model's utility: names, and for some of them where searches begin, bounds, a prior, a value that
 * is known, or another parameter that is the same.
 */
final class ParameterSection {
    private static final List<String> KEYS = List.of("start", "lower", "upper", "prior", "fixed", "tied");
    private static final String EXAMPLE = "For example {start: 1, lower: 0}, {fixed: 2}, {tied: effort} or {}.";

    private final ModelReader model;
    private final Yaml node;
    private final Map<String, Yaml> all = new LinkedHashMap<>();
    private final List<String> free = new ArrayList<>();
    private final Map<String, Double> fixed = new LinkedHashMap<>();
    private final Map<String, String> tied = new LinkedHashMap<>();

    ParameterSection(ModelReader model, Yaml node) {
        this.model = model;
        this.node = node;
        if (node.isMapping()) {
            all.putAll(node.mapping("parameters with what is known of them"));
            all.forEach((name, rules) -> {
                model.take(rules, name, "a parameter");
                Map<String, Yaml> own = rules.mapping(EXAMPLE, KEYS);
                Optional<Yaml> value = Yaml.get(own, "fixed");
                Optional<Yaml> other = Yaml.get(own, "tied");
                rules.badWhen(
                        own.size() > 1 && (value.isPresent() || other.isPresent()),
                        "'%s' is not estimated by itself and has other rules".formatted(name),
                        "Leave fixed or tied alone, or drop it.");
                value.ifPresent(given -> fixed.put(name, model.number(name, given)));
                other.ifPresent(given -> tied.put(name, given.text("a parameter")));
                if (value.isEmpty() && other.isEmpty()) {
                    free.add(name);
                }
            });
            tied.forEach((name, other) -> node.badWhen(
                    !free.contains(other) && !fixed.containsKey(other),
                    "'%s' is tied to '%s', which is no parameter that stands by itself".formatted(name, other),
                    "The parameters are %s.".formatted(String.join(", ", free))));
        } else {
            free.addAll(model.names(node, "a parameter"));
        }
        node.badWhen(free.isEmpty(), "no parameter is left to estimate", "Leave at least one that is not fixed.");
    }

    /** The names of those that are known, before anything else of the section is. */
    static List<String> fixed(Optional<Yaml> section) {
        return section
                .filter(Yaml::isMapping)
                .map(node -> node.mapping("parameters with what is known of them"))
                .orElse(Map.of())
                .entrySet()
                .stream()
                .filter(one -> one.getValue().isMapping()
                        && one.getValue().mapping(EXAMPLE).containsKey("fixed"))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Those that are estimated. */
    List<String> free() {
        return free;
    }

    /** Those that are known. */
    Map<String, Double> fixed() {
        return fixed;
    }

    /** Other names of parameters, with the parameters. */
    Map<String, String> tied() {
        return tied;
    }

    boolean ruled() {
        return free.stream()
                .anyMatch(name -> all.containsKey(name) && !own(name).isEmpty());
    }

    private Map<String, Yaml> own(String name) {
        Yaml rules = all.get(name);
        return rules == null ? Map.of() : rules.mapping(EXAMPLE, KEYS);
    }

    private double[] numbers(String key, double otherwise) {
        return free.stream()
                .mapToDouble(name -> Yaml.get(own(name), key).map(model::number).orElse(otherwise))
                .toArray();
    }

    /** @param otherwise where a search begins without a word on it */
    double[] starts(double otherwise) {
        double[] starts = numbers("start", Double.NaN);
        ParameterRules rules = rules();
        for (int j = 0; j < starts.length; j++) {
            boolean given = !Double.isNaN(starts[j]);
            double low = rules.lower()[j];
            double high = rules.upper()[j];
            int at = j;
            node.badWhen(
                    given && !(starts[j] >= low && starts[j] <= high),
                    "'%s' starts at %s, outside its bounds".formatted(free.get(at), starts[at]),
                    "Start between them.");
            if (!given) {
                boolean inside = otherwise > low && otherwise < high;
                starts[j] = inside
                        ? otherwise
                        : Double.isFinite(low) && Double.isFinite(high)
                                ? (low + high) / 2
                                : Double.isFinite(low) ? low + 1 : high - 1;
            }
        }
        return starts;
    }

    ParameterRules rules() {
        double[] mean = new double[free.size()];
        double[] precision = new double[free.size()];
        for (int j = 0; j < mean.length; j++) {
            Yaml prior = own(free.get(j)).get("prior");
            if (prior != null) {
                List<Yaml> both = prior.list("a mean and a standard deviation");
                prior.badWhen(
                        both.size() != 2, "a prior of %d numbers".formatted(both.size()), "Give [mean, deviation].");
                mean[j] = model.number(both.getFirst());
                double deviation = model.number(both.getLast());
                prior.badWhen(!(deviation > 0), "the standard deviation is " + deviation, "Give a positive one.");
                precision[j] = 1 / (deviation * deviation);
            }
        }
        double[] lower = numbers("lower", Double.NEGATIVE_INFINITY);
        double[] upper = numbers("upper", Double.POSITIVE_INFINITY);
        for (int j = 0; j < lower.length; j++) {
            int at = j;
            node.badWhen(
                    !(lower[j] < upper[j]),
                    "'%s' has the bounds %s and %s".formatted(free.get(at), lower[at], upper[at]),
                    "The lower one must be smaller.");
        }
        return new ParameterRules(lower, upper, mean, precision);
    }

    /** What is said of parameters that are not estimated by themselves. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        fixed.forEach((name, value) -> notes.add("Parameter %s is fixed at %s.".formatted(name, value)));
        tied.forEach((name, other) -> notes.add("Parameter %s is tied to %s.".formatted(name, other)));
        return notes;
    }
}
