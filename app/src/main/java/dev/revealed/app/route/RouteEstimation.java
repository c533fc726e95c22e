package dev.revealed.app.route;

import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.data.route.PairTable.Definition;
import dev.revealed.estimate.route.NeuralRoutes;
import dev.revealed.estimate.route.RecursiveLogit;
import dev.revealed.estimate.route.RouteEstimate;
import dev.revealed.estimate.route.RouteEstimator;
import dev.revealed.estimate.route.RouteGraph;
import dev.revealed.estimate.route.RouteLikelihood;
import dev.revealed.estimate.route.RouteModel;
import dev.revealed.estimate.route.RouteTypes;
import dev.revealed.estimate.route.RouteValidation;
import dev.revealed.mdp.route.LinkFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Estimates a model of route choice on trips: {@code estimate --network}. */
public final class RouteEstimation {
    /** Options of other forms of the command that have a meaning here too. */
    public static final Set<String> SHARED = Set.of(
            "--json",
            "--seed",
            "--out",
            "--threads",
            "--model",
            "--se",
            "--level",
            "--latex",
            "--start",
            "--discount",
            "--iterations",
            "--hidden",
            "--types",
            "--type-parameters");

    private static final int TYPE_STARTS = 5;
    private static final String DESTINATIONS = "destinations";

    /** Options that a neural reward does not have. */
    private static final List<String> LINEAR = List.of(
            "--se", "--level", "--start", "--discount", "--types", "--type-parameters", "--cluster", "--ratio-to");

    private static final List<String> ERRORS = List.of("sandwich", "hessian", "opg", "cluster");
    private static final List<String> NUMERAIRES =
            List.of("time", "minute", "duration", "cost", "length", "distance", "km", "metre", "meter");

    private final RouteOptions files;
    private final RouteModelOptions options;
    private final Map<String, String> typed;
    private final ProgressListener listener;

    /**
     * An estimation as it was asked for.
     *
     * @param typed what was typed after each option
     */
    public RouteEstimation(
            RouteOptions files, RouteModelOptions options, Map<String, String> typed, ProgressListener listener) {
        this.files = files;
        this.options = options;
        this.typed = typed;
        this.listener = listener;
    }

    public Outcome outcome(long seed) {
        String name = Words.choose("--model", typed.getOrDefault("--model", "rl"), RouteModel.NAMES);
        checkOptions(name);
        if (name.equals(RouteModel.NEURAL)) {
            RouteInput input = files.source().read(Optional.empty(), listener);
            return new NeuralEstimation(input, neural(), validation(), heldOutBy())
                    .outcome(seed, typed.containsKey("--latex"), listener);
        }
        double level = number("--level", 0.95);
        BadInput.when(
                !(level > 0 && level < 1), "--level is " + level, "Give a number between 0 and 1, for example 0.95.");
        String errors = Words.choose(
                "--se",
                typed.getOrDefault("--se", options.cluster == null ? "sandwich" : "cluster")
                        .replace("robust", "sandwich"),
                ERRORS);
        BadInput.when(
                errors.equals("cluster") && options.cluster == null,
                "--se cluster without clusters",
                "Name the column of the trips with the driver: --cluster COLUMN.");
        RouteInput input = files.source().read(Optional.ofNullable(options.cluster), listener);
        RouteGraph graph = new RouteGraph(input.trips(), input.features());
        Optional<String> numeraire = numeraire(input);
        long begin = System.nanoTime();
        Prepared prepared = prepared(name, input, graph, numeraire);
        RouteLikelihood likelihood = prepared.model.likelihood(graph);
        RouteEstimate single = estimator().fit(name, graph, likelihood, start(likelihood, prepared), listener);
        Optional<RouteTypes> types = types(likelihood.names());
        RouteEstimate estimate = types.map(own -> own.fit(
                        prepared.model,
                        graph,
                        drivers(input),
                        single,
                        estimator(),
                        RandomStream.of(seed).named("types"),
                        listener))
                .orElse(single);
        double seconds = 1e-9 * (System.nanoTime() - begin);
        Optional<OutOfSample> held = validation()
                .flatMap(own -> OutOfSample.of(
                        heldOutBy(),
                        own.run(
                                input.trips(),
                                input.features(),
                                prepared.model,
                                estimate.theta(),
                                RandomStream.of(seed).named("splits"),
                                listener)));
        RouteResult kept = new RouteResult(
                input.source(),
                name,
                estimate.parameters().stream()
                        .map(RouteEstimate.Parameter::name)
                        .toList(),
                estimate.theta(),
                covariance(estimate, errors, input.clusters()),
                numeraire,
                prepared.model.linkSizeAt(),
                prepared.flowAt,
                prepared.scales,
                prepared.model.discount(),
                types,
                Optional.empty());
        return new RouteEstimateView(input, estimate, kept, errors, level, seconds, held)
                .outcome(seed, typed.containsKey("--latex"));
    }

