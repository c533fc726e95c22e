package dev.revealed.app.tools;

import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Provenance;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A self-contained archive for Linux: a Java runtime with only the modules that are used, our jars, MuJoCo with the
 * libraries it needs, and a launcher that looks at nothing outside its folder.
 */
record Bundle(List<Path> jars, List<String> modules, TreeMap<String, Path> libraries) {
    /** Modules needed beside those of which our own classes name a class: by libraries on the class path, and for packed runs. */
    private static final List<String> UNNAMED =
            List.of("java.logging", "java.management", "java.xml", "jdk.unsupported", "jdk.zipfs");

    static final double MIB = 1 << 20;

    private static final String VECTOR = "jdk.incubator.vector";

    /** The C library belongs to the machine: a second one in a process would break it. */
    private static final Set<String> GLIBC =
            Set.of("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2");

    /** Nearly every machine has these, often newer; ours are for those that do not. */
    private static final Set<String> CPP = Set.of("libstdc++.so.6", "libgcc_s.so.1");

    private static final Pattern LDD = Pattern.compile("\\s*(\\S+) => (/\\S+) \\(.*");

    private static final String LAUNCHER = """
            #!/bin/sh
            # Runs Revealed with the Java and the libraries in this folder. REVEALED_JAVA_OPTS adds options for the JVM.
            here=$(dirname "$(readlink -f "$0")")
            libraries=$here/native
            for folder in /lib/* /usr/lib/* /lib /lib64 /usr/lib /usr/lib64; do
                [ -e "$folder/libstdc++.so.6" ] && cpp=$folder
            done
            [ -n "${cpp:-}" ] || libraries=$libraries:$here/native/c++
            LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
            export LD_LIBRARY_PATH
            : "${REVEALED_MUJOCO:=@MUJOCO@}"
            export REVEALED_MUJOCO
            @OPTIONS@
            export REVEALED_LAUNCHER="$here/revealed" # for commands that the page starts
            exec "$here/runtime/bin/java" $collector -XX:MaxRAMPercentage=80 -XX:-UsePerfData \\
                --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow $vector @SOURCES@ ${REVEALED_JAVA_OPTS:-} \\
                -cp "$here/lib/*" dev.revealed.app.Main "$@"
            """;

    private static final String README = """
            Revealed @VERSION@ (Apache License 2.0), with a Java runtime and the native libraries it needs, for Linux on @MACHINE@.

                ./revealed demo
                ./revealed --help

            Nothing has to be installed but a system with glibc. The licences of what comes along are in runtime/legal,
            native/licences and inside the jars.
            """;

    private static final String CUDA_README = """

            On an NVIDIA GPU it uses what the machine has, and brings none of it:

            - a driver for CUDA 12.0 or newer (libcuda.so.1) and a device of compute capability 7.0 or newer
            - NVRTC (libnvrtc.so.12 or .13, not newer than the driver), from a CUDA toolkit in /usr/local/cuda or CUDA_HOME,
              from the Python packages of a PyTorch whose python3 is on the PATH, or on LD_LIBRARY_PATH

            No nvcc and no cuBLAS. Kernels are compiled at the first start and kept in revealed/cuda under $XDG_CACHE_HOME or ~/.cache.

                ./revealed gpu                # what there is, or what is missing
                ./revealed gpu --check        # whether it computes what the CPU does
                ./revealed expert --task hopper --steps 1000000 --device cuda
            """;

    Bundle(List<Path> jars, List<String> modules) {
        this(jars, modules, new TreeMap<>());
    }

    /** Names of the native libraries that come along; none where MuJoCo is not installed. */
    List<String> natives() {
        return List.copyOf(libraries.keySet());
    }

    /** Finds out what must go into the archive. */
    static Bundle ofThisProcess() {
        if (!System.getProperty("os.name").equals("Linux")) {
            throw new BadInput(
                    "a bundle is made on Linux, for Linux", "Run the command there, for example in a container.");
        }
        List<Path> jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .sorted(Comparator.comparing(jar -> String.valueOf(jar.getFileName())))
                .toList();
        if (!jars.stream().allMatch(jar -> jar.toString().endsWith(".jar"))) {
            throw new BadInput("Revealed does not run from jars", "Use the launcher: ./revealed bundle.");
        }
        Bundle bundle = new Bundle(jars, modules(jars));
        bundle.findNatives();
        return bundle;
    }

    private static List<String> modules(List<Path> jars) {
        List<String> arguments = new ArrayList<>(List.of(
                "--print-module-deps",
                "--ignore-missing-deps",
                "--no-recursive",
                "--multi-release",
                Integer.toString(Runtime.version().feature()),
                "--class-path"));
        arguments.add(System.getProperty("java.class.path"));
        jars.stream()
                .filter(jar -> String.valueOf(jar.getFileName()).startsWith("revealed-"))
                .forEach(jar -> arguments.add(jar.toString()));
        Set<String> modules = new TreeSet<>(UNNAMED);
        Collections.addAll(modules, tool("jdeps", arguments).strip().split(",", -1));
        modules.add(VECTOR); // without it networks work, but many times slower
        return List.copyOf(modules);
    }

