package dev.revealed.app.train;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.data.NpyArray;
import dev.revealed.data.Npz;
import dev.revealed.imitate.Judgement;
import dev.revealed.imitate.RewardEnsemble;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.Vec;
import dev.revealed.runs.RunFiles;
import dev.revealed.train.RewardFile;
import dev.revealed.train.RewardReport;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Shows what a recovered reward pays along trajectories, beside the true one. */
final class RewardView {
    private RewardView() {}

    /** Trajectories of one source, judged. */
    record Along(String name, String from, Episodes episodes, Judgement judgement) {}

    static Outcome of(RewardFile file, double discount, int trajectory, long seed, List<Along> judged) {
        Map<String, Picture> pictures = new LinkedHashMap<>();
        Report report = Report.titled("Reward of " + file.file()).table(summary(file, judged));
        Table each = Table.of(
                Column.text("trajectories"),
                Column.number("trajectory", 6),
                Column.number("length", 6),
                Column.decimals("return", 3),
                Column.decimals("true return", 2));
        for (Along along : judged) {
            LineChart chart = chart(along, trajectory);
            pictures.put("trajectory-" + along.name, chart);
            report = report.picture(
                    chart,
                    "Both less their means over all trajectories and in their standard deviations; a reward is known up to"
                            + " those at best.");
            for (int i = 0; i < along.episodes.size(); i++) {
                Episode episode = along.episodes.all().get(i);
                each = each.row(along.name, i, episode.length(), along.judgement.returns()[i], episode.total());
            }
        }
        RewardReport result = new RewardReport(
                file.file().toString(),
                file.task(),
                file.notes().getOrDefault("reward", "unknown"),
                discount,
                seed,
                judged.stream()
                        .map(along -> RewardReport.Measured.of(along.name, along.from, along.episodes, along.judgement))
                        .toList());
        return new Outcome(
                        result,
                        summary(file, judged).toText(),
                        report.table(each),
                        pictures,
                        Map.of("trajectories.csv", each.toCsv(), "rewards.csv", steps(judged)))
                .writing(folder -> {
                    folder.write(RunFiles.REWARD_ONNX, file.onnx());
                    judged.forEach(
                            along -> Npz.write(folder.file("rewards-%s.npz".formatted(along.name)), arrays(along)));
                });
    }

    private static Table summary(RewardFile file, List<Along> judged) {
        Table table = Table.of(
                        Column.text("along"),
                        Column.number("trajectories", 6),
                        Column.number("steps", 9),
                        Column.decimals("mean", 4),
                        Column.decimals("deviation", 4),
                        Column.decimals("return", 2),
                        Column.decimals("Pearson", 3),
                        Column.decimals("Spearman", 3),
                        Column.decimals("of returns", 3),
                        Column.decimals("EPIC", 3))
                .titled("Recovered reward " + file.file());
        for (Along along : judged) {
            Judgement j = along.judgement;
            table = table.row(
                    along.from,
                    along.episodes.size(),
                    along.episodes.steps(),
                    j.mean(),
                    j.deviation(),
                    Vec.mean(j.returns()),
                    j.pearson(),
                    j.spearman(),
                    j.returnPearson(),
                    j.epic());
            if (Double.isNaN(j.explained())) {
                table = table.note("%s: no distance without true rewards and actions.".formatted(along.from));
            } else {
                table = table.note(
                        "%s: away from its steps the true reward is a regression that explains %s of its variance."
                                .formatted(along.from, Numbers.decimals(j.explained(), 3)));
            }
        }
        return table;
    }

    private static LineChart chart(Along along, int trajectory) {
        LineChart chart = LineChart.titled("Reward along trajectory %d of %s".formatted(trajectory, along.from))
                .x("step", Scale.LINEAR)
                .y("standard deviations from the mean", Scale.LINEAR)
                .with(LineChart.Series.of(
                        "recovered", RewardEnsemble.standardise(along.judgement.rewards())[trajectory]));
        if (!along.episodes.hasRewards()) {
            return chart;
        }
        double[][] truth = along.episodes.all().stream().map(Episode::rewards).toArray(double[][]::new);
        return chart.with(LineChart.Series.of("true", RewardEnsemble.standardise(truth)[trajectory])
                .as(LineChart.Mark.DASHES));
    }

    private static String steps(List<Along> judged) {
        StringBuilder csv = new StringBuilder(
                Table.csvLine(List.of("trajectories", "trajectory", "step", "reward", "true reward")));
        for (Along along : judged) {
            for (int i = 0; i < along.episodes.size(); i++) {
                Episode episode = along.episodes.all().get(i);
                for (int t = 0; t < episode.length(); t++) {
                    csv.append(Table.csvLine(List.of(
                            along.name,
                            Integer.toString(i),
                            Integer.toString(t),
                            Double.toString(along.judgement.rewards()[i][t]),
                            episode.rewards() == null ? "" : Double.toString(episode.rewards()[t]))));
                }
            }
        }
        return csv.toString();
    }

    /** A row for each trajectory, not a number beyond its end. */
    private static Map<String, NpyArray> arrays(Along along) {
        int n = along.episodes.size();
        int most = along.episodes.all().stream().mapToInt(Episode::length).max().orElseThrow();
        double[] rewards = new double[n * most];
        double[] truth = new double[n * most];
        Arrays.fill(rewards, Double.NaN);
        Arrays.fill(truth, Double.NaN);
        for (int i = 0; i < n; i++) {
            Episode episode = along.episodes.all().get(i);
            System.arraycopy(along.judgement.rewards()[i], 0, rewards, i * most, episode.length());
            if (episode.rewards() != null) {
                System.arraycopy(episode.rewards(), 0, truth, i * most, episode.length());
            }
        }
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        arrays.put("rewards", new NpyArray.Floats(new int[] {n, most}, rewards));
        if (along.episodes.hasRewards()) {
            arrays.put("trueRewards", new NpyArray.Floats(new int[] {n, most}, truth));
        }
        arrays.put(
                "lengths",
                NpyArray.of(IntStream.range(0, n)
                        .map(i -> along.episodes.all().get(i).length())
                        .toArray()));
        return arrays;
    }
}
