package dev.revealed.app.world;

import dev.revealed.app.Main;
import dev.revealed.bridge.ProcessSimulator;
import dev.revealed.bridge.WorldProcesses;
import dev.revealed.bridge.WorldProgram;
import dev.revealed.mujoco.Mujoco;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Robot;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Item;
import dev.revealed.settings.Settings;
import dev.revealed.train.Environment;
import dev.revealed.train.PolicyFile;
import dev.revealed.train.SettingResolution;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The simulators that settings name: built-in tasks, and worlds of one's own. */
public final class Tasks {
    /** The setting that names a world of one's own in full, in the notes of a policy. */
    private static final String WORLD = "world";

    /** Settings by their names in the notes of a policy. */
    private static final Map<String, String> NOTES =
            Map.of("contactForces", "contact-forces", "taskArgs", "task-args", WORLD, "task");

    private Tasks() {}

    /** Every setting of a task, for options. */
    public static Record[] settings() {
        return new Record[] {TaskSettings.NONE, TaskFlavour.STANDARD, ProgramSettings.NONE};
    }

    /** The simulators of the task that is named; the settings of other kinds of task are not asked for. */
    public static Environment environment(SettingResolution given, Consumer<String> caution) {
        String task = given.get(TaskSettings.NONE).task();
        BadInput.when(task.isEmpty(), "no task is named", "Name one with `task`, for example `task` hopper.");
        if (WorldProgram.names(task)) {
            return program(task, given.get(ProgramSettings.NONE), caution);
        }
        if (TaskSettings.isRobot(task)) {
            return robot(task);
        }
        BadInput.when(
                task.matches(".*[:.].*|.*-v\\d+"),
                "there is no task '%s'".formatted(task),
                task.endsWith(".xml")
                        ? "Describe the task of a MuJoCo model in a YAML file, and name that: docs/guide/own-world.md."
                        : "For an environment in Python write gym:%s, for a program exec:%s.".formatted(task, task));
        return builtIn(Task.named(task), given.get(TaskFlavour.STANDARD));
    }

    private static Environment builtIn(Task task, TaskFlavour flavour) {
        Options options = flavour.options();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("inertia", Item.text(flavour.inertia()));
        facts.put("contactForces", Item.text(flavour.contactForces()));
        facts.put("mujoco", Mujoco.version());
        return new Environment(task.toString(), facts, () -> task.simulator(options), caution(Mujoco.version()));
    }

    /** What to say of results with that version of MuJoCo; nothing of the one that the tasks are checked against. */
    public static Optional<String> caution(String version) {
        return version.equals(Mujoco.CHECKED)
                ? Optional.empty()
                : Optional.of("this is MuJoCo %s; the tasks are checked against %s, and returns may differ"
                        .formatted(version, Mujoco.CHECKED));
    }

    private static Environment robot(String task) {
        Robot robot = Robot.read(Main.existing(Path.of(task)));
        robot.simulator().close(); // one that cannot be made is refused at once
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(WORLD, task);
        facts.put("mujoco", Mujoco.version());
        Optional<String> unpaid = robot.file().reward().isPresent()
                ? Optional.empty()
                : Optional.of("%s has no reward: returns are 0, and only imitation can learn".formatted(task));
        return new Environment(robot.name(), facts, robot::simulator, unpaid);
    }

    private static Environment program(String task, ProgramSettings settings, Consumer<String> caution) {
        WorldProgram program =
                WorldProgram.of(task, settings.taskArgs(), settings.horizon().orElse(0));
        Map<String, String> facts = new LinkedHashMap<>();
        if (!program.name().equals(task)) {
            facts.put(WORLD, task);
        }
        if (!settings.taskArgs().isEmpty()) {
            facts.put("taskArgs", settings.taskArgs());
        }
        settings.horizon().ifPresent(steps -> facts.put("horizon", Integer.toString(steps)));
        int most = settings.taskProcesses().orElseGet(Runtime.getRuntime()::availableProcessors);
        WorldProcesses processes = new WorldProcesses(program, most, caution);
        try (ProcessSimulator one = processes.simulator()) { // one that cannot be made is refused at once
            facts.putAll(one.about());
        }
        return new Environment(program.name(), facts, processes::simulator, Optional.empty());
    }

    /**
     * The task to try a policy on: that, and in the flavour, it was trained on, where the user names none.
     *
     * @param typed what the user named
     */
    public static Environment of(PolicyFile policy, Map<String, String> typed, Consumer<String> caution) {
        Map<String, String> known = known(policy);
        String on = known.getOrDefault("task", "");
        if (!on.isEmpty()
                && !typed.containsKey("task")
                && !Task.names().contains(on)
                && !WorldProgram.names(on)
                && !TaskSettings.isRobot(on)) {
            throw new BadInput(
                    "the policy in %s was trained on '%s', a simulator that this command does not have"
                            .formatted(policy.file(), on),
                    "Play it in Java with Rollouts.of, see docs/guide/own-simulator.md; or name a task of the same sizes with"
                            + " `task`.");
        }
        Map<String, String> tried = new TreeMap<>(known);
        String task = typed.getOrDefault("task", on);
        if (!kind(task).equals(kind(on))) {
            tried.keySet().retainAll(Set.of("task")); // settings of another kind of task say nothing here
        }
        tried.putAll(typed);
        SettingResolution resolution = SettingResolution.typed(tried);
        Environment environment;
        try {
            environment = environment(resolution, caution);
        } catch (BadInput e) {
            if (known.keySet().stream()
                    .noneMatch(name -> !typed.containsKey(name) && e.problem().contains(name))) {
                throw e;
            }
            throw new BadInput(
                    "the policy in %s was trained in a way that is not known: %s".formatted(policy.file(), e.problem()),
                    "Name the flavour with `inertia` and `contact-forces`.");
        }
        resolution.settings().forEach((name, value) -> {
            String before = known.get(name);
            String now = Item.text(value);
            if (before != null && !before.equals(now)) { // nothing is known of policies that other programs wrote
                caution.accept("the policy in %s was trained %s, and is tried %s"
                        .formatted(policy.file(), how(name, before), how(name, now)));
            }
        });
        return environment;
    }

    /** How many choices the actions of a gym: environment are; none where they are numbers. */
    public static OptionalInt choices(Environment environment) {
        String known = environment.flavour().get(WorldProgram.CHOICES);
        return known == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(known));
    }

    private static String kind(String task) {
        return WorldProgram.names(task) ? "program" : TaskSettings.isRobot(task) ? "robot" : "built-in";
    }

    /** The settings in a policy's notes. */
    private static Map<String, String> known(PolicyFile policy) {
        Map<String, String> known = new HashMap<>();
        policy.notes().forEach((note, value) -> known.put(NOTES.getOrDefault(note, note), value));
        String world = policy.notes().get(WORLD);
        if (world != null) {
            known.put("task", world);
        }
        Set<String> names = new HashSet<>();
        for (Record record : settings()) {
            names.addAll(Settings.of(record).names());
        }
        known.keySet().retainAll(names);
        return known;
    }

    private static String how(String name, String value) {
        return name.equals("task") ? "on " + value : "with `%s` %s".formatted(name, value);
    }
}
