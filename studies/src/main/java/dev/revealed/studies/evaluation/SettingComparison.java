package dev.revealed.studies.evaluation;

import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.stats.InterquartileMean;
import dev.revealed.numeric.stats.PerformanceProfile;
import dev.revealed.numeric.stats.ProbabilityOfImprovement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Settings compared on the tasks that they have in common, by the shares of the expert's return that their last
 * policies have (Agarwal et al. 2021).
 *
 * @param pairs all that have a task in common
 * @param profiles a group for each set of tasks that a pair has in common
 */
public record SettingComparison(List<Pair> pairs, List<Profiles> profiles) {
    private static final double LEVEL = 0.95;
    private static final int THRESHOLDS = 50; // in a unit

    /** A setting on some tasks: its interquartile mean over all runs, tasks weighing alike, with the interval of the stratified bootstrap. */
    public record Side(String setting, int runs, double interquartileMean, Interval interval) {}

    /** @param improvement the probability that a run of the one has a larger share than a run of the other */
    public record Pair(List<String> tasks, Side one, Side other, ProbabilityOfImprovement improvement) {}

    /** Shares of runs above thresholds, for all settings that have these tasks. */
    public record Profiles(List<String> tasks, List<Profile> settings) {}

    public record Profile(String setting, int runs, PerformanceProfile profile) {}

    /** @param shares of the expert's return, by setting and task; the order of settings is kept */
    public static SettingComparison of(Map<String, Map<String, double[]>> shares, long seed) {
        List<String> settings = List.copyOf(shares.keySet());
        RandomStream stream = RandomStream.of(seed).named("comparison");
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < settings.size(); i++) {
            for (int j = i + 1; j < settings.size(); j++) {
                List<String> common = tasks(shares, settings.get(i));
                common.retainAll(tasks(shares, settings.get(j)));
                if (!common.isEmpty()) {
                    pairs.add(pair(shares, common, settings.get(i), settings.get(j), stream));
                }
            }
        }
        Set<List<String>> drawn = new LinkedHashSet<>();
        pairs.forEach(pair -> drawn.add(pair.tasks));
        if (pairs.isEmpty()) {
            settings.forEach(setting -> drawn.add(List.copyOf(tasks(shares, setting))));
        }
        return new SettingComparison(
                pairs,
                drawn.stream().map(tasks -> profiles(shares, tasks, stream)).toList());
    }

    private static List<String> tasks(Map<String, Map<String, double[]>> shares, String setting) {
        return new ArrayList<>(Objects.requireNonNull(shares.get(setting)).keySet().stream()
                .sorted()
                .toList());
    }

    private static List<double[]> on(Map<String, Map<String, double[]>> shares, String setting, List<String> tasks) {
        Map<String, double[]> all = Objects.requireNonNull(shares.get(setting));
        return tasks.stream().map(task -> Objects.requireNonNull(all.get(task))).toList();
    }

    private static int runs(List<double[]> tasks) {
        return tasks.stream().mapToInt(runs -> runs.length).sum();
    }

    private static Pair pair(
            Map<String, Map<String, double[]>> shares, List<String> tasks, String one, String other, RandomStream s) {
        List<double[]> ones = on(shares, one, tasks);
        List<double[]> others = on(shares, other, tasks);
        return new Pair(
                List.copyOf(tasks),
                side(one, ones, s),
                side(other, others, s),
                ProbabilityOfImprovement.of(ones, others, LEVEL, s));
    }

    private static Side side(String setting, List<double[]> tasks, RandomStream stream) {
        return new Side(
                setting, runs(tasks), InterquartileMean.of(tasks), InterquartileMean.interval(tasks, LEVEL, stream));
    }

    private static Profiles profiles(
            Map<String, Map<String, double[]>> shares, List<String> tasks, RandomStream stream) {
        List<String> settings = shares.keySet().stream()
                .filter(setting ->
                        Objects.requireNonNull(shares.get(setting)).keySet().containsAll(tasks))
                .toList();
        double most = settings.stream()
                .flatMap(setting -> on(shares, setting, tasks).stream())
                .flatMapToDouble(DoubleStream::of)
                .max()
                .orElse(1);
        double[] thresholds = IntStream.rangeClosed(0, (int) Math.ceil(Math.max(1, most) * THRESHOLDS))
                .mapToDouble(i -> (double) i / THRESHOLDS)
                .toArray();
        return new Profiles(
                tasks,
                settings.stream()
                        .map(setting -> {
                            List<double[]> runs = on(shares, setting, tasks);
                            return new Profile(
                                    setting, runs(runs), PerformanceProfile.of(runs, thresholds, LEVEL, stream));
                        })
                        .toList());
    }
}
