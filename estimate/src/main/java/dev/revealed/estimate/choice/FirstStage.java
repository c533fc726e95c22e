package dev.revealed.estimate.choice;

import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;

/**
 * The transition law as the moves alone tell it.
 *
 * @param phi maximum-likelihood parameters
 * @param moves observed outcomes, {@code [part][cell][outcome]}
 */
public record FirstStage(double[] phi, double[][][] moves) {
    /** More parameters of the law than this are shown without standard errors: they are frequencies, not findings. */
    private static final int MOST_SHOWN = 200;

    public static FirstStage of(TransitionLaw law, Panel panel) {
        double[][][] moves = panel.moves(law);
        double[] phi = new double[law.parameters()];
        for (int v = 0; v < moves.length; v++) {
            try {
                double[] own = law.parts().get(v).family().fit(moves[v]);
                System.arraycopy(own, 0, phi, law.first(v), own.length);
            } catch (BadInput e) {
                throw e.in("state variable '" + law.space().variables().get(v).name() + "'");
            }
        }
        return new FirstStage(phi, moves);
    }

    /** Whether parameters of a law are any: probabilities may not be negative, nor their sum exceed one. */
    public static boolean lawful(TransitionLaw law, double[] phi) {
        try {
            law.kernel(phi);
            return true;
        } catch (BadInput outsideTheLaw) {
            return false;
        }
    }

    /** Log-likelihood of the observed moves at phi. */
    public static double logLikelihood(TransitionLaw law, double[][][] moves, double[] phi) {
        double sum = 0;
        for (int v = 0; v < moves.length; v++) {
            TransitionFamily family = law.parts().get(v).family();
            sum += family.logLikelihood(law.of(v, phi), moves[v]);
        }
        return sum;
    }

    /** How many parameters of the law get standard errors: all, or none where they are too many to be shown. */
    public static int shown(double[] phi) {
        return phi.length <= MOST_SHOWN ? phi.length : 0;
    }

    /** {@code [parameter][observation]}: how much each observed move moves the first parameters of phi. */
    public double[][] influence(TransitionLaw law, Observations observations, int parameters) {
        double[][] influence = new double[parameters][observations.size()];
        for (int k = 0; k < parameters; k++) {
            double[] unit = new double[phi.length];
            unit[k] = 1;
            addInfluence(law, observations, unit, influence[k]);
        }
        return influence;
    }

    /** influence[observation] += how much it moves direction' phi. */
    public void addInfluence(TransitionLaw law, Observations observations, double[] direction, double[] influence) {
        for (int v = 0; v < law.parts().size(); v++) {
            double[] own = law.of(v, direction);
            if (Vec.maxAbs(own) != 0) {
                double[][] table = law.parts().get(v).family().influence(law.of(v, phi), moves[v], own);
                for (int i = 0; i < influence.length; i++) {
                    int cell = observations.cell()[i][v];
                    influence[i] += cell < 0 ? 0 : table[cell][observations.outcome()[i][v]];
                }
            }
        }
    }

    /** {@code [unit][parameter]}: how much the moves of each individual, then of each period, move phi. */
    public double[][] influence(ChoiceProblem problem) {
        double[][] influence = new double[problem.panel().units()][phi.length];
        for (int k = 0; k < phi.length; k++) {
            double[] unit = new double[phi.length];
            unit[k] = 1;
            addInfluence(problem, unit, k, influence);
        }
        return influence;
    }

    /** influence[unit][k] += how much the moves of each individual, then of each period, move direction' phi. */
    public void addInfluence(ChoiceProblem problem, double[] direction, int k, double[][] influence) {
        TransitionLaw law = problem.model().law();
        for (int v = 0; v < law.parts().size(); v++) {
            double[] own = law.of(v, direction);
            if (Vec.maxAbs(own) != 0) {
                double[][] table = law.parts().get(v).family().influence(law.of(v, phi), moves[v], own);
                Panel panel = problem.panel();
                for (int i = 0; i < panel.common().size(); i++) {
                    Panel.CommonMoves period = panel.common().get(i);
                    int cell = period.cells()[v];
                    influence[panel.size() + i][k] += cell < 0 ? 0 : table[cell][period.outcomes()[v]];
                }
                for (int i = 0; i < panel.size(); i++) {
                    Panel.Individual individual = panel.individuals().get(i);
                    for (int t = 0; t < individual.cells()[v].length; t++) {
                        int cell = individual.cells()[v][t];
                        influence[i][k] += cell < 0 ? 0 : table[cell][individual.outcomes()[v][t]];
                    }
                }
            }
        }
    }
}
