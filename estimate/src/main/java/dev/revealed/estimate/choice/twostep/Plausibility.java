package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.Likelihood;
import java.util.Arrays;
import java.util.List;

/**
 * A look at an estimate that was found without solving the model: does the model, solved there, explain the choices at
 * least as well as the share of each action does? Where it does not, the estimate rests on states nobody was seen in.
 */
public final class Plausibility {
    private Plausibility() {}

    public static List<String> warnings(ChoiceProblem problem, FirstStage first, double[] theta) {
        Visits visits = Visits.of(problem);
        double[] shares = ChoiceProbabilities.shares(visits);
        double[] log = new double[visits.rows()];
        Arrays.setAll(log, own -> Math.log(shares[own % shares.length]));
        double without = Likelihood.weightedSum(visits.counts(), log);
        try {
            double solved = new RowScores(problem.model(), problem.choiceCounts(), first.phi(), false).solve(theta);
            return solved >= without
                    ? List.of()
                    : List.of(
                            ("solved at this estimate the model explains the choices worse (log-likelihood %.1f) than the"
                                            + " shares of the actions do (%.1f): its values are wrong, as where few were seen; use"
                                            + " npl or nfxp")
                                    .formatted(solved, without));
        } catch (ArithmeticException unsolved) {
            return List.of("the model could not be solved at this estimate: " + unsolved.getMessage());
        }
    }
}
