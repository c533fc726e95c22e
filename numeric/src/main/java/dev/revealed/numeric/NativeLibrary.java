package dev.revealed.numeric;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * A native library that stays open for the rest of the process. A subclass has a field for each function it calls; where the
 * library lacks one, making the object throws an {@link UnsatisfiedLinkError} that names it.
 */
@SuppressWarnings("restricted") // the point of it: calls into a native library
public abstract class NativeLibrary {
    private final SymbolLookup symbols;

    /** Throws IllegalArgumentException where there is no such library, IllegalCallerException where Java may not open any. */
    protected NativeLibrary(String name) {
        symbols = SymbolLookup.libraryLookup(name, Arena.global());
    }

    protected final MethodHandle function(String function, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(symbol(function), type);
    }

    protected final MemorySegment symbol(String symbol) {
        return symbols.find(symbol).orElseThrow(() -> new UnsatisfiedLinkError(symbol));
    }
}
