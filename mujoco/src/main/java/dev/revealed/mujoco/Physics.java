package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One simulation of a model in native memory: placed, stepped, saved. What a task makes of it is left to others. The next
 * step depends on coordinates, velocities, controls and the solver's warm start alone.
 */
@SuppressWarnings("restricted") // pointers of the native structs
final class Physics implements AutoCloseable {
    private final Model model;
    private final boolean ownsModel;
    private final Library library;
    private final Layout layout;
    private final MemorySegment modelSegment;
    private final double[] rest;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment data;
    private final MemorySegment warnings;
    private final long timeAt;
    private final MemorySegment qpos;
    private final MemorySegment qvel;
    private final MemorySegment warmStart;
    private final MemorySegment control;

    /** @param ownsModel whether closing this closes the model */
    Physics(Model model, boolean ownsModel) {
        this.model = model;
        this.ownsModel = ownsModel;
        library = model.library();
        layout = library.layout();
        modelSegment = model.segment();
        rest = model.doubles("qpos0", model.count("nq")).toArray(JAVA_DOUBLE);
        MemorySegment address = library.makeData(modelSegment);
        String fatal = Library.takeFatal();
        if (address.address() == 0 || fatal != null) {
            arena.close();
            throw new IllegalStateException("MuJoCo makes no data for %s: %s".formatted(model.name(), fatal));
        }
        data = address.reinterpret(layout.at("sizeof.mjData"), arena, made -> Library.rarely(library.deleteData, made));
        warnings = data.asSlice(layout.at("mjData.warning"), layout.at("sizeof.mjData.warning"));
        timeAt = layout.at("mjData.time");
        qpos = array("qpos", model.count("nq"));
        qvel = array("qvel", model.count("nv"));
        warmStart = array("qacc_warmstart", model.count("nv"));
        control = array("ctrl", model.count("nu"));
    }

    /** An array of the simulation's numbers, as MuJoCo's headers name it. */
    MemorySegment array(String field, int length) {
        return data.get(ADDRESS, layout.at("mjData." + field)).reinterpret(length * 8L, arena, null);
    }

    Model model() {
        return model;
    }

    int coordinates() {
        return rest.length;
    }

    int velocities() {
        return length(qvel);
    }

    int controls() {
        return length(control);
    }

    /** The coordinates of the model's first pose; do not modify. */
    double[] rest() {
        return rest;
    }

    MemorySegment qpos() {
        return qpos;
    }

    MemorySegment qvel() {
        return qvel;
    }

    /** Begins with these coordinates and velocities, quaternions normalised. */
    void place(double[] coordinates, double[] speeds) {
        clear();
        write(coordinates, qpos);
        write(speeds, qvel);
        Library.call(library.forward, modelSegment, data);
    }

    /** Native memory as new, without a word of what was. */
    void clear() {
        Library.call(library.resetData, modelSegment, data);
        Library.takeWarning();
    }

    /** @param forces whether the forces on bodies are filled in, which a step leaves out */
    void simulate(double[] controls, int times, boolean forces) {
        write(controls, control);
        for (int i = 0; i < times; i++) {
            Library.call(library.step, modelSegment, data);
        }
        if (forces) {
            Library.call(library.rnePostConstraint, modelSegment, data);
        }
    }

    /** What MuJoCo complained of, if anything: after a warning it may have put the robot back to its first pose. */
    @Nullable
    String complaint() {
        String fatal = Library.takeFatal();
        if (fatal != null) {
            return "MuJoCo gave up: " + fatal;
        }
        for (long at = 0; at < warnings.byteSize(); at += 8) { // pairs of what and how often
            if (warnings.get(JAVA_INT, at + 4) != 0) {
                String said = Library.takeWarning();
                return "the simulation is unstable: " + (said == null ? "warning " + at / 8 : said);
            }
        }
        return null;
    }

    double time() {
        return data.get(JAVA_DOUBLE, timeAt);
    }

    /** How many numbers {@link #save} writes. */
    int size() {
        return coordinates() + 2 * velocities() + controls();
    }

    /** Writes what the next step starts from, but for the time; returns where it ends. */
    int save(double[] into, int offset) {
        int at = offset;
        for (MemorySegment part : driving()) {
            MemorySegment.copy(part, JAVA_DOUBLE, 0, into, at, length(part));
            at += length(part);
        }
        return at;
    }

    /** Goes on from what was saved; returns where it ends. */
    int restore(double time, double[] from, int offset) {
        clear();
        data.set(JAVA_DOUBLE, timeAt, time);
        int at = offset;
        for (MemorySegment part : driving()) {
            MemorySegment.copy(from, at, part, JAVA_DOUBLE, 0, length(part));
            at += length(part);
        }
        return at;
    }

    private MemorySegment[] driving() {
        return new MemorySegment[] {qpos, qvel, warmStart, control};
    }

    static int length(MemorySegment doubles) {
        return (int) (doubles.byteSize() / JAVA_DOUBLE.byteSize());
    }

    static void read(MemorySegment from, double[] to) {
        MemorySegment.copy(from, JAVA_DOUBLE, 0, to, 0, to.length);
    }

    private static void write(double[] from, MemorySegment to) {
        MemorySegment.copy(from, 0, to, JAVA_DOUBLE, 0, from.length);
    }

    /** Frees the native memory; harmless the second time. To go on afterwards throws an {@link IllegalStateException}. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        if (ownsModel) {
            model.close();
        }
    }
}
