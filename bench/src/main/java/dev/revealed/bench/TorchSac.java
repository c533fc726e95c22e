package dev.revealed.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * PyTorch's updates per second on this machine's GPU, as a Python script measures them. The script prints PyTorch's
 * version, then a line for each size: {@code hopper b=100 gpu eager: 99.1 gpu graph: 1066.0 gpu compile+graph: 2077.0},
 * where {@code graph failed: why} may stand instead.
 *
 * @param version of PyTorch; empty where the script did not get so far
 * @param notes why something is missing, in sentences; none where all was measured
 */
public record TorchSac(String version, List<Rate> rates, List<String> notes) {
    private static final Pattern LINE = Pattern.compile("(\\w+)\\s+b=\\s*(\\d+)(.*)");
    private static final Pattern RATE = Pattern.compile("gpu ([a-z+]+):\\s*([0-9.]+)");
    private static final Pattern FAILURE =
            Pattern.compile("([a-z+]+) failed: (.*?)\\s*(?=  gpu |  [a-z+]+ failed: |$)");
    private static final Pattern VERSION = Pattern.compile("(\\d+\\.\\S+).*");

    public record Rate(String task, int batch, String mode, double updatesPerSecond) {}

    static TorchSac missing(String note) {
        return new TorchSac("", List.of(), List.of(note));
    }

    /** Runs the script with {@code python3} and waits no longer than the limit; what it had printed by then counts. */
    public static TorchSac run(Path script, Duration limit) {
        return run(List.of("python3", script.toString(), "gpu"), limit);
    }

    static TorchSac run(List<String> command, Duration limit) {
        try {
            Path folder = Files.createTempDirectory("revealed-torch-");
            try {
                return run(command, limit, folder);
            } finally {
                delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TorchSac run(List<String> command, Duration limit, Path folder) throws IOException {
        Path in = Files.createFile(folder.resolve("in"));
        Path out = folder.resolve("out"); // files, not pipes: those stay open for as long as a grandchild lives
        Path err = folder.resolve("err");
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
        } catch (IOException e) {
            return missing("PyTorch was not measured: %s cannot be started.".formatted(command.getFirst()));
        }
        boolean finished = await(process, limit);
        TorchSac read = read(lines(out));
        if (!finished) {
            return read.noting("PyTorch was stopped after %d seconds.".formatted(limit.toSeconds()));
        }
        if (process.exitValue() != 0) {
            List<String> said = lines(err);
            return read.noting("PyTorch's script ended with code %d and said: %s"
                    .formatted(
                            process.exitValue(),
                            said.isEmpty() ? "nothing" : said.getLast().strip()));
        }
        return read.rates.isEmpty() && read.notes.isEmpty()
                ? read.noting("PyTorch was not measured: its script printed no speed, perhaps because it sees no GPU.")
                : read;
    }

    /** Whether it ended in time; if not, it and all that it started are killed. */
    private static boolean await(Process process, Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    static TorchSac read(List<String> lines) {
        String version = "";
        List<Rate> rates = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (String line : lines) {
            Matcher size = LINE.matcher(line);
            Matcher number = VERSION.matcher(line);
            if (size.matches()) {
                String task = size.group(1);
                int batch = Integer.parseInt(size.group(2));
                Matcher rate = RATE.matcher(size.group(3));
                while (rate.find()) {
                    rates.add(new Rate(task, batch, rate.group(1), Double.parseDouble(rate.group(2))));
                }
                Matcher failure = FAILURE.matcher(size.group(3));
                while (failure.find()) {
                    notes.add("PyTorch's %s failed at %s batch %d: %s"
                            .formatted(failure.group(1), task, batch, failure.group(2)));
                }
            } else if (version.isEmpty() && number.matches()) {
                version = number.group(1);
            }
        }
        return new TorchSac(version, List.copyOf(rates), List.copyOf(notes));
    }

    private TorchSac noting(String note) {
        List<String> all = new ArrayList<>(notes);
        all.add(note);
        return new TorchSac(version, rates, List.copyOf(all));
    }

    private static List<String> lines(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    private static void delete(Path folder) {
        for (String name : List.of("in", "out", "err", "")) {
            try {
                Files.deleteIfExists(folder.resolve(name));
            } catch (IOException e) {
                return; // what stays of a temporary folder is no reason to fail
            }
        }
    }
}
