package dev.revealed.mujoco;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.Closest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The locomotion tasks: those of the paper as their versions 2 and 3 define them, and its two ants for transfer. */
public enum Task {
    HOPPER(Rules.HOPPER),
    HALFCHEETAH(Rules.HALFCHEETAH),
    WALKER2D(Rules.WALKER2D),
    ANT(Rules.ANT),
    HUMANOID(Rules.HUMANOID),
    /** The ant whose reward is learned. */
    CUSTOMANT(Rules.TRANSFER),
    /** The ant it is carried over to. Its motors come in another order, so that only rewards of states carry over. */
    DISABLEDANT(Rules.TRANSFER);

    @SuppressWarnings("ImmutableEnumChecker") // they are: numbers and functions of their arguments
    private final Rules rules;

    Task(Rules rules) {
        this.rules = rules;
    }

    /** The task of that name; case does not count. */
    public static Task named(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        Closest.place("there is no task '%s'".formatted(name), lower, names(), "The tasks are");
        return valueOf(lower.toUpperCase(Locale.ROOT));
    }

    public static List<String> names() {
        return Arrays.stream(values()).map(Task::toString).toList();
    }

    /** A simulator of its own, in the pose of the model; {@link Simulator#reset} begins an episode. Close it. */
    public Locomotion simulator(Options options) {
        return Locomotion.owning(this, options, Model.compile(toString(), options.inertia()));
    }

    /** As the papers had it. */
    public Locomotion simulator() {
        return simulator(Options.STANDARD);
    }

    /** As many simulators as wanted, stepped together on all cores. */
    public Simulators simulators(int count, Options options) {
        return new Simulators(this, options, count);
    }

    Rules rules() {
        return rules;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
