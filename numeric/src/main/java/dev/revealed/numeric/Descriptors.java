package dev.revealed.numeric;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Open files of the process by their numbers, as the operating system has them. */
@SuppressWarnings("restricted") // a call into the C library
public final class Descriptors {
    private Descriptors() {}

    /** Makes one number stand for the file of another; false where the system cannot. */
    public static boolean copy(int from, int to) {
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle dup2 = linker.downcallHandle(
                    linker.defaultLookup().find("dup2").orElseThrow(),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
            return (int) dup2.invokeExact(from, to) == to;
        } catch (Throwable e) {
            return false;
        }
    }
}
