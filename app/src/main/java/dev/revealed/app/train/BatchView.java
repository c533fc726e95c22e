package dev.revealed.app.train;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.EvaluationFields;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.stats.InterquartileMean;
import dev.revealed.settings.Item;
import dev.revealed.studies.evaluation.EvaluationSummary;
import dev.revealed.studies.evaluation.RunCurve;
import dev.revealed.train.RunBatch;
import dev.revealed.train.TrainingResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Shows many runs: each with what came of it, and those that differ in the seed alone together. */
final class BatchView {
    private static final String DEVICE = "device";
    private static final String NONE = "–";
    private static final Set<String> NUMBERS = Set.of("seed", "fork-number"); // in which runs of a group differ

    private BatchView() {}

    /**
     * What {@code result.json} says.
     *
     * @param commandSeconds that the last command took; what a run took over all of them is in its result
     */
    record Document(int runs, int finished, int failed, double commandSeconds, List<Group> groups, List<Run> each) {}

    /**
     * One run.
     *
     * @param settings its task, its seed, and those in which runs differ; the device that made it, where these differ
     * @param state done or failed
     */
    record Run(
            String name,
            Map<String, Object> settings,
            String state,
            Optional<TrainingResult> result,
            Optional<String> failure) {
        /** With the device among the settings, where it is known. */
        private Run withDevice() {
            Map<String, Object> more = new TreeMap<>(settings);
            result.ifPresent(made -> more.put(DEVICE, made.work().device()));
            return new Run(name, more, state, result, failure);
        }

        /** A number of the result, or a dash where there is none. */
        private Object shown(Function<TrainingResult, Object> number) {
            return result.map(number).orElse(NONE);
        }

        private boolean evaluated() {
            return result.filter(TrainingResult::evaluated).isPresent();
        }

        /** The device, where runs differ in it; nothing else does, and where this run failed. */
        private Optional<Object> device() {
            return Optional.ofNullable(settings.get(DEVICE));
        }
    }

    /**
     * The last returns of runs that differ in the seed alone.
     *
     * @param standardDeviation of the runs, by one less than their number
     * @param interquartileMean the mean without the lowest and the highest quarter of the runs
     * @param interval that holds it at 95 %, by the bootstrap over runs
     * @param ofExpert the interquartile mean as a share of the return of those that were imitated, where that is known
     * @param evaluation shares of that return, speed and steadiness, where it is known
     */
    record Group(
            String name,
            Map<String, Object> settings,
            List<String> runs,
            int failed,
            double mean,
            double standardDeviation,
            double interquartileMean,
            Interval interval,
            Optional<Double> ofExpert,
            Optional<EvaluationSummary> evaluation) {

        /**
         * @param curves of the runs that finished
         * @param expertReturn the mean of the demonstrations; not a number where there is none
         * @param budget steps of the area under the curve
         */
        static Group of(
                String name,
                Map<String, Object> settings,
                List<String> runs,
                List<RunCurve> curves,
                double expertReturn,
                long budget) {
            double[] returns = curves.stream().mapToDouble(RunCurve::last).toArray();
            double[] sorted = returns.clone();
            Arrays.sort(sorted);
            int n = sorted.length;
            double mean = DoubleStream.of(sorted).average().orElse(Double.NaN);
            double squares =
                    DoubleStream.of(sorted).map(x -> (x - mean) * (x - mean)).sum();
            double middle = InterquartileMean.of(sorted);
            RandomStream stream = RandomStream.of(0).named("bootstrap"); // the same interval for the same runs
            Interval interval = InterquartileMean.interval(sorted, 0.95, stream);
            return new Group(
                    name,
                    settings,
                    runs,
                    runs.size() - n,
                    mean,
                    n < 2 ? Double.NaN : Math.sqrt(squares / (n - 1)),
                    middle,
                    interval,
                    Optional.of(middle / expertReturn).filter(share -> expertReturn > 0 && Double.isFinite(share)),
                    EvaluationSummary.of(
                            curves.stream()
                                    .sorted(Comparator.comparingDouble(RunCurve::last))
                                    .toList(),
                            expertReturn,
                            budget,
                            middle,
                            interval));
        }
    }

