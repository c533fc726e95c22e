package dev.revealed.studies;

import dev.revealed.imitate.BehaviourCloning;
import dev.revealed.imitate.Details;
import dev.revealed.imitate.IteratedLearning;
import dev.revealed.imitate.rivals.Airl;
import dev.revealed.imitate.rivals.FIrl;
import dev.revealed.imitate.rivals.Gail;
import dev.revealed.imitate.rivals.IqLearn;
import dev.revealed.imitate.rivals.OfflineIqLearn;
import dev.revealed.imitate.rivals.Sqil;
import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.stats.InterquartileMean;
import dev.revealed.studies.evaluation.EvaluationSummary;
import dev.revealed.studies.evaluation.MeasuredExperts;
import dev.revealed.studies.evaluation.MeasuredExperts.Measure;
import dev.revealed.studies.evaluation.RunCurve;
import dev.revealed.studies.evaluation.SettingComparison;
import dev.revealed.train.EvaluationPoint;
import dev.revealed.train.SacProblem;
import dev.revealed.train.TrainingResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Runs that differ in the seed alone, together: what {@code result.json} of the gathered table says.
 *
 * @param reused fresh policies on recovered rewards
 * @param judged recovered rewards beside the true ones
 * @param standings where ML-IRL stands on each task
 * @param comparison settings compared, on the tasks they have in common
 * @param notRun aims for which there is no finished run
 * @param unfinished folders of runs that did not come to their end, which count for nothing
 */
