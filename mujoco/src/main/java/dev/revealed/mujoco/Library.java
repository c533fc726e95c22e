package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The functions of libmujoco that we call. None of them is called in the critical mode of the linker: they are long, and
 * they call back into Java when they have something to complain of.
 */
@SuppressWarnings("restricted") // the point of it: calls into a native library
final class Library extends NativeLibrary {
    static final String INSTALL = "To get the one that is used here, type: apt-get install libmujoco2.2.2";
    private static final String SETTING = "REVEALED_MUJOCO";
    private static final String USUAL = "libmujoco.so.2.2.2";
    private static final FunctionDescriptor ON_BOTH = FunctionDescriptor.ofVoid(ADDRESS, ADDRESS);
    private static final FunctionDescriptor ON_ONE = FunctionDescriptor.ofVoid(ADDRESS);

    /** What MuJoCo said on this thread during the last calls. Its callbacks run on the thread that called it. */
    private static final ThreadLocal<@Nullable String> FATAL = new ThreadLocal<>();

    private static final ThreadLocal<@Nullable String> WARNING = new ThreadLocal<>();

    private static final Found FOUND = find();

    /** The library, or why there is none. */
    private record Found(@Nullable Library library, String problem, String remedy) {}

    private final MethodHandle version = function("mj_version", FunctionDescriptor.of(JAVA_INT));
    private final MethodHandle loadXml =
            function("mj_loadXML", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_INT));
    final MethodHandle deleteModel = function("mj_deleteModel", ON_ONE);
    private final MethodHandle makeData = function("mj_makeData", FunctionDescriptor.of(ADDRESS, ADDRESS));
    final MethodHandle deleteData = function("mj_deleteData", ON_ONE);
    final MethodHandle resetData = function("mj_resetData", ON_BOTH);
    final MethodHandle setConst = function("mj_setConst", ON_BOTH);
    final MethodHandle forward = function("mj_forward", ON_BOTH);
    /** Places the bodies by the coordinates, and nothing else. */
    final MethodHandle kinematics = function("mj_kinematics", ON_BOTH);

    final MethodHandle step = function("mj_step", ON_BOTH);

    /** Fills in the forces on the bodies, which a step leaves out. */
    final MethodHandle rnePostConstraint = function("mj_rnePostConstraint", ON_BOTH);

    /** Eigenvalues, largest first, and eigenvectors, also as a quaternion, of a symmetric 3 x 3 matrix. */
    final MethodHandle eig3 = function("mju_eig3", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

    private final MethodHandle idOf =
            function("mj_name2id", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));

    private final Layout layout;

    private Library(String name) {
        super(name);
        layout = Layout.of((int) rarely(version));
        // Left alone, an error ends the process and a warning writes to the terminal and to a file.
        callback("mju_user_error", "fatal");
        callback("mju_user_warning", "warning");
    }

    /** The library of this process, opened at first use and never closed. */
    static Library get() {
        if (FOUND.library == null) {
            throw new BadInput(FOUND.problem, FOUND.remedy);
        }
        return FOUND.library;
    }

    private static Found find() {
        String setting = System.getProperty("revealed.mujoco", System.getenv(SETTING));
        try {
            return new Found(setting == null || setting.isBlank() ? search() : open(setting), "", "");
        } catch (BadInput e) {
            return new Found(null, e.problem(), e.remedy());
        }
    }

    private static Library search() {
        List<String> names = new ArrayList<>(List.of(USUAL, "libmujoco.so"));
        for (String version : Layout.versions().reversed()) {
            names.add("libmujoco.so." + version);
        }
        for (String name : names) {
            Library library = bind(name);
            if (library != null) {
                return library;
            }
        }
        throw new BadInput(
                "the library MuJoCo is not installed (%s is not on the library path)".formatted(USUAL),
                "%s. If you have it elsewhere, set %s to its file.".formatted(INSTALL, SETTING));
    }

    /** Opens the library at a place that the user named. */
    static Library open(String file) {
        Library library = bind(file);
        if (library == null) {
            throw new BadInput(
                    "%s is %s, which is not there or not a library for this machine".formatted(SETTING, file),
                    "Give the file of libmujoco, or nothing. " + INSTALL);
        }
        return library;
    }

    /** Null where there is no library of that name. */
    private static @Nullable Library bind(String name) {
        try {
            return new Library(name);
        } catch (IllegalCallerException e) {
            throw new BadInput(
                    "Java was started without native access", "Add --enable-native-access=ALL-UNNAMED to its options.");
        } catch (BadInput e) {
            throw e.in(name);
        } catch (IllegalArgumentException e) {
            return null; // not there
        } catch (UnsatisfiedLinkError e) {
            throw new BadInput("%s is a library but not MuJoCo: it has no %s".formatted(name, e.getMessage()), INSTALL);
        }
    }

    private void callback(String variable, String method) {
        try {
            MethodHandle handler = MethodHandles.lookup().findStatic(Library.class, method, ON_ONE.toMethodType());
            symbol(variable)
                    .reinterpret(ADDRESS.byteSize())
                    .set(ADDRESS, 0, Linker.nativeLinker().upcallStub(handler, ON_ONE, Arena.global()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    // Called by MuJoCo, by name. They only take notes: an exception may not cross native frames. MuJoCo goes on after
    // an
    // error, so what it computed then is worthless; whoever called must look at the notes before using it.

    @SuppressWarnings("unused")
    private static void fatal(MemorySegment message) {
        note(FATAL, message);
    }

    @SuppressWarnings("unused")
    private static void warning(MemorySegment message) {
        note(WARNING, message);
    }

    private static void note(ThreadLocal<@Nullable String> where, MemorySegment message) {
        String said = "an error without a message";
        try {
            said = message.reinterpret(1024).getString(0, StandardCharsets.ISO_8859_1);
        } catch (RuntimeException e) {
            // then without it
        }
        if (where.get() == null) { // the first complaint is the cause, the others follow from it
            where.set(said.strip());
        }
    }

    /** The fatal error of the calls since the last question, if there was one. */
    static @Nullable String takeFatal() {
        String said = FATAL.get();
        if (said != null) {
            FATAL.remove();
        }
        return said;
    }

    static @Nullable String takeWarning() {
        String said = WARNING.get();
        WARNING.remove();
        return said;
    }

    Layout layout() {
        return layout;
    }

    /** A null address where it failed; then {@code error} says why. */
    MemorySegment loadXml(MemorySegment file, MemorySegment error) {
        return (MemorySegment) rarely(loadXml, file, MemorySegment.NULL, error, (int) error.byteSize());
    }

    /** The number of a thing of the model by its name; -1 where there is none. */
    int idOf(MemorySegment model, int kind, MemorySegment name) {
        return (int) rarely(idOf, model, kind, name);
    }

    MemorySegment makeData(MemorySegment model) {
        return (MemorySegment) rarely(makeData, model);
    }

    /** Calls a function of a model and its data. */
    static void call(MethodHandle function, MemorySegment model, MemorySegment data) {
        try {
            function.invokeExact(model, data);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Calls any function, more slowly than the one above. */
    static Object rarely(MethodHandle function, Object... arguments) {
        try {
            return function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException("calling MuJoCo failed", e);
    }
}
