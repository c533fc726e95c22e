package dev.revealed.estimate.choice.simulated;

import dev.revealed.estimate.Stationarity;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.twostep.ChoiceProbabilities;
import dev.revealed.estimate.choice.twostep.PseudoLikelihood;
import dev.revealed.estimate.choice.twostep.TwoStep;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.List;

/**
 * Bajari, Benkard and Levin (2007): futures simulated under the choice probabilities P that the data show, and theta such
 * that going by P is worth at least as much as going by any alternative. It minimises the sum of squares of what
 * alternatives gain, each measured in standard errors.
 *
 * <p>The alternatives change the choice of one period, after which all goes on as before: where none of these gains, none
 * at all does. In each visited state the log-odds of each action but the first are shifted up and down by {@code shift}.
 * Small shifts in both directions leave theta no room: with large ones alone a whole set of parameters would gain nothing.
 *
 * <p>Shifting the log-odds of action a moves probability d between it and the others, which keep their proportions rho. With
 * y = z' theta + e - tau (log P - w), what an action is worth less what choosing costs, that gains
 *
 * <pre>  d (y(a) - sum of rho(b) y(b)) - tau KL(P', P),</pre>
 *
 * positive for an upward shift where the bracket exceeds about tau shift / 2, for a downward one where it is as negative. The
 * standard error of the bracket is that of the log-odds of a, taken at its mean between P and what a first fit (that of
 * {@link Hmss}) makes best, so that no state decides where P is next to nothing.
 */
public record Bbl(ChoiceProbabilities.Method probabilities, Futures futures, double shift) implements PanelMethod {
    public Bbl {
        if (!(shift > 0 && shift <= 1)) {
            throw new BadInput("the alternatives shift log-odds by " + shift, "Choose a shift above 0 and at most 1.");
        }
    }

    public static Bbl standard() {
        return new Bbl(ChoiceProbabilities.STANDARD, Futures.STANDARD, 0.01);
    }

    @Override
    public String name() {
        return "bbl";
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        TwoStep step = new TwoStep(problem, first, probabilities);
        return SimulatedFit.fit(step, criterion(step), futures, stream, listener);
    }

    TwoStep.Criterion criterion(TwoStep step) {
        return new Violations(step, alternatives(step));
    }

    /**
     * A pair of alternatives: the odds of an action up and down.
     *
     * @param begin first row of the state
     * @param row of the action
     * @param up what the bracket must exceed for the upward shift to gain, over tau
     * @param down likewise, of the other sign
     */
    private record Alternatives(int begin, int row, double[] rho, double up, double down) {

        /** The bracket for any quantity known at the visited rows. */
        double difference(double[] x) {
            double difference = x[row];
            for (int a = 0; a < rho.length; a++) {
                difference -= rho[a] == 0 ? 0 : rho[a] * x[begin + a];
            }
            return difference;
        }

        /** x += weight times the derivative of the bracket. */
        void add(double weight, double[] x) {
            x[row] += weight;
            for (int a = 0; a < rho.length; a++) {
                x[begin + a] -= weight * rho[a];
            }
        }
    }

    private List<Alternatives> alternatives(TwoStep step) {
        int actions = step.visits().actions();
        double[] chance = step.chance();
        List<Alternatives> all = new ArrayList<>();
        for (int begin = 0; begin < chance.length; begin += actions) {
            int first = begin;
            while (chance[first] == 0) {
                first++;
            }
            for (int row = first + 1; row < begin + actions; row++) {
                double p = chance[row];
                if (p > 0) {
                    double[] rho = new double[actions];
                    double others = 0;
                    for (int a = 0; a < actions; a++) {
                        others += begin + a == row ? 0 : chance[begin + a];
                    }
                    for (int a = 0; a < actions; a++) {
                        rho[a] = begin + a == row ? 0 : chance[begin + a] / others;
                    }
                    all.add(new Alternatives(begin, row, rho, threshold(p, shift), -threshold(p, -shift)));
                }
            }
        }
        return all;
    }

    /** KL(P', P) / d where the log-odds of an action of probability p are shifted. */
    private static double threshold(double p, double shift) {
        double growth = p * Math.expm1(shift);
        double moved = (1 - p) * growth / (1 + growth);
        double divergence = shift * (p + moved) - Math.log1p(growth);
        return divergence / moved;
    }

    /** A convex function of theta, quadratic between kinks: Newton's method on the alternatives that gain. */
    private record Violations(TwoStep step, List<Alternatives> alternatives) implements TwoStep.Criterion {
        private static final int LIMIT = 100;

        /** In standard errors. */
        private static final double NEAR = 0.01;

        /** The bracket of each pair as slope' theta + level, and its weight. */
        private record Brackets(double[][] slope, double[] level, double[] weight) {
            double at(int k, double[] theta) {
                return Vec.dot(slope[k], theta) + level[k];
            }
        }

        private Brackets brackets(double[][] q) {
            int p = q.length - 1;
            double[] around = new PseudoLikelihood(step, false).theta(q);
            double[] constant = Vec.plus(q[p], -step.temperature(), step.logarithm());
            int n = alternatives.size();
            Brackets made = new Brackets(new double[n][p], new double[n], new double[n]);
            for (int k = 0; k < n; k++) {
                Alternatives pair = alternatives.get(k);
                for (int j = 0; j < p; j++) {
                    made.slope[k][j] = pair.difference(q[j]);
                }
                made.level[k] = pair.difference(constant);
                made.weight[k] = step.visits().visits(pair.begin / pair.rho.length)
                        * information(step.chance()[pair.row], made.at(k, around) / step.temperature());
            }
            return made;
        }

