package dev.revealed.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;

/** A native library whose functions give an int that says whether they worked. */
@SuppressWarnings("restricted") // the point of it: calls into a native library
record Native(String name, SymbolLookup symbols) {

    /** Throws IllegalArgumentException where there is no such library. */
    static Native open(String name) {
        return new Native(name, SymbolLookup.libraryLookup(name, Arena.global()));
    }

    MethodHandle function(String function, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(
                        symbols.find(function)
                                .orElseThrow(() -> new NoSuchElementException(name + " has no function " + function)),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }

    /** A call by its handle; what comes back is the library's code. */
    @FunctionalInterface
    interface Call {
        int code() throws Throwable;
    }

    static int code(Call call) {
        try {
            return call.code();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // downcalls declare Throwable and throw nothing of the kind
        }
    }
}
