package dev.revealed.app.train;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.app.view.Table.Field;
import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.imitate.judge.RewardComparison;
import dev.revealed.imitate.judge.RewardEnsemble;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import dev.revealed.runs.RunFiles;
import dev.revealed.train.RewardFile;
import dev.revealed.train.RewardReport;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows a recovered reward along trajectories, compared with the true one. */
final class RewardView {
    private RewardView() {}

    /** Checks that a trajectory can be drawn. */
    static void checkDrawn(int trajectory, Object from, Episodes episodes) {
        if (trajectory < 0 || trajectory >= episodes.size()) {
            throw new BadInput(
                    "--trajectory is %d, and %s has %d".formatted(trajectory, from, episodes.size()),
                    "Give 0 to %d.".formatted(episodes.size() - 1));
        }
    }

    /** What episodes look like, wherever they are from. */
    static Simulator.Space space(Object from, Episodes episodes, int horizon) {
        Simulator.Actions actions = new Simulator.Actions.Box(episodes.actionSize(), 1);
        return new Simulator.Space(from.toString(), episodes.observationSize(), actions, horizon);
    }

    /** The steps of the longest. */
    static int longest(Episodes episodes) {
        return episodes.all().stream().mapToInt(Episode::length).max().orElseThrow();
    }

    /** Trajectories of one source, judged. */
    record Along(String name, String from, Episodes episodes, RewardComparison judgement) {}

    static Outcome of(RewardFile file, double discount, int trajectory, long seed, List<Along> judged) {
        RewardReport result = new RewardReport(
                file.file().toString(),
                file.task(),
                file.notes().getOrDefault("reward", "unknown"),
                discount,
                seed,
                judged.stream()
                        .map(along -> RewardReport.Measured.of(along.name, along.from, along.episodes, along.judgement))
                        .toList());
        Table each = Table.of(
                Column.text("trajectories"),
                Column.number("trajectory", 6),
                Column.number("length", 6),
                Column.decimals("return", 3),
                Column.decimals("true return", 2));
        Outcome outcome = Outcome.of(result, "Reward of " + file.file()).table(summary(file, judged));
        for (Along along : judged) {
            outcome = outcome.picture(
                    "trajectory-" + along.name,
                    chart(along, trajectory),
                    "Both less their means over all trajectories and in their standard deviations; a reward is known up to"
                            + " those at best.");
            for (int i = 0; i < along.episodes.size(); i++) {
                Episode episode = along.episodes.all().get(i);
                each = each.row(along.name, i, episode.length(), along.judgement.returns()[i], episode.total());
            }
        }
        Table trajectories = each;
        return outcome.report(page -> page.table(trajectories))
                .file("trajectories.csv", each.toCsv())
                .file("rewards.csv", steps(judged))
                .writing(folder -> {
                    folder.write(RunFiles.REWARD_ONNX, file.onnx());
                    judged.forEach(
                            along -> Npz.write(folder.file("rewards-%s.npz".formatted(along.name)), arrays(along)));
                });
    }

    private static Table summary(RewardFile file, List<Along> judged) {
        Table table = Table.of(
                        judged,
                        Field.text("along", Along::from),
                        Field.number("trajectories", 6, along -> along.episodes.size()),
                        Field.number("steps", 9, along -> along.episodes.steps()),
                        Field.decimals("mean", 4, along -> along.judgement.mean()),
                        Field.decimals("deviation", 4, along -> along.judgement.deviation()),
                        Field.decimals("return", 2, along -> Vec.mean(along.judgement.returns())),
                        Field.decimals("Pearson", 3, along -> along.judgement.pearson()),
                        Field.decimals("Spearman", 3, along -> along.judgement.spearman()),
                        Field.decimals("of returns", 3, along -> along.judgement.returnPearson()),
                        Field.decimals("EPIC", 3, along -> along.judgement.epic()))
                .titled("Recovered reward " + file.file());
        for (Along along : judged) {
            double explained = along.judgement.explained();
            table = table.note(
                    Double.isNaN(explained) && !Double.isNaN(along.judgement.epic())
                            ? "%s: the true reward of other actions was asked of the simulator, put back to the states."
                                    .formatted(along.from)
                            : Double.isNaN(explained)
                                    ? "%s: no distance without true rewards and actions.".formatted(along.from)
                                    : "%s: away from its steps the true reward is a regression that explains %s of its variance."
                                            .formatted(along.from, Numbers.decimals(explained, 3)));
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
        int most = longest(along.episodes);
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
        int[] lengths = along.episodes.all().stream().mapToInt(Episode::length).toArray();
        arrays.put("lengths", NpyArray.of(lengths));
        return arrays;
    }
}
