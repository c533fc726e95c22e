package dev.revealed.app.estimate;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.app.route.RouteChanges;
import dev.revealed.app.route.RouteOptions;
import dev.revealed.app.view.Numbers;
import dev.revealed.estimate.choice.counterfactual.Change;
import dev.revealed.estimate.choice.counterfactual.Counterfactual;
import dev.revealed.estimate.choice.counterfactual.Demand;
import dev.revealed.estimate.choice.counterfactual.Effects;
import dev.revealed.estimate.choice.counterfactual.Intervals;
import dev.revealed.estimate.choice.counterfactual.PathCounterfactual;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.RunFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Asks an estimated choice model what would happen if something were different. */
@Command(
        name = "counterfactual",
        description =
                "Predict behaviour of an estimated choice model under other prices, laws, choice sets or discounts: choices, long"
                        + " run, demand and welfare, with intervals. Or predict traffic on a road network with closed, new"
                        + " or changed links: flows, losses and elasticities.",
        footer = {
            "",
            "Examples:",
            "  ./revealed estimate --model rust-bus --data buses.csv --out zurcher",
            "  ./revealed counterfactual --from zurcher --set RC=5",
            "  ./revealed counterfactual --from shop --set subsidy=0.5",
            "  ./revealed counterfactual --from zurcher --demand RC=4:16:13 --individuals 104",
            "  ./revealed counterfactual --from zurcher --remove \"replace if mileage < 40\"",
            "  ./revealed counterfactual --from city --close 3337",
            "  ./revealed counterfactual --from city --change \"3337:time=time * 1.1\"",
            "",
            "Guides: docs/guide/counterfactuals.md; for road networks docs/guide/routes.md"
        })
public final class CounterfactualCommand extends BaseCommand {
    enum Kind {
        DELTA,
        BOOTSTRAP,
        BOTH,
        NONE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Pattern REMOVAL =
            Pattern.compile("\\s*(.+?)(?:\\s+if\\s+(\\w+)\\s*(<=|>=|<|>|=)\\s*(\\S+))?\\s*");
    private static final Pattern GRID = Pattern.compile("(.+)=([^=:]+?)(?:\\.\\.([^:]+)|:([^:]+):([^:]+))");
    private static final int MOST_VALUES = 1000;

    @Option(
            names = "--from",
            paramLabel = "RESULT",
            required = true,
            description = "The folder or the result.json of ./revealed estimate --model or --network.")
    private Path from = Path.of("");

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A parameter of the utility or of the transition law, or a setting or fixed parameter of the"
                    + " model's file, and its new value; may be repeated.")
    private List<String> set = new ArrayList<>();

    @Option(
            names = "--remove",
            paramLabel = "ACTION",
            description = "An action to take away, everywhere or \"ACTION if VARIABLE < VALUE\" (or <=, >, >=, =).")
    private List<String> remove = new ArrayList<>();

    @Option(names = "--discount", paramLabel = "X", description = "Another discount.")
    private @Nullable Double discount;

    @Option(
            names = "--demand",
            paramLabel = "NAME=GRID|FILE",
            description =
                    "Demand curve, the expected number of an action at values of a parameter: RC=1..20, or 13 values "
                            + "RC=4:16:13 (default: around a utility parameter that alone is set). On a road network, CSV with "
                            + "origin,destination,trips (default: as many trips as were observed).")
    private @Nullable String demand;

    @Option(names = "--action", paramLabel = "NAME", description = "The action to count (default: the last one).")
    private @Nullable String action;

    @Option(
            names = "--individuals",
            paramLabel = "N",
            description = "Number of individuals in the demand (default: 1).")
    private int individuals = 1;

    @Option(names = "--horizon", paramLabel = "T", description = "Periods in which actions are counted" + DEFAULT)
    private int horizon = 12;

    @Option(
            names = "--numeraire",
            paramLabel = "NAME",
            description = "A utility parameter in whose units welfare is shown as well.")
    private @Nullable String numeraire;

    @Option(names = "--intervals", description = "Kind of intervals: ${COMPLETION-CANDIDATES}" + DEFAULT)
    private Kind intervals = Kind.BOTH;

    @Option(names = "--draws", paramLabel = "N", description = "Draws of the parametric bootstrap (default: 1000).")
    private @Nullable Integer draws;

    @Option(names = "--level", paramLabel = "X", description = "Level of the intervals" + DEFAULT)
    private double level = 0.95;

    @Mixin(name = RouteChanges.HEADING)
    private RouteChanges changes = new RouteChanges();

    @Mixin(name = RouteOptions.HEADING)
    private RouteOptions roads = new RouteOptions();

    private static final Set<String> NOT_ON_PATHS = Set.of("--demand", "--horizon", "--individuals", "--action");

    private static final Set<String> SHARED = Set.of("--json", "--seed", "--out", "--threads", "--from", "--demand");

