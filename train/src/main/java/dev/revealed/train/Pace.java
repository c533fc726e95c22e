package dev.revealed.train;

import dev.revealed.neural.Training;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * How fast a run goes, for its listener. Random steps without updates are a stage of their own, since they say nothing of how
 * long the rest will take.
 */
final class Pace {
    private static final int STEPS_PER_NOTE = 500;

    private final TrainingPlan plan;
    private final Training training;
    private final RunListener listener;
    private final Supplier<String> words;
    private final String stage;
    private long since;
    private long updates = -1; // when learning began in this command; not yet

    /** @param words how learning stands */
    Pace(TrainingPlan plan, Training training, RunListener listener, Supplier<String> words) {
        this.plan = plan;
        this.training = training;
        this.listener = listener;
        this.words = words;
        stage = plan.problem().kind() + " " + plan.environment().task();
    }

    void report(long step) {
        if (step <= plan.randomSteps()) {
            listener.progress(stage + ", random actions", step, plan.randomSteps());
            return;
        }
        if (updates < 0) {
            since = System.nanoTime();
            updates = training.updates();
        } else if (step % STEPS_PER_NOTE == 0) {
            note();
        }
        listener.progress(stage, step, plan.steps());
    }

    private void note() {
        double rate = (training.updates() - updates) / seconds(since);
        String known = words.get();
        listener.note(String.format(Locale.ROOT, "%s%.0f updates/s", known.isEmpty() ? "" : known + ", ", rate));
    }

    /** Once more, with the return of the last test, which may have ended after the last step. */
    void end() {
        if (updates < 0) {
            listener.note(words.get());
        } else {
            note();
        }
        listener.progress(stage, plan.steps(), plan.steps());
    }

    static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
