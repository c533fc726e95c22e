package dev.revealed.train;

import dev.revealed.mdp.Simulator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The task that a policy is trained or evaluated in, with its flavour: returns of different ones are not comparable.
 *
 * @param flavour variants of the simulator, by name
 * @param simulators makes a simulator, which the caller closes
 * @param evaluates whether policies can be evaluated in it; else it is known by its sizes alone
 * @param caution what a person should know of results with it
 */
public record Environment(
        String task,
        Map<String, String> flavour,
        Supplier<? extends Simulator> simulators,
        boolean evaluates,
        Optional<String> caution) {
    /** Its sizes alone. */
    private record RecordedSystem(Simulator.Space space) implements Simulator.Recorded {}

    /** A task with a simulator. */
    public Environment(
            String task,
            Map<String, String> flavour,
            Supplier<? extends Simulator> simulators,
            Optional<String> caution) {
        this(task, flavour, simulators, true, caution);
    }

    /** A simulator of one's own. */
    public static Environment of(String task, Supplier<? extends Simulator> simulators) {
        return new Environment(task, Map.of(), simulators, Optional.empty());
    }

    /** A task without a simulator, whose sizes come from recordings. */
    public static Environment recorded(Simulator.Space space) {
        return new Environment(
                space.name(),
                Map.of(),
                () -> new RecordedSystem(space),
                false,
                Optional.of(
                        "no task is named: policies are not evaluated, and results have no returns. If its simulator is here, name it with"
                                + " `task`"));
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
