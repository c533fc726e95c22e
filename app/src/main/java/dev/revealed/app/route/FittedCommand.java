package dev.revealed.app.route;

import dev.revealed.app.BaseCommand;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that uses an estimated model of route choice, or one whose parameters are given. */
abstract class FittedCommand extends BaseCommand {
    @Option(
            names = "--from",
            paramLabel = "RESULT",
            description =
                    "The folder or the result.json of ./revealed estimate --network, or for predict also --model.")
    private @Nullable Path from;

    @Option(
            names = "--parameters",
            paramLabel = "NAME=VALUE,...",
            description = "Parameters of recursive logit, where there is no result.")
    private @Nullable String parameters;

    @Mixin(name = RouteOptions.HEADING)
    private RouteOptions roads = new RouteOptions();

    /** The result that was named, if one was. */
    final @Nullable Path source() {
        return from;
    }

    /**
     * The model.
     *
     * @param more files beside those of the network which the command reads, null where not given
     */
    final FittedRoutes fitted(ProgressListener listener, @Nullable Path... more) {
        return FittedRoutes.of(from, parameters, roads, listener, more);
    }
}
