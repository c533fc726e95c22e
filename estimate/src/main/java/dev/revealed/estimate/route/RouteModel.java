package dev.revealed.estimate.route;

import dev.revealed.mdp.route.LinkFeatures;
import dev.revealed.numeric.BadInput;
import java.util.List;
import java.util.Optional;

/**
 * Which model of route choice.
 *
 * @param linkSizeAt parameters, one for each feature, at which link size is computed; none in a model without it
 * @param scales features of links on which the scale of shocks depends; none in a model that is not nested
 * @param discount per link; 1 in the published models
 */
public record RouteModel(double[] linkSizeAt, LinkFeatures scales, double discount) {
    /** The model whose reward is a network: recursive logit with that reward. */
    public static final String NEURAL = "neural";

    /** All models by name. */
    public static final List<String> NAMES = List.of("rl", "rl-ls", "nrl", "nrl-ls", NEURAL);

    public static final LinkFeatures NO_SCALES = new LinkFeatures(List.of(), new double[0][]);

    public RouteModel {
        BadInput.when(
                !(discount > 0 && discount <= 1),
                "the `discount` is " + discount,
                "Give a number above 0 and at most 1, which is that of recursive logit.");
    }

    /** Recursive logit. */
    public static RouteModel recursiveLogit() {
        return new RouteModel(new double[0], NO_SCALES, 1);
    }

    public boolean nested() {
        return scales.size() > 0;
    }

    public boolean withLinkSize() {
        return linkSizeAt.length > 0;
    }

    private Optional<LinkSize> size(RouteGraph graph) {
        return withLinkSize() ? Optional.of(new LinkSize(graph, linkSizeAt)) : Optional.empty();
    }

    /** The log-likelihood of the graph's trips. */
    public RouteLikelihood likelihood(RouteGraph graph) {
        if (nested() || discount < 1) {
            return solver(graph);
        }
        return withLinkSize() ? new LinkSizeLogit(graph, new LinkSize(graph, linkSizeAt)) : new RecursiveLogit(graph);
    }

    /** What finds choices of any of the models. */
    NestedLogit solver(RouteGraph graph) {
        return new NestedLogit(graph, scales, size(graph), discount);
    }
}
