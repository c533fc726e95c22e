package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ConditionalLogit;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Vec;

/**
 * Choice probabilities by a logit in a {@link ChoiceBasis}. As many choices as there are parameters are added to the panel,
 * spread over the visited states like the visits and over the actions like the choices (Clogg and co-authors 1991): a
 * maximum then exists whatever the data, also where the basis tells the actions apart perfectly, and moves the estimate by
 * a fraction of a standard error otherwise.
 */
public record FlexibleLogit(
        ChoiceModel model,
        Visits visits,
        ChoiceBasis basis,
        double[] alpha,
        double[][] information,
        double[] logarithms)
        implements ChoiceProbabilities {

    private FlexibleLogit(ChoiceModel model, Visits visits, ChoiceBasis basis, double[] alpha, double[][] information) {
        int actions = visits.actions();
        double[] log = new double[model.utility().rows()];
        Parallel.range(model.states(), (from, to) -> {
            ChoiceBasis.Reader reader = basis.reader();
            double[] index = new double[actions];
            for (int s = from; s < to; s++) {
                for (int a = 0; a < actions; a++) {
                    index[a] = Vec.dot(alpha, reader.at(s, a));
                }
                ChoiceProbabilities.log(model, s, index, log);
            }
        });
        this(model, visits, basis, alpha, information, log);
    }

    public static FlexibleLogit of(ChoiceModel model, Visits visits, int degree) {
        ChoiceBasis basis = ChoiceBasis.of(model, visits, degree);
        int actions = visits.actions();
        double[][] columns = new double[basis.size()][visits.rows()];
        double[] offset = new double[visits.rows()];
        double[] counts = visits.counts().clone();
        double[] shares = ChoiceProbabilities.shares(visits);
        double added = basis.size() / visits.decisions();
        ChoiceBasis.Reader reader = basis.reader();
        for (int i = 0; i < visits.states().length; i++) {
            double available = 0;
            for (int a = 0; a < actions; a++) {
                offset[i * actions + a] = model.cost().logWeight(visits.states()[i] * actions + a);
                available += offset[i * actions + a] == Double.NEGATIVE_INFINITY ? 0 : shares[a];
            }
            double more = added * visits.visits(i) / available;
            for (int a = 0; a < actions; a++) {
                int row = i * actions + a;
                if (offset[row] > Double.NEGATIVE_INFINITY) {
                    counts[row] += more * shares[a];
                    double[] x = reader.at(visits.states()[i], a);
                    for (int k = 0; k < x.length; k++) {
                        columns[k][row] = x[k];
                    }
                }
            }
        }
        ConditionalLogit.Maximum found =
                new ConditionalLogit(actions, columns, offset, counts).maximise(new double[basis.size()]);
        return new FlexibleLogit(model, visits, basis, found.theta(), found.information());
    }

    @Override
    public FlexibleLogit at(double[] other) {
        return new FlexibleLogit(model, visits, basis, other.clone(), information);
    }

    @Override
    public double[] gradient(double[] weight) {
        int actions = visits.actions();
        return Parallel.sums(model.states(), alpha.length, (from, to, sum) -> {
            ChoiceBasis.Reader reader = basis.reader();
            for (int s = from; s < to; s++) {
                double total = 0;
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    total += logarithms[row] == Double.NEGATIVE_INFINITY ? 0 : weight[row];
                }
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    if (logarithms[row] > Double.NEGATIVE_INFINITY) {
                        Vec.axpy(weight[row] - total * Math.exp(logarithms[row]), reader.at(s, row - s * actions), sum);
                    }
                }
            }
        });
    }

    @Override
    public double[] influence(double[] direction) {
        int actions = visits.actions();
        double[] solved = Dense.solvePositive(information, direction);
        double[] influence = new double[logarithms.length];
        ChoiceBasis.Reader reader = basis.reader();
        for (int s : visits.states()) {
            double mean = 0;
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                if (logarithms[row] > Double.NEGATIVE_INFINITY) {
                    influence[row] = Vec.dot(solved, reader.at(s, row - s * actions));
                    mean += Math.exp(logarithms[row]) * influence[row];
                }
            }
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                influence[row] -= logarithms[row] > Double.NEGATIVE_INFINITY ? mean : 0;
            }
        }
        return influence;
    }
}
