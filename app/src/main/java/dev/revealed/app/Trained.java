package dev.revealed.app;

import java.util.List;

/** What came of a training run: the document in its folder. */
interface Trained {
    String task();

    long seed();

    long steps();

    /** Every step whose data was learnt from. */
    default long countedSteps() {
        return steps();
    }

    /** Of the last policy's last test, deterministic. */
    double meanReturn();

    double standardError();

    /** Of that test's episodes. */
    double[] returns();

    double bestReturn();

    /** Of those it was to imitate; not a number where there are none, or where that is not known. */
    default double expertReturn() {
        return Double.NaN;
    }

    /** Over all commands that worked on it. */
    double seconds();

    /** All devices that worked on it, in their order. */
    String device();

    List<TrainingRun.Point> curve();

    /** The same over counted steps, where these are others. */
    default List<TrainingRun.Point> countedCurve() {
        return curve();
    }

    /** For people. */
    Outcome show();
}
