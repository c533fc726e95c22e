package dev.revealed.studies.route;

import java.util.List;
import java.util.Optional;

/**
 * What was printed about the trips of Borlänge: Fosgerau, Frejinger and Karlström (2013) for recursive logit, with link
 * size and without; Mai, Fosgerau and Frejinger (2015) for the nested models.
 */
final class PublishedRoutes {

    /**
     * A figure as printed.
     *
     * @param standardError as printed, empty where it is not known
     */
    record Figure(String model, String parameter, String value, String standardError) {}

    private static final List<Figure> FIGURES = List.of(
            new Figure("rl", "time", "-2.494", "0.098"),
            new Figure("rl", "left", "-0.933", "0.030"),
            new Figure("rl", "constant", "-0.411", "0.013"),
            new Figure("rl", "uturn", "-4.459", "0.114"),
            new Figure("rl", "", "-6303.9", ""),
            new Figure("rl-ls", "time", "-3.060", ""),
            new Figure("rl-ls", "left", "-1.057", ""),
            new Figure("rl-ls", "constant", "-0.353", ""),
            new Figure("rl-ls", "uturn", "-4.531", ""),
            new Figure("rl-ls", "linkSize", "-0.227", ""),
            new Figure("rl-ls", "", "-6045.6", ""),
            new Figure("nrl", "time", "-1.854", ""),
            new Figure("nrl", "left", "-0.679", ""),
            new Figure("nrl", "constant", "-0.258", ""),
            new Figure("nrl", "uturn", "-3.340", ""),
            new Figure("nrl", "omegaTime", "0.515", ""),
            new Figure("nrl", "omegaFlow", "-0.674", ""),
            new Figure("nrl", "omegaOutDegree", "-0.086", ""),
            new Figure("nrl", "", "-6187.9", ""),
            new Figure("nrl-ls", "time", "-2.139", ""),
            new Figure("nrl-ls", "left", "-0.748", ""),
            new Figure("nrl-ls", "constant", "-0.224", ""),
            new Figure("nrl-ls", "uturn", "-3.301", ""),
            new Figure("nrl-ls", "linkSize", "-0.155", ""),
            new Figure("nrl-ls", "omegaTime", "0.341", ""),
            new Figure("nrl-ls", "omegaFlow", "-0.581", ""),
            new Figure("nrl-ls", "omegaOutDegree", "-0.092", ""),
            new Figure("nrl-ls", "", "-5952", ""));

    private PublishedRoutes() {}

    /** What was printed for a parameter of a model. */
    static Optional<Figure> parameter(String model, String parameter) {
        return FIGURES.stream()
                .filter(figure -> figure.model.equals(model) && figure.parameter.equals(parameter))
                .findFirst();
    }

    /** The log-likelihood as printed. */
    static String logLikelihood(String model) {
        return parameter(model, "").map(Figure::value).orElse("");
    }
}
