package dev.revealed.studies.route;

import dev.revealed.estimate.route.LinkSize;
import dev.revealed.estimate.route.LinkSizeLogit;
import dev.revealed.estimate.route.NestedLogit;
import dev.revealed.estimate.route.RecursiveLogit;
import dev.revealed.estimate.route.RouteEstimate;
import dev.revealed.estimate.route.RouteEstimator;
import dev.revealed.estimate.route.RouteGraph;
import dev.revealed.estimate.route.RouteLikelihood;
import dev.revealed.mdp.route.LinkFeatures;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Estimates the four published models of route choice in Borlänge, each from the estimate of a simpler one. */
public final class RoutesStudy {
    /** All models, in the order in which they are estimated. */
    public static final List<String> MODELS = List.of("rl", "rl-ls", "nrl", "nrl-ls");

    /** Parameters at which the published models compute link size: u-turns as good as forbidden. */
    private static final double[] LINK_SIZE = {-2.5, -1, -0.4, -20};

    private RoutesStudy() {}

    /** Parameters at which the published models compute link size. */
    public static double[] linkSize() {
        return LINK_SIZE.clone();
    }

    /**
     * A parameter beside what was printed.
     *
     * @param published as printed, empty where it is not known
     */
    public record Parameter(
            String name,
            double value,
            double robustStandardError,
            double standardError,
            double outerProductStandardError,
            String published,
            String publishedStandardError) {}

    /**
     * A model.
     *
     * @param logLikelihood sum over trips
     * @param logLikelihoodPerTrip the mean, which the published programs maximise
     */
    public record Model(
            String model,
            List<Parameter> parameters,
            double logLikelihood,
            double logLikelihoodPerTrip,
            String publishedLogLikelihood,
            double spectralRadius,
            int iterations,
            int evaluations,
            boolean converged,
            String status) {}

    /** @param methods recursive logit by every way to maximise its likelihood, where that was asked for */
    public record Result(
            int links,
            int pairs,
            int destinations,
            int trips,
            long steps,
            List<Model> models,
            List<MethodsStudy.Row> methods,
            List<String> notes) {}

    /** @param methods whether to estimate recursive logit by every method, too */
    public static Result run(Path folder, List<String> models, boolean methods, ProgressListener listener) {
        for (String model : models) {
            BadInput.when(
                    !MODELS.contains(model),
                    "there is no model '%s' of route choice".formatted(model),
                    "Choose among " + String.join(", ", MODELS) + ".");
        }
        BorlangeData data = BorlangeData.read(folder, listener);
        RouteGraph graph = new RouteGraph(data.trips(), data.features());
        Estimation estimation = new Estimation(data, graph, listener);
        List<Model> all = MODELS.stream()
                .filter(models::contains)
                .map(model -> beside(estimation.of(model)))
                .toList();
        List<String> notes = new ArrayList<>(data.notes());
        notes.add(
                "Log-likelihoods are sums over trips. The printed -6303.9 and -6045.6 are the means per trip, rounded to"
                        + " -3.441 and -3.300, times 1,832: sums to three digits, about 1.0 too low.");
        notes.add(
                "Robust standard errors take trips as independent. The same drivers made several of them, but the data do"
                        + " not say which.");
        return new Result(
                data.trips().network().links(),
                data.trips().network().pairs(),
                data.trips().destinations().size(),
                data.trips().size(),
                data.trips().steps(),
                all,
                methods ? MethodsStudy.run(graph, listener) : List.of(),
                notes);
    }

    private static Model beside(RouteEstimate estimate) {
        List<Parameter> parameters = estimate.parameters().stream()
                .map(own -> {
                    Optional<PublishedRoutes.Figure> printed = PublishedRoutes.parameter(estimate.model(), own.name());
                    return new Parameter(
                            own.name(),
                            own.value(),
                            own.robustStandardError(),
                            own.standardError(),
                            own.outerProductStandardError(),
                            printed.map(PublishedRoutes.Figure::value).orElse(""),
                            printed.map(PublishedRoutes.Figure::standardError).orElse(""));
                })
                .toList();
        return new Model(
                estimate.model(),
                parameters,
                estimate.logLikelihood(),
                estimate.logLikelihood() / estimate.trips(),
                PublishedRoutes.logLikelihood(estimate.model()),
                estimate.spectralRadius(),
                estimate.iterations(),
                estimate.evaluations(),
                estimate.converged(),
                estimate.status());
    }

    /** Estimates that start from one another, each made once. */
    private static final class Estimation {
        private final BorlangeData data;
        private final RouteGraph graph;
        private final ProgressListener listener;
        private final Map<String, RouteEstimate> done = new HashMap<>();

        Estimation(BorlangeData data, RouteGraph graph, ProgressListener listener) {
            this.data = data;
            this.graph = graph;
            this.listener = listener;
        }

        RouteEstimate of(String model) {
            RouteEstimate known = done.get(model);
            if (known != null) {
                return known;
            }
            RouteEstimate estimate = fit(model);
            done.put(model, estimate);
            return estimate;
        }

        private RouteEstimate fit(String model) {
            Optional<LinkSize> size =
                    model.endsWith("-ls") ? Optional.of(new LinkSize(graph, LINK_SIZE)) : Optional.empty();
            LinkFeatures scales = data.scales(graph);
            return switch (model) {
                case "rl" -> fit(model, new RecursiveLogit(graph), RouteEstimator.feasibleStart(graph));
                case "rl-ls" ->
                    fit(
                            model,
                            new LinkSizeLogit(graph, size.orElseThrow()),
                            Vec.joined(of("rl").theta(), new double[1]));
                default ->
                    fit(
                            model,
                            new NestedLogit(graph, scales, size),
                            Vec.joined(of(size.isPresent() ? "rl-ls" : "rl").theta(), new double[scales.size()]));
            };
        }

        private RouteEstimate fit(String model, RouteLikelihood likelihood, double[] start) {
            return RouteEstimator.standard().fit(model, graph, likelihood, start, listener);
        }
    }
}
