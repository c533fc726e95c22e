package dev.revealed.app.route;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a model of route choice: what it has beside features, and how it is judged. */
public final class RouteModelOptions {
    /** What stands above them in the help. */
    public static final String HEADING = "Estimation on road networks";

    @Option(
            names = "--link-size-at",
            paramLabel = "NAME=VALUE,...",
            description = "Fixed parameters at which rl-ls and nrl-ls compute link size (default: the estimate of rl).")
    public @Nullable String linkSizeAt;

    @Option(
            names = "--scale",
            paramLabel = "NAME[=FORMULA]",
            description =
                    "What the scale of a link depends on, in nrl and nrl-ls: columns of links, flow (relative to the"
                            + " largest) and following (how many links follow); may be repeated (default: the first of time,"
                            + " cost or length relative to its largest, flow, outDegree=following).")
    List<String> scales = new ArrayList<>();

    @Option(
            names = "--flow-at",
            paramLabel = "NAME=VALUE,...",
            description =
                    "Parameters at which the flow that scales depend on is computed (default: the estimate of rl).")
    public @Nullable String flowAt;

    @Option(
            names = "--cluster",
            paramLabel = "COLUMN",
            description = "Column of the trips with the driver or another cluster, for --se cluster and --types.")
    public @Nullable String cluster;

    @Option(
            names = "--ratio-to",
            paramLabel = "NAME",
            description = "Feature in whose units ratios are shown (default: the first of time, cost or length).")
    public @Nullable String ratioTo;

    @Option(
            names = "--splits",
            paramLabel = "N",
            description = "Random splits for out-of-sample log-likelihoods; 20 are usual (default: none).")
    public @Nullable Integer splits;

    @Option(names = "--test-share", paramLabel = "X", description = "Share that is held out in each (default: 0.2).")
    public @Nullable Double testShare;

    @Option(
            names = "--split-by",
            paramLabel = "UNIT",
            description = "What is held out: trips or destinations (default: trips).")
    public @Nullable String splitBy;
}
