package dev.revealed.app.train;

import dev.revealed.imitate.Preset;

/** How long imitation takes on the tasks of the paper, unless told otherwise. */
final class TaskDefaults {
    private TaskDefaults() {}

    static long iterations(Preset preset, String task) {
        return switch (preset) {
            case PAPER ->
                switch (task) {
                    case "hopper" -> 200;
                    case "walker2d" -> 1000;
                    default -> 600;
                };
            case REVEALED ->
                switch (task) {
                    case "hopper", "halfcheetah" -> 600;
                    default -> 2000;
                };
        };
    }
}
