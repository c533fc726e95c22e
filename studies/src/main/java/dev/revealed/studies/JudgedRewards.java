package dev.revealed.studies;

import dev.revealed.train.RewardReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

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
public record JudgedRewards(
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

    static List<JudgedRewards> of(List<RewardReport> results) {
        record Key(String task, String inputs, String along) {}
        TreeMap<Key, List<RewardReport.Measured>> together =
                new TreeMap<>(Comparator.comparing(Key::task, PublishedReturns.ORDER)
                        .thenComparing(Key::inputs, Comparator.reverseOrder())
                        .thenComparing(Key::along));
        for (RewardReport result : results) {
            String task = Objects.requireNonNullElse(result.learntOn(), "unknown");
            for (RewardReport.Measured along : result.along()) {
                String where = along.name().equals("policy") ? PLAYED : ImitationTable.file(along.from());
                together.computeIfAbsent(new Key(task, result.inputs(), where), none -> new ArrayList<>())
                        .add(along);
            }
        }
        List<JudgedRewards> rows = new ArrayList<>();
        together.forEach((key, all) -> {
            DoubleSummaryStatistics pearson =
                    all.stream().mapToDouble(RewardReport.Measured::pearson).summaryStatistics();
            rows.add(new JudgedRewards(
                    key.task,
                    key.inputs,
                    key.along,
                    all.size(),
                    pearson.getAverage(),
                    pearson.getMin(),
                    pearson.getMax(),
                    mean(all, RewardReport.Measured::spearman),
                    mean(all, RewardReport.Measured::epic)));
        });
        return rows;
    }

    private static double mean(List<RewardReport.Measured> all, ToDoubleFunction<RewardReport.Measured> what) {
        return all.stream().mapToDouble(what).average().orElse(Double.NaN);
    }
}
