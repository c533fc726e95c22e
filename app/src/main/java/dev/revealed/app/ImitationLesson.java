package dev.revealed.app;

import dev.revealed.imitate.AfterEnd;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.Preset;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * To do what demonstrations show, with a reward that explains them.
 *
 * @param demos the file of the demonstrations
 * @param space of the task
 * @param bootstrap how the demonstrations are drawn anew; null where they are taken as they are
 */
record ImitationLesson(
        Imitation.Settings settings,
        Preset preset,
        String demos,
        Episodes demonstrations,
        Simulator.Space space,
        @Nullable Resample bootstrap)
        implements Lesson {
    @Override
    public String learners() {
        return "Imitators";
    }

    /** By the task's own reward, of which the agent knows nothing. */
    @Override
    public String measure() {
        return "true return";
    }

    @Override
    public String stage() {
        return "imitate";
    }

    @Override
    public Optional<Labels> labels(Simulator.Space sizes, TrainingPlan plan) {
        return Optional.of(new Labels(
                settings.reward().shape(sizes), settings.forEver(plan.sac().discount())));
    }

    @Override
    public int simulators(int threads) {
        return Math.min(threads, settings.sampling().rollouts());
    }

    @Override
    public Pupil pupil(TrainingPlan plan, Training training, List<Simulator> simulators, RandomStream stream) {
        Imitation imitation = new Imitation(
                settings, demonstrations, space, training, plan.sac().discount(), simulators, bootstrap, stream);
        return new Imitator(this, plan, training, imitation);
    }

    @Override
    public Optional<Episodes> shown() {
        return Optional.of(demonstrations);
    }

    @Override
    public Class<? extends Trained> result() {
        return ImitationResult.class;
    }

    /** Trajectories that differ in length, or end before the task would end them, are compared with the agent's with care. */
    @Override
    public List<String> cautions() {
        List<String> cautions = new ArrayList<>();
        IntSummaryStatistics lengths =
                demonstrations.all().stream().mapToInt(Episode::length).summaryStatistics();
        long ended = demonstrations.all().stream()
                .filter(episode -> episode.ending() == Ending.TERMINATED)
                .count();
        int compared = Imitation.horizon(demonstrations, space.horizon());
        if (lengths.getMin() < lengths.getMax()) {
            cautions.add(
                    "caution: the demonstrations have from %d to %d steps; %s to have been cut off: they count by the steps they have"
                            .formatted(
                                    lengths.getMin(),
                                    lengths.getMax(),
                                    ended == 0
                                            ? "none is known to have ended for good, and all are taken"
                                            : "%d of them ended for good, which is treated by --after-end %s, and the others are taken"
                                                    .formatted(ended, settings.afterEnd())));
        }
        if (compared < space.horizon()) {
            cautions.add(
                    "caution: the demonstrations have at most %d steps, and episodes of this task %d: expert and agent are compared on the first %d"
                            .formatted(lengths.getMax(), space.horizon(), compared));
        }
        if (ended > 0 && settings.afterEnd() == AfterEnd.MASK) {
            cautions.add(
                    ("caution: with --after-end mask and demonstrations that ended for good (%d of %d), what a constant in"
                                    + " the reward is worth is set by nothing: consider --after-end absorb")
                            .formatted(ended, demonstrations.size()));
        }
        return cautions;
    }
}
