package dev.revealed.app;

import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Scores;
import dev.revealed.neural.Training;
import dev.revealed.numeric.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** A clone in training; of two policies the later one counts as the better, since their returns are not to be known. */
final class Cloner implements Pupil {
    private static final String DEMONSTRATIONS = "cloner.demonstrations"; // in checkpoints

    private final CloningLesson lesson;
    private final Training training;
    private double logLikelihood = Double.NaN;
    private long evaluationSteps;

    Cloner(CloningLesson lesson, Training training) {
        this.lesson = lesson;
        this.training = training;
    }

    @Override
    public void advance(long steps, IntConsumer after) {
        training.advance(steps, Batch.Rewards.STORED, after);
    }

    @Override
    public Actor policy() {
        return training.policy();
    }

    @Override
    public Map<String, Object> line() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("updates", training.updates());
        line.put("countedSteps", 0L);
        line.put("evaluationSteps", 0L); // known later, like the true return
        line.put("trueReturn", Double.NaN);
        line.put("trueStandardError", Double.NaN);
        line.put("trueLength", Double.NaN);
        training.diagnostics().forEach((name, value) -> {
            line.put(name, value);
            logLikelihood = value;
        });
        return line;
    }

    @Override
    public boolean tested(Map<String, Object> line, Scores scores, List<TrainingRun.Point> before) {
        evaluationSteps += scores.steps();
        Shown.tested(line, scores, evaluationSteps);
        return true;
    }

    @Override
    public String words(double lastReturn) {
        return Double.isNaN(lastReturn)
                ? ""
                : String.format(
                        Locale.ROOT, "log likelihood %.3f, true return %.0f (hidden)", logLikelihood, lastReturn);
    }

    @Override
    public String bestFile() {
        return TrainingRun.CHOSEN;
    }

    @Override
    public void save(Tensors into) {
        Shown.save(DEMONSTRATIONS, lesson.demonstrations(), into);
        into.put("cloner.counts", evaluationSteps);
        into.put("cloner.likelihood", new double[] {logLikelihood});
    }

    @Override
    public void restore(Tensors from) {
        Shown.check(DEMONSTRATIONS, lesson.demonstrations(), lesson.demos(), from);
        evaluationSteps = from.longs("cloner.counts")[0];
        logLikelihood = from.doubles("cloner.likelihood")[0];
    }

    @Override
    public Map<String, Product> products() {
        return Map.of();
    }

    @Override
    public Trained result(ExpertResult run, Supplier<Scores> best) {
        double expertReturn = lesson.demonstrations().meanReturn();
        return new CloningResult(
                run.task(),
                "bc",
                lesson.demos(),
                lesson.demonstrations().hash(),
                lesson.demonstrations().size(),
                run.seed(),
                run.updates(),
                0,
                evaluationSteps,
                logLikelihood,
                run.meanReturn(),
                run.standardError(),
                run.returns(),
                run.lengths(),
                run.bestReturn(),
                run.bestStep(),
                expertReturn,
                run.meanReturn() / expertReturn,
                run.seconds(),
                run.threads(),
                run.device(),
                run.version(),
                run.inertia(),
                run.contactForces(),
                run.mujoco(),
                run.curve());
    }
}
