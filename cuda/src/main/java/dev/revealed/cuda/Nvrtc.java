package dev.revealed.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** NVIDIA's run-time compiler, from CUDA C++ to the machine code of one kind of device. */
final class Nvrtc extends StatusLibrary {
    private static final List<String> SONAMES = List.of("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so");

    private final int major;
    private final int minor;
    private final MethodHandle version = function("nvrtcVersion", ADDRESS, ADDRESS);
    private final MethodHandle create =
            function("nvrtcCreateProgram", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    private final MethodHandle compile = function("nvrtcCompileProgram", JAVA_LONG, JAVA_INT, ADDRESS);
    private final MethodHandle logSize = function("nvrtcGetProgramLogSize", JAVA_LONG, ADDRESS);
    private final MethodHandle log = function("nvrtcGetProgramLog", JAVA_LONG, ADDRESS);
    private final MethodHandle size = function("nvrtcGetCUBINSize", JAVA_LONG, ADDRESS);
    private final MethodHandle code = function("nvrtcGetCUBIN", JAVA_LONG, ADDRESS);
    private final MethodHandle destroy = function("nvrtcDestroyProgram", ADDRESS);

    private Nvrtc(String library) {
        super(library);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(JAVA_INT, 2);
            MemorySegment second = numbers.asSlice(JAVA_INT.byteSize());
            check("nvrtcVersion", () -> (int) version.invokeExact(numbers, second));
            major = numbers.getAtIndex(JAVA_INT, 0);
            minor = numbers.getAtIndex(JAVA_INT, 1);
        }
    }

    /** The newest that the driver can load code of; drivers take that of their own major version and older ones. */
    static Optional<Nvrtc> find(int driverMajor) {
        for (String name : candidates()) {
            try {
                openBuiltins(name);
                Nvrtc nvrtc = new Nvrtc(name);
                if (nvrtc.major <= driverMajor) {
                    return Optional.of(nvrtc);
                }
            } catch (IllegalArgumentException | UnsatisfiedLinkError e) {
                // not there under this name, or too old to compile to machine code
            }
        }
        return Optional.empty();
    }

    /** NVRTC opens a second library by its bare name, which is found only where it is already open. */
    private static void openBuiltins(String name) {
        Path folder = Path.of(name).getParent();
        if (folder != null) {
            for (Path file : matching(folder, "libnvrtc-builtins.so*")) {
                new StatusLibrary(file.toString());
            }
        }
    }

    private static Set<String> candidates() {
        Set<String> names = new LinkedHashSet<>(SONAMES);
        for (Path folder : folders()) {
            for (String soname : SONAMES) {
                Path file = folder.resolve(soname);
                if (Files.exists(file)) {
                    names.add(file.toString());
                }
            }
        }
        return names;
    }

    /** Toolkits where they are usually installed, then those that came as Python packages of a Python on the path. */
    private static List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
            String home = System.getenv(variable);
            if (home != null && !home.isEmpty()) {
                add(folders, home, "lib64");
            }
        }
        for (Path toolkit : matching(Path.of("/usr/local"), "cuda*")) {
            folders.add(toolkit.resolve("lib64"));
            folders.add(toolkit.resolve("targets/x86_64-linux/lib"));
        }
        folders.add(Path.of("/usr/lib/x86_64-linux-gnu"));
        folders.add(Path.of("/usr/lib64"));
        String path = System.getenv("PATH");
        for (String bin : (path == null ? "" : path).split(File.pathSeparator, -1)) {
            List<Path> libraries = new ArrayList<>();
            add(libraries, bin, "../lib");
            for (Path lib : libraries) {
                for (Path python : matching(lib, "python3*")) {
                    for (String kind : List.of("site-packages", "dist-packages")) {
                        for (Path part : matching(python.resolve(kind).resolve("nvidia"), "*")) {
                            folders.add(part.resolve("lib"));
                        }
                    }
                }
            }
        }
        return folders;
    }

    private static void add(List<Path> folders, String base, String below) {
        try {
            folders.add(Path.of(base).resolve(below).normalize());
        } catch (InvalidPathException e) {
            // whatever stands in the environment there, it is no folder
        }
    }

    private static List<Path> matching(Path folder, String pattern) {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, pattern)) {
                entries.forEach(found::add);
            } catch (IOException e) {
                return List.of(); // a folder we may not read has nothing for us
            }
        }
        found.sort((a, b) -> b.compareTo(a));
        return found;
    }

    String version() {
        return major + "." + minor;
    }

    /** Machine code for devices of a compute capability such as 90. */
    byte[] compile(String name, String source, int capability) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            MemorySegment text = arena.allocateFrom(source);
            MemorySegment title = arena.allocateFrom(name);
            check("nvrtcCreateProgram", () ->
                    (int) create.invokeExact(handle, text, title, 0, MemorySegment.NULL, MemorySegment.NULL));
            long program = handle.get(JAVA_LONG, 0);
            try {
                List<String> options = List.of("--gpu-architecture=sm_" + capability, "--std=c++17");
                MemorySegment list = arena.allocate(ADDRESS, options.size());
                for (int i = 0; i < options.size(); i++) {
                    list.setAtIndex(ADDRESS, i, arena.allocateFrom(options.get(i)));
                }
                int result = StatusLibrary.code(() -> (int) compile.invokeExact(program, options.size(), list));
                if (result != 0) {
                    String said = new String(read(arena, program, logSize, log), StandardCharsets.UTF_8);
                    throw new CudaFailure("compiling " + name + " by NVRTC " + version(), result, said.strip());
                }
                return read(arena, program, size, code);
            } finally {
                check("nvrtcDestroyProgram", () -> (int) destroy.invokeExact(handle));
            }
        }
    }

    private static byte[] read(Arena arena, long program, MethodHandle length, MethodHandle content) {
        MemorySegment bytes = arena.allocate(JAVA_LONG);
        check("asking NVRTC for a length", () -> (int) length.invokeExact(program, bytes));
        MemorySegment into = arena.allocate(Math.max(1, bytes.get(JAVA_LONG, 0)));
        check("asking NVRTC for a result", () -> (int) content.invokeExact(program, into));
        return into.toArray(ValueLayout.JAVA_BYTE);
    }

    private static void check(String name, StatusLibrary.Call call) {
        int result = StatusLibrary.code(call);
        if (result != 0) {
            throw new CudaFailure(name, result, "see nvrtcResult in NVIDIA's nvrtc.h");
        }
    }
}
