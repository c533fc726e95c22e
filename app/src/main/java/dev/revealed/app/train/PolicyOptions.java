package dev.revealed.app.train;

import dev.revealed.app.zoo.Zoo;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import dev.revealed.train.PolicyFile;
import dev.revealed.train.WorldRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a policy that was trained before. */
final class PolicyOptions {
    enum Which {
        LAST,
        BEST
    }

    @Option(
            names = "--policy",
            paramLabel = "DIR",
            description = "Folder of the run that trained it, finished or not, or a policy file.")
    private Path policy = Path.of("");

    @Option(
            names = "--zoo",
            paramLabel = "TASK",
            description = "A policy that comes with Revealed, instead of --policy: 'expert --list' shows them.")
    private @Nullable String zoo;

    @Option(
            names = "--checkpoint",
            paramLabel = "WHICH",
            defaultValue = "last",
            description =
                    "last, or best: for an expert the highest return of an evaluation, for an imitation the policy closest to"
                            + " the demonstrations, whatever its return (default: ${DEFAULT-VALUE}).")
    private Which checkpoint = Which.LAST;

    private String option = "--policy";

    /**
     * The last policy of a folder, or that of a file.
     *
     * @param option by which it was named
     */
    static PolicyFile named(String option, Path folderOrFile, Consumer<String> caution) {
        PolicyOptions named = new PolicyOptions();
        named.policy = folderOrFile;
        named.option = option;
        return named.read(caution);
    }

    /** The folder of the run. */
    Path folder() {
        BadInput.when(
                !Files.isDirectory(policy),
                "%s is not the folder of a run".formatted(policy),
                "Name the folder that 'expert' wrote with %s.".formatted(option));
        return policy;
    }

    /** Reads the policy; a run that has not ended has its last one in a checkpoint. */
    PolicyFile read(Consumer<String> caution) {
        if (zoo != null) {
            BadInput.when(
                    !policy.toString().isEmpty(), "--policy and --zoo are given together", "Leave one of them out.");
            policy = Zoo.folder(zoo);
        }
        BadInput.when(
                policy.toString().isEmpty(),
                "no policy is named",
                "Name the folder of a run with %s, or a task with --zoo.".formatted(option));
        BadInput.when(
                isWorld(policy),
                policy + " is a world of 'worldmodel', not a policy",
                "Name the folder that 'expert' or 'imitate' wrote with %s.".formatted(option));
        if (Files.isRegularFile(policy)) {
            if (checkpoint != Which.LAST) {
                throw new BadInput(
                        "--checkpoint best has no effect: %s is a file".formatted(policy),
                        "Name the folder of the run, or leave --checkpoint out.");
            }
            return PolicyFile.read(policy);
        }
        Path chosen = policy.resolve(RunFiles.CHOSEN); // an imitator has this, an expert the other
        Path best = Files.isRegularFile(chosen) ? chosen : policy.resolve(RunFiles.BEST);
        Path file = checkpoint == Which.BEST ? best : policy.resolve(RunFiles.POLICY);
        if (Files.isRegularFile(file)) {
            return PolicyFile.read(file);
        }
        if (checkpoint == Which.LAST && Files.isDirectory(policy.resolve(RunFiles.CHECKPOINT))) {
            return PolicyFile.inCheckpoint(policy, caution).orElseThrow(() -> missing(file));
        }
        if (checkpoint == Which.BEST && Files.isRegularFile(policy.resolve(RunFiles.POLICY))) {
            throw new BadInput(
                    "%s has neither %s nor %s".formatted(policy, RunFiles.CHOSEN, RunFiles.BEST),
                    "Only the last policy was kept: leave --checkpoint out.");
        }
        if (checkpoint == Which.BEST && Files.isDirectory(policy.resolve(RunFiles.CHECKPOINT))) {
            throw new BadInput(
                    policy + " has no evaluation yet to choose a policy by",
                    "Leave --checkpoint out for the last one, or let the run go on.");
        }
        throw missing(file);
    }

    /** Whether that is the folder of a world, finished or not, or its file. */
    private static boolean isWorld(Path folderOrFile) {
        if (Files.isDirectory(folderOrFile)) {
            return Files.isRegularFile(folderOrFile.resolve(RunFiles.WORLD))
                    || (RunSpec.isIn(folderOrFile)
                            && RunSpec.read(folderOrFile).verb().equals(WorldModelCommand.NAME));
        }
        return Files.isRegularFile(folderOrFile) && WorldRun.isWorld(folderOrFile);
    }

    private BadInput missing(Path file) {
        return new BadInput(
                "there is no policy " + file,
                "Name the folder that 'expert' or 'imitate' wrote with %s, or the policy's file.".formatted(option));
    }
}