    /** Runs a tool of the JDK in this process. */
    private static String tool(String name, List<String> arguments) {
        ToolProvider tool = ToolProvider.findFirst(name)
                .orElseThrow(() -> new BadInput(
                        "this Java has no " + name, "Run ./revealed with a whole JDK, 25 or newer, in JAVA_HOME."));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = tool.run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));
        if (code != 0) {
            throw new BadInput(
                    "%s failed: %s".formatted(name, (out + err.toString()).strip()),
                    "Try another JDK, 25 or newer, in JAVA_HOME.");
        }
        return out.toString();
    }

    /** MuJoCo as this process has loaded it, and what the loader found for it. */
    private void findNatives() {
        try {
            Task.HOPPER.simulator().close();
            Path library = Files.readAllLines(Path.of("/proc/self/maps")).stream()
                    .filter(line -> line.contains("/libmujoco"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .findFirst()
                    .orElseThrow(() -> new IOException("libmujoco is loaded, but not to be found"));
            libraries.put(String.valueOf(library.getFileName()), library);
            for (String line : output("ldd", library.toString())) {
                Matcher found = LDD.matcher(line);
                if (found.matches() && !GLIBC.contains(found.group(1))) {
                    libraries.put(found.group(1), Path.of(found.group(2)));
                }
            }
        } catch (BadInput e) {
            libraries.clear(); // not installed: the command says so
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> output(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    /** Whether a module of ours is among the jars. */
    boolean brings(String module) {
        return jars.stream().anyMatch(jar -> String.valueOf(jar.getFileName()).startsWith("revealed-" + module + "-"));
    }

    /**
     * Writes the archive, whole or not at all.
     *
     * @param cuda says in its README what a machine with a GPU must have
     * @param limit bytes that it may have
     */
    void write(Path file, boolean cuda, long limit) {
        Path part = file.resolveSibling("." + file.getFileName() + ".revealed-tmp");
        Path work = null;
        try {
            work = Files.createTempDirectory("revealed-bundle-");
            Path runtime = work.resolve("runtime");
            tool(
                    "jlink",
                    List.of(
                            "--add-modules",
                            String.join(",", modules),
                            "--strip-java-debug-attributes",
                            "--no-header-files",
                            "--no-man-pages",
                            "--output",
                            runtime.toString()));
            try (Tar tar =
                    new Tar(new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(part)), 1 << 16))) {
                fill(tar, runtime, cuda);
            }
            long bytes = Files.size(part);
            if (bytes > limit) {
                throw new BadInput(
                        "the archive would have %.1f MiB, and the limit is %.1f".formatted(bytes / MIB, limit / MIB),
                        "Leave out --cuda, which sets the limit, or try another JDK, 25 or newer, in JAVA_HOME.");
            }
            Files.move(part, file);
        } catch (IOException e) {
            throw new BadInput(
                    "%s cannot be written (%s)".formatted(file, BadInput.reason(e)),
                    "Choose a folder with --out that exists, that you may write to and that has 200 MB free.");
        } finally {
            delete(part);
            if (work != null) {
                delete(work);
            }
        }
    }

    static String readme(boolean cuda) {
        return README.replace("@VERSION@", Provenance.currentVersion())
                        .replace("@MACHINE@", System.getProperty("os.arch"))
                + (cuda ? CUDA_README : "");
    }

    static String launcher(String mujoco) {
        return LAUNCHER.replace("@OPTIONS@\n", options())
                .replace("@MUJOCO@", mujoco)
                .replace("@SOURCES@", sources());
    }

    /** Options of Java by command, as ./revealed has them. */
    private static String options() {
        String name = "java-options.sh";
        try (InputStream in = Objects.requireNonNull(Bundle.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The sources it was packed from, for the specs of its runs, as the launcher that runs now says it. */
    private static String sources() {
        return Stream.of(Provenance.COMMIT, Provenance.CLEAN)
                .filter(name -> System.getProperty(name) != null)
                .map(name -> "-D%s=%s".formatted(name, System.getProperty(name)))
                .collect(Collectors.joining(" "));
    }

    private void fill(Tar tar, Path runtime, boolean cuda) throws IOException {
        String mujoco = libraries.keySet().stream()
                .filter(name -> name.startsWith("libmujoco"))
                .findFirst()
                .map("$here/native/"::concat)
                .orElse("");
        tar.file("revealed/README.txt", readme(cuda), false);
        tar.file("revealed/revealed", launcher(mujoco), true);
        for (Path jar : jars) {
            tar.file("revealed/lib/" + jar.getFileName(), jar);
        }
        for (Map.Entry<String, Path> library : libraries.entrySet()) {
            String folder = CPP.contains(library.getKey()) ? "native/c++/" : "native/";
            tar.file("revealed/" + folder + library.getKey(), library.getValue());
        }
        for (Map.Entry<String, Path> licence : licences().entrySet()) {
            tar.file("revealed/native/licences/" + licence.getKey() + ".txt", licence.getValue());
        }
        try (Stream<Path> files = Files.walk(runtime)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) { // links become what they point to
                tar.file("revealed/runtime/" + runtime.relativize(file), file);
            }
        }
    }

    /** By package, where Debian's tools know which one a library came from. */
    private Map<String, Path> licences() {
        Map<String, Path> licences = new TreeMap<>();
        for (Path library : libraries.values()) {
            try {
                for (String line :
                        output("dpkg", "-S", "*/" + library.toRealPath().getFileName())) {
                    String name = line.substring(0, Math.max(0, line.indexOf(':')));
                    Path licence = Path.of("/usr/share/doc", name, "copyright");
                    if (Files.isRegularFile(licence)) {
                        licences.put(name, licence);
                    }
                }
            } catch (IOException e) {
                return licences; // no dpkg here
            }
        }
        return licences;
    }

    private static void delete(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // A temporary folder that stays behind is no reason to fail.
        }
    }
}
