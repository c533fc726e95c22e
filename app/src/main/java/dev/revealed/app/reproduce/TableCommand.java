package dev.revealed.app.reproduce;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Device;
import dev.revealed.app.Outcome;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A table of many training runs: shows what is left to run, runs it, or gathers what there is. */
abstract class TableCommand extends BaseCommand {
    @Option(
            names = "--from",
            paramLabel = "DIR",
            description = "Folder of the runs, at any depth; with --device also where missing ones are made.")
    private @Nullable Path from;

    @Option(names = "--plan", description = "Show what is left to run, rather than the table.")
    private boolean plan;

    @Option(
            names = "--device",
            paramLabel = "cpu|cuda",
            description = "Run what is missing in --from on this device, then show the table; interrupted, the same "
                    + "command goes on. With --plan: the device of the forecast (default there: cpu).")
    private @Nullable Device device;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description =
                    "With --device: how many runs train at a time (default: by the device). With --plan of table1: for "
                            + "the forecast (default there: 16).")
    private @Nullable Integer atOnce;

    /** Options that what is left to run does not depend on. */
    abstract List<String> idleInPlan();

    /** What is left to run. */
    abstract Outcome plan(@Nullable Path runs, Device forecast, int together);

    /** Runs what is missing. */
    abstract void make(StageRunner runner);

    /** The table of what there is. */
    abstract Outcome table(Path runs);

    @Override
    protected final Outcome outcome(ProgressListener listener) {
        int together = atOnce == null ? 16 : positive("--at-once", atOnce);
        if (plan) {
            for (String option : idleInPlan()) {
                BadInput.when(
                        typedOptions().containsKey(option),
                        "--%s has no effect with --plan".formatted(option),
                        "Leave one of them out.");
            }
            return plan(from, device == null ? Device.CPU : device, together);
        }
        if (from == null) {
            throw new BadInput(
                    "--from is missing",
                    device == null
                            ? "Name a folder that holds runs; or see with --plan what there is to run."
                            : "Name the folder that the runs go to.");
        }
        if (device != null) {
            make(new StageRunner(from, device, atOnce, threads(), this::notice));
        }
        BadInput.when(
                device == null && atOnce != null,
                "--at-once has no effect without --plan or --device",
                "Leave it out, or add one of them.");
        BadInput.when(
                !Files.isDirectory(from),
                "there is no folder " + from,
                "Name one that holds run folders of 'imitate'.");
        return table(from);
    }
}
