package dev.revealed.app;

import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.neural.TransitionLayout;
import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A training run, all of it.
 *
 * @param copies of the simulator that the agent lives in
 * @param lesson what it is to learn
 * @param evaluateEvery steps between tests; {@code checkpointEvery} those between checkpoints
 * @param episodes of a test on the way, and {@code lastEpisodes} of the last one
 */
record TrainingPlan(
        Physics physics,
        Supplier<Simulator> simulators,
        int copies,
        Sac.Settings sac,
        Training.Schedule schedule,
        Lesson lesson,
        long steps,
        long evaluateEvery,
        int episodes,
        int lastEpisodes,
        long checkpointEvery,
        long seed) {
    TrainingPlan {
        if (checkpointEvery > schedule.replay()) {
            throw new BadInput(
                    "there are %d steps from one checkpoint to the next, and the replay keeps %d transitions"
                            .formatted(checkpointEvery, schedule.replay()),
                    "Give a smaller --checkpoint-every: each checkpoint adds the rows since the last one.");
        }
    }

    /** That of an expert, who learns the task's own reward. */
    static TrainingPlan expert(
            Physics physics,
            Supplier<Simulator> simulators,
            int copies,
            Sac.Settings sac,
            Training.Schedule schedule,
            long steps,
            long evaluateEvery,
            int episodes,
            long checkpointEvery,
            long seed) {
        return new TrainingPlan(
                physics,
                simulators,
                copies,
                sac,
                schedule,
                Expertise.LESSON,
                steps,
                evaluateEvery,
                episodes,
                episodes,
                checkpointEvery,
                seed);
    }

    /** What its simulators look like. */
    Simulator.Space space() {
        try (Simulator one = simulators.get()) {
            return one.space();
        }
    }

    /** How many transitions it will remember at most. */
    int remembered() {
        return lesson.remembers() ? (int) Math.min(steps, schedule.replay()) : 0;
    }

    /** Bytes that these take. */
    long replayBytes(Simulator.Space space) {
        return TransitionLayout.of(space).bytes(remembered());
    }

    /** Steps before the first update. */
    long randomSteps() {
        return Math.min(steps, schedule.updateAfter());
    }

    /** The next step at which something is due. */
    long nextMark(long step) {
        long test = (step / evaluateEvery + 1) * evaluateEvery;
        long save = (step / checkpointEvery + 1) * checkpointEvery;
        return Math.min(steps, Math.min(test, save));
    }

    boolean testAt(long step) {
        return step % evaluateEvery == 0 || step == steps;
    }

    /** Episodes of the test at that step. */
    int episodesAt(long step) {
        return step == steps ? lastEpisodes : episodes;
    }

    boolean saveAt(long step) {
        return step % checkpointEvery == 0 || step == steps;
    }

    /** What a person should know before it begins. */
    List<String> cautions() {
        List<String> cautions = new ArrayList<>(lesson.cautions());
        physics.caution().ifPresent(cautions::addFirst);
        lesson.shown().flatMap(this::elsewhere).ifPresent(cautions::add);
        return cautions;
    }

    private Optional<String> elsewhere(Episodes shown) {
        try (Simulator one = simulators.get()) {
            return Beginnings.caution(shown, one);
        }
    }
}
