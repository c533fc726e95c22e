package dev.revealed.estimate.choice.counterfactual;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Vec;

/** How the individuals of a model behave at given parameters. */
record Behaviour(SoftProcess process, SoftPolicy policy) {
    private static final double TOLERANCE = 1e-11;

    /** @param guess soft values to begin with; zeros begin from nothing */
    static Behaviour of(ChoiceModel model, Kernel kernel, double[] theta, double[] guess) {
        SoftProcess process = new SoftProcess(Mdp.uniformStart(kernel, model.discount()), model.cost(theta));
        SoftPolicy policy = SoftPolicy.start(process);
        System.arraycopy(guess, 0, policy.values(), 0, guess.length);
        double[] rows = new double[model.utility().rows()];
        model.utility().values(theta, rows);
        process.solver().solve(rows, policy, TOLERANCE).orThrow();
        return new Behaviour(process, policy);
    }

    /** pi(a|s) by row. */
    double[] probabilities() {
        return policy.policy();
    }

    double[] values() {
        return policy.values();
    }

    double mean(double[] distribution) {
        return Vec.dot(distribution, policy.values());
    }

    double[] longRun(double[] start) {
        return LongRun.distribution(process.mdp().kernel(), policy.policy(), start);
    }

    /** How often each action is taken in a period by individuals so distributed. */
    double[] shares(double[] distribution) {
        int actions = process.mdp().actions();
        double[] shares = new double[actions];
        for (int row = 0; row < policy.policy().length; row++) {
            shares[row % actions] += distribution[row / actions] * policy.policy()[row];
        }
        return shares;
    }

    /** How often each action is expected to be taken in the first periods from a start. */
    double[] expected(double[] start, int periods) {
        int actions = process.mdp().actions();
        double[] expected = new double[actions];
        double[] here = start;
        double[] flow = new double[policy.policy().length];
        for (int t = 0; t < periods; t++) {
            Vec.axpy(1, shares(here), expected);
            for (int row = 0; row < flow.length; row++) {
                flow[row] = here[row / actions] * policy.policy()[row];
            }
            here = new double[start.length];
            process.push(flow, here);
        }
        return expected;
    }
}
