package dev.revealed.data.model;

import dev.revealed.numeric.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A robot and what makes a task of it, written in YAML as docs/guide/own-world.md describes it. Which arrays, joints and
 * bodies there are, the model itself decides later.
 *
 * @param model the MJCF file
 * @param legacyInertia whether capsules weigh as MuJoCo had it up to 2.1.0
 * @param observation its parts in their order
 * @param variables what formulas may name
 * @param reward a formula of {@link #names}; none where the task has no reward
 * @param ended a formula that is not 0 where a step terminates the episode
 * @param actions bounds of each action, or one pair for all; none where the model's own count
 */
public record RobotFile(
        String name,
        Path model,
        boolean legacyInertia,
        int frameSkip,
        int horizon,
        List<Quantity> observation,
        SequencedMap<String, Quantity> variables,
        Optional<Formula> reward,
        Optional<Formula> ended,
        Start start,
        List<double[]> actions) {
    /** Seconds of a step. */
    public static final String DT = "dt";

    /** The sum of the squared actions. */
    public static final String ACTION_SQUARES = "action_squares";

    /** After a variable's name: its value before the step. */
    public static final String BEFORE = "_before";

    private static final List<String> KEYS = List.of(
            "name",
            "model",
            "inertia",
            "frame skip",
            "horizon",
            "observation",
            "variables",
            "reward",
            "ended",
            "start",
            "actions");

    /** What is made of the numbers of a quantity. */
    public enum Kind {
        /** They themselves. */
        VALUES,
        /** The largest absolute one. */
        LARGEST,
        /** The sum of their squares. */
        SQUARES
    }

    /**
     * Numbers of the simulation.
     *
     * @param array as MuJoCo names it: qpos, qvel, cfrc_ext ...
     * @param where an index, a range such as 2.. or 0..3, a joint or body, or all
     * @param clip to which each number is limited, either way
     * @param place in the file, for messages
     */
    public record Quantity(Kind kind, String array, String where, double clip, String place) {
        public BadInput bad(String problem, String remedy) {
            return new BadInput(place + ": " + problem, remedy);
        }
    }

    /** Noise of the first coordinates, which is uniform, and velocities, uniform or normal. */
    public record Start(double positions, double velocities, boolean normal) {}

    public RobotFile {
        observation = List.copyOf(observation);
        variables = Collections.unmodifiableSequencedMap(variables);
        actions = List.copyOf(actions);
    }

    /** What formulas may name, in the order of their values: dt, action_squares, then each variable and it before the step. */
    public List<String> names() {
        return names(variables);
    }

    private static List<String> names(SequencedMap<String, Quantity> variables) {
        List<String> names = new ArrayList<>(List.of(DT, ACTION_SQUARES));
        variables.keySet().forEach(name -> {
            names.add(name);
            names.add(name + BEFORE);
        });
        return names;
    }

    public static RobotFile read(Path file) {
        Yaml root = Yaml.parse(file.toString(), Yaml.text(file));
        Map<String, Yaml> keys = root.mapping("the parts of a robot", KEYS);
        Path whole = file.toAbsolutePath().normalize();
        Yaml model = root.need("model", "Name the robot's MJCF file: model: robot.xml.");
        Path mjcf = whole.resolveSibling(model.text("the robot's MJCF file"));
        if (!Files.isRegularFile(mjcf)) {
            throw model.bad("there is no file " + mjcf, "The path begins at the folder of this file.");
        }
        SequencedMap<String, Quantity> variables = new LinkedHashMap<>();
        Yaml.get(keys, "variables")
                .ifPresent(node -> node.mapping("names and what they stand for").forEach((name, value) -> {
                    value.badWhen(
                            !name.matches("[A-Za-z_]\\w*")
                                    || Expression.reserved(name)
                                    || name.equals(DT)
                                    || name.equals(ACTION_SQUARES)
                                    || name.endsWith(BEFORE),
                            "'%s' cannot be the name of a variable".formatted(name),
                            "Take a word that is no function, and that does not end in %s.".formatted(BEFORE));
                    variables.put(name, quantity(value));
                }));
        List<Quantity> observation = root
                .need("observation", "List its parts: observation: [qpos, qvel].")
                .list("a list of parts, such as [qpos 1.., qvel]")
                .stream()
                .map(RobotFile::quantity)
                .toList();
        List<String> names = names(variables);
        String stem = String.valueOf(whole.getFileName()).replaceFirst("\\.ya?ml$", "");
        return new RobotFile(
                Yaml.get(keys, "name").map(node -> node.text("a name")).orElse(stem),
                mjcf,
                Yaml.get(keys, "inertia").map(RobotFile::legacy).orElse(false),
                Yaml.get(keys, "frame skip").map(RobotFile::count).orElse(1),
                Yaml.get(keys, "horizon").map(RobotFile::count).orElse(1000),
                observation,
                variables,
                Yaml.get(keys, "reward").map(node -> formula(node, names)),
                Yaml.get(keys, "ended").map(node -> formula(node, names)),
                Yaml.get(keys, "start").map(RobotFile::start).orElse(new Start(0, 0, false)),
                Yaml.get(keys, "actions").map(RobotFile::bounds).orElse(List.of()));
    }

    private static Formula formula(Yaml node, List<String> names) {
        return BadInput.placed(node.place(), () -> Formula.of(node.text("a formula"), names));
    }

    private static boolean legacy(Yaml node) {
        return switch (node.text("legacy or modern")) {
            case "legacy" -> true;
            case "modern" -> false;
            default -> throw node.bad("this is neither legacy nor modern", "Leave it out for MuJoCo's own masses.");
        };
    }

    private static int count(Yaml node) {
        double value = number(node);
        node.badWhen(value < 1 || value != Math.rint(value), "this is no count", "Give a whole number from 1 up.");
        return (int) value;
    }

    private static double number(Yaml node) {
        try {
            double value = Double.parseDouble(node.text("a number"));
            node.badWhen(!Double.isFinite(value), "this is not finite", "Give a number such as 0.1.");
            return value;
        } catch (NumberFormatException e) {
            throw node.bad("this is no number", "Give a number such as 0.1.");
        }
    }

    private static Start start(Yaml node) {
        Map<String, Yaml> keys = node.mapping(
                "positions, velocities and distribution", List.of("positions", "velocities", "distribution"));
        boolean normal = Yaml.get(keys, "distribution")
                .map(each -> switch (each.text("uniform or normal")) {
                    case "normal" -> true;
                    case "uniform" -> false;
                    default -> throw each.bad("this is neither uniform nor normal", "It is that of the velocities.");
                })
                .orElse(false);
        return new Start(noise(keys, "positions"), noise(keys, "velocities"), normal);
    }

    private static double noise(Map<String, Yaml> keys, String name) {
        Yaml node = keys.get(name);
        if (node == null) {
            return 0;
        }
        double noise = number(node);
        node.badWhen(noise < 0, "noise is not negative", "Give 0 or more.");
        return noise;
    }

    private static List<double[]> bounds(Yaml node) {
        List<Yaml> parts = node.list("bounds, such as [-1, 1], or a list of them");
        if (parts.size() == 2 && parts.getFirst().isText()) {
            return List.of(pair(node));
        }
        return parts.stream().map(RobotFile::pair).toList();
    }

    private static double[] pair(Yaml node) {
        List<Yaml> two = node.list("two numbers, such as [-1, 1]");
        node.badWhen(two.size() != 2, "these are %d numbers".formatted(two.size()), "Give the lowest and the highest.");
        double[] pair = {number(two.getFirst()), number(two.getLast())};
        node.badWhen(pair[0] >= pair[1], "the lowest is not below the highest", "Give them the other way round.");
        return pair;
    }

    private static Quantity quantity(Yaml node) {
        if (node.isText()) {
            return quantity(node, Kind.VALUES, node.text("numbers such as qpos 2"), Double.POSITIVE_INFINITY);
        }
        Map<String, Yaml> keys =
                node.mapping("value, largest or squares, and clip", List.of("value", "largest", "squares", "clip"));
        Kind kind =
                keys.containsKey("largest") ? Kind.LARGEST : keys.containsKey("squares") ? Kind.SQUARES : Kind.VALUES;
        Yaml of = node.need(
                kind == Kind.VALUES ? "value" : kind == Kind.LARGEST ? "largest" : "squares",
                "For example value: qpos 2.");
        double clip = Yaml.get(keys, "clip").map(RobotFile::number).orElse(Double.POSITIVE_INFINITY);
        return quantity(of, kind, of.text("numbers such as qpos 2"), clip);
    }

    private static Quantity quantity(Yaml node, Kind kind, String text, double clip) {
        String[] words = text.split("\\s+", 2);
        return new Quantity(kind, words[0], words.length == 1 ? "all" : words[1], clip, node.place());
    }
}
