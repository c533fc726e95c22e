package dev.revealed.app;

import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.Score;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Scores;
import dev.revealed.neural.Training;
import dev.revealed.numeric.Tensors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * An imitator in training, with the reward it learns. Nothing it does depends on the task's own reward: that is measured by
 * the tests alone, and called the true return.
 */
final class Imitator implements Pupil {
    private static final String DEMONSTRATIONS = "imitator.demonstrations"; // in checkpoints
    private static final int WINDOW = 3; // lines that are looked at together when a policy is chosen
    private static final int FIELDS = 6; // of a mark, in checkpoints

    /**
     * How it stood at a line of metrics. What has to do with the agent are means over the iterations since the last one.
     *
     * @param unlikeness the distance of the agent's inputs from the expert's, plus the share of an episode that its own are
     *     shorter or longer: a mean over the last lines. The smallest is the best policy that can be told without the task's
     *     reward
     */
    record Mark(long step, long countedSteps, double gap, double distance, double entropy, double unlikeness) {}

    private final ImitationLesson lesson;
    private final TrainingPlan plan;
    private final Training training;
    private final Imitation imitation;
    private final List<Mark> marks = new ArrayList<>(); // of lines whose tests have ended
    private final List<Double> recent = new ArrayList<>(); // unlikeness of the last lines, each alone
    private double[] sums = new double[6]; // over the iterations since the last line: how many, and of what
    private long evaluationSteps;
    private long chosenStep;
    private Score last = Score.NONE;

    Imitator(ImitationLesson lesson, TrainingPlan plan, Training training, Imitation imitation) {
        this.lesson = lesson;
        this.plan = plan;
        this.training = training;
        this.imitation = imitation;
    }

    @Override
    public void advance(long steps, IntConsumer after) {
        imitation.advance(steps / lesson.settings().sampling().block(), after, this::see);
    }

    private void see(Score score) {
        last = score;
        if (!score.isEmpty()) {
            sums[0]++;
            sums[1] += score.gap();
            sums[2] += score.expertReward();
            sums[3] += score.agentReward();
            sums[4] += score.distance();
            sums[5] += score.length();
        }
    }

    @Override
    public Actor policy() {
        return imitation.policy();
    }

    @Override
    public Map<String, Object> line() {
        Training.Episodes lived = training.takeEpisodes();
        double n = sums[0] == 0 ? Double.NaN : sums[0];
        double distance = sums[4] / n;
        double length = sums[5] / n;
        recent.add(distance + Math.abs(1 - length));
        if (recent.size() > WINDOW) {
            recent.removeFirst();
        }
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("iteration", imitation.iterations());
        line.put("steps", training.steps());
        line.put("countedSteps", imitation.countedSteps());
        line.put("evaluationSteps", 0L); // known later, like the true return
        line.put("updates", training.updates());
        line.put("likelihoodGap", sums[1] / n);
        line.put("expertReward", sums[2] / n);
        line.put("agentReward", sums[3] / n);
        line.put("featureDistance", distance);
        line.put("agentLength", length);
        line.put(
                "unlikeness",
                recent.stream().mapToDouble(each -> each).average().orElse(Double.NaN));
        line.put("entropy", Double.NaN);
        line.put("trueReturn", Double.NaN);
        line.put("trueStandardError", Double.NaN);
        line.put("trueLength", Double.NaN);
        line.put("episodes", lived.count());
        line.put("episodeTrueReturn", lived.meanReturn());
        line.put("episodeLength", lived.meanLength());
        line.putAll(training.diagnostics());
        sums = new double[sums.length];
        return line;
    }

    @Override
    public boolean tested(Map<String, Object> line, Scores scores, List<TrainingRun.Point> before) {
        evaluationSteps += scores.steps();
        Shown.tested(line, scores, evaluationSteps);
        Mark mark = new Mark(
                (long) number(line, "steps"),
                (long) number(line, "countedSteps"),
                number(line, "likelihoodGap"),
                number(line, "featureDistance"),
                number(line, "entropy"),
                number(line, "unlikeness"));
        boolean known = !Double.isNaN(mark.unlikeness); // it is not where nothing was seen, or learning diverged
        boolean better =
                marks.isEmpty() || (known && marks.stream().noneMatch(other -> other.unlikeness < mark.unlikeness));
        marks.add(mark);
        if (better) {
            chosenStep = mark.step;
        }
        return better;
    }

