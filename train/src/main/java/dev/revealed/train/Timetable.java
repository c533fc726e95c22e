package dev.revealed.train;

import dev.revealed.numeric.BadInput;

/**
 * When a run is evaluated, saved and done, in steps.
 *
 * @param episodes of an evaluation on the way, and {@code lastEpisodes} of the last one
 */
public record Timetable(long steps, long evaluateEvery, int episodes, int lastEpisodes, long checkpointEvery) {
    public Timetable {
        BadInput.count("the number of steps", steps);
        BadInput.count("`evaluate-every`", evaluateEvery);
        BadInput.count("`episodes`", episodes);
        BadInput.count("`episodes`", lastEpisodes);
        BadInput.count("`checkpoint-every`", checkpointEvery);
    }

    /** The next step at which something is due. */
    long nextMark(long step) {
        long evaluation = (step / evaluateEvery + 1) * evaluateEvery;
        long save = (step / checkpointEvery + 1) * checkpointEvery;
        return Math.min(steps, Math.min(evaluation, save));
    }

    boolean evaluatesAt(long step) {
        return step % evaluateEvery == 0 || step == steps;
    }

    int episodesAt(long step) {
        return step == steps ? lastEpisodes : episodes;
    }

    boolean savesAt(long step) {
        return step % checkpointEvery == 0 || step == steps;
    }
}
