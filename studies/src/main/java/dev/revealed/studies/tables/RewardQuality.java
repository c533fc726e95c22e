package dev.revealed.studies.tables;

import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.stats.InterquartileMean;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import dev.revealed.studies.tables.RewardQualityPlan.Reward;
import dev.revealed.train.RewardReport;
import dev.revealed.train.TrainingResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * How good recovered rewards are, by what is finished of a {@link RewardQualityPlan}.
 *
 * @param unfinished folders of commands that have not come to their end
 */
public record RewardQuality(List<Row> rows, List<String> unfinished) {
    /**
     * A number for each reward, together.
     *
     * @param mean interquartile mean; NaN where nothing was measured
     * @param interval at 95 %, by the bootstrap over rewards: the range where there are fewer than five
     */
    public record Measure(double mean, Interval interval) {
        static Measure of(double[] values, long seed) {
            return values.length == 0
                    ? new Measure(Double.NaN, new Interval(Double.NaN, Double.NaN))
                    : new Measure(
                            InterquartileMean.of(values),
                            InterquartileMean.interval(
                                    values, 0.95, RandomStream.of(seed).named("bootstrap")));
        }
    }

    /**
     * Rewards of a method on a task.
     *
     * @param pearson correlation with the true reward along trajectories of our expert; {@code spearman} of ranks
     * @param epic distance, for which the simulator was asked
     * @param agreement mean correlation between rewards of different seeds along the same trajectories
     * @param fresh return of fresh policies trained on the rewards, as a share of the demonstrations'
     * @param ofLearnt the same as a share of the policies that were learnt with the rewards
     * @param commands that judged them, then those that trained on them, as far as they are finished
     */
    public record Row(
            String task,
            String method,
            int rewards,
            Measure pearson,
            Measure spearman,
            Measure epic,
            double agreement,
            Measure fresh,
            Measure ofLearnt,
            List<List<String>> commands) {}

    /** A reward with what was measured, and the commands that did; any may be missing. */
    private record Judged(
            Reward reward,
            List<RewardReport.Measured> along,
            double[] rewards,
            double fresh,
            List<String> judging,
            List<String> training) {}

    public static RewardQuality of(RewardQualityPlan plan, long seed) {
        List<String> unfinished = plan.stages().stream()
                .filter(stage -> stage.state(plan.top()) != Stage.State.FINISHED)
                .map(Stage::folder)
                .toList();
        Map<String, List<Judged>> together = new LinkedHashMap<>();
        Stage fresh = plan.fresh();
        for (int i = 0; i < plan.rewards().size(); i++) {
            Reward reward = plan.rewards().get(i);
            together.computeIfAbsent(reward.task() + " " + reward.method(), none -> new ArrayList<>())
                    .add(judged(plan, reward, plan.top().resolve(fresh.member(i))));
        }
        List<Row> rows = new ArrayList<>();
        together.values().forEach(all -> {
            Reward first = all.getFirst().reward;
            rows.add(new Row(
                    first.task(),
                    first.method(),
                    all.size(),
                    Measure.of(along(all, RewardReport.Measured::pearson), seed),
                    Measure.of(along(all, RewardReport.Measured::spearman), seed),
                    Measure.of(along(all, RewardReport.Measured::epic), seed),
                    agreement(all),
                    Measure.of(fresh(all, Reward::expertReturn), seed),
                    Measure.of(fresh(all, Reward::learntReturn), seed),
                    Stream.concat(
                                    all.stream().map(Judged::judging),
                                    all.stream().map(Judged::training))
                            .filter(command -> !command.isEmpty())
                            .toList()));
        });
        return new RewardQuality(rows, unfinished);
    }

    private static Judged judged(RewardQualityPlan plan, Reward reward, Path fresh) {
        Stage stage = plan.judged(reward);
        Path folder = plan.top().resolve(stage.folder());
        List<RewardReport.Measured> along = List.of();
        double[] rewards = {};
        List<String> command = List.of();
        if (stage.state(plan.top()) == Stage.State.FINISHED) {
            Path file = folder.resolve(RunFiles.RESULT);
            try {
                along = Json.read(Files.readString(file), RewardReport.class).along();
            } catch (IOException e) {
                throw new BadInput(
                        "%s cannot be read (%s)".formatted(file, BadInput.reason(e)), "Check its permissions.");
            }
            command = RunSpec.read(folder).provenance().command();
            Path paid = folder.resolve("rewards-policy.npz");
            rewards = Files.exists(paid) ? numbers(Npz.read(paid).array("rewards")) : rewards;
        }
        boolean trained = Files.exists(fresh.resolve(RunFiles.RESULT));
        return new Judged(
                reward,
                along,
                rewards,
                trained ? TrainingResult.read(fresh).meanReturn() : Double.NaN,
                command,
                trained ? RunSpec.read(fresh).provenance().command() : List.of());
    }

    /** Without what lies beyond the end of a trajectory. */
    private static double[] numbers(NpyArray array) {
        return Arrays.stream(array.numbers()).filter(Double::isFinite).toArray();
    }

    private static double[] along(List<Judged> all, ToDoubleFunction<RewardReport.Measured> what) {
        return all.stream()
                .flatMap(each -> each.along.stream())
                .mapToDouble(what)
                .filter(Double::isFinite)
                .toArray();
    }

    private static double[] fresh(List<Judged> all, ToDoubleFunction<Reward> of) {
        return all.stream()
                .mapToDouble(each -> each.fresh / of.applyAsDouble(each.reward))
                .filter(Double::isFinite)
                .toArray();
    }

    private static double agreement(List<Judged> all) {
        List<Double> pairs = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < i; j++) {
                double[] one = all.get(i).rewards;
                double[] other = all.get(j).rewards;
                if (one.length > 0 && one.length == other.length) {
                    pairs.add(Vec.correlation(one, other));
                }
            }
        }
        return pairs.stream().mapToDouble(each -> each).average().orElse(Double.NaN);
    }
}
