package dev.revealed.estimate.choice;

import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.choice.TransitionLaw;
import java.util.Arrays;

/**
 * What is known of an action that is missing between two states that are not: all that could have been done is summed
 * over, each action weighted by how likely it is and by how likely it leads to the next state,
 *
 * <pre>  P(s'|s) = sum over a of P(a|s; theta) g(s'|s,a; phi).</pre>
 *
 * This is right where being missing does not depend on the action itself.
 */
final class MissingActions {
    private final TransitionLaw law;
    private final double[] phi;
    private final SoftPolicy policy;

    MissingActions(TransitionLaw law, double[] phi, SoftPolicy policy) {
        this.law = law;
        this.phi = phi;
        this.policy = policy;
    }

    /** Whether an action could have led from a state to another, at some parameters. */
    static boolean possible(TransitionLaw law, int state, int action, int next) {
        for (int v = 0; v < law.parts().size(); v++) {
            int outcome = law.outcome(v, state, action, next);
            TransitionLaw.Part part = law.parts().get(v);
            if (outcome < 0 || !part.family().possible(part.cell().of(state, action), outcome)) {
                return false;
            }
        }
        return true;
    }

    double logProbability(int state, int next) {
        double[] joint = joint(state, next);
        double largest = Arrays.stream(joint).max().orElseThrow();
        return largest == Double.NEGATIVE_INFINITY
                ? largest
                : largest
                        + Math.log(Arrays.stream(joint)
                                .map(x -> Math.exp(x - largest))
                                .sum());
    }

    /** The probability of each action given both states. */
    double[] given(int state, int next) {
        double[] joint = joint(state, next);
        double log = logProbability(state, next);
        return Arrays.stream(joint).map(x -> Math.exp(x - log)).toArray();
    }

    /** log P(a|s) + log g(s'|s,a) of each action. */
    private double[] joint(int state, int next) {
        double[] joint = new double[law.actions()];
        for (int a = 0; a < joint.length; a++) {
            joint[a] = policy.logPolicy()[state * joint.length + a];
            for (int v = 0; v < law.parts().size() && joint[a] > Double.NEGATIVE_INFINITY; v++) {
                int outcome = law.outcome(v, state, a, next);
                TransitionLaw.Part part = law.parts().get(v);
                joint[a] = outcome < 0
                        ? Double.NEGATIVE_INFINITY
                        : joint[a]
                                + Math.log(part.family()
                                        .probabilities(
                                                law.of(v, phi), part.cell().of(state, a))[outcome]);
            }
        }
        return joint;
    }
}
