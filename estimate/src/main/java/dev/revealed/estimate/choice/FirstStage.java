package dev.revealed.estimate.choice;

import dev.revealed.mdp.choice.Chances;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;

/**
 * The transition law as the moves alone tell it.
 *
 * @param phi maximum-likelihood parameters
 * @param moves observed outcomes, {@code [part][cell][outcome]}
 */
public record FirstStage(double[] phi, double[][][] moves) {

    static FirstStage of(TransitionLaw law, Panel panel) {
        double[][][] moves = panel.moves(law);
        double[] phi = new double[law.parameters()];
        for (int v = 0; v < moves.length; v++) {
            try {
                double[] own = law.parts().get(v).chances().fit(moves[v]);
                System.arraycopy(own, 0, phi, law.first(v), own.length);
            } catch (BadInput e) {
                throw e.in("state variable '" + law.space().variables().get(v).name() + "'");
            }
        }
        return new FirstStage(phi, moves);
    }

    /** Log-likelihood of the observed moves at phi. */
    static double logLikelihood(TransitionLaw law, double[][][] moves, double[] phi) {
        double sum = 0;
        for (int v = 0; v < moves.length; v++) {
            Chances chances = law.parts().get(v).chances();
            sum += chances.logLikelihood(law.of(v, phi), moves[v]);
        }
        return sum;
    }
}
