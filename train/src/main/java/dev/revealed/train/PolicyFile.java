package dev.revealed.train;

import dev.revealed.imitate.Imitation;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.Safetensors;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A trained policy from a file, and the task it was trained on.
 *
 * @param notes what is known of its training, as a run wrote it
 */
public record PolicyFile(GaussianActor actor, Path file, Map<String, String> notes) {
    public static PolicyFile read(Path file) {
        Safetensors.Content content = Safetensors.read(file);
        return of(file, content.tensors(), content.metadata());
    }

    /** That of a run's last checkpoint; nothing where it has none. */
    public static Optional<PolicyFile> inCheckpoint(Path folder, Consumer<String> caution) {
        return Checkpoints.latestState(folder, caution)
                .map(from -> of(folder, Imitation.policyIn(from.state()), from.notes()));
    }

    /** That of a run's checkpoint of that step. */
    public static PolicyFile inCheckpoint(Path folder, long step) {
        Checkpoints.Restored from = Checkpoints.at(folder, step);
        return of(folder, Imitation.policyIn(from.state()), from.notes());
    }

    private static PolicyFile of(Path file, Tensors tensors, Map<String, String> notes) {
        return new PolicyFile(BadInput.placed(file.toString(), () -> GaussianActor.load(tensors)), file, notes);
    }

    /** The task it was trained on, where that is known. */
    public @Nullable String task() {
        return notes.get("task");
    }

    /** Checks that it fits a task. */
    public void check(Simulator.Space space) {
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
                            : "It was trained on %s; the flavour (`contact-forces`) must be the same too."
                                    .formatted(task()));
        }
    }
}
