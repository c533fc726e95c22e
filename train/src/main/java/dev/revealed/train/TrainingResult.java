package dev.revealed.train;

import dev.revealed.imitate.Details;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.neural.Scores;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import dev.revealed.settings.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The result of a training run: {@code result.json} of its folder. Parts are written as fields of the one document.
 *
 * @param schema of the document
 * @param kind what was learnt, as {@link dev.revealed.imitate.LearningProblem#kind} says
 * @param environment the simulator's flavour, by name
 * @param curve evaluations on the way, the last among them
 * @param details results that only this kind of problem has
 */
public record TrainingResult(
        int schema,
        String kind,
        String task,
        Map<String, String> environment,
        long seed,
        Work work,
        Last last,
        Best best,
        String version,
        List<EvaluationPoint> curve,
        Details details) {
    static final int SCHEMA = 2;

    /**
     * What it took.
     *
     * @param seconds over all commands that worked on it
     * @param timeShares of the last command's time, by name: on a GPU what was simulation and what was waiting, and for how
     *     much of it the device was busy, with all runs it had; nothing on a processor
     * @param device on which it was made; all that worked on it, in their order
     */
    @Part
    public record Work(
            long steps,
            long updates,
            double seconds,
            double updatesPerSecond,
            Optional<Map<String, Double>> timeShares,
            int threads,
            String device) {}

    /** The last policy's last evaluation, deterministic, by the task's own reward. */
    @Part
    public record Last(double meanReturn, double standardError, double[] returns, int[] lengths) {
        public static Last of(Scores scores) {
            return new Last(scores.meanReturn(), scores.standardError(), scores.returns(), scores.lengths());
        }
    }

    /** The best evaluation on the way: for comparison, since who lacks the task's reward could not choose it. */
    @Part
    public record Best(double bestReturn, long bestStep) {}

    public double meanReturn() {
        return last.meanReturn();
    }

    /** Whether any return was measured: none is without a simulator of the task. */
    public boolean evaluated() {
        return Double.isFinite(last.meanReturn())
                || curve.stream().anyMatch(point -> Double.isFinite(point.meanReturn()));
    }

    /** Every step whose data was learnt from. */
    public long countedSteps() {
        return details.imitation().map(Details.ImitationSummary::countedSteps).orElse(work.steps());
    }

    /** Of the demonstrations; not a number where there are none, or where it is not known. */
    public double expertReturn() {
        return details.imitation().map(Details.ImitationSummary::expertReturn).orElse(Double.NaN);
    }

    /** The learning curve over counted steps. */
    public List<EvaluationPoint> countedCurve() {
        List<Long> counted = details.countedSteps();
        return counted.isEmpty()
                ? curve
                : IntStream.range(0, curve.size())
                        .mapToObj(i -> new EvaluationPoint(
                                counted.get(i),
                                curve.get(i).meanReturn(),
                                curve.get(i).standardError()))
                        .toList();
    }

    /** The result of a finished run, of this version or an earlier one. */
    public static TrainingResult read(Path folder) {
        Path file = folder.resolve(RunFiles.RESULT);
        try {
            Map<String, Object> fields = new LinkedHashMap<>();
            Map<?, ?> read = Json.read(Files.readString(file), Map.class);
            read.forEach((name, value) -> fields.put(String.valueOf(name), value));
            upgrade(fields);
            String kind = String.valueOf(fields.get("kind"));
            Class<? extends Details> details = SacProblem.KINDS.contains(kind)
                    ? SacProblem.Result.class
                    : ImitationMethod.named(kind).details();
            TrainingResult result = Json.fromFields(fields, TrainingResult.class, details);
            result.check();
            return result;
        } catch (BadInput | IOException e) {
            throw new BadInput(
                    "%s: %s".formatted(file, e instanceof BadInput bad ? bad.problem() : BadInput.reason(e)),
                    "It is damaged: make the run again, or take it away.");
        }
    }

    /** Before there were schemas a result did not say what kind it is, and its simulator's flavour stood among the rest. */
    private static void upgrade(Map<String, Object> fields) {
        if (fields.containsKey("schema")) {
            return;
        }
        fields.put("schema", 1);
        if (fields.containsKey("marks")) {
            fields.put("kind", "ml-irl");
        } else if ("bc".equals(fields.get("method"))) {
            fields.put("kind", "bc");
            fields.put("countedSteps", 0);
        } else {
            fields.put("kind", fields.containsKey("reward") ? SacProblem.REWARD : SacProblem.TASK);
        }
        fields.putIfAbsent("method", fields.get("kind"));
        Map<String, Object> flavour = new LinkedHashMap<>();
        for (String name : List.of("inertia", "contactForces", "mujoco")) {
            flavour.put(name, String.valueOf(fields.get(name)));
        }
        fields.put("environment", flavour);
    }

    private void check() {
        List<String> missing = new ArrayList<>();
        if (task == null) {
            missing.add("task");
        }
        if (curve == null) {
            missing.add("curve");
        }
        if (!Double.isFinite(last.meanReturn()) && (last.returns() == null || last.returns().length > 0)) {
            missing.add("meanReturn");
        }
        if (curve != null && !marked()) {
            missing.add("marks for every evaluation");
        }
        BadInput.when(!missing.isEmpty(), "it has no " + String.join(", ", missing), "");
    }

    /** Whether marks are there for every evaluation, where there are marks at all. */
    private boolean marked() {
        List<? extends Record> marks = details.marks();
        return marks != null && (marks.isEmpty() || marks.size() == curve.size());
    }
}
