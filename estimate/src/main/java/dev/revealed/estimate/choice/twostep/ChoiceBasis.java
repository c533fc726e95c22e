package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Functions of state and action that a flexible logit is linear in: for each action but the first {@link Polynomials}
 * of the state, and the features of the utility. They are made orthonormal over the visits, with what depends on others left
 * out.
 *
 * <p>A state outside the range of the visited ones is taken for the nearest inside: polynomials say nothing sensible about
 * where nobody was, and valuations reach there.
 *
 * @param features of the utility, {@code [j][row]}; none where there are too many
 * @param combination {@code [function][raw function]}
 */
record ChoiceBasis(ChoiceModel model, Polynomials polynomials, double[][] features, double[][] combination) {
    /** Times the rarest action must have been chosen for each function it is given (Peduzzi and co-authors 1996). */
    private static final int CHOICES_PER_FUNCTION = 10;

    /** More functions than this describe no panel better, and cost a matrix of their square. */
    private static final int MOST = 60;

    /** What is left of a function's variance when all others are taken out of it, below which it is left out. */
    private static final double DEPENDENT = 1e-10;

    static ChoiceBasis of(ChoiceModel model, Visits visits, int degree) {
        int p = model.utility().parameters();
        int carried = Math.max(p + 1, carried(visits));
        double[][] features = p < MOST / 2 ? model.utility().derivatives(new double[p]) : new double[0][];
        ChoiceBasis basis = of(model, visits, features, 0);
        for (int d = 1; d <= degree; d++) {
            ChoiceBasis richer = of(model, visits, features, d);
            if (richer.polynomials.degree() < d || (d > 1 && richer.size() > (visits.actions() - 1) * carried)) {
                break;
            }
            basis = richer;
        }
        return basis;
    }

    private static ChoiceBasis of(ChoiceModel model, Visits visits, double[][] features, int degree) {
        Polynomials polynomials = Polynomials.over(model.space(), visits.states(), degree, MOST);
        return new ChoiceBasis(model, polynomials, features, new double[0][]).orthonormal(visits);
    }

    /** How many functions per action the choices can carry. */
    private static int carried(Visits visits) {
        double[] chosen = new double[visits.actions()];
        for (int row = 0; row < visits.rows(); row++) {
            chosen[row % visits.actions()] += visits.counts()[row];
        }
        double rarest = Arrays.stream(chosen).filter(n -> n > 0).min().orElse(0);
        return (int) Math.min(MOST, rarest / CHOICES_PER_FUNCTION);
    }

    private int raw() {
        return features.length + (model.actions().size() - 1) * polynomials.size();
    }

    /** Gram and Schmidt over the visits, twice for good measure; only what differs between actions counts. */
    private ChoiceBasis orthonormal(Visits visits) {
        int actions = visits.actions();
        double[][] columns = new double[raw()][visits.rows()];
        double[] x = new double[raw()];
        double decisions = visits.decisions();
        for (int i = 0; i < visits.states().length; i++) {
            int state = visits.states()[i];
            int available = 0;
            double[] mean = new double[x.length];
            for (int a = 0; a < actions; a++) {
                if (available(state, a)) {
                    available++;
                    raw(state, a, x);
                    Vec.axpy(1, x, mean);
                    for (int k = 0; k < x.length; k++) {
                        columns[k][i * actions + a] = x[k];
                    }
                }
            }
            double weight = Math.sqrt(visits.visits(i) / decisions);
            for (int a = 0; a < actions; a++) {
                for (int k = 0; k < x.length; k++) {
                    columns[k][i * actions + a] =
                            available(state, a) ? weight * (columns[k][i * actions + a] - mean[k] / available) : 0;
                }
            }
        }
        List<double[]> kept = new ArrayList<>();
        List<double[]> combinations = new ArrayList<>();
        for (int k = 0; k < columns.length; k++) {
            double[] column = columns[k];
            double[] combination = new double[columns.length];
            combination[k] = 1;
            double before = Vec.norm(column);
            for (int pass = 0; pass < 2; pass++) {
                for (int j = 0; j < kept.size(); j++) {
                    double share = Vec.dot(kept.get(j), column);
                    Vec.axpy(-share, kept.get(j), column);
                    Vec.axpy(-share, combinations.get(j), combination);
                }
            }
            double norm = Vec.norm(column);
            if (norm * norm > DEPENDENT * before * before) {
                double by = 1 / norm;
                Arrays.setAll(column, i -> column[i] * by);
                Arrays.setAll(combination, i -> combination[i] * by);
                kept.add(column);
                combinations.add(combination);
            }
        }
        return new ChoiceBasis(model, polynomials, features, combinations.toArray(double[][]::new));
    }

    private boolean available(int state, int action) {
        return model.cost().logWeight(state * model.actions().size() + action) > Double.NEGATIVE_INFINITY;
    }

    int size() {
        return combination.length;
    }

    /** The functions before they are combined. */
    private void raw(int state, int action, double[] x) {
        int actions = model.actions().size();
        Arrays.fill(x, 0);
        if (action > 0) {
            polynomials.at(state, x, (action - 1) * polynomials.size());
        }
        int row = polynomials.nearest(state) * actions + action;
        for (int j = 0; j < features.length; j++) {
            x[(actions - 1) * polynomials.size() + j] = features[j][row];
        }
    }

    Reader reader() {
        return new Reader();
    }

    /** Evaluates the functions, with a buffer of its own. */
    final class Reader {
        private final double[] x = new double[raw()];
        private final double[] functions = new double[combination.length];

        /** The functions at a state and action; good until the next call. */
        double[] at(int state, int action) {
            raw(state, action, x);
            Arrays.setAll(functions, k -> Vec.dot(combination[k], x));
            return functions;
        }
    }
}
