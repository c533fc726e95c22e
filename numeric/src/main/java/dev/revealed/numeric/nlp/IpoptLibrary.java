package dev.revealed.numeric.nlp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The functions of Ipopt's C interface (IpStdCInterface.h). */
@SuppressWarnings("restricted") // the point of it: calls into a native library
record IpoptLibrary(
        String name,
        MethodHandle create,
        MethodHandle free,
        MethodHandle stringOption,
        MethodHandle numberOption,
        MethodHandle integerOption,
        MethodHandle watch,
        MethodHandle solve) {

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
                return new Found(bind(name), name);
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

    private static IpoptLibrary bind(String name) {
        SymbolLookup symbols = SymbolLookup.libraryLookup(name, Arena.global());
        return new IpoptLibrary(
                name,
                function(
                        symbols,
                        "CreateIpoptProblem",
                        FunctionDescriptor.of(
                                ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, JAVA_INT,
                                JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS)),
                function(symbols, "FreeIpoptProblem", FunctionDescriptor.ofVoid(ADDRESS)),
                function(symbols, "AddIpoptStrOption", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS)),
                function(symbols, "AddIpoptNumOption", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_DOUBLE)),
                function(symbols, "AddIpoptIntOption", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT)),
                function(symbols, "SetIntermediateCallback", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS)),
                function(
                        symbols,
                        "IpoptSolve",
                        FunctionDescriptor.of(
                                JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS)));
    }

    private static MethodHandle function(SymbolLookup symbols, String name, FunctionDescriptor type) {
        MemorySegment address = symbols.find(name).orElseThrow(() -> new UnsatisfiedLinkError(name));
        return Linker.nativeLinker().downcallHandle(address, type);
    }
}