        /** Mean of p (1 - p) while log-odds move from those of p by so much. */
        private static double information(double p, double by) {
            double growth = Math.expm1(by);
            return Math.abs(by) < 1e-6 ? p * (1 - p) : p * (1 - p) * growth / (1 + p * growth) / by;
        }

        /** By how much an alternative of the pair gains, signed by its direction; over d. */
        private double excess(int k, double bracket) {
            double up = step.temperature() * alternatives.get(k).up;
            double down = step.temperature() * alternatives.get(k).down;
            return bracket > up ? bracket - up : bracket < -down ? bracket + down : 0;
        }

        private double sum(Brackets brackets, double[] theta) {
            double sum = 0;
            for (int k = 0; k < brackets.weight.length; k++) {
                double excess = excess(k, brackets.at(k, theta));
                sum += brackets.weight[k] * excess * excess;
            }
            return sum;
        }

        @Override
        public double[] theta(double[][] q) {
            Brackets brackets = brackets(q);
            double[] theta = leastSquares(brackets, step.problem().start());
            if (!Double.isFinite(sum(brackets, theta))) {
                theta = leastSquares(brackets, new double[theta.length]); // the starting values were too large
            }
            double sum = sum(brackets, theta);
            for (int iteration = 0; iteration < LIMIT && sum > 0; iteration++) {
                double[] step = step(brackets, theta, true);
                double[] next = Vec.plus(theta, 1, step);
                double there = sum(brackets, next);
                for (double length = 0.5; there > sum && length > 1e-9; length /= 2) {
                    next = Vec.plus(theta, length, step);
                    there = sum(brackets, next);
                }
                if (!(there < sum * (1 - 1e-13))) {
                    break;
                }
                theta = next;
                sum = there;
            }
            return theta;
        }

        /** As if no shift were too small. */
        private double[] leastSquares(Brackets brackets, double[] start) {
            return Vec.plus(start, 1, step(brackets, start, false));
        }

        /** Newton's step on the alternatives that gain, or on all brackets as they are. */
        private double[] step(Brackets brackets, double[] theta, boolean gaining) {
            Slope slope = slope(brackets, theta, gaining);
            return Dense.solvePositive(slope.curvature, slope.gradient);
        }

        private record Slope(double[] gradient, double[][] curvature) {}

        private Slope slope(Brackets brackets, double[] theta, boolean gaining) {
            double[] gradient = new double[theta.length];
            double[][] curvature = new double[theta.length][theta.length];
            for (int k = 0; k < brackets.weight.length; k++) {
                double bracket = brackets.at(k, theta);
                double excess = gaining ? excess(k, bracket) : bracket;
                if (excess != 0) {
                    Vec.axpy(-brackets.weight[k] * excess, brackets.slope[k], gradient);
                    Observations.addOuter(brackets.weight[k], brackets.slope[k], curvature);
                }
            }
            return new Slope(gradient, curvature);
        }

        /** By the gradient of what gains, in standard errors by all brackets: at a kink few gain. */
        @Override
        public boolean fitsBest(double[][] q, double[] theta) {
            Brackets brackets = brackets(q);
            double[] gradient = slope(brackets, theta, true).gradient;
            return Stationarity.of(slope(brackets, theta, false).curvature, gradient)
                    .within(NEAR);
        }

        /**
         * Shifts too small to matter as the data vary are taken for nil, and the weights to follow theta: the equations then
         * are those of P against what would be best, visits times tau times (p' - p) times slope, summed over pairs.
         */
        @Override
        public TwoStep.Moments moments(double[][] q, double[] theta) {
            Brackets brackets = brackets(q);
            int p = theta.length;
            int rows = step.visits().rows();
            double tau = step.temperature();
            double[][] curvature = new double[p][p];
            double[][] direct = new double[p][rows];
            double[][] toChoices = new double[p][rows];
            double[][] toValues = new double[p][rows];
            double[] toDesign = new double[rows];
            double[] net = Vec.plus(q[p], -tau, step.logarithm());
            for (int j = 0; j < p; j++) {
                Vec.axpy(theta[j], q[j], net);
            }
            for (int k = 0; k < brackets.weight.length; k++) {
                Alternatives pair = alternatives.get(k);
                double[] slope = brackets.slope[k];
                double n = step.visits().visits(pair.begin / pair.rho.length);
                double now = step.chance()[pair.row];
                double by = brackets.at(k, theta) / tau;
                double surplus = tau * by * information(now, by);
                double best = now + surplus / tau;
                Observations.addOuter(n * best * (1 - best), slope, curvature);
                pair.add(-n * surplus, toDesign);
                for (int j = 0; j < p; j++) {
                    pair.add(-n * best * (1 - best) * slope[j], toValues[j]);
                    pair.add(n * tau * now * (1 - now) * slope[j], toChoices[j]);
                    addProportions(pair, n * best * (1 - best) * slope[j], net, toChoices[j]);
                    addProportions(pair, n * surplus, q[j], toChoices[j]);
                    for (int a = 0; a < pair.rho.length; a++) {
                        direct[j][pair.begin + a] -= surplus * slope[j];
                    }
                }
            }
            return new TwoStep.Moments(curvature, direct, toChoices, toValues, toDesign);
        }

        /** The proportions of the other actions move with P as well. */
        private static void addProportions(Alternatives pair, double weight, double[] x, double[] toChoices) {
            double mean = x[pair.row] - pair.difference(x);
            for (int a = 0; a < pair.rho.length; a++) {
                toChoices[pair.begin + a] += pair.rho[a] == 0 ? 0 : weight * pair.rho[a] * (x[pair.begin + a] - mean);
            }
        }
    }
}
