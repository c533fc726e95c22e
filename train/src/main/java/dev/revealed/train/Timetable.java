package dev.revealed.train;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Checkpoints;

/**
 * When a run is evaluated, saved and done, in steps.
 *
 * @param episodes of an evaluation on the way, and {@code lastEpisodes} of the last one
 * @param checkpointEvery steps from one checkpoint to the next; 0 for none
 * @param keep how many of the last checkpoints are kept
 * @param diagnoseEvery steps from one measurement of the learner to the next; 0 for none
 */
public record Timetable(
        long steps,
        long evaluateEvery,
        int episodes,
        int lastEpisodes,
        long checkpointEvery,
        int keep,
        long diagnoseEvery) {
    public Timetable {
        BadInput.count("the number of steps", steps);
        BadInput.count("`evaluate-every`", evaluateEvery);
        BadInput.count("`episodes`", episodes);
        BadInput.count("`episodes`", lastEpisodes);
        BadInput.when(
                checkpointEvery < 0,
                "`checkpoint-every` is %d".formatted(checkpointEvery),
                "Give a number of steps, or 0 for no checkpoints.");
        BadInput.count("`keep-checkpoints`", keep);
    }

    /** With as many checkpoints as a run needs to go on, and no measurements. */
    public Timetable(long steps, long evaluateEvery, int episodes, int lastEpisodes, long checkpointEvery) {
        this(steps, evaluateEvery, episodes, lastEpisodes, checkpointEvery, Checkpoints.USUAL, 0);
    }

    /** The next step at which something is due. */
    long nextMark(long step) {
        long evaluation = (step / evaluateEvery + 1) * evaluateEvery;
        long save = saves() ? (step / checkpointEvery + 1) * checkpointEvery : steps;
        long measurement = diagnoses() ? (step / diagnoseEvery + 1) * diagnoseEvery : steps;
        return Math.min(Math.min(steps, measurement), Math.min(evaluation, save));
    }

    boolean diagnoses() {
        return diagnoseEvery > 0;
    }

    boolean diagnosesAt(long step) {
        return diagnoses() && step % diagnoseEvery == 0;
    }

    boolean evaluatesAt(long step) {
        return step % evaluateEvery == 0 || step == steps;
    }

    int episodesAt(long step) {
        return step == steps ? lastEpisodes : episodes;
    }

    private boolean saves() {
        return checkpointEvery > 0;
    }

    boolean savesAt(long step) {
        return saves() && (step % checkpointEvery == 0 || step == steps);
    }
}