    private Optional<RouteTypes> types(List<String> names) {
        if (!typed.containsKey("--types")) {
            return Optional.empty();
        }
        String specific = typed.get("--type-parameters");
        return Optional.of(new RouteTypes(
                (int) number("--types", 1), specific == null ? names : List.of(specific.split(",")), TYPE_STARTS));
    }

    /** Who made each trip: somebody else each time, unless a column of the trips says so. */
    private static List<String> drivers(RouteInput input) {
        return input.clusters().isEmpty()
                ? input.trips().list().stream().map(Trips.Trip::name).toList()
                : input.clusters();
    }

    private NeuralRoutes neural() {
        NeuralRoutes standard = NeuralRoutes.STANDARD;
        String layers = typed.getOrDefault("--hidden", Integer.toString(standard.hidden()));
        BadInput.when(
                layers.contains(","),
                "--hidden is " + layers,
                "A neural reward of road networks has one hidden layer: give one number.");
        return new NeuralRoutes(
                Integer.parseInt(layers), // was checked when it was parsed
                standard.rate(),
                (int) number("--iterations", standard.iterations()));
    }

    private Optional<RouteValidation> validation() {
        return Optional.ofNullable(options.splits)
                .map(splits -> new RouteValidation(
                        splits,
                        options.testShare == null ? 0.2 : options.testShare,
                        heldOutBy().equals(DESTINATIONS)));
    }

    private void checkOptions(String model) {
        boolean neural = model.equals(RouteModel.NEURAL);
        refuse("--hidden", !neural, "--model neural");
        for (String option : LINEAR) {
            refuse(option, neural, "the models with parameters of their own, such as rl");
        }
        refuse("--type-parameters", !typed.containsKey("--types"), "--types K");
        for (String option : List.of("--start", "--splits")) {
            BadInput.when(
                    typed.containsKey("--types") && typed.containsKey(option),
                    option + " is given together with --types",
                    "Drop it: with types the search chooses its own starting values, and splits are not supported.");
        }
        boolean nested = model.startsWith("nrl");
        refuse("--link-size-at", !model.endsWith("-ls"), "--model rl-ls or nrl-ls");
        refuse("--scale", !nested, "--model nrl or nrl-ls");
        refuse("--flow-at", !nested, "--model nrl or nrl-ls");
        refuse("--test-share", options.splits == null, "--splits N");
        refuse("--split-by", options.splits == null, "--splits N");
        String errors = typed.get("--se");
        refuse(
                "--cluster",
                errors != null && !errors.equals("cluster") && !typed.containsKey("--types"),
                "--se cluster or --types K");
        heldOutBy();
    }

    private void refuse(String option, boolean unused, String where) {
        BadInput.when(
                unused && typed.containsKey(option),
                option + " has no effect here",
                "It belongs to " + where + "; drop it, or change that.");
    }

    private String heldOutBy() {
        return Words.choose(
                "--split-by", options.splitBy == null ? "trips" : options.splitBy, List.of("trips", DESTINATIONS));
    }