    @Override
    protected Outcome outcome(ProgressListener listener) {
        if (isOnNetwork()) {
            return changes.outcome(from, demand == null ? null : Path.of(demand), roads, listener);
        }
        ChoiceResult.Recorded estimate = ChoiceResult.read(from);
        return hasHorizon(estimate)
                ? path(estimate, listener).outcome()
                : view(estimate, listener).outcome();
    }

    @Override
    protected Outcome answer() {
        if (isOnNetwork()) {
            return super.answer();
        }
        ChoiceResult.Recorded estimate = ChoiceResult.read(from);
        return hasHorizon(estimate)
                ? path(estimate, ProgressListener.NONE).answer()
                : view(estimate, ProgressListener.NONE).answer();
    }

    /** Whether the estimate is one on a road network; options of the other kind are refused. */
    private boolean isOnNetwork() {
        Main.existing(Files.isDirectory(from) ? from.resolve(RunFiles.RESULT) : from);
        boolean network = RouteChanges.isOf(from);
        for (OptionSpec option : matched()) {
            String name = option.longestName();
            boolean ofRoads = belongs(name, RouteChanges.HEADING) || belongs(name, RouteOptions.HEADING);
            if (!SHARED.contains(name) && ofRoads != network) {
                throw new BadInput(
                        "%s has no effect with %s".formatted(name, from),
                        network
                                ? "This is an estimate on a road network: --close, --add and --change change it."
                                : "It belongs to an estimate on a road network, of ./revealed estimate --network.");
            }
        }
        return network;
    }

    private static boolean hasHorizon(ChoiceResult.Recorded estimate) {
        return estimate.result().rebuild().law().horizon();
    }

    /** A model with a horizon has a path and no long run. */
    private PathView path(ChoiceResult.Recorded estimate, ProgressListener listener) {
        for (OptionSpec option : matched()) {
            BadInput.when(
                    NOT_ON_PATHS.contains(option.longestName()),
                    "%s has no effect on a model with a horizon".formatted(option.longestName()),
                    "All periods and actions are shown: choose the change with --set, --remove or --discount.");
        }
        Map<String, Double> values = values();
        estimate.warnings().forEach(this::caution);
        ChoiceResult result = estimate.result();
        ChoiceModel model = result.rebuild();
        PathCounterfactual counterfactual = new PathCounterfactual(
                model,
                result.estimates(),
                result.fullCovariance(),
                result.start(model.states()),
                Optional.ofNullable(numeraire),
                asIntervals(),
                result.mixture());
        PathCounterfactual.Effects effects = counterfactual.effects(
                change(result, model, values), RandomStream.of(seed()).named("effects"), listener);
        return new PathView(result, counterfactual, described(values), effects, seed());
    }

    private Intervals asIntervals() {
        boolean resampled = intervals == Kind.BOTH || intervals == Kind.BOOTSTRAP;
        if (draws != null && (!resampled || draws < 1)) {
            throw resampled
                    ? new BadInput("--draws is " + draws, "1000 is usual.")
                    : new BadInput("--draws has no effect with --intervals " + intervals, "It belongs to bootstrap.");
        }
        return new Intervals(
                level, intervals == Kind.BOTH || intervals == Kind.DELTA, resampled ? draws == null ? 1000 : draws : 0);
    }

    private Map<String, Double> values() {
        Map<String, Double> values = set.isEmpty() ? Map.of() : Words.numbers("--set", String.join(",", set));
        if (set.isEmpty() && remove.isEmpty() && discount == null && demand == null) {
            throw new BadInput(
                    "nothing is changed",
                    "Say what: --set NAME=VALUE, --remove ACTION, --discount X or --demand NAME=GRID.");
        }
        return values;
    }

    private CounterfactualView view(ChoiceResult.Recorded estimate, ProgressListener listener) {
        Intervals wanted = asIntervals();
        Map<String, Double> values = values();
        estimate.warnings().forEach(this::caution);
        ChoiceResult result = estimate.result();
        ChoiceModel model = result.rebuild();
        Counterfactual counterfactual = new Counterfactual(
                model,
                result.estimates(),
                result.fullCovariance(),
                result.start(model.states()),
                horizon,
                Optional.ofNullable(numeraire),
                wanted,
                result.mixture());
        Change change = change(result, model, values);
        String counted = action == null ? model.actions().getLast() : Words.choose("--action", action, model.actions());
        Optional<Grid> grid = grid(result, model, values);
        if (individuals != 1 && grid.isEmpty()) {
            throw new BadInput("--individuals has no effect without a demand curve", "Ask for one with --demand.");
        }
        RandomStream stream = RandomStream.of(seed());
        Effects effects = counterfactual.effects(change, stream.named("effects"), listener);
        Optional<Demand> curve = grid.map(g -> counterfactual.demand(
                change, g.parameter, g.values, counted, individuals, stream.named("demand"), listener));
        return new CounterfactualView(
                result, counterfactual, change, described(values), effects, curve, counted, seed());
    }

