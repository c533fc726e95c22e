package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;

/**
 * Choice probabilities as the choices alone tell them, before any utility or future is thought of: the first step of every
 * estimator that inverts them. They depend on parameters alpha, whose sampling error later steps inherit.
 */
public sealed interface ChoiceProbabilities permits ChoiceFrequencies, FlexibleLogit, ChoiceProbabilities.Given {

    /** A way to find them. */
    sealed interface Method {
        /** From the choices in the visited states. */
        ChoiceProbabilities of(ChoiceModel model, Visits visits);

        default ChoiceProbabilities of(ChoiceProblem problem) {
            return of(problem.model(), Visits.of(problem));
        }
    }

    /**
     * Shares of the actions in each state, drawn a little towards the shares in the whole panel:
     *
     * <pre>  P(a|s) = (n(s,a) + smoothing f(a)) / (n(s) + smoothing)</pre>
     *
     * so that a state without data has the panel's shares f, those of the actions available there.
     */
    record Frequency(double smoothing) implements Method {
        public Frequency {
            if (!(smoothing > 0 && smoothing < Double.POSITIVE_INFINITY)) {
                throw new BadInput(
                        "the smoothing of choice frequencies is " + smoothing,
                        "Give a positive number of observations, for example 1.");
            }
        }

        @Override
        public ChoiceProbabilities of(ChoiceModel model, Visits visits) {
            return ChoiceFrequencies.of(model, visits, smoothing);
        }
    }

    /**
     * A logit in polynomials of the state variables up to a degree and in the features of the utility, as many of them as
     * the rarest action can carry.
     */
    record Logit(int degree) implements Method {
        public Logit {
            if (degree < 0 || degree > 9) {
                throw new BadInput("the degree of the choice logit is " + degree, "Choose one from 0 to 9.");
            }
        }

        @Override
        public ChoiceProbabilities of(ChoiceModel model, Visits visits) {
            return FlexibleLogit.of(model, visits, degree);
        }
    }

    /** No first step at all: every available action alike. Only an estimator that iterates may start from it. */
    record Uniform() implements Method {
        @Override
        public ChoiceProbabilities of(ChoiceModel model, Visits visits) {
            int actions = model.actions().size();
            double[] log = new double[model.utility().rows()];
            for (int s = 0; s < model.states(); s++) {
                log(model, s, new double[actions], log);
            }
            return new Given(log);
        }
    }

    Method STANDARD = new Logit(3);

    /** log P(a|s) by row; minus infinity where an action is not available. Not to be written. */
    double[] logarithms();

    /** What the data decided. */
    double[] alpha();

    /** The same family at other parameters. */
    ChoiceProbabilities at(double[] alpha);

    /** d/dalpha of the sum over rows of weight times log P; rows of actions not available do not count. */
    double[] gradient(double[] weight);

    /**
     * How much each observed choice moves direction' alpha, by row: direction' I^-1 score. Sums over what an individual
     * chose are its influence.
     */
    double[] influence(double[] direction);

    /** These probabilities as a policy of a process. */
    default SoftPolicy policy(SoftProcess process) {
        SoftPolicy policy = SoftPolicy.start(process);
        double[] log = logarithms();
        for (int row = 0; row < log.length; row++) {
            policy.logPolicy()[row] = log[row];
            policy.policy()[row] = Math.exp(log[row]);
        }
        return policy;
    }

    /** Probabilities that owe nothing to the data. */
    record Given(double[] logarithms) implements ChoiceProbabilities {
        @Override
        public double[] alpha() {
            return new double[0];
        }

        @Override
        public ChoiceProbabilities at(double[] alpha) {
            return this;
        }

        @Override
        public double[] gradient(double[] weight) {
            return new double[0];
        }

        @Override
        public double[] influence(double[] direction) {
            return new double[logarithms.length];
        }
    }

    /** log[s*A + a] = log of the share of exp(index(a) + w) in its sum over the actions available in a state. */
    static void log(ChoiceModel model, int state, double[] index, double[] log) {
        int actions = index.length;
        double largest = Double.NEGATIVE_INFINITY;
        for (int a = 0; a < actions; a++) {
            int row = state * actions + a;
            log[row] = index[a] + model.cost().logWeight(row);
            largest = Math.max(largest, log[row]);
        }
        double total = 0;
        for (int a = 0; a < actions; a++) {
            total += Math.exp(log[state * actions + a] - largest);
        }
        double sum = largest + Math.log(total);
        for (int a = 0; a < actions; a++) {
            log[state * actions + a] -= sum;
        }
    }

    /** Shares of the actions in a panel, half a choice of each added so that none is zero. */
    static double[] shares(Visits visits) {
        double[] shares = new double[visits.actions()];
        Arrays.fill(shares, 0.5);
        for (int row = 0; row < visits.rows(); row++) {
            shares[row % visits.actions()] += visits.counts()[row];
        }
        double total = Arrays.stream(shares).sum();
        return Arrays.stream(shares).map(share -> share / total).toArray();
    }
}
