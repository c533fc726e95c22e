package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Outcome;
import dev.revealed.imitate.Details;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.Interval;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunSpec;
import dev.revealed.studies.evaluation.RunCurve;
import dev.revealed.train.Environment;
import dev.revealed.train.EvaluationPoint;
import dev.revealed.train.RunBatch;
import dev.revealed.train.SacProblem;
import dev.revealed.train.Timetable;
import dev.revealed.train.TrainingPlan;
import dev.revealed.train.TrainingResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many runs are summed up. */
class BatchViewTest {
    /** By hand: a quarter of ten, rounded down, goes at either end. */
    @Test
    void groupsAreSummedUp() {
        double[] returns = {100, 3, 1, 2, 4, 6, 8, 7, 5, -90};
        List<String> names = List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k");
        BatchView.Group group = group(names, returns, Double.NaN);
        assertThat(group.failed()).isEqualTo(1);
        assertThat(group.mean()).isCloseTo(4.6, within(1e-12));
        assertThat(group.interquartileMean()).isCloseTo((2 + 3 + 4 + 5 + 6 + 7) / 6.0, within(1e-12));
        BatchView.Group three = group(List.of("a", "b", "c"), new double[] {1, 3, 8}, 8);
        assertThat(three.standardDeviation()).isCloseTo(Math.sqrt((9 + 1 + 16) / 2.0), within(1e-12));
        assertThat(three.interquartileMean()).isCloseTo(4, within(1e-12));
        assertThat(three.interval().low()).isEqualTo(1); // of three draws, all are the lowest in 1 of 27
        assertThat(three.interval().high()).isEqualTo(8);
        assertThat(three.ofExpert()).hasValue(0.5);
        assertThat(three.evaluation()).hasValueSatisfying(found -> {
            assertThat(found.interval()).isEqualTo(new Interval(1 / 8.0, 1));
            assertThat(found.mean()).isEqualTo(0.5);
        });
        assertThat(group.evaluation()).isEmpty();
        assertThat(group.ofExpert()).isEmpty();
        BatchView.Group none = group(List.of("a"), new double[0], Double.NaN);
        assertThat(none.mean()).isNaN();
        assertThat(none.interquartileMean()).isNaN();
    }

    private static BatchView.Group group(List<String> runs, double[] returns, double expert) {
        List<RunCurve> curves = DoubleStream.of(returns)
                .mapToObj(last -> new RunCurve(last, List.of(), List.of()))
                .toList();
        return BatchView.Group.of("g", Map.of(), runs, curves, expert, 0);
    }

    /** Runs of different devices are not of one group. */
    @Test
    void devicesAreShownWhereTheyDiffer() {
        List<RunBatch.Member> members =
                Stream.of(1L, 2L, 3L).map(BatchViewTest::member).toList();
        List<RunBatch.End> ends = Stream.of("cpu", "Some GPU", "cpu")
                .<RunBatch.End>map(device -> new RunBatch.Done(result(device)))
                .toList();
        BatchView.Document document =
                (BatchView.Document) BatchView.of(members, ends, 1).document();
        assertThat(document.groups())
                .extracting(BatchView.Group::name)
                .containsExactly("point, device cpu", "point, device Some GPU");
        assertThat(document.groups().getFirst().runs()).containsExactly("seed-1", "seed-3");
        assertThat(document.each().get(1).settings()).containsEntry("device", "Some GPU");
        assertThat(BatchView.of(members, ends, 1).text()).contains("device", "Some GPU");
        List<RunBatch.Member> same = members.subList(0, 1);
        assertThat(BatchView.of(same, ends.subList(0, 1), 1).text()).doesNotContain("device");
    }

    /** A run is not lost because a file that only the summary reads was damaged. */
    @Test
    void damagedMetricsAreNamed(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("metrics.jsonl"), "{");
        RunBatch.Member one = member(1);
        RunBatch.Member damaged = new RunBatch.Member(one.name(), folder, one.spec(), one.plan());
        List<RunBatch.End> ends = List.of(new RunBatch.Done(result("cpu")));
        assertThat(BatchView.of(List.of(damaged), ends, 1).text())
                .contains("mean -3.0", "seed-1: its falls are not counted, since ", "metrics.jsonl, line 1");
        assertThat(BatchView.of(List.of(one), ends, 1).text()).doesNotContain("not counted");
    }

    /** Without a simulator there are no returns: nothing is said of them. */
    @Test
    void runsThatWereNeverEvaluatedHaveNoReturns() {
        BatchView.Group group = group(List.of("a", "b"), new double[] {Double.NaN, Double.NaN}, 8);
        assertThat(group.ofExpert()).isEmpty();
        assertThat(group.evaluation()).isEmpty();
        TrainingResult never = result("cpu", Double.NaN);
        List<RunBatch.Member> members = List.of(member(1), member(2));
        List<RunBatch.End> ends = List.of(new RunBatch.Done(never), new RunBatch.Done(never));
        Outcome all = BatchView.of(members, ends, 1);
        assertThat(all.text())
                .contains("point, 2 runs", "steps")
                .doesNotContain("return", "best", "mean", "–", "error");
        assertThat(all.pictures()).isEmpty();
        assertThat(all.files()).containsOnlyKeys("runs.csv");
        Outcome one = TrainingView.of(never);
        assertThat(one.text()).contains("steps", "updates").doesNotContain("return", "best", "–", "%");
        assertThat(one.pictures()).isEmpty();
        assertThat(one.files()).containsOnlyKeys("curve.csv");
        ends = List.of(new RunBatch.Done(result("cpu")), new RunBatch.Done(never));
        Outcome mixed = BatchView.of(members, ends, 1);
        assertThat(mixed.text()).contains("last return", "-3.0", "–");
        assertThat(mixed.pictures()).containsOnlyKeys("curves");
    }

    private static RunBatch.Member member(long seed) {
        TrainingPlan plan = new TrainingPlan(
                Environment.of("point", () -> {
                    throw new AssertionError("nothing runs here");
                }),
                1,
                Sac.Settings.PAPER,
                new Training.Schedule(100, 1, 1000),
                SacProblem.expert(),
                new Timetable(600, 200, 2, 2, 200),
                seed);
        RunSpec spec = RunSpec.of(
                Provenance.of(seed, List.of("expert", "--seed", Long.toString(seed))),
                Map.of("seed", seed, "task", "point"));
        return new RunBatch.Member("seed-" + seed, Path.of("seed-" + seed), spec, plan);
    }

    private record Nothing() implements Details {
        @Override
        public String title(String task) {
            return task;
        }
    }

    private static TrainingResult result(String device) {
        return result(device, -3);
    }

    private static TrainingResult result(String device, double last) {
        boolean evaluated = !Double.isNaN(last);
        return new TrainingResult(
                2,
                "expert",
                "point",
                Map.of(),
                1,
                new TrainingResult.Work(600, 500, 1, 500, Optional.empty(), 1, device),
                new TrainingResult.Last(
                        last,
                        evaluated ? 1 : Double.NaN,
                        evaluated ? new double[] {last + 1, last - 1} : new double[0],
                        evaluated ? new int[] {20, 20} : new int[0]),
                new TrainingResult.Best(last, 600),
                "0",
                List.of(new EvaluationPoint(200, last - 2, 1), new EvaluationPoint(600, last, 1)),
                new Nothing());
    }
}
