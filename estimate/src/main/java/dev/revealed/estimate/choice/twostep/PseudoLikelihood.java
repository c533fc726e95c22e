package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ConditionalLogit;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.InformationCost;
import java.util.Arrays;

/**
 * Theta such that the logit of the values, P_theta proportional to exp((z' theta + e)/tau + w), comes as close as it can to
 * choices that are either those observed or those expected, visits times P. The equations are
 *
 * <pre>  sum over visited states and actions of (choices - visits P_theta) z / tau = 0.</pre>
 */
public record PseudoLikelihood(TwoStep step, boolean observed) implements TwoStep.Criterion {

    /** The logit whose index is linear in theta once values are: {@code q} holds z_1..z_p and e at the visited rows. */
    public static ConditionalLogit logit(TwoStep step, double[][] q, double[] choices) {
        return logit(step.visits(), step.model().cost(), q, choices);
    }

    public static ConditionalLogit logit(Visits visits, InformationCost cost, double[][] q, double[] choices) {
        int p = q.length - 1;
        double[][] columns = new double[p][choices.length];
        double[] offset = new double[choices.length];
        for (int own = 0; own < offset.length; own++) {
            offset[own] = q[p][own] / cost.temperature() + cost.logWeight(visits.row(own));
            for (int j = 0; j < p; j++) {
                columns[j][own] = q[j][own] / cost.temperature();
            }
        }
        return new ConditionalLogit(visits.actions(), columns, offset, choices);
    }

    private double[] choices() {
        return observed ? step.visits().counts() : expected(step.chance());
    }

    private double[] expected(double[] chance) {
        double[] expected = new double[chance.length];
        Arrays.setAll(expected, own -> step.visits().visits(own / step.visits().actions()) * chance[own]);
        return expected;
    }

    public ConditionalLogit.Maximum maximum(double[][] q) {
        return logit(step, q, choices()).maximise(step.problem().start());
    }

    @Override
    public double[] theta(double[][] q) {
        return maximum(q).theta();
    }

    @Override
    public boolean fitsBest(double[][] q, double[] theta) {
        return logit(step, q, choices()).isMaximum(theta);
    }

    @Override
    public TwoStep.Moments moments(double[][] q, double[] theta) {
        Visits visits = step.visits();
        double[] choices = choices();
        ConditionalLogit logit = logit(step, q, choices);
        double[] fitted = logit.probabilities(theta);
        double[] expected = expected(fitted);
        int p = theta.length;
        double tau = step.temperature();
        double[][] direct = new double[p][];
        double[][] toChoices = new double[p][choices.length];
        double[][] toValues = new double[p][choices.length];
        double[] toDesign = new double[choices.length];
        Arrays.setAll(toDesign, own -> (choices[own] - expected[own]) / tau);
        for (int j = 0; j < p; j++) {
            double[] x = logit.columns()[j];
            double[] centred = step.centred(x, fitted);
            double[] around = step.centred(x, step.chance());
            for (int own = 0; own < choices.length; own++) {
                toValues[j][own] = -expected[own] * centred[own] / tau;
                toChoices[j][own] = observed ? 0 : choices[own] * around[own];
            }
            direct[j] = observed ? centred : perVisit(visits, toDesign, q[j]);
        }
        return new TwoStep.Moments(logit.information(theta), direct, toChoices, toValues, toDesign);
    }

    /** What each visit of a state adds, whatever is chosen. */
    private static double[] perVisit(Visits visits, double[] surplus, double[] z) {
        double[] direct = new double[z.length];
        for (int i = 0; i < visits.states().length; i++) {
            int begin = i * visits.actions();
            double sum = 0;
            for (int own = begin; own < begin + visits.actions(); own++) {
                sum += surplus[own] * z[own];
            }
            Arrays.fill(direct, begin, begin + visits.actions(), sum / visits.visits(i));
        }
        return direct;
    }
}