    static Outcome of(List<RunBatch.Member> members, List<RunBatch.End> ends, double seconds) {
        List<Run> runs = runs(members, ends);
        List<String> damages = new ArrayList<>();
        List<Optional<RunCurve>> curves = IntStream.range(0, runs.size())
                .mapToObj(i -> runs.get(i).result.map(result -> curve(result, members.get(i), damages)))
                .toList();
        List<Group> groups = groups(members, runs, curves);
        int failed = (int) runs.stream().filter(run -> run.failure.isPresent()).count();
        Document document = new Document(runs.size(), runs.size() - failed, failed, seconds, groups, runs);
        String tasks = members.stream()
                .map(member -> member.plan().environment().task())
                .distinct()
                .collect(Collectors.joining(", "));
        LearningProblem problem = members.getFirst().plan().problem();
        String title = problem.title();
        String measure = problem.learnsTaskReward() ? "return" : "true return";
        boolean evaluated = failed == runs.size() || runs.stream().anyMatch(Run::evaluated);
        Table table = table(runs, measure, evaluated).titled("%s on %s".formatted(title, tasks));
        List<String> notes =
                new ArrayList<>(groups.stream().map(BatchView::sentence).toList());
        runs.forEach(run -> run.failure.ifPresent(why -> notes.add(run.name + " failed: " + why)));
        notes.addAll(damages);
        Outcome outcome = Outcome.of(document, "%s on %s, %d runs".formatted(title, tasks, runs.size()))
                .report(page -> evaluated ? page.table(summary(groups, measure)) : page)
                .table(table)
                .notes(notes);
        if (groups.stream().anyMatch(group -> group.evaluation.isPresent())) {
            Table evaluation = evaluation(groups);
            outcome = outcome.table(evaluation).file("evaluation.csv", evaluation.toCsv());
        }
        if (evaluated) {
            outcome = outcome.picture(
                    "curves", curves(runs), "Mean return of deterministic evaluation episodes, a line for each run.");
        }
        return outcome.file("runs.csv", table.toCsv());
    }

    private static List<Run> runs(List<RunBatch.Member> members, List<RunBatch.End> ends) {
        Set<String> shown = new TreeSet<>(Set.of("task", "seed"));
        shown.addAll(differing(members));
        List<Run> runs = IntStream.range(0, members.size())
                .mapToObj(i -> {
                    RunBatch.Member member = members.get(i);
                    Map<String, Object> settings = only(shown, member.spec().settings());
                    return switch (ends.get(i)) {
                        case RunBatch.Done(TrainingResult result) ->
                            new Run(member.name(), settings, "done", Optional.of(result), Optional.empty());
                        case RunBatch.Failed(String problem, String remedy, boolean _) -> {
                            Optional<String> why = Optional.of(problem + ". " + remedy);
                            yield new Run(member.name(), settings, "failed", Optional.empty(), why);
                        }
                    };
                })
                .toList();
        long devices = runs.stream()
                .flatMap(run -> run.result.stream())
                .map(result -> result.work().device())
                .distinct()
                .count();
        return devices > 1 ? runs.stream().map(Run::withDevice).toList() : runs;
    }

    /** The settings that are not the same in all runs. */
    private static Set<String> differing(List<RunBatch.Member> members) {
        Set<String> names = new TreeSet<>();
        members.forEach(member -> names.addAll(member.spec().settings().keySet()));
        names.removeIf(name -> members.stream()
                        .map(member -> Item.text(member.spec().settings().get(name)))
                        .distinct()
                        .count()
                == 1);
        return names;
    }

    private static Map<String, Object> only(Set<String> names, Map<String, Object> settings) {
        Map<String, Object> few = new TreeMap<>(settings);
        few.keySet().retainAll(names);
        return few;
    }

    /** Every setting that matters but the seed and the number of a fork, in words: what runs of a group have in common. */
    static String kind(RunBatch.Member member) {
        Map<String, Object> settings = new TreeMap<>(member.spec().settings());
        settings.keySet().removeAll(NUMBERS);
        settings.replaceAll((name, value) -> Item.text(value));
        return settings.toString();
    }

    /** What runs made is shown even where the metrics of one were damaged since. */
    private static RunCurve curve(TrainingResult result, RunBatch.Member member, List<String> damages) {
        try {
            return RunCurve.of(result, member.folder());
        } catch (BadInput e) {
            damages.add("%s: its falls are not counted, since %s".formatted(member.name(), e.problem()));
            return RunCurve.of(result);
        }
    }

    private static List<Group> groups(List<RunBatch.Member> members, List<Run> runs, List<Optional<RunCurve>> curves) {
        Set<String> differing = differing(members);
        differing.removeAll(NUMBERS);
        differing.remove("task"); // which comes first, by its name
        Map<String, List<Integer>> together = new LinkedHashMap<>();
        for (int i = 0; i < members.size(); i++) {
            String kind = kind(members.get(i)) + runs.get(i).device().orElse("");
            together.computeIfAbsent(kind, same -> new ArrayList<>()).add(i);
        }
        return together.values().stream()
                .map(places -> {
                    RunBatch.Member first = members.get(places.getFirst());
                    Map<String, Object> settings = only(differing, first.spec().settings());
                    runs.get(places.getFirst()).device().ifPresent(device -> settings.put(DEVICE, device));
                    List<TrainingResult> results = places.stream()
                            .flatMap(i -> runs.get(i).result.stream())
                            .toList();
                    String task = first.plan().environment().task();
                    List<RunCurve> onTask = IntStream.range(0, members.size())
                            .filter(i ->
                                    members.get(i).plan().environment().task().equals(task))
                            .boxed()
                            .flatMap(i -> curves.get(i).stream())
                            .toList();
                    return Group.of(
                            name(first, settings),
                            settings,
                            places.stream().map(i -> runs.get(i).name).toList(),
                            places.stream().flatMap(i -> curves.get(i).stream()).toList(),
                            results.isEmpty() ? Double.NaN : results.getFirst().expertReturn(),
                            EvaluationSummary.budget(onTask));
                })
                .toList();
    }

