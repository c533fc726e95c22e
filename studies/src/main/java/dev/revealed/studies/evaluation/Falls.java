package dev.revealed.studies.evaluation;

import dev.revealed.numeric.Interval;
import dev.revealed.numeric.stats.PoissonInterval;
import java.util.List;

/**
 * Falls (collapses) of acting policies. A fall is a mean return of training episodes, over the steps between two
 * evaluations, below half of 75 % of the expert's, after it had reached 75 %; it is counted once until 75 % are reached
 * again. Steps and falls count from a run's first evaluation at 90 % of the expert's return. {@code scripts/falls.py
 * --after 0.9} counts the same if the expert's return is the same: it reads the mean of the demonstrations from
 * {@code result.json}, so a return from {@code experts.json} must be given to it as {@code --expert}.
 *
 * @param runs whose training returns are known
 * @param steps of training that were watched, of all runs together
 * @param perMillion falls per million steps; NaN where no step was watched
 * @param interval that holds the rate at 95 %: exact, Poisson
 */
public record Falls(int runs, int falls, long steps, double perMillion, Interval interval) {
    /** Share of the expert's return at which a policy stands. */
    public static final double LEVEL = 0.75;

    /** Share of the expert's return that an evaluation must reach before anything is counted. */
    public static final double AFTER = 0.9;

    private static final double MILLION = 1e6;

    static Falls of(List<List<TrainingLine>> runs, double expert) {
        int falls = 0;
        long steps = 0;
        for (List<TrainingLine> lines : runs) {
            Watched watched = watch(lines, expert);
            falls += watched.falls;
            steps += watched.steps;
        }
        Interval events = PoissonInterval.of(falls, 0.95);
        return new Falls(
                runs.size(),
                falls,
                steps,
                steps == 0 ? Double.NaN : falls * MILLION / steps,
                steps == 0
                        ? Interval.UNKNOWN
                        : new Interval(events.low() * MILLION / steps, events.high() * MILLION / steps));
    }

    private record Watched(int falls, long steps) {}

    private static Watched watch(List<TrainingLine> lines, double expert) {
        double level = LEVEL * expert;
        boolean counting = false;
        boolean standing = false;
        int falls = 0;
        long first = 0;
        long last = 0;
        for (TrainingLine line : lines) {
            if (line.training() >= level) {
                standing = true;
            } else if (line.training() < level / 2) {
                falls += counting && standing ? 1 : 0;
                standing = false;
            }
            if (!counting && line.evaluation() >= AFTER * expert) {
                counting = true;
                first = line.step();
                last = first;
            }
            if (counting && !Double.isNaN(line.training())) {
                last = line.step();
            }
        }
        return new Watched(falls, last - first);
    }
}
