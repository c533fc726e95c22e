package dev.revealed.cuda;

import dev.revealed.numeric.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** A native library whose functions give an int that says whether they worked. */
class StatusLibrary extends NativeLibrary {

    StatusLibrary(String name) {
        super(name);
    }

    final MethodHandle function(String function, MemoryLayout... arguments) {
        return function(function, FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
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
