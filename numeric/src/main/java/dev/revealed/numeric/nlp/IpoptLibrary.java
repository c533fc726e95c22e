package dev.revealed.numeric.nlp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.revealed.numeric.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The functions of Ipopt's C interface (IpStdCInterface.h). */
final class IpoptLibrary extends NativeLibrary {
    private static final List<String> NAMES = List.of(
            "libipopt.so.1",
            "libipopt.so.3",
            "libipopt.so",
            "libipopt.dylib",
            "/opt/homebrew/lib/libipopt.dylib",
            "/usr/local/lib/libipopt.dylib",
            "ipopt-3.dll");

    private static final Found FOUND = find();

    private record Found(@Nullable IpoptLibrary library, String reason) {}

    final MethodHandle create = function(
            "CreateIpoptProblem",
            FunctionDescriptor.of(
                    ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT,
                    ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    final MethodHandle free = function("FreeIpoptProblem", FunctionDescriptor.ofVoid(ADDRESS));
    final MethodHandle stringOption = answering("AddIpoptStrOption", ADDRESS, ADDRESS, ADDRESS);
    final MethodHandle numberOption = answering("AddIpoptNumOption", ADDRESS, ADDRESS, JAVA_DOUBLE);
    final MethodHandle integerOption = answering("AddIpoptIntOption", ADDRESS, ADDRESS, JAVA_INT);
    final MethodHandle watch = answering("SetIntermediateCallback", ADDRESS, ADDRESS);
    final MethodHandle solve =
            answering("IpoptSolve", ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);

    private IpoptLibrary(String name) {
        super(name);
    }

    private MethodHandle answering(String name, MemoryLayout... arguments) {
        return function(name, FunctionDescriptor.of(JAVA_INT, arguments));
    }

    static Ipopt.Availability availability() {
        return new Ipopt.Availability(FOUND.library != null, FOUND.reason);
    }

    static IpoptLibrary get() {
        if (FOUND.library == null) {
            throw new IllegalStateException(FOUND.reason);
        }
        return FOUND.library;
    }

    private static Found find() {
        String reason = "none of %s is on the library path".formatted(String.join(", ", NAMES));
        for (String name : NAMES) {
            try {
                return new Found(new IpoptLibrary(name), name);
            } catch (IllegalCallerException e) {
                return new Found(null, "Java was started without --enable-native-access=ALL-UNNAMED");
            } catch (IllegalArgumentException e) {
                // not there under this name
            } catch (UnsatisfiedLinkError e) {
                reason = name + " is there but lacks a function: " + e.getMessage();
            }
        }
        return new Found(null, reason);
    }
}
