package dev.revealed.cuda;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** Libraries by the names of NVIDIA's that run CUDA sources on the processor, and Java processes that find them. */
record Emulator(Path folder) {
    static final Path SOURCES = Path.of("src/test/emulator");
    private static final Path KERNELS = Path.of("src/main/resources/dev/revealed/cuda");

    private static final Pattern KERNEL = Pattern.compile(
            "extern \"C\" __global__ void\\s+(?:__launch_bounds__\\(\\s*(\\d+)[^)]*\\)\\s*)?(\\w+)\\s*\\(");
    private static final Pattern PTX =
            Pattern.compile("\\basm(?:\\s+volatile)?\\s*\\((.*?)\\);$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern SHARED =
            Pattern.compile("__shared__\\s+(?:__align__\\(16\\)\\s+)?(\\w+)\\s+(\\w+)((?:\\[[^]]+\\])+);");
    private static final Pattern INSTRUCTION = Pattern.compile("\"\\s*([\\w.]+)([^\"]*);\"");
    private static final Pattern REFERENCE = Pattern.compile("%(\\d+)");

    /** How a process ended and what it printed. */
    record Ended(int code, String output) {}

    /** @param architecture such as 900 for compute capability 9.0 */
    static Emulator build(Path folder, String source, int architecture) throws IOException {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux"), "SKIPPED: the emulator of a GPU is for Linux");
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("source.inc"), translated(source));
        Files.writeString(folder.resolve("names.inc"), names(source));
        List<String> command = new ArrayList<>(
                List.of("g++", "-std=c++17", "-O2", "-march=native", "-ffp-contract=off", "-w", "-shared", "-fPIC"));
        command.addAll(
                List.of("-fvisibility=hidden", "-fsanitize=alignment,bounds", "-fsanitize-undefined-trap-on-error"));
        command.addAll(List.of("-D__CUDA_ARCH__=" + architecture, "-I" + folder, "-o"));
        command.add(folder.resolve("libcuda.so.1").toString());
        for (String part : List.of("block", "kernels", "driver", "nvrtc")) {
            command.add(SOURCES.resolve(part + ".cpp").toString());
        }
        Ended compiler;
        try {
            compiler = run(folder, new ProcessBuilder(command));
        } catch (IOException e) {
            Assumptions.abort("SKIPPED: no g++ to compile the emulator of a GPU: " + e.getMessage());
            throw e;
        }
        if (compiler.code != 0) {
            throw new IllegalStateException("g++ does not compile the kernels: " + compiler.output);
        }
        Files.createSymbolicLink(folder.resolve("libnvrtc.so.13"), folder.resolve("libcuda.so.1"));
        return new Emulator(folder);
    }

    /** All kernels as one source. */
    static String kernels() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String file : List.of("products.cuh", "sac.cu", "ensemble.cu")) {
            all.append(Files.readString(KERNELS.resolve(file)).replaceAll("(?m)^#include .*$", ""));
        }
        return all.toString();
    }

    /** For tests of other modules, in the folder of this one: where to build it, and the architecture. */
    public static void main(String[] words) throws IOException {
        build(Path.of(words[0]), kernels(), Integer.parseInt(words[1]));
    }

    /** Runs a class of this class path in a Java process that has the emulator for a GPU. */
    Ended java(Class<?> main, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("crash.txt"),
                "--enable-native-access=ALL-UNNAMED",
                "--add-modules",
                "jdk.incubator.vector",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().putAll(environment);
        process.environment().put("LD_LIBRARY_PATH", folder.toString());
        process.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        return run(folder, process);
    }

    private static Ended run(Path folder, ProcessBuilder builder) throws IOException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(5, TimeUnit.MINUTES); // a deadlock is a failure too
            return new Ended(ended ? process.exitValue() : -1, Files.readString(output, StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** A line for each kernel: its name, and the threads that a block of it may have. */
    static String names(String source) {
        StringBuilder lines = new StringBuilder();
        for (MatchResult kernel : KERNEL.matcher(source).results().toList()) {
            String threads = kernel.group(1) == null ? "1024" : kernel.group(1);
            lines.append("KERNEL(%s, %s)\n".formatted(kernel.group(2), threads));
        }
        return lines.toString();
    }

    /**
     * What C++ has no words for in other ones, see device.h. {@code asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v))}
     * reads {@code cvt_rna_tf32_f32((bits), (v))}, and {@code __shared__ float f[8]} reads
     * {@code static float (&f)[8] = shared<float[8]>()}. Lines keep their numbers.
     */
    static String translated(String source) {
        String calls = PTX.matcher(source).replaceAll(found -> {
            String call = call(found.group(1));
            return Matcher.quoteReplacement(
                    call + ";" + "\n".repeat((int) found.group().lines().count() - 1));
        });
        return SHARED.matcher(calls).replaceAll("static $1 (&$2)$3 = shared<$1$3>();");
    }

    private static String call(String statement) {
        Matcher instruction = INSTRUCTION.matcher(statement);
        if (!instruction.lookingAt()) {
            throw new IllegalArgumentException("not one PTX instruction: " + statement);
        }
        List<String> operands = operands(statement.substring(instruction.end()));
        String arguments = REFERENCE
                .matcher(instruction.group(2).replaceAll("[\\[\\]{}]", ""))
                .replaceAll(number -> Matcher.quoteReplacement(operands.get(Integer.parseInt(number.group(1)))));
        return "%s(%s)".formatted(instruction.group(1).replace('.', '_'), arguments.strip());
    }

    /** The expressions in parentheses that follow constraints such as "=r", outputs and inputs in one row. */
    private static List<String> operands(String text) {
        List<String> operands = new ArrayList<>();
        for (int at = text.indexOf('('); at >= 0; ) {
            int depth = 0;
            int end = at;
            do {
                depth += text.charAt(end) == '(' ? 1 : text.charAt(end) == ')' ? -1 : 0;
                end++;
            } while (depth > 0);
            operands.add(text.substring(at, end).replaceAll("\\s+", " "));
            at = text.indexOf('(', end);
        }
        return operands;
    }
}
