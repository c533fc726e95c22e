package dev.revealed.bench;

import dev.revealed.bridge.ProcessSimulator;
import dev.revealed.bridge.WorldProcesses;
import dev.revealed.bridge.WorldProgram;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Steps per second of environments in other processes, stepped from here by as many threads, against the same number of Python
 * processes with as many environments that step by themselves in a plain loop. The two ways take turns, and the median counts.
 *
 * @param task as {@code gym:file.py:Class}
 * @param environments how many step together, a row of the result each
 * @param steps of each environment in a repetition
 */
public record BridgeBench(String task, String arguments, int[] environments, int steps, int repetitions) {
    private static final int WARM_UP = 500;

    /**
     * @param processes that share the environments
     * @param alone steps per second of Python alone, all environments together
     * @param bridged the same through the bridge
     * @param share of the steps per second that is left
     * @param overhead microseconds of wall time that a step costs more
     */
    public record Row(int environments, int processes, double alone, double bridged, double share, double overhead) {}

    public record Result(String task, String arguments, int steps, int repetitions, List<Row> rows) {}

    public BridgeBench {
        BadInput.when(
                environments.length == 0
                        || Arrays.stream(environments).min().orElse(0) < 1
                        || steps < 1
                        || repetitions < 1,
                "%s environments, %d steps, %d repetitions"
                        .formatted(Arrays.toString(environments), steps, repetitions),
                "Measure at least one step of one environment once.");
        environments = environments.clone();
    }

    public Result run(long seed, ProgressListener listener) {
        List<Row> rows = new ArrayList<>();
        for (int count : environments) {
            int processes = Math.min(count, Runtime.getRuntime().availableProcessors());
            double[] alone = new double[repetitions];
            double[] bridged = new double[repetitions];
            for (int i = 0; i < repetitions; i++) {
                listener.progress("%d environments".formatted(count), i, repetitions);
                alone[i] = alone(count, processes);
                bridged[i] = bridged(count, processes, seed);
            }
            double a = median(alone);
            double b = median(bridged);
            rows.add(new Row(count, processes, a, b, b / a, 1e6 * (1 / b - 1 / a)));
        }
        return new Result(task, arguments, steps, repetitions, rows);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** How many of {@code count} are the {@code which}-th part's. */
    private static int share(int count, int parts, int which) {
        return count / parts + (which < count % parts ? 1 : 0);
    }

    private double alone(int count, int processes) {
        String environment = WorldProgram.whole(task).substring(WorldProgram.GYM.length());
        List<Process> all = new ArrayList<>();
        List<BufferedReader> lines = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                ProcessBuilder builder = new ProcessBuilder(
                        WorldProgram.alone(environment, arguments, steps, share(count, processes, i)));
                builder.environment().putIfAbsent("OMP_NUM_THREADS", "1");
                Process one =
                        builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
                all.add(one);
                lines.add(new BufferedReader(new InputStreamReader(one.getInputStream(), StandardCharsets.UTF_8)));
            }
            for (BufferedReader line : lines) {
                said(line);
            }
            for (Process one : all) {
                one.getOutputStream().write('\n');
                one.getOutputStream().flush();
            }
            double began = Double.POSITIVE_INFINITY;
            double ended = Double.NEGATIVE_INFINITY;
            for (BufferedReader line : lines) {
                String[] times = said(line).split(" ", 2);
                began = Math.min(began, Double.parseDouble(times[0]));
                ended = Math.max(ended, Double.parseDouble(times[1]));
            }
            return (double) count * steps / (ended - began);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            all.forEach(Process::destroy);
        }
    }

    private static String said(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new BadInput("Python cannot step the environment by itself", "Try 'evaluate' on it, which says why.");
        }
        return line;
    }

    private double bridged(int count, int processes, long seed) {
        WorldProcesses worlds =
                new WorldProcesses(WorldProgram.of(WorldProgram.whole(task), arguments, 0), processes, caution -> {});
        List<ProcessSimulator> all = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                all.add(worlds.simulator());
            }
            RandomStream resets = RandomStream.of(seed).named("reset");
            for (int i = 0; i < count; i++) {
                all.get(i).reset(resets.at(i));
            }
            play(all, processes, WARM_UP, resets);
            long from = System.nanoTime();
            play(all, processes, steps, resets);
            return (double) count * steps / ((System.nanoTime() - from) / 1e9);
        } finally {
            all.forEach(ProcessSimulator::close);
        }
    }

    /** Steps all environments; a thread has those of one process, which it steps one after the other. */
    private static void play(List<ProcessSimulator> all, int threads, int steps, RandomStream resets) {
        Parallel.tasks(threads, which -> {
            ProcessSimulator first = all.get(which);
            float[] action = new float[first.space().actions().size()];
            float[] seen = new float[first.space().observations()];
            RandomStream own = resets.at(which);
            for (int t = 0; t < steps; t++) {
                for (int i = which; i < all.size(); i += threads) {
                    ProcessSimulator one = all.get(i);
                    one.step(action, 0);
                    one.observe(seen, 0);
                    if (one.terminated() || one.truncated()) {
                        one.reset(own);
                    }
                }
            }
        });
    }
}
