package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.ConditionalLogit;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.SolvedScore;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.Optional;

/**
 * Hotz and Miller's (1993) estimator: values under the choice probabilities that the data show are linear in theta, and the
 * choices then a logit, whose likelihood is maximised. No model is solved. At the truth values do not change with the
 * probabilities they are computed under (Aguirregabiria and Mira 2002), so in large samples this is as good as maximum
 * likelihood; in small ones, and at far horizons, the first step's error does matter, and standard errors account for it.
 */
public record Ccp(ChoiceProbabilities.Method probabilities) implements PanelMethod {

    public static Ccp standard() {
        return new Ccp(ChoiceProbabilities.STANDARD);
    }

    @Override
    public String name() {
        return "ccp";
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        listener.progress("ccp", 0, 2);
        TwoStep step = new TwoStep(problem, first, probabilities);
        Valuation valuation = new Valuation(step.model(), step.process(), step.visits());
        valuation.under(step.policy());
        listener.progress("ccp", 1, 2);
        PseudoLikelihood criterion = new PseudoLikelihood(step, true);
        ConditionalLogit.Maximum found = criterion.maximum(valuation.rows());
        Optional<double[][]> influence =
                step.influence(criterion.moments(valuation.rows(), found.theta()), found.theta());
        Search search = new Search(
                found.iterations(),
                found.converged() && influence.isPresent(),
                status(found, influence.isPresent()),
                step.process().passes().count());
        return Fit.other(
                        found.theta(),
                        first.phi(),
                        search,
                        influence,
                        Plausibility.warnings(problem, first, found.theta()))
                .tested(influence.flatMap(own -> SolvedScore.of(problem, first, found.theta(), own)));
    }

    /** The parameters alone, without what each individual does to them: how often each choice was made suffices. */
    public double[] parameters(ChoiceProblem problem, FirstStage first) {
        TwoStep step = new TwoStep(problem, first, probabilities);
        Valuation valuation = new Valuation(step.model(), step.process(), step.visits());
        valuation.under(step.policy());
        return new PseudoLikelihood(step, true).maximum(valuation.rows()).theta();
    }

    private static String status(ConditionalLogit.Maximum found, boolean identified) {
        if (!found.converged()) {
            return "not converged: " + ConditionalLogit.NO_MAXIMUM;
        }
        return identified
                ? "converged: pseudo-likelihood %.6f after %d Newton steps".formatted(found.value(), found.iterations())
                : "not converged: " + TwoStep.NOT_IDENTIFIED;
    }
}
