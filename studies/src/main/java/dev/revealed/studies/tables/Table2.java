package dev.revealed.studies.tables;

import dev.revealed.imitate.MlIrl;
import dev.revealed.imitate.rivals.Airl;
import dev.revealed.imitate.rivals.FIrl;
import dev.revealed.imitate.rivals.IqLearn;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.stats.InterquartileMean;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import dev.revealed.studies.tables.Table2Plan.Source;
import dev.revealed.train.TrainingResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Transfer from a whole ant to one with two crippled legs, by runs of {@link Table2Plan} that have come to their end.
 *
 * @param reference mean return of policies on the crippled ant's true reward, of which others are shares
 * @param expert return of the whole ant's expert
 * @param published of the paper
 */
public record Table2(
        double reference, double expert, List<Row> rows, List<Published> published, List<String> unfinished) {
    /**
     * The paper's table: one number each, best checkpoints, the reward that is carried over chosen by hand.
     *
     * @param share of the paper's own reference, 320.15
     */
    public record Published(String method, double dataTransfer, double rewardTransfer, double share) {
        private static final double REFERENCE = 320.15;

        static Published of(String method, double dataTransfer, double rewardTransfer) {
            return new Published(method, dataTransfer, rewardTransfer, rewardTransfer / REFERENCE);
        }

        static final List<Published> ALL = List.of(
                of(IqLearn.NAME, -11.78, -1.04),
                of(Airl.NAME, -5.39, 130.3),
                of(FIrl.NAME, 188.85, 156.45),
                of(MlIrl.NAME, 221.51, 187.69),
                of("true reward", REFERENCE, REFERENCE));
    }

    /**
     * What one way of carrying over gives.
     *
     * @param units rewards, or policies where there is one for each: what the interval is over
     * @param policies that were evaluated
     * @param mean interquartile mean over units of the return on the crippled ant
     * @param interval that holds it at 95 %, by the bootstrap over units; the range where there are fewer than five
     * @param share of the reference
     * @param paperShare the same in the paper; NaN where it has none
     * @param commands of its runs
     */
    public record Row(
            String setting,
            String method,
            int units,
            int policies,
            double mean,
            Interval interval,
            double share,
            double paperShare,
            List<List<String>> commands) {}

    private record Finished(double meanReturn, List<String> command) {}

    /** Of what is finished under the folder of the plan. */
    public static Table2 of(Table2Plan plan, long seed) {
        List<String> unfinished = plan.stages().stream()
                .filter(stage -> stage.state(plan.top()) != Stage.State.FINISHED)
                .map(Stage::folder)
                .toList();
        Stage experts = plan.experts();
        List<Finished> references = new ArrayList<>();
        for (int i = 1; i < experts.size(); i++) {
            add(references, plan.top().resolve(experts.member(i)));
        }
        if (references.isEmpty()) {
            throw new BadInput(
                    "no policy on the true reward has come to its end in %s"
                            .formatted(plan.top().resolve(experts.folder())),
                    "Make the runs first, with `device`; or see with `plan` what there is to run.");
        }
        List<Finished> expert = new ArrayList<>();
        add(expert, plan.top().resolve(experts.member(0)));
        double reference = Vec.mean(returns(references));
        Rows rows = new Rows(reference, seed, new ArrayList<>());
        rows.add("reference", "true reward", one(references), 1);
        for (String method : Table2Plan.METHODS) {
            rows.add("data transfer", method, imitated(plan, method), paper(method, true));
        }
        for (String method : Table2Plan.METHODS) {
            rows.add(
                    "reward transfer",
                    method,
                    fresh(
                            plan,
                            run -> run.source() == Source.RECOVERED
                                    && run.method().equals(method)),
                    paper(method, false));
        }
        rows.add(
                "reward transfer",
                MlIrl.NAME + ", last reward",
                fresh(plan, run -> run.source() == Source.LAST),
                Double.NaN);
        rows.add(
                "control",
                Source.CONSTANT.toString(),
                each(fresh(plan, run -> run.source() == Source.CONSTANT)),
                Double.NaN);
        rows.add("control", Source.RANDOM.toString(), fresh(plan, run -> run.source() == Source.RANDOM), Double.NaN);
        rows.add("control", "cloned policy, carried over", carried(plan), Double.NaN);
        return new Table2(
                reference,
                expert.isEmpty() ? Double.NaN : expert.getFirst().meanReturn,
                rows.made,
                Published.ALL,
                unfinished);
    }

    /** A row for what is there. */
    private record Rows(double reference, long seed, List<Row> made) {
        void add(String setting, String method, List<List<Finished>> units, double paperShare) {
            if (units.isEmpty()) {
                return;
            }
            double[] means =
                    units.stream().mapToDouble(unit -> Vec.mean(returns(unit))).toArray();
            double mean = InterquartileMean.of(means);
            made.add(new Row(
                    setting,
                    method,
                    means.length,
                    units.stream().mapToInt(List::size).sum(),
                    mean,
                    InterquartileMean.interval(
                            means, 0.95, RandomStream.of(seed).named("bootstrap")),
                    mean / reference,
                    paperShare,
                    units.stream().flatMap(List::stream).map(Finished::command).toList()));
        }
    }

    private static double paper(String method, boolean data) {
        return Published.ALL.stream()
                .filter(row -> row.method.equals(method))
                .mapToDouble(row -> (data ? row.dataTransfer : row.rewardTransfer) / Published.REFERENCE)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Each policy on its own. */
    private static List<List<Finished>> one(List<Finished> all) {
        return all.stream().map(List::of).toList();
    }

    private static List<List<Finished>> each(List<List<Finished>> units) {
        return one(units.stream().flatMap(List::stream).toList());
    }

    private static List<List<Finished>> imitated(Table2Plan plan, String method) {
        Stage learnt = plan.learnt();
        List<Finished> all = new ArrayList<>();
        for (int seed = 0; seed < Table2Plan.SEEDS.size(); seed++) {
            add(all, plan.top().resolve(learnt.member(Table2Plan.learnt(Table2Plan.CRIPPLED, method, seed))));
        }
        return one(all);
    }

    /** Fresh policies on one reward together. */
    private static List<List<Finished>> fresh(Table2Plan plan, Predicate<Table2Plan.Fresh> which) {
        Stage stage = plan.fresh();
        List<Table2Plan.Fresh> runs = plan.freshRuns();
        Map<Integer, List<Finished>> rewards = new TreeMap<>();
        for (int i = 0; i < runs.size(); i++) {
            if (which.test(runs.get(i))) {
                List<Finished> found = new ArrayList<>();
                add(found, plan.top().resolve(stage.member(i)));
                if (!found.isEmpty()) {
                    rewards.computeIfAbsent(runs.get(i).reward(), none -> new ArrayList<>())
                            .addAll(found);
                }
            }
        }
        return List.copyOf(rewards.values());
    }

    private static List<List<Finished>> carried(Table2Plan plan) {
        List<Finished> all = new ArrayList<>();
        for (Stage stage : plan.carried()) {
            Path folder = plan.top().resolve(stage.folder());
            if (stage.state(plan.top()) == Stage.State.FINISHED) {
                try {
                    Object found = Json.read(Files.readString(folder.resolve(RunFiles.RESULT)), Map.class)
                            .get("meanReturn");
                    if (found instanceof Number number) {
                        all.add(new Finished(
                                number.doubleValue(),
                                RunSpec.read(folder).provenance().command()));
                    }
                } catch (IOException e) {
                    throw new BadInput(
                            "%s cannot be read (%s)".formatted(folder, BadInput.reason(e)), "Check its permissions.");
                }
            }
        }
        return one(all);
    }

    private static void add(List<Finished> all, Path run) {
        if (Files.exists(run.resolve(RunFiles.RESULT))) {
            all.add(new Finished(
                    TrainingResult.read(run).meanReturn(),
                    RunSpec.read(run).provenance().command()));
        }
    }

    private static double[] returns(List<Finished> runs) {
        return runs.stream().mapToDouble(Finished::meanReturn).toArray();
    }
}
