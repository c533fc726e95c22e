package dev.revealed.estimate.choice;

import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.List;

/** A way to find the parameters of a choice model from a panel: immutable, and a function of its arguments alone. */
public interface PanelMethod {
    String name();

    /** Whether what it maximises is the likelihood, so that its maximum can be checked and found by other methods. */
    default boolean maximisesLikelihood() {
        return false;
    }

    /** Whether individuals count as much as their weights say. */
    default boolean heedsWeights() {
        return true;
    }

    /** Whether individuals may have gaps. */
    default boolean heedsGaps() {
        return true;
    }

    /** Whether missing actions are summed over. */
    default boolean heedsMissing() {
        return false;
    }

    /** Whether utilities may be not linear in their parameters. */
    default boolean heedsNonlinear() {
        return false;
    }

    /** Whether it integrates over a variable that the panel does not show. */
    default boolean heedsHidden() {
        return false;
    }

    /** Whether shocks may be others than independent Gumbel ones. */
    default boolean heedsShocks() {
        return false;
    }

    /** Whether it keeps to bounds and priors of parameters. */
    default boolean heedsRules() {
        return false;
    }

    /** Names of what it reports as theta. */
    default List<String> names(ChoiceModel model) {
        return model.utility().names();
    }

    Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener);
}
