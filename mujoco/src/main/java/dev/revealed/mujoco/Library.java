package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.revealed.numeric.BadInput;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
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
final class Library {
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

    private final Layout layout;
    private final MethodHandle loadXml;
    private final MethodHandle deleteModel;
    private final MethodHandle makeData;
    private final MethodHandle deleteData;
    private final MethodHandle resetData;
    private final MethodHandle setConst;
    private final MethodHandle forward;
    private final MethodHandle step;
    private final MethodHandle rnePostConstraint;
    private final MethodHandle eig3;

    private Library(SymbolLookup symbols, Layout layout) {
        this.layout = layout;
        loadXml = function(symbols, "mj_loadXML", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_INT));
        deleteModel = function(symbols, "mj_deleteModel", ON_ONE);
        makeData = function(symbols, "mj_makeData", FunctionDescriptor.of(ADDRESS, ADDRESS));
        deleteData = function(symbols, "mj_deleteData", ON_ONE);
        resetData = function(symbols, "mj_resetData", ON_BOTH);
        setConst = function(symbols, "mj_setConst", ON_BOTH);
        forward = function(symbols, "mj_forward", ON_BOTH);
        step = function(symbols, "mj_step", ON_BOTH);
        rnePostConstraint = function(symbols, "mj_rnePostConstraint", ON_BOTH);
        eig3 = function(symbols, "mju_eig3", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        // Left alone, an error ends the process and a warning writes to the terminal and to a file.
        callback(symbols, "mju_user_error", "fatal");
        callback(symbols, "mju_user_warning", "warning");
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
            SymbolLookup symbols = lookUp(name);
            if (symbols != null) {
                return bind(name, symbols);
            }
        }
        throw new BadInput(
                "the library MuJoCo is not installed (%s is not on the library path)".formatted(USUAL),
                "%s. If you have it elsewhere, set %s to its file.".formatted(INSTALL, SETTING));
    }

    /** Opens the library at a place that the user named. */
    static Library open(String file) {
        SymbolLookup symbols = lookUp(file);
        if (symbols == null) {
            throw new BadInput(
                    "%s is %s, which is not there or not a library for this machine".formatted(SETTING, file),
                    "Give the file of libmujoco, or nothing. " + INSTALL);
        }
        return bind(file, symbols);
    }

    private static @Nullable SymbolLookup lookUp(String name) {
        try {
            return SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalCallerException e) {
            throw new BadInput(
                    "Java was started without native access", "Add --enable-native-access=ALL-UNNAMED to its options.");
        } catch (IllegalArgumentException e) {
            return null; // not there
        }
    }

    private static Library bind(String name, SymbolLookup symbols) {
        try {
            int version = (int) function(symbols, "mj_version", FunctionDescriptor.of(JAVA_INT))
                    .invokeExact();
            return new Library(symbols, Layout.of(version));
        } catch (UnsatisfiedLinkError e) {
            throw new BadInput("%s is a library but not MuJoCo: it has no %s".formatted(name, e.getMessage()), INSTALL);
        } catch (BadInput e) {
            throw e.in(name);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static MethodHandle function(SymbolLookup symbols, String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(symbol(symbols, name), type);
    }

    private static MemorySegment symbol(SymbolLookup symbols, String name) {
        return symbols.find(name).orElseThrow(() -> new UnsatisfiedLinkError(name));
    }

    private static void callback(SymbolLookup symbols, String variable, String method) {
        try {
            MethodHandle handler = MethodHandles.lookup().findStatic(Library.class, method, ON_ONE.toMethodType());
            symbol(symbols, variable)
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
        try {
            return (MemorySegment) loadXml.invokeExact(file, MemorySegment.NULL, error, (int) error.byteSize());
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    void deleteModel(MemorySegment model) {
        try {
            deleteModel.invokeExact(model);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    MemorySegment makeData(MemorySegment model) {
        try {
            return (MemorySegment) makeData.invokeExact(model);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    void deleteData(MemorySegment data) {
        try {
            deleteData.invokeExact(data);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    void resetData(MemorySegment model, MemorySegment data) {
        try {
            resetData.invokeExact(model, data);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    void setConst(MemorySegment model, MemorySegment data) {
        try {
            setConst.invokeExact(model, data);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    void forward(MemorySegment model, MemorySegment data) {
        try {
            forward.invokeExact(model, data);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    void step(MemorySegment model, MemorySegment data) {
        try {
            step.invokeExact(model, data);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Fills in the forces on the bodies, which a step leaves out. */
    void rnePostConstraint(MemorySegment model, MemorySegment data) {
        try {
            rnePostConstraint.invokeExact(model, data);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Eigenvalues, largest first, and eigenvectors, also as a quaternion, of a symmetric 3 x 3 matrix. */
    void eig3(MemorySegment values, MemorySegment vectors, MemorySegment quaternion, MemorySegment matrix) {
        try {
            int iterations = (int) eig3.invokeExact(values, vectors, quaternion, matrix);
            assert iterations >= 0;
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
