package dev.revealed.app.train;

import dev.revealed.imitate.Imitation;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.Safetensors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
            required = true,
            paramLabel = "DIR",
            description = "Folder of the run that trained it, finished or not, or a policy file.")
    private Path policy = Path.of("");

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
     * A policy and where it was.
     *
     * @param notes what is known of its training, as a run wrote it
     */
    record Found(GaussianActor actor, Path file, Map<String, String> notes) {
        /** The task it was trained on, where that is known. */
        @Nullable
        String task() {
            return notes.get("task");
        }

        /** Checks that it fits a task. */
        void check(Simulator.Space space) {
            if (actor.observations() != space.observations()
                    || actor.actions() != space.actions().size()) {
                throw new BadInput(
                        "the policy in %s takes %d observations to %d actions, and %s has %d and %d"
                                .formatted(
                                        file,
                                        actor.observations(),
                                        actor.actions(),
                                        space.name(),
                                        space.observations(),
                                        space.actions().size()),
                        task() == null
                                ? "Name the task it was trained on."
                                : "It was trained on %s; the flavour (--contact-forces) must be the same too."
                                        .formatted(task()));
            }
        }
    }

    /**
     * The last policy of a folder, or that of a file.
     *
     * @param option by which it was named
     */
    static Found named(String option, Path folderOrFile, Consumer<String> caution) {
        PolicyOptions named = new PolicyOptions();
        named.policy = folderOrFile;
        named.option = option;
        return named.read(caution);
    }

    /** Reads the policy; a run that has not ended has its last one in a checkpoint. */
    Found read(Consumer<String> caution) {
        if (Files.isRegularFile(policy)) {
            if (checkpoint != Which.LAST) {
                throw new BadInput(
                        "--checkpoint best has no effect: %s is a file".formatted(policy),
                        "Name the folder of the run, or leave --checkpoint out.");
            }
            return read(policy);
        }
        Path chosen = policy.resolve(RunFiles.CHOSEN); // an imitator has this, an expert the other
        Path best = Files.isRegularFile(chosen) ? chosen : policy.resolve(RunFiles.BEST);
        Path file = checkpoint == Which.BEST ? best : policy.resolve(RunFiles.POLICY);
        if (Files.isRegularFile(file)) {
            return read(file);
        }
        if (checkpoint == Which.LAST && Files.isDirectory(policy.resolve(RunFiles.CHECKPOINT))) {
            return Checkpoints.latestState(policy, caution)
                    .map(from -> found(policy, Imitation.policyIn(from.state()), from.notes()))
                    .orElseThrow(() -> missing(file));
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

    private static Found read(Path file) {
        Safetensors.Content content = Safetensors.read(file);
        return found(file, content.tensors(), content.metadata());
    }

    private static Found found(Path file, Tensors tensors, Map<String, String> notes) {
        return new Found(BadInput.placed(file.toString(), () -> GaussianActor.load(tensors)), file, notes);
    }

    private BadInput missing(Path file) {
        return new BadInput(
                "there is no policy " + file,
                "Name the folder that 'expert' or 'imitate' wrote with %s, or the policy's file.".formatted(option));
    }
}
