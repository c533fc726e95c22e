package dev.revealed.train;

import dev.revealed.mdp.Simulator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The task that a policy is trained or evaluated in: a return means little without it.
 *
 * @param flavour variants of the simulator, by name
 * @param simulators makes a simulator, which the caller closes
 * @param caution what a person should know of results with it
 */
public record Environment(
        String task, Map<String, String> flavour, Supplier<? extends Simulator> simulators, Optional<String> caution) {
    /** A simulator of one's own. */
    public static Environment of(String task, Supplier<? extends Simulator> simulators) {
        return new Environment(task, Map.of(), simulators, Optional.empty());
    }

    /** What its simulators look like. */
    public Simulator.Space space() {
        try (Simulator one = simulators.get()) {
            return one.space();
        }
    }

    /** For the files of policies and checkpoints. */
    Map<String, String> notes() {
        Map<String, String> notes = new LinkedHashMap<>();
        notes.put("task", task);
        notes.putAll(flavour);
        return notes;
    }
}