    private Change change(ChoiceResult result, ChoiceModel model, Map<String, Double> values) {
        Change change = Change.none();
        Map<String, Double> settings = new LinkedHashMap<>();
        for (Map.Entry<String, Double> entry : values.entrySet()) {
            if (result.isSetting(entry.getKey())) {
                settings.put(entry.getKey(), entry.getValue());
            } else {
                change = change.set(entry.getKey(), entry.getValue());
            }
        }
        change = settings.isEmpty() ? change : change.model(result.rebuild(settings));
        for (String text : remove) {
            Matcher matcher = REMOVAL.matcher(text);
            if (!matcher.matches()) {
                throw new BadInput("--remove is '%s'".formatted(text), "Name an action.");
            }
            change = matcher.group(2) == null
                    ? change.remove(matcher.group(1))
                    : change.remove(matcher.group(1), where(model, matcher));
        }
        return discount == null ? change : change.discount(discount);
    }

    /** The states a removal's condition holds in. */
    private static IntPredicate where(ChoiceModel model, Matcher removal) {
        List<String> names =
                model.space().variables().stream().map(v -> v.name()).toList();
        int variable = names.indexOf(removal.group(2));
        if (variable < 0) {
            throw Words.unknown(
                    "--remove names '%s', which is not a state variable".formatted(removal.group(2)),
                    removal.group(2),
                    names);
        }
        double value = number("--remove", removal.group(4));
        return state -> {
            int side = Double.compare(model.space().value(state, variable), value);
            return switch (removal.group(3)) {
                case "<" -> side < 0;
                case "<=" -> side <= 0;
                case ">" -> side > 0;
                case ">=" -> side >= 0;
                default -> side == 0;
            };
        };
    }

    private List<String> described(Map<String, Double> values) {
        return Stream.of(
                        values.entrySet().stream().map(e -> e.getKey() + " = " + Numbers.significant(e.getValue(), 8)),
                        remove.stream().map(text -> "without " + text.strip()),
                        Stream.ofNullable(discount).map(x -> "discount " + x))
                .flatMap(s -> s)
                .toList();
    }

    /** Values of a parameter. */
    private record Grid(String parameter, double[] values) {}

    private Optional<Grid> grid(ChoiceResult result, ChoiceModel model, Map<String, Double> values) {
        if (demand != null) {
            return Optional.of(typed(demand));
        }
        if (values.size() != 1) {
            return Optional.empty();
        }
        Map.Entry<String, Double> only = values.entrySet().iterator().next();
        List<String> names = result.parameters().stream().map(NamedValue::name).toList();
        int j = names.indexOf(only.getKey());
        return j < 0 || !model.utility().names().contains(only.getKey())
                ? Optional.empty()
                : Optional.of(new Grid(only.getKey(), around(result.estimates()[j], only.getValue())));
    }

    private static Grid typed(String text) {
        Matcher matcher = GRID.matcher(text.strip());
        if (!matcher.matches()) {
            throw grid(text);
        }
        double low = number("--demand", matcher.group(2));
        boolean counted = matcher.group(4) != null;
        double high = number("--demand", counted ? matcher.group(4) : matcher.group(3));
        double count = counted ? number("--demand", matcher.group(5)) : Math.floor(high - low + 1e-9) + 1;
        if (!(high > low && count >= 2 && count <= MOST_VALUES && count == Math.rint(count))) {
            throw grid(text);
        }
        double step = counted ? (high - low) / (count - 1) : 1;
        return new Grid(
                matcher.group(1).strip(),
                DoubleStream.iterate(0, i -> i < count, i -> i + 1)
                        .map(i -> counted && i == count - 1 ? high : low + i * step)
                        .toArray());
    }

    private static BadInput grid(String text) {
        return new BadInput(
                "--demand is '%s'".formatted(text),
                "Write RC=1..20 for steps of one, or RC=4:16:13 for 13 values; at most %d.".formatted(MOST_VALUES));
    }

    private static double number(String option, String text) {
        try {
            return BadInput.finite("a number of " + option, Double.parseDouble(text.strip()));
        } catch (NumberFormatException e) {
            throw new BadInput("%s has '%s' for a number".formatted(option, text), "Write it like 12.5.");
        }
    }

    /** Round values around two, which are among them. */
    static double[] around(double one, double other) {
        double low = Math.min(one, other);
        double high = Math.max(one, other);
        double margin = Math.max(high - low, 0.5 * Math.max(Math.abs(one), 1e-3)) / 2;
        double rough = (high - low + 2 * margin) / 10;
        double unit = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = unit * (rough / unit < 1.5 ? 1 : rough / unit < 3.5 ? 2 : rough / unit < 7.5 ? 5 : 10);
        double first = Math.ceil((low - margin) / step);
        double last = Math.floor((high + margin) / step);
        return DoubleStream.concat(
                        DoubleStream.of(low, high),
                        DoubleStream.iterate(first, i -> i <= last, i -> i + 1)
                                .map(i -> step < 1 ? i / Math.rint(1 / step) : i * step))
                .sorted()
                .distinct()
                .toArray();
    }
}
