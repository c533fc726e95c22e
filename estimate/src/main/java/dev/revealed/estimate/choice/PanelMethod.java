package dev.revealed.estimate.choice;

import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;

/** A way to find the parameters of a choice model from a panel: immutable, and a function of its arguments alone. */
public interface PanelMethod {
    String name();

    Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener);
}
