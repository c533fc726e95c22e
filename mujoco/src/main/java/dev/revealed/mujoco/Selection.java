package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.revealed.data.model.RobotFile.Kind;
import dev.revealed.data.model.RobotFile.Quantity;
import dev.revealed.numeric.Closest;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers of a simulation that a robot's file names. */
final class Selection {
    private static final List<String> ARRAYS =
            List.of("qpos", "qvel", "xpos", "xipos", "cinert", "cvel", "qfrc_actuator", "cfrc_ext", "sensor");
    private static final Pattern RANGE = Pattern.compile("(\\d+)(?:\\.\\.(\\d*))?");
    private static final Pattern THING = Pattern.compile("(\\S+)(?: ([xyz]))?");
    private static final int BODY = 1; // kinds of things in MuJoCo
    private static final int JOINT = 3;

    /** Coordinates and velocities of a joint, by its type: free, ball, slide, hinge. */
    private static final int[] COORDINATES = {7, 4, 1, 1};

    private static final int[] VELOCITIES = {6, 3, 1, 1};

    private final Kind kind;
    private final double clip;
    private final MemorySegment array;
    private final int from;
    private final int count;

    Selection(Quantity quantity, Physics physics) {
        kind = quantity.kind();
        clip = quantity.clip();
        Model model = physics.model();
        String name = quantity.array();
        if (!ARRAYS.contains(name)) {
            throw quantity.bad(
                    "there are no numbers '%s'".formatted(name),
                    Closest.question(name, ARRAYS) + "They are " + String.join(", ", ARRAYS) + ".");
        }
        int bodies = model.count("nbody");
        int width = switch (name) {
            case "xpos", "xipos" -> 3;
            case "cinert" -> 10;
            case "cvel", "cfrc_ext" -> 6;
            default -> 1;
        };
        int length = switch (name) {
            case "qpos" -> physics.coordinates();
            case "qvel", "qfrc_actuator" -> physics.velocities();
            case "sensor" -> sensors(quantity, model);
            default -> width * bodies;
        };
        array = physics.array(name.equals("sensor") ? "sensordata" : name, length);
        int[] span = span(quantity, model, length, width);
        from = span[0];
        count = span[1];
    }

    private static int sensors(Quantity quantity, Model model) {
        if (!model.library().layout().has("mjData.sensordata")) {
            throw quantity.bad(
                    "where MuJoCo %s keeps sensors is not known"
                            .formatted(model.library().layout().version()),
                    "Use MuJoCo 2.2.2 or 3.14.0, or observe other numbers.");
        }
        return model.count("nsensordata");
    }

    /** Where it begins and how many there are. */
    private static int[] span(Quantity quantity, Model model, int length, int width) {
        String where = quantity.where();
        if (where.equals("all")) {
            return new int[] {0, length};
        }
        Matcher range = RANGE.matcher(where);
        if (range.matches()) {
            int begin = Integer.parseInt(range.group(1));
            String end = range.group(2);
            int last = end == null ? begin : end.isEmpty() ? length - 1 : Integer.parseInt(end);
            if (begin > last || last >= length) {
                throw quantity.bad(
                        "%s has no %s".formatted(quantity.array(), where),
                        length == 0
                                ? "The model has no such numbers."
                                : "It has %d numbers, from 0 to %d.".formatted(length, length - 1));
            }
            return new int[] {begin, last - begin + 1};
        }
        Matcher thing = THING.matcher(where);
        if (!thing.matches()) {
            throw quantity.bad("'%s' is no place".formatted(where), "Write an index, a range such as 2.., or a name.");
        }
        return width == 1
                ? joint(quantity, model, thing.group(1))
                : body(quantity, model, thing.group(1), thing.group(2), width);
    }

    private static int[] body(Quantity quantity, Model model, String name, @Nullable String axis, int width) {
        int id = model.idOf(BODY, name);
        if (id < 0) {
            throw quantity.bad("the model has no body '%s'".formatted(name), "Name one, or write an index.");
        }
        return axis == null ? new int[] {id * width, width} : new int[] {id * width + axis.charAt(0) - 'x', 1};
    }

    private static int[] joint(Quantity quantity, Model model, String name) {
        int id = model.idOf(JOINT, name);
        if (id < 0 || quantity.array().equals("sensor")) {
            throw quantity.bad(
                    "the model has no %s '%s'".formatted(id < 0 ? "joint" : "sensor of the name", name),
                    "Name a joint, or write an index.");
        }
        if (!model.library().layout().has("mjModel.jnt_type")) {
            throw quantity.bad(
                    "where MuJoCo %s keeps joints is not known"
                            .formatted(model.library().layout().version()),
                    "Write an index instead of a name.");
        }
        int[] types = model.integers("jnt_type", model.count("njnt")).toArray(JAVA_INT);
        int[] sizes = quantity.array().equals("qpos") ? COORDINATES : VELOCITIES;
        int begin = 0;
        for (int i = 0; i < id; i++) {
            begin += sizes[types[i]];
        }
        return new int[] {begin, sizes[types[id]]};
    }

    /** How many numbers it gives. */
    int size() {
        return kind == Kind.VALUES ? count : 1;
    }

    /** Writes the numbers as they are now; returns where they end. */
    int write(double[] into, int offset) {
        if (kind == Kind.VALUES) {
            for (int i = 0; i < count; i++) {
                into[offset + i] = at(i);
            }
            return offset + count;
        }
        double result = 0;
        for (int i = 0; i < count; i++) {
            double x = at(i);
            result = kind == Kind.SQUARES ? result + x * x : Math.max(result, Math.abs(x));
        }
        into[offset] = result;
        return offset + 1;
    }

    private double at(int i) {
        double x = array.getAtIndex(JAVA_DOUBLE, (long) from + i);
        return clip < Double.POSITIVE_INFINITY ? Math.clamp(x, -clip, clip) : x;
    }
}
