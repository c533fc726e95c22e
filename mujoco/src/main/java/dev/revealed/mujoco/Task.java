package dev.revealed.mujoco;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.Closest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The locomotion tasks: those of the paper as their versions 2 and 3 define them, and its two ants for transfer. */
public enum Task {
    HOPPER(Rules.HOPPER),
    HALFCHEETAH(Rules.HALFCHEETAH),
    WALKER2D(Rules.WALKER2D),
    ANT(Rules.ANT),
    HUMANOID(Rules.HUMANOID),
    /** The ant whose reward is learned. */
    CUSTOMANT(Rules.TRANSFER),
    /** The ant it is carried over to: its motors come in another order, see {@link #motorsAmong}. */
    DISABLEDANT(Rules.TRANSFER);

    /** Motors of the two ants of transfer, in the order of their actions. */
    private static final List<String> OF_CUSTOMANT =
            List.of("hip_4", "ankle_4", "hip_1", "ankle_1", "hip_2", "ankle_2", "hip_3", "ankle_3");

    private static final List<String> OF_DISABLEDANT =
            List.of("hip_1", "ankle_1", "hip_2", "ankle_2", "hip_3", "ankle_3", "hip_4", "ankle_4");

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

    /**
     * For each motor of this robot the place of the same motor among those of another, by which actions are carried over;
     * empty where the two robots do not have the same motors.
     */
    public Optional<int[]> motorsAmong(Task other) {
        return ordered()
                .flatMap(own -> other.ordered()
                        .map(theirs -> own.stream().mapToInt(theirs::indexOf).toArray()));
    }

    /** Its motors by name, where another robot has the same. */
    Optional<List<String>> ordered() {
        return switch (this) {
            case CUSTOMANT -> Optional.of(OF_CUSTOMANT);
            case DISABLEDANT -> Optional.of(OF_DISABLEDANT);
            default -> Optional.empty();
        };
    }

    Rules rules() {
        return rules;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
