package dev.revealed.estimate.choice.simulated;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.twostep.ChoiceProbabilities;
import dev.revealed.estimate.choice.twostep.PseudoLikelihood;
import dev.revealed.estimate.choice.twostep.TwoStep;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;

/**
 * Hotz, Miller, Sanders and Smith (1994): futures simulated under the choice probabilities P that the data show, and theta
 * such that the inverted probabilities equal what was simulated, log-odds of P on the left, of P_theta on the right:
 *
 * <pre>  log P(a|s)/P(0|s) = (Q(s,a) - Q(s,0)) / tau,     Q = z' theta + e.</pre>
 *
 * The differences are weighted by the visits and the information that a choice holds about log-odds, diag(P) - P P' at its
 * mean between the two sides, with z as instruments. Weighting so is efficient (it is Berkson's minimum chi-square near the
 * truth), does not let states decide where P is next to nothing, and has a closed form: the equations then are
 *
 * <pre>  sum over visits and actions of z (P - P_theta) = 0.</pre>
 */
public record Hmss(ChoiceProbabilities.Method probabilities, Futures futures) implements PanelMethod {

    public static Hmss standard() {
        return new Hmss(ChoiceProbabilities.STANDARD, Futures.STANDARD);
    }

    @Override
    public String name() {
        return "hmss";
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        TwoStep step = new TwoStep(problem, first, probabilities);
        return SimulatedFit.fit(step, criterion(step), futures, stream, listener);
    }

    static TwoStep.Criterion criterion(TwoStep step) {
        return new PseudoLikelihood(step, false);
    }
}
