package dev.revealed.app;

import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * How near recovered rewards are to the true one, along trajectories that they were not learnt from: those of one task and
 * kind together.
 *
 * @param inputs what the rewards are of
 * @param along the file of trajectories, without its folder, or policies that played
 * @param rewards how many there are
 * @param pearson the mean over them, as the other measures are
 * @param least Pearson correlation of any
 * @param most of any
 */
record JudgedRewards(
        String task,
        String inputs,
        String along,
        int rewards,
        double pearson,
        double least,
        double most,
        double spearman,
        double epic) {
    private static final String PLAYED = "policies, playing"; // mostly those that were learnt with the rewards

    static List<JudgedRewards> of(List<RewardView.Result> results) {
        record Key(String task, String inputs, String along) {}
        TreeMap<Key, List<RewardView.Measured>> together =
                new TreeMap<>(Comparator.comparingInt((Key key) -> PublishedReturns.place(key.task))
                        .thenComparing(Key::task)
                        .thenComparing(Key::inputs, Comparator.reverseOrder())
                        .thenComparing(Key::along));
        for (RewardView.Result result : results) {
            String task = Objects.requireNonNullElse(result.learntOn(), "unknown");
            for (RewardView.Measured along : result.along()) {
                String where = along.name().equals("policy") ? PLAYED : ImitationTable.file(along.from());
                together.computeIfAbsent(new Key(task, result.inputs(), where), none -> new ArrayList<>())
                        .add(along);
            }
        }
        List<JudgedRewards> rows = new ArrayList<>();
        together.forEach((key, all) -> rows.add(new JudgedRewards(
                key.task,
                key.inputs,
                key.along,
                all.size(),
                of(all, RewardView.Measured::pearson).average().orElse(Double.NaN),
                of(all, RewardView.Measured::pearson).min().orElse(Double.NaN),
                of(all, RewardView.Measured::pearson).max().orElse(Double.NaN),
                of(all, RewardView.Measured::spearman).average().orElse(Double.NaN),
                of(all, RewardView.Measured::epic).average().orElse(Double.NaN))));
        return rows;
    }

    private static DoubleStream of(List<RewardView.Measured> all, ToDoubleFunction<RewardView.Measured> what) {
        return all.stream().mapToDouble(what);
    }

    static Table table(List<JudgedRewards> rows) {
        Table table = Table.of(
                        Column.text("task"),
                        Column.text("reward of"),
                        Column.text("along"),
                        Column.number("rewards", 4),
                        Column.decimals("Pearson", 3),
                        Column.decimals("least", 3),
                        Column.decimals("most", 3),
                        Column.decimals("Spearman", 3),
                        Column.decimals("EPIC", 3))
                .titled("Recovered rewards beside the true ones, step by step")
                .note("Means over rewards, of as many runs; least and most are Pearson's. EPIC is a distance, 0 to 1.");
        for (JudgedRewards row : rows) {
            table = table.row(
                    row.task,
                    row.inputs,
                    row.along,
                    row.rewards,
                    row.pearson,
                    row.least,
                    row.most,
                    row.spearman,
                    row.epic);
        }
        return table;
    }
}