    private double number(String option, double otherwise) {
        String text = typed.get(option);
        return text == null ? otherwise : Double.parseDouble(text); // was checked when it was parsed
    }

    private RouteEstimator estimator() {
        RouteEstimator standard = RouteEstimator.standard();
        return new RouteEstimator((int) number("--iterations", standard.maxIterations()), standard.tolerance());
    }

    /** The feature to which ratios are shown. */
    private Optional<String> numeraire(RouteInput input) {
        List<String> names = input.features().names();
        if (options.ratioTo != null) {
            return Optional.of(Words.choose("--ratio-to", options.ratioTo, names));
        }
        for (String usual : NUMERAIRES) {
            for (String name : names) {
                if (name.toLowerCase(Locale.ROOT).contains(usual)) {
                    return Optional.of(name);
                }
            }
        }
        return Optional.empty();
    }

    /** A model, and where its search may start. */
    private record Prepared(RouteModel model, List<String> scales, double[] flowAt, double[] start) {}

    /** Finds what the model takes as given, by an estimate of recursive logit where it was not typed. */
    private Prepared prepared(String name, RouteInput input, RouteGraph graph, Optional<String> numeraire) {
        double discount = number("--discount", 1);
        boolean size = name.endsWith("-ls");
        boolean nested = name.startsWith("nrl");
        boolean simple = name.equals("rl") && discount == 1;
        List<String> names = input.features().names();
        double[] logit = new double[0];
        if (!simple || !typed.containsKey("--start")) {
            double[] from = RouteEstimator.feasibleStart(graph);
            logit = simple
                    ? from
                    : RouteEstimator.standard()
                            .fit("rl", graph, new RecursiveLogit(graph), from, listener)
                            .theta();
        }
        double[] linkSizeAt = !size ? new double[0] : given("--link-size-at", options.linkSizeAt, names, logit);
        List<String> scales =
                !nested ? List.of() : options.scales.isEmpty() ? usualScales(input, numeraire) : options.scales;
        double[] flowAt =
                RouteScales.needsFlow(scales) ? given("--flow-at", options.flowAt, names, logit) : new double[0];
        LinkFeatures values =
                nested ? RouteScales.of(input.table(), input.trips(), graph, scales, flowAt) : RouteModel.NO_SCALES;
        RouteModel model = new RouteModel(linkSizeAt, values, discount);
        double[] start = logit;
        if (size && nested && !typed.containsKey("--start")) { // a better place to begin
            RouteModel simpler = new RouteModel(linkSizeAt, RouteModel.NO_SCALES, 1);
            start = RouteEstimator.standard()
                    .fit("rl-ls", graph, simpler.likelihood(graph), Vec.joined(logit, new double[1]), listener)
                    .theta();
        }
        return new Prepared(model, scales, flowAt, start);
    }

    private static List<String> usualScales(RouteInput input, Optional<String> numeraire) {
        List<Definition> all = input.source().definitions();
        Definition first = all.stream()
                .filter(own -> Optional.of(own.name()).equals(numeraire))
                .findFirst()
                .orElse(all.getFirst());
        return RouteScales.usual(input.table(), first);
    }

    /** Parameters that were typed, or an estimate. */
    private static double[] given(String option, @Nullable String text, List<String> names, double[] otherwise) {
        return text == null ? otherwise : Words.ordered(option, Words.numbers(option, text), names);
    }

    private double[] start(RouteLikelihood likelihood, Prepared prepared) {
        String text = typed.get("--start");
        return text == null
                ? Arrays.copyOf(prepared.start, likelihood.names().size())
                : Words.ordered("--start", Words.numbers("--start", text), likelihood.names());
    }

    private static double[][] covariance(RouteEstimate estimate, String errors, List<String> clusters) {
        return switch (errors) {
            case "hessian" -> estimate.hessianCovariance();
            case "opg" -> estimate.outerProductCovariance();
            case "cluster" -> estimate.clusteredCovariance(new ArrayList<>(clusters));
            default -> estimate.robustCovariance();
        };
    }
}