    private static double number(Map<String, Object> line, String name) {
        return line.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    @Override
    public String words(double lastReturn) {
        List<String> words = new ArrayList<>();
        known(words, "gap %.3f", last.gap());
        known(words, "distance %.2f", last.distance());
        known(words, "entropy %.2f", marks.isEmpty() ? Double.NaN : marks.getLast().entropy);
        known(words, "true return %.0f (hidden)", lastReturn);
        return String.join(", ", words);
    }

    private static void known(List<String> words, String form, double value) {
        if (!Double.isNaN(value)) {
            words.add(String.format(Locale.ROOT, form, value));
        }
    }

    @Override
    public String bestFile() {
        return TrainingRun.CHOSEN;
    }

    @Override
    public void save(Tensors into) {
        imitation.save(into);
        double[] all = new double[FIELDS * marks.size()];
        for (int i = 0; i < marks.size(); i++) {
            Mark mark = marks.get(i);
            int at = FIELDS * i;
            all[at] = mark.step;
            all[at + 1] = mark.countedSteps;
            all[at + 2] = mark.gap;
            all[at + 3] = mark.distance;
            all[at + 4] = mark.entropy;
            all[at + 5] = mark.unlikeness;
        }
        into.put("imitator.marks", all);
        into.put("imitator.recent", recent.stream().mapToDouble(each -> each).toArray());
        into.put("imitator.sums", sums.clone());
        into.put("imitator.counts", evaluationSteps, chosenStep);
        Shown.save(DEMONSTRATIONS, lesson.demonstrations(), into);
    }

    @Override
    public void restore(Tensors from) {
        Shown.check(DEMONSTRATIONS, lesson.demonstrations(), lesson.demos(), from);
        imitation.restore(from);
        double[] all = from.doubles("imitator.marks");
        for (int at = 0; at < all.length; at += FIELDS) {
            marks.add(new Mark((long) all[at], (long) all[at + 1], all[at + 2], all[at + 3], all[at + 4], all[at + 5]));
        }
        for (double each : from.doubles("imitator.recent")) {
            recent.add(each);
        }
        sums = from.doubles("imitator.sums").clone();
        evaluationSteps = from.longs("imitator.counts")[0];
        chosenStep = from.longs("imitator.counts")[1];
    }

    @Override
    public Map<String, Product> products() {
        Tensors reward = new Tensors();
        imitation.reward().save(reward);
        Map<String, String> notes = plan.physics().notes();
        notes.put("reward", kind());
        notes.put("preset", lesson.preset().toString());
        RewardFile.note(plan.sac(), notes);
        notes.put("afterEnd", lesson.settings().afterEnd().toString());
        notes.put("demonstrations", lesson.demonstrations().hash());
        if (lesson.bootstrap() != null) {
            notes.put(RewardFile.BOOTSTRAP, lesson.bootstrap().describe());
        }
        return Map.of(RewardFile.NAME, new Product(reward, notes));
    }

    private String kind() {
        return lesson.settings().reward().stateOnly() ? "state" : "state-action";
    }

    @Override
    public Trained result(ExpertResult run, Supplier<Scores> best) {
        Scores chosen = best.get();
        long evaluated = evaluationSteps + chosen.steps();
        double expertReturn = lesson.demonstrations().meanReturn();
        Mark end = marks.getLast();
        return new ImitationResult(
                run.task(),
                lesson.demos(),
                lesson.demonstrations().hash(),
                lesson.demonstrations().size(),
                kind(),
                lesson.preset().toString(),
                lesson.settings().afterEnd().toString(),
                run.seed(),
                imitation.iterations(),
                run.steps(),
                imitation.countedSteps(),
                evaluated,
                run.updates(),
                run.meanReturn(),
                run.standardError(),
                run.returns(),
                run.lengths(),
                chosen.meanReturn(),
                chosen.standardError(),
                chosenStep,
                run.bestReturn(),
                run.bestStep(),
                expertReturn,
                run.meanReturn() / expertReturn,
                end.gap,
                end.distance,
                end.entropy,
                run.seconds(),
                run.seconds() / imitation.iterations(),
                run.timeShares(),
                run.threads(),
                run.device(),
                run.version(),
                run.inertia(),
                run.contactForces(),
                run.mujoco(),
                run.curve(),
                List.copyOf(marks));
    }
}
