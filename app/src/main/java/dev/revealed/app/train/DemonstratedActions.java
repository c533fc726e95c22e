package dev.revealed.app.train;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Demonstrated actions in the numbers that the task takes: scaled from other bounds, and choices written as vectors.
 *
 * @param bound of the demonstrations' actions, where the user names it
 * @param choices of the task, where its actions are one of so many and a vector's largest number chooses
 */
record DemonstratedActions(OptionalDouble bound, OptionalInt choices) {
    private static final double FULL = 0.9; // normalised actions come this close to 1, mostly
    private static final double ROUNDING = 1e-4;

    /** The episodes as the task takes them, checked. */
    Episodes of(Path file, Episodes read, Simulator.Space space, Consumer<String> caution) {
        return BadInput.placed(file.toString(), () -> {
            Episodes converted = read;
            if (read.hasActions() && choices.isPresent() && read.actionSize() == 1) {
                refuseBound("of a task with choices");
                converted = indices(read, choices.getAsInt());
            } else if (read.hasActions() && space.actions() instanceof Simulator.Actions.Box(int _, float taken)) {
                converted = scaled(read, taken, space.name());
                if (bound.isEmpty()) {
                    notice(file, read, taken, space.name(), caution);
                }
            } else {
                refuseBound("without actions between bounds");
            }
            converted.check(space);
            return converted;
        });
    }

    private void refuseBound(String where) {
        BadInput.when(bound.isPresent(), "`demo-bound` has no effect on demonstrations " + where, "Leave it out.");
    }

    private Episodes scaled(Episodes read, float taken, String task) {
        if (bound.isEmpty()) {
            return read;
        }
        double given = bound.getAsDouble();
        double largest = largest(read);
        BadInput.when(
                largest > given * (1 + ROUNDING),
                "the largest action is %s, and `demo-bound` is %s".formatted((float) largest, (float) given),
                "Name the bound that they were recorded with; those of %s go to %s.".formatted(task, taken));
        return mapped(read, actions -> {
            float[] scaled = new float[actions.length];
            for (int i = 0; i < scaled.length; i++) {
                scaled[i] = (float) Math.clamp(actions[i] / given * taken, -taken, taken);
            }
            return scaled;
        });
    }

    private static void notice(Path file, Episodes read, float taken, String task, Consumer<String> caution) {
        double largest = largest(read);
        if (taken > 1 + ROUNDING && largest > FULL && largest <= 1 + ROUNDING) {
            caution.accept(
                    "the actions in %s stay within -1 and 1, and those of %s go to %s: if they are normalised, add `demo-bound` 1"
                            .formatted(file, task, taken));
        }
    }

    private static double largest(Episodes read) {
        double largest = 0;
        for (Episode episode : read.all()) {
            float[] actions = episode.actions();
            for (int i = 0; actions != null && i < actions.length; i++) {
                largest = Math.max(largest, Math.abs(actions[i]));
            }
        }
        return largest;
    }

    /** An index becomes a vector with 1 at its place and -1 elsewhere. */
    private static Episodes indices(Episodes read, int choices) {
        return mapped(read, actions -> {
            float[] vectors = new float[actions.length * choices];
            for (int i = 0; i < vectors.length; i++) {
                int chosen = (int) actions[i / choices];
                BadInput.when(
                        chosen != actions[i / choices] || chosen < 0 || chosen >= choices,
                        "an action is %s, not one of 0..%d".formatted(actions[i / choices], choices - 1),
                        "Count choices from 0.");
                vectors[i] = i % choices == chosen ? 1 : -1;
            }
            return vectors;
        });
    }

    private static Episodes mapped(Episodes read, UnaryOperator<float[]> change) {
        return new Episodes(read.all().stream()
                .map(one -> new Episode(
                        one.length(),
                        one.observations(),
                        one.actions() == null ? null : change.apply(one.actions()),
                        one.rewards(),
                        one.ending()))
                .toList());
    }
}