    /** The task and the typed settings; the rest follows from task and preset. */
    private static String name(RunBatch.Member member, Map<String, Object> settings) {
        StringBuilder name = new StringBuilder(member.plan().environment().task());
        settings.forEach((key, value) -> {
            if (key.equals(DEVICE) || member.spec().provenance().typed(key).isPresent()) {
                name.append(", ").append(key).append(' ').append(Item.text(value));
            }
        });
        return name.toString();
    }

    private static Table table(List<Run> runs, String measure, boolean evaluated) {
        List<Field<Run>> fields = new ArrayList<>(List.of(Field.text("run", Run::name)));
        if (evaluated) {
            fields.add(Field.decimals("last " + measure, 1, run -> run.shown(TrainingResult::meanReturn)));
            fields.add(Field.decimals(
                    "standard error",
                    1,
                    run -> run.shown(result -> result.last().standardError())));
            fields.add(Field.decimals(
                    "best", 1, run -> run.shown(result -> result.best().bestReturn())));
        }
        fields.addAll(List.of(
                Field.number(
                        "steps", 9, run -> run.shown(result -> result.work().steps())),
                Field.decimals(
                        "seconds", 1, run -> run.shown(result -> result.work().seconds())),
                Field.text("state", Run::state)));
        if (runs.stream().anyMatch(run -> run.device().isPresent())) {
            fields.add(Field.text(DEVICE, run -> run.device().orElse(NONE)));
        }
        return Table.of(runs, fields);
    }

    private static Table summary(List<Group> groups, String measure) {
        return Table.of(
                        groups,
                        Field.text("", Group::name),
                        Field.number("runs", 4, group -> group.runs.size() - group.failed),
                        Field.decimals("mean", 1, Group::mean),
                        Field.decimals("standard deviation", 1, Group::standardDeviation),
                        Field.decimals("interquartile mean", 1, Group::interquartileMean),
                        Field.decimals("from", 1, group -> group.interval.low()),
                        Field.decimals("to", 1, group -> group.interval.high()))
                .titled("Last " + measure + "s, with the 95 % interval of the interquartile mean")
                .note(EvaluationFields.FEW_SEEDS);
    }

    private static Table evaluation(List<Group> groups) {
        return EvaluationFields.table(
                groups,
                List.of(
                        Field.text("", Group::name),
                        Field.number("runs", 4, group -> group.runs.size() - group.failed)),
                Group::evaluation,
                "The expert's return is the mean of its demonstrations.");
    }

    private static String sentence(Group group) {
        int finished = group.runs.size() - group.failed;
        String runs = "%s, %d %s".formatted(group.name, finished, finished == 1 ? "run" : "runs")
                + (group.failed == 0 ? "" : " (%d failed)".formatted(group.failed));
        return finished == 0 || Double.isNaN(group.mean)
                ? runs
                : runs
                        + ": mean %s, standard deviation %s, interquartile mean %s (95 %% interval %s to %s)"
                                .formatted(
                                        Numbers.decimals(group.mean, 1),
                                        Numbers.decimals(group.standardDeviation, 1),
                                        Numbers.decimals(group.interquartileMean, 1),
                                        Numbers.decimals(group.interval.low(), 1),
                                        Numbers.decimals(group.interval.high(), 1))
                        + group.ofExpert
                                .map(share -> ", %s %% of the expert's".formatted(Numbers.decimals(100 * share, 1)))
                                .orElse("");
    }

    /** One picture per task, since returns of different tasks have nothing in common. */
    private static Picture curves(List<Run> runs) {
        Map<String, LineChart> charts = new LinkedHashMap<>();
        for (Run run : runs) {
            run.result
                    .filter(TrainingResult::evaluated)
                    .ifPresent(result -> charts.compute(result.task(), (task, drawn) -> {
                        LineChart chart = drawn == null ? TrainingView.chart("Learning curves, " + task) : drawn;
                        boolean dashed = chart.series().size() / LineChart.COLOURS % 2 == 1; // colours come round again
                        LineChart.Series line = TrainingView.line(run.name, result.curve());
                        return chart.with(dashed ? line.as(LineChart.Mark.DASHES) : line);
                    }));
        }
        return charts.size() == 1
                ? List.copyOf(charts.values()).getFirst()
                : new Panels("Learning curves", 2, List.copyOf(charts.values()));
    }
}
