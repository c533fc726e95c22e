package dev.revealed.bench;

import dev.revealed.bridge.ProcessSimulator;
import dev.revealed.bridge.WorldProgram;
import dev.revealed.numeric.BadInput;
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
 * Steps per second of environments in processes of their own: stepped from here, all at once, against the same number of
 * Python processes that step by themselves with nobody on the other side. The two ways take turns, and the median counts.
 *
 * @param task as {@code gym:file.py:Class}
 * @param environments how many step together, a row of the result each
 * @param steps of each environment in a repetition
 */
public record BridgeBench(String task, String arguments, int[] environments, int steps, int repetitions) {
    private static final int WARM_UP = 500;

    /**
     * @param alone steps per second of Python alone, all environments together
     * @param bridged the same through the bridge
     * @param share of the steps per second that is left
     * @param overhead microseconds of wall time that a step costs more
     */
    public record Row(int environments, double alone, double bridged, double share, double overhead) {}

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
            double[] alone = new double[repetitions];
            double[] bridged = new double[repetitions];
            for (int i = 0; i < repetitions; i++) {
                listener.progress("%d environments".formatted(count), i, repetitions);
                alone[i] = alone(count);
                bridged[i] = bridged(count, seed);
            }
            double a = median(alone);
            double b = median(bridged);
            rows.add(new Row(count, a, b, b / a, 1e6 * (1 / b - 1 / a)));
        }
        return new Result(task, arguments, steps, repetitions, rows);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private double alone(int count) {
        String environment = WorldProgram.whole(task).substring(WorldProgram.GYM.length());
        List<Process> all = new ArrayList<>();
        List<BufferedReader> lines = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                ProcessBuilder builder = new ProcessBuilder(WorldProgram.alone(environment, arguments, steps));
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

    private double bridged(int count, long seed) {
        WorldProgram program = WorldProgram.of(WorldProgram.whole(task), arguments, 0);
        List<ProcessSimulator> all = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                all.add(program.simulator(caution -> {}));
            }
            RandomStream resets = RandomStream.of(seed).named("reset");
            float[] action = new float[all.getFirst().space().actions().size()];
            float[] seen = new float[all.getFirst().space().observations()];
            for (int i = 0; i < count; i++) {
                all.get(i).reset(resets.at(i));
            }
            play(all, WARM_UP, action, seen, resets);
            long from = System.nanoTime();
            play(all, steps, action, seen, resets);
            return (double) count * steps / ((System.nanoTime() - from) / 1e9);
        } finally {
            all.forEach(ProcessSimulator::close);
        }
    }

    private static void play(List<ProcessSimulator> all, int steps, float[] action, float[] seen, RandomStream resets) {
        for (int t = 0; t < steps; t++) {
            for (ProcessSimulator one : all) {
                one.post(action, 0);
            }
            for (ProcessSimulator one : all.reversed()) { // the last one ends last: then the others are done, too
                one.await();
                one.observe(seen, 0);
                if (one.terminated() || one.truncated()) {
                    one.reset(resets);
                }
            }
        }
    }
}