public record ImitationTable(
        List<Row> rows,
        List<Reused> reused,
        List<JudgedRewards> judged,
        List<Standing> standings,
        SettingComparison comparison,
        List<PublishedReturns> published,
        List<String> notRun,
        List<String> unfinished) {
    /** How to do as demonstrations do, by the names of the paper's table. */
    public enum Method {
        ML_IRL_SA("ML-IRL SA"),
        ML_IRL_S("ML-IRL S"),
        F_IRL("f-IRL"),
        IQ_LEARN("IQ-Learn"),
        GAIL("GAIL"),
        AIRL("AIRL"),
        SQIL("SQIL"),
        OFFLINE("offline ML-IRL"),
        OFFLINE_IQ_LEARN("offline IQ-Learn"),
        BC("BC");

        private final String words;

        Method(String words) {
            this.words = words;
        }

        /** @param kind of a result, {@code state} whether its reward is of states alone */
        public static Method of(String kind, boolean state) {
            return switch (kind) {
                case FIrl.NAME -> F_IRL;
                case IqLearn.NAME -> IQ_LEARN;
                case Gail.NAME -> GAIL;
                case Airl.NAME -> AIRL;
                case Sqil.NAME -> SQIL;
                case BehaviourCloning.NAME -> BC;
                case OfflineMlIrl.NAME -> OFFLINE;
                case OfflineIqLearn.NAME -> OFFLINE_IQ_LEARN;
                default -> state ? ML_IRL_S : ML_IRL_SA;
            };
        }

        /** Whether the name says what the reward is of. */
        boolean tellsReward() {
            return this == ML_IRL_S || this == ML_IRL_SA || this == BC || this == SQIL;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /**
     * What runs of a row have in common.
     *
     * @param demos the file of demonstrations, without its folder
     * @param preset empty where there is none
     * @param options what was typed beside the preset, or differs from other runs
     */
    public record Key(
            String task, String demos, int trajectories, Method method, String preset, Map<String, String> options) {
        /** Without its ending. */
        public String demosName() {
            return demos.replaceFirst("\\.[^.]*$", "");
        }

        /** What is imitated, whatever the method. */
        String shown() {
            return "%s, %d of %s".formatted(task, trajectories, demosName());
        }

        /** The preset and what departs from it, in words. */
        public String settings() {
            return String.join(", ", words(options.keySet()));
        }

        /** The same without some of the options. */
        public String settingsWithout(Set<String> names) {
            Set<String> others = new TreeSet<>(options.keySet());
            others.removeAll(names);
            return String.join(", ", words(others));
        }

        /** The preset and such of the options, in words. */
        private List<String> words(Set<String> names) {
            List<String> words = new ArrayList<>();
            if (!preset.isEmpty()) {
                words.add(preset);
            }
            options.forEach((name, value) -> {
                if (names.contains(name)) {
                    words.add(value.equals("on") ? name : name + " " + value);
                }
            });
            return words;
        }

        /** The method and its settings, without how long a run is and where, unless that is among the names. */
        String setting(Set<String> distinguishing) {
            Set<String> names = new TreeSet<>(options.keySet());
            names.removeAll(ImitationAim.NO_SETTINGS);
            names.addAll(distinguishing);
            List<String> words = words(names);
            words.addFirst(method.toString());
            return String.join(", ", words);
        }
    }

    /**
     * One of them.
     *
     * @param curve over counted steps; of behaviour cloning over updates
     */
    public record Run(
            String folder,
            List<String> command,
            long seed,
            double meanReturn,
            double bestReturn,
            int episodes,
            long countedSteps,
            double seconds,
            String device,
            List<EvaluationPoint> curve) {}

    /**
     * @param expertReturn of the expert's policy without noise where that is at hand, else of the demonstrations where these
     *     have rewards, else as its authors report it; {@code expertMeasured} says which
     * @param interquartileMean of the last policies' returns
     * @param interval that holds it at 95 %, by the bootstrap over runs
     * @param lastOfBest the last test as a share of the best on the way, of the run where that is least
     * @param countedSteps of the run that has most
     * @param seconds of a run, on average
     * @param paperReturn and {@code paperShare} of its own expert, by the same method with five trajectories
     * @param aim what is asked of it, where something is
     * @param shortfalls of that; it is met where there are none
     * @param evaluation shares of the expert's return, speed and steadiness, where the expert's return is known
     */
    public record Row(
            Key key,
            double expertReturn,
            Measure expertMeasured,
            double interquartileMean,
            Interval interval,
            double share,
            double lastOfBest,
            long countedSteps,
            double seconds,
            double paperReturn,
            double paperShare,
            Optional<String> aim,
            List<String> shortfalls,
            Optional<EvaluationSummary> evaluation,
            List<Run> runs) {}

    /**
     * A fresh policy on a recovered reward that stayed as it was.
     *
     * @param reward the file it was in
     * @param learntWith the return of the policy that was learnt with the reward; NaN where that run is not among these, or
     *     was on another task
     */
    public record Reused(
            String folder, List<String> command, String task, String reward, double learntWith, double meanReturn) {
        public double share() {
            return meanReturn / learntWith;
        }

        public boolean met() {
            return share() >= ImitationAim.REUSED;
        }
    }

    /**
     * @param top the folder they were found under, to which names of runs are relative
     * @param budget steps of the area under the curve; those that all runs on the same demonstrations have, where it is empty
     */
    public static ImitationTable of(Path top, GatheredRun.Found found, OptionalLong budget, long seed) {
        Map<Key, List<GatheredRun>> together = RunGroups.of(found);
        Map<String, Long> budgets = new TreeMap<>();
        together.forEach((key, runs) -> {
            long steps = EvaluationSummary.budget(
                    runs.stream().map(run -> RunCurve.of(run.result())).toList());
            if (steps > 0) {
                budgets.merge(key.shown(), steps, Math::min);
            }
        });
        MeasuredExperts experts = MeasuredExperts.in(top);
        List<Row> rows = new ArrayList<>();
        together.forEach((key, runs) -> {
            long steps = budget.orElse(budgets.getOrDefault(key.shown(), 0L));
            rows.add(row(top, key, runs, new Judgement(experts, steps, seed)));
        });
        List<String> notRun = ImitationAim.ALL.stream()
                .filter(aim -> together.keySet().stream().noneMatch(aim::concerns))
                .map(ImitationAim::toString)
                .toList();
        return new ImitationTable(
                rows,
                reused(top, found.finished()),
                JudgedRewards.of(found.judged()),
                Standing.of(rows),
                SettingComparison.of(shares(rows), seed),
                PublishedReturns.ALL,
                notRun,
                found.unfinished().stream().map(folder -> name(top, folder)).toList());
    }

    static String file(String path) {
        return path.replaceFirst(".*[/\\\\]", "");
    }

    /**
     * The shares of last policies, by setting and by what is imitated. Options that say how long a run is are no setting,
     * unless rows differ in nothing else. The device never is: runs of all devices are pooled.
     */
    private static Map<String, Map<String, double[]>> shares(List<Row> rows) {
        Map<String, List<Key>> same = rows.stream()
                .map(Row::key)
                .collect(Collectors.groupingBy(key -> key.shown() + ", " + key.setting(Set.of())));
        Set<String> distinguishing = ImitationAim.NO_SETTINGS.stream()
                .filter(name -> !name.equals(RunGroups.DEVICE))
                .filter(name -> same.values().stream()
                        .anyMatch(keys -> keys.stream()
                                        .map(key -> key.options.getOrDefault(name, ""))
                                        .distinct()
                                        .count()
                                > 1))
                .collect(Collectors.toSet());
        Map<String, Map<String, double[]>> shares = new LinkedHashMap<>();
        for (Row row : rows) {
            if (row.evaluation.isPresent()) {
                shares.computeIfAbsent(row.key.setting(distinguishing), setting -> new TreeMap<>())
                        .merge(
                                row.key.shown(),
                                row.runs.stream()
                                        .mapToDouble(run -> run.meanReturn / row.expertReturn)
                                        .toArray(),
                                Vec::joined);
            }
        }
        return shares;
    }

    /** What rows are judged by. */
    private record Judgement(MeasuredExperts experts, long budget, long seed) {
        RandomStream bootstrap() {
            return RandomStream.of(seed).named("bootstrap");
        }
    }

    /** What an expert returns, and how that was measured. */
    private record Expert(double value, Measure measured) {
        static Expert of(Key key, Details.ImitationSummary imitated, MeasuredExperts experts) {
            Optional<MeasuredExperts.Expert> policy = experts.of(imitated.demosHash());
            if (policy.isPresent()) {
                return new Expert(policy.get().meanReturn(), Measure.POLICY);
            }
            if (!Double.isNaN(imitated.expertReturn())) {
                return new Expert(imitated.expertReturn(), Measure.DEMONSTRATIONS);
            }
            double reported = ImitationAim.expertOf(key.demosName());
            return new Expert(reported, Double.isNaN(reported) ? Measure.UNKNOWN : Measure.AUTHORS);
        }
    }

    private static Row row(Path top, Key key, List<GatheredRun> gathered, Judgement judgement) {
        GatheredRun.requireOnce(gathered, each -> each.result().seed(), key.method + " on " + key.task);
        List<Run> runs = gathered.stream()
                .map(each -> run(top, each))
                .sorted(Comparator.comparingLong(Run::seed))
                .toList();
        Expert expert = Expert.of(key, RunGroups.imitated(gathered.getLast()), judgement.experts);
        double[] returns = runs.stream().mapToDouble(Run::meanReturn).toArray();
        double mean = InterquartileMean.of(returns);
        Interval interval = InterquartileMean.interval(returns, 0.95, judgement.bootstrap());
        Optional<PublishedReturns> paper = PublishedReturns.of(key.task);
        double published = paper.map(row -> row.by(key.method)).orElse(Double.NaN);
        Optional<ImitationAim> aim = ImitationAim.of(key);
        return new Row(
                key,
                expert.value,
                expert.measured,
                mean,
                interval,
                mean / expert.value,
                lastOfBest(runs),
                runs.stream().mapToLong(Run::countedSteps).max().orElse(0),
                runs.stream().mapToDouble(Run::seconds).average().orElse(Double.NaN),
                published,
                published / paper.map(PublishedReturns::expert).orElse(Double.NaN),
                aim.map(ImitationAim::toString),
                aim.map(asked -> asked.shortfalls(expert.value, mean, runs)).orElse(List.of()),
                EvaluationSummary.of(
                        gathered.stream()
                                .sorted(Comparator.comparingLong(
                                        each -> each.result().seed()))
                                .map(GatheredRun::curve)
                                .toList(),
                        expert.value,
                        judgement.budget,
                        mean,
                        interval),
                runs);
    }

    static double lastOfBest(List<Run> runs) {
        return runs.stream()
                .mapToDouble(run -> run.bestReturn > 0 ? run.meanReturn / run.bestReturn : Double.NaN)
                .min()
                .orElse(Double.NaN);
    }

    private static Run run(Path top, GatheredRun gathered) {
        TrainingResult result = gathered.result();
        return new Run(
                name(top, gathered.folder()),
                gathered.spec().provenance().command(),
                result.seed(),
                result.meanReturn(),
                result.best().bestReturn(),
                result.last().returns().length,
                result.countedSteps(),
                result.work().seconds(),
                result.work().device(),
                result.countedCurve());
    }

    private static List<Reused> reused(Path top, List<GatheredRun> finished) {
        return finished.stream()
                .filter(run -> run.result().details().imitation().isEmpty())
                .map(run -> {
                    TrainingResult made = run.result();
                    String reward = SacProblem.rewardOf(made).orElseThrow();
                    double learntWith = learntWith(Path.of(reward), made.task(), finished);
                    List<String> command = run.spec().provenance().command();
                    return new Reused(
                            name(top, run.folder()), command, made.task(), reward, learntWith, made.meanReturn());
                })
                .sorted(Comparator.comparing(Reused::task, PublishedReturns.ORDER))
                .toList();
    }

    /**
     * The return of the policy that was learnt with the reward. Folders move, so the run is the one whose path has most
     * names in common with the file's, from the end; two that have equally many are none.
     */
    private static double learntWith(Path reward, String task, List<GatheredRun> finished) {
        Path folder = reward.getParent();
        int most = 0;
        double found = Double.NaN;
        for (GatheredRun run : finished) {
            int common = folder != null
                            && run.result().details() instanceof IteratedLearning.Result
                            && run.result().task().equals(task)
                    ? common(folder, run.folder())
                    : 0;
            if (common == most) {
                found = Double.NaN;
            } else if (common > most) {
                most = common;
                found = run.result().meanReturn();
            }
        }
        return found;
    }

    private static int common(Path one, Path other) {
        int names = 0;
        while (names < Math.min(one.getNameCount(), other.getNameCount())
                && one.getName(one.getNameCount() - 1 - names)
                        .equals(other.getName(other.getNameCount() - 1 - names))) {
            names++;
        }
        return names;
    }

    private static String name(Path top, Path folder) {
        Path within = top.relativize(folder);
        return within.toString().isEmpty() ? "." : within.toString().replace('\\', '/');
    }
}
