package dev.revealed.app.train;

import dev.revealed.imitate.Preset;
import dev.revealed.mdp.Simulator;

/** How long imitation takes: by the preset, and for older ones by the task as they were published. */
final class TaskDefaults {
    private TaskDefaults() {}

    static long iterations(Preset preset, Simulator.Space space) {
        return switch (preset + " " + space.name()) {
            case "paper hopper" -> 200;
            case "paper walker2d" -> 1000;
            case "revealed-1 hopper", "revealed-1 halfcheetah" -> 600;
            default -> preset.iterations(space);
        };
    }
}
