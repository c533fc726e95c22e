package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A compiled model. It is never written after {@link #compile}, so that many simulations on many threads may share it;
 * close it after them.
 */
@SuppressWarnings("restricted") // pointers of the native structs
final class Model implements AutoCloseable {
    private static final int MESSAGE_BYTES = 1024;
    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock(); // the compiler of MuJoCo wants it so

    private final Library library = Library.get();
    private final Layout layout = library.layout();
    private final Arena arena = Arena.ofShared();
    private final String name;
    private final MemorySegment segment;

    private Model(String name, MemorySegment address) {
        this.name = name;
        segment = address.reinterpret(
                layout.at("sizeof.mjModel"), arena, model -> Library.rarely(library.deleteModel, model));
    }

    static Model compile(String name, Inertia inertia) {
        ONE_AT_A_TIME.lock();
        try {
            byte[] xml = text(name);
            Model model = new Model(name, load(Library.get(), name, xml));
            try {
                model.check();
                if (inertia == Inertia.LEGACY) {
                    new LegacyInertia(model).apply(new String(xml, StandardCharsets.UTF_8).contains("settotalmass"));
                }
                return model;
            } catch (Throwable e) {
                model.close();
                throw e;
            }
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    /**
     * A model of one's own, from its file; other files that it names are found beside it.
     *
     * @param name for messages
     */
    static Model compile(String name, Path file, Inertia inertia) {
        ONE_AT_A_TIME.lock();
        try (Arena own = Arena.ofConfined()) {
            Library library = Library.get();
            MemorySegment message = own.allocate(MESSAGE_BYTES);
            MemorySegment address = library.loadXml(own.allocateFrom(file.toString()), message);
            String fatal = Library.takeFatal();
            if (address.address() == 0 || fatal != null) {
                throw new BadInput(
                        "MuJoCo %s cannot use %s: %s"
                                .formatted(
                                        library.layout().version(),
                                        file,
                                        (fatal == null ? message.getString(0) : fatal).strip()),
                        "Mend the model; MuJoCo's documentation describes MJCF.");
            }
            Model model = new Model(name, address);
            try {
                BadInput.when(
                        model.count("na") > 0,
                        "%s has actuators with a state of their own (activations)".formatted(file),
                        "Use motors, positions or velocities without dynamics: a checkpoint would forget the rest.");
                if (inertia == Inertia.LEGACY) {
                    new LegacyInertia(model).apply(Files.readString(file).contains("settotalmass"));
                }
                return model;
            } catch (Throwable e) {
                model.close();
                throw e;
            }
        } catch (IOException e) {
            throw new BadInput("%s cannot be read: %s".formatted(file, BadInput.reason(e)), "Check the path.");
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    /** The number of a body or joint by its name; -1 where there is none. */
    int idOf(int kind, String thing) {
        try (Arena own = Arena.ofConfined()) {
            return library.idOf(segment, kind, own.allocateFrom(thing));
        }
    }

    private static byte[] text(String name) {
        try (InputStream resource =
                Objects.requireNonNull(Model.class.getResourceAsStream("models/" + name + ".xml"), name)) {
            return resource.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** MuJoCo reads files, so the model becomes one for a moment. */
    private static MemorySegment load(Library library, String name, byte[] xml) {
        try (Arena own = Arena.ofConfined()) {
            Path file = Files.createTempFile("revealed-" + name, ".xml");
            try {
                Files.write(file, xml);
                MemorySegment message = own.allocate(MESSAGE_BYTES);
                MemorySegment address = library.loadXml(own.allocateFrom(file.toString()), message);
                String fatal = Library.takeFatal();
                if (address.address() == 0 || fatal != null) {
                    throw new IllegalStateException(
                            "the model %s: %s".formatted(name, fatal == null ? message.getString(0) : fatal));
                }
                return address;
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new BadInput(
                    "the model %s cannot be written for MuJoCo to read (%s)".formatted(name, BadInput.reason(e)),
                    "Make room in %s, or name another folder: REVEALED_JAVA_OPTS=-Djava.io.tmpdir=DIR."
                            .formatted(System.getProperty("java.io.tmpdir")));
        }
    }

    /** A wrong layout would show here rather than as a crash later. */
    private void check() {
        int mobile = count("nq") - count("nv");
        boolean sound = count("na") == 0
                && (mobile == 0 || mobile == 1)
                && count("nu") > 0
                && count("nu") < count("nv")
                && count("nbody") <= count("ngeom")
                && timestep() > 0
                && timestep() < 0.1;
        if (!sound) {
            throw new IllegalStateException(
                    "the layout of MuJoCo %s in layouts.csv does not fit the library".formatted(layout.version()));
        }
    }

    String name() {
        return name;
    }

    Library library() {
        return library;
    }

    MemorySegment segment() {
        return segment;
    }

    /** One of the sizes of the model: nq, nv and so on. */
    int count(String size) {
        long at = layout.at("mjModel." + size);
        return layout.at("sizeof.count") == Long.BYTES
                ? Math.toIntExact(segment.get(JAVA_LONG, at))
                : segment.get(JAVA_INT, at);
    }

    double timestep() {
        return segment.get(JAVA_DOUBLE, layout.at("mjModel.opt.timestep"));
    }

    /** An array of doubles that the model points to. */
    MemorySegment doubles(String field, int length) {
        return array(field, length * JAVA_DOUBLE.byteSize());
    }

    MemorySegment integers(String field, int length) {
        return array(field, length * JAVA_INT.byteSize());
    }

    private MemorySegment array(String field, long bytes) {
        return segment.get(ADDRESS, layout.at("mjModel." + field)).reinterpret(bytes, arena, null);
    }

    /** Derives again what follows from masses and inertias. */
    void refreshConstants() {
        MemorySegment data = library.makeData(segment);
        Library.call(library.setConst, segment, data);
        Library.rarely(library.deleteData, data);
        String fatal = Library.takeFatal();
        if (fatal != null) {
            throw new IllegalStateException("the model %s: %s".formatted(name, fatal));
        }
    }

    /** Harmless the second time. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
