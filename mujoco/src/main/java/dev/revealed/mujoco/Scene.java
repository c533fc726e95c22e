package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.revealed.numeric.BadInput;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What a task's robot looks like: the shapes of its bodies once, and where the bodies are for any coordinates. It has data
 * of its own, so that looking never changes what a simulator computes.
 */
@SuppressWarnings("restricted") // pointers of the native structs
public final class Scene implements AutoCloseable {
    /** Numbers of a body's pose: three of its place, and a quaternion, its real part first. */
    public static final int POSE = 7;

    private static final List<String> TYPES =
            List.of("plane", "field", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh");

    /**
     * A shape on a body.
     *
     * @param body 0 for the world, which does not move
     * @param size by type: a capsule's radius and half its length, the half lengths of a box
     * @param place and {@code quaternion} as the body sees it
     */
    public record Geom(String type, int body, double[] size, double[] place, double[] quaternion) {}

    private final int hidden;
    private final double stepSeconds;
    private final Model model;
    private final Library library;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment data;
    private final MemorySegment qpos;
    private final MemorySegment places;
    private final MemorySegment turns;
    private final int bodies;
    private final int velocities;

    public Scene(Task task, Options options) {
        this(
                Model.compile(task.toString(), options.inertia()),
                task.rules().frameSkip(),
                task.rules().hidden());
    }

    /** @param hidden leading coordinates that observations leave out */
    Scene(Model model, int frameSkip, int hidden) {
        this.model = model;
        this.hidden = hidden;
        stepSeconds = frameSkip * model.timestep();
        library = model.library();
        Layout layout = library.layout();
        bodies = model.count("nbody");
        velocities = model.count("nv");
        MemorySegment address = library.makeData(model.segment());
        data = address.reinterpret(layout.at("sizeof.mjData"), arena, made -> Library.rarely(library.deleteData, made));
        qpos = array(layout, "qpos", model.count("nq"));
        places = array(layout, "xpos", 3 * bodies);
        turns = array(layout, "xquat", 4 * bodies);
    }

    private MemorySegment array(Layout layout, String field, int length) {
        return data.get(ADDRESS, layout.at("mjData." + field)).reinterpret(length * 8L, arena, null);
    }

    /** Bodies that move. */
    public int bodies() {
        return bodies - 1;
    }

    /** Seconds from one step of the task to the next. */
    public double stepSeconds() {
        return stepSeconds;
    }

    public List<Geom> geoms() {
        int count = model.count("ngeom");
        int[] types = model.integers("geom_type", count).toArray(JAVA_INT);
        int[] owners = model.integers("geom_bodyid", count).toArray(JAVA_INT);
        MemorySegment sizes = model.doubles("geom_size", 3 * count);
        MemorySegment at = model.doubles("geom_pos", 3 * count);
        MemorySegment turned = model.doubles("geom_quat", 4 * count);
        List<Geom> geoms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            geoms.add(new Geom(TYPES.get(types[i]), owners[i], row(sizes, i, 3), row(at, i, 3), row(turned, i, 4)));
        }
        return geoms;
    }

    private static double[] row(MemorySegment rows, int index, int width) {
        double[] row = new double[width];
        MemorySegment.copy(rows, JAVA_DOUBLE, 8L * width * index, row, 0, width);
        return row;
    }

    /** Writes the poses of all bodies that move, {@link #POSE} numbers each, to {@code into[offset ...]}. */
    public void poses(double[] coordinates, float[] into, int offset) {
        if (8L * coordinates.length != qpos.byteSize()) {
            throw new BadInput(
                    "%d coordinates for %s".formatted(coordinates.length, model.name()),
                    "It has %d.".formatted(qpos.byteSize() / 8));
        }
        MemorySegment.copy(coordinates, 0, qpos, JAVA_DOUBLE, 0, coordinates.length);
        Library.call(library.kinematics, model.segment(), data);
        for (int body = 1; body < bodies; body++) {
            int at = offset + (body - 1) * POSE;
            for (int i = 0; i < 3; i++) {
                into[at + i] = (float) places.getAtIndex(JAVA_DOUBLE, 3L * body + i);
            }
            for (int i = 0; i < 4; i++) {
                into[at + 3 + i] = (float) turns.getAtIndex(JAVA_DOUBLE, 4L * body + i);
            }
        }
    }

    /**
     * The coordinates behind observations that follow each other. Observations leave out how far the robot has come, which
     * is added up from its speed.
     *
     * @param width numbers of an observation
     */
    public double[][] coordinates(float[] observations, int width) {
        int nq = (int) (qpos.byteSize() / 8);
        BadInput.when(
                width < nq - hidden + velocities,
                "observations of %d numbers for %s".formatted(width, model.name()),
                "It has at least %d: these are of another task.".formatted(nq - hidden + velocities));
        double[][] all = new double[observations.length / width][nq];
        double[] come = new double[hidden];
        for (int t = 0; t < all.length; t++) {
            System.arraycopy(come, 0, all[t], 0, hidden);
            for (int i = hidden; i < nq; i++) {
                all[t][i] = observations[t * width + i - hidden];
            }
            for (int i = 0; i < hidden; i++) {
                come[i] += stepSeconds * observations[t * width + nq - hidden + i];
            }
        }
        return all;
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
            model.close();
        }
    }
}
