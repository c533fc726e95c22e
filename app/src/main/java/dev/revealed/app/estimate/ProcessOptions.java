package dev.revealed.app.estimate;

import dev.revealed.app.Main;
import dev.revealed.data.ProcessData;
import dev.revealed.data.ProcessFiles;
import dev.revealed.mdp.InformationCost;
import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a process of the user's own. */
final class ProcessOptions {
    static final String INITIAL = "--initial";
    static final String START = "--start";

    @Option(
            names = "--mdp",
            paramLabel = "FILE",
            description = "Process: NPZ, or CSV with state,action,next,probability.")
    private @Nullable Path mdp;

    @Option(
            names = "--features",
            paramLabel = "FILE",
            description = "Reward features: CSV with state[,action],feature,value.")
    private @Nullable Path features;

    @Option(
            names = INITIAL,
            paramLabel = "FILE|NAME=VALUE,...",
            description = "Initial states. With --mdp, their distribution: CSV with state,probability. For simulate"
                    + " --model, values of state variables: age=50,retired=0; other variables are drawn uniformly,"
                    + " without states from which no action changes what follows.")
    private @Nullable String initial;

    @Option(
            names = START,
            paramLabel = "NAME=VALUE,...",
            description = "For estimate --model and --network: starting values of the search, with every method, for"
                    + " example RC=10,theta11=2 (default: zero, or the method's own). Elsewhere an older name of"
                    + " --initial.")
    private @Nullable String start;

    @Option(
            names = "--reference",
            paramLabel = "FILE",
            description = "Reference policy pi0: CSV with state,action,probability (default: uniform).")
    private @Nullable Path reference;

    @Option(
            names = "--discount",
            paramLabel = "X",
            description = "Discount factor in [0, 1); with --network in (0, 1] (default there: 1).")
    private @Nullable Double discount;

    @Option(names = "--temperature", paramLabel = "X", description = "Scale of the information cost (default: 1).")
    private double temperature = 1;

    @Option(
            names = "--shock-scale",
            paramLabel = "FILE",
            description =
                    "Scale of the shocks where it depends on the state: CSV with state,scale; the temperature of a"
                            + " state is --temperature times its scale (default: 1).")
    private @Nullable Path shockScale;

    boolean given() {
        return mdp != null;
    }

    double discount(double otherwise) {
        return discount == null ? otherwise : BadInput.discount(discount);
    }

    ProcessData read() {
        if (mdp == null) {
            throw new BadInput(
                    "no process is given",
                    "Name its file with --mdp, or a log of moves with --transitions; docs/guide/formats.md shows the formats.");
        }
        return ProcessFiles.read(Main.existing(mdp), besides());
    }

    /** What the files say of a process besides its transition law. */
    ProcessFiles.Besides besides() {
        return new ProcessFiles.Besides(
                Optional.ofNullable(features).map(Main::existing),
                Optional.ofNullable(initial == null ? start : initial)
                        .map(Path::of)
                        .map(Main::existing),
                Optional.ofNullable(reference).map(Main::existing),
                Optional.ofNullable(shockScale).map(Main::existing),
                discount == null ? OptionalDouble.empty() : OptionalDouble.of(discount));
    }

    InformationCost cost(ProcessData data) {
        return data.cost(temperature);
    }
}
