package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.choice.ChoiceModel;
import java.util.Arrays;

/**
 * Smoothed shares of the actions, state by state; alpha holds the log of each over that of the state's first action.
 *
 * @param elsewhere log shares of the panel, for states nobody was seen in
 */
record ChoiceFrequencies(ChoiceModel model, Visits visits, double[] elsewhere, double[] alpha, double[] logarithms)
        implements ChoiceProbabilities {

    private ChoiceFrequencies(ChoiceModel model, Visits visits, double[] elsewhere, double[] alpha) {
        int actions = visits.actions();
        double[] log = new double[model.utility().rows()];
        int i = 0;
        double[] index = new double[actions];
        for (int s = 0; s < model.states(); s++) {
            boolean visited = i < visits.states().length && visits.states()[i] == s;
            for (int a = 0; a < actions; a++) {
                index[a] = visited ? (a == 0 ? 0 : alpha[i * (actions - 1) + a - 1]) : elsewhere[a];
            }
            i += visited ? 1 : 0;
            ChoiceProbabilities.log(model, s, index, log);
        }
        this(model, visits, elsewhere, alpha, log);
    }

    static ChoiceFrequencies of(ChoiceModel model, Visits visits, double smoothing) {
        int actions = visits.actions();
        double[] shares = ChoiceProbabilities.shares(visits);
        double[] alpha = new double[visits.states().length * (actions - 1)];
        double[] index = new double[actions];
        for (int i = 0; i < visits.states().length; i++) {
            double total = 0;
            for (int a = 0; a < actions; a++) {
                total += available(model, visits, i, a) ? shares[a] : 0;
            }
            for (int a = 0; a < actions; a++) {
                // The weight comes back in the logit, like everywhere else; an action that is not available has none.
                double share = visits.counts()[i * actions + a] + smoothing * shares[a] / total;
                index[a] = available(model, visits, i, a)
                        ? Math.log(share) - model.cost().logWeight(visits.states()[i] * actions + a)
                        : 0;
            }
            for (int a = 1; a < actions; a++) {
                alpha[i * (actions - 1) + a - 1] = index[a] - index[0];
            }
        }
        return new ChoiceFrequencies(
                model, visits, Arrays.stream(shares).map(Math::log).toArray(), alpha);
    }

    private static boolean available(ChoiceModel model, Visits visits, int i, int a) {
        return model.cost().logWeight(visits.states()[i] * visits.actions() + a) > Double.NEGATIVE_INFINITY;
    }

    @Override
    public ChoiceFrequencies at(double[] other) {
        return new ChoiceFrequencies(model, visits, elsewhere, other.clone());
    }

    @Override
    public double[] gradient(double[] weight) {
        int actions = visits.actions();
        double[] gradient = new double[alpha.length];
        for (int i = 0; i < visits.states().length; i++) {
            int first = visits.states()[i] * actions;
            double total = 0;
            for (int a = 0; a < actions; a++) {
                total += logarithms[first + a] == Double.NEGATIVE_INFINITY ? 0 : weight[first + a];
            }
            for (int a = 1; a < actions; a++) {
                if (logarithms[first + a] > Double.NEGATIVE_INFINITY) {
                    gradient[i * (actions - 1) + a - 1] = weight[first + a] - total * Math.exp(logarithms[first + a]);
                }
            }
        }
        return gradient;
    }

    @Override
    public double[] influence(double[] direction) {
        int actions = visits.actions();
        double[] influence = new double[logarithms.length];
        for (int i = 0; i < visits.states().length; i++) {
            int first = visits.states()[i] * actions;
            double n = visits.visits(i);
            double last = 0;
            for (int a = 1; a < actions; a++) {
                double along = direction[i * (actions - 1) + a - 1];
                if (logarithms[first + a] > Double.NEGATIVE_INFINITY) {
                    influence[first + a] = along / (n * Math.exp(logarithms[first + a]));
                    last += along;
                }
            }
            if (logarithms[first] > Double.NEGATIVE_INFINITY) {
                influence[first] = -last / (n * Math.exp(logarithms[first]));
            }
        }
        return influence;
    }
}
