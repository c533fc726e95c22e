package dev.revealed.app.route;

import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name an estimated model of route choice, or give its parameters. */
public final class FittedOptions {
    @Option(
            names = "--from",
            paramLabel = "RESULT",
            description = "The folder or the result.json of ./revealed estimate --network.")
    private @Nullable Path from;

    @Option(
            names = "--parameters",
            paramLabel = "NAME=VALUE,...",
            description = "Parameters of recursive logit, where there is no result.")
    private @Nullable String parameters;

    FittedRoutes fitted(RouteOptions roads, ProgressListener listener) {
        return FittedRoutes.of(from, parameters, roads, listener);
    }
}
