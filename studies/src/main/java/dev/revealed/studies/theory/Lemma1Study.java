package dev.revealed.studies.theory;

import dev.revealed.estimate.Certificate;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Lemma 1: how often its bound holds at a theta fixed beforehand, how much room it leaves, how little room any process
 * can leave, and what becomes of it at a theta the data have chosen.
 */
public record Lemma1Study(
        TheoryProblem theory, TheoryStudy.DataSets data, RandomStream stream, ProgressListener listener) {
    /** Rewards are scaled to [0, 1]: the bound and the error scale alike, so any C_r gives the same shares. */
    private static final double RANGE = 1;

    /** States of the process on which the lemma is read at the estimate. */
    private static final int MANY_STATES = 200;

    /**
     * What was found.
     *
     * @param bound Lemma 1's
     * @param coverage share of data sets with |L - L^| at most the bound
     * @param tightness the (1-delta)-quantile of |L - L^| over the bound
     * @param quantiles of |L - L^| over data sets
     * @param worstCaseTightness the same where every return is 0 or the largest possible, with equal chance: no bound
     *     that knows only the range can be tighter than this by much
     */
    public record Details(
            int trajectories,
            double rewardRange,
            double discount,
            double bound,
            double coverage,
            double tightness,
            List<Quantile> quantiles,
            double worstCaseTightness,
            AtEstimate atEstimate) {}

    /** A quantile of |L - L^|. */
    public record Quantile(double probability, double error, double shareOfBound) {}

    /**
     * Lemma 1 read at the maximiser of L^, which it does not allow.
     *
     * @param meanError mean of L^(theta^) - L(theta^)
     * @param coverage share of data sets on which the pointwise bound held there
     * @param uniformBound the bound over all theta of the class
     * @param uniformCoverage share of data sets on which that held
     */
    public record AtEstimate(
            int states,
            int actions,
            double discount,
            int trajectories,
            double bound,
            double meanError,
            double coverage,
            double uniformBound,
            boolean uniformVacuous,
            double uniformCoverage) {}

    Details run() {
        double discount = theory.mdp().discount();
        double bound = bound(discount, theory.mdp().actions(), new Certificate.Pointwise(), data.lemmaTrajectories())
                .value();
        double[] errors = errors();
        return new Details(
                data.lemmaTrajectories(),
                RANGE,
                discount,
                bound,
                shareBelow(errors, bound),
                quantile(errors, 1 - data.lemmaDelta()) / bound,
                DoubleStream.of(0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1)
                        .mapToObj(p -> new Quantile(p, quantile(errors, p), quantile(errors, p) / bound))
                        .toList(),
                quantile(extremeErrors(discount), 1 - data.lemmaDelta()) / bound,
                atEstimate());
    }

    private Certificate.Bound bound(double discount, int actions, Certificate.Scope over, int trajectories) {
        return Certificate.of(RANGE, discount, actions, data.lemmaDelta())
                .bound(Certificate.Quantity.LIKELIHOOD_ERROR, over, trajectories);
    }

    /** |L - L^| of each data set, in ascending order, at the true theta with rewards scaled to the range. */
    private double[] errors() {
        double[] reward = new double[theory.mdp().rows()];
        theory.reward().values(theory.truth(), reward);
        double least = Arrays.stream(reward).min().orElseThrow();
        double span = Vec.span(reward);
        Arrays.setAll(reward, row -> RANGE * (reward[row] - least) / span);
        double expected = theory.expectation(reward);
        Paths paths = theory.paths();
        double[][] payoffs = {reward};
        double[] errors = new double[data.lemmaDatasets()];
        Parallel.tasks(errors.length, "lemma 1", listener, d -> {
            RandomStream own = stream.at(d);
            double[] sum = new double[1];
            for (int i = 0; i < data.lemmaTrajectories(); i++) {
                paths.add(payoffs, own, sum);
            }
            // V_theta(s_0) is the same in L and L^
            errors[d] = Math.abs(sum[0] / data.lemmaTrajectories() - expected);
        });
        Arrays.sort(errors);
        return errors;
    }

    /** Two absorbing states, one paying nothing and one all, entered with equal chance: every return is extreme. */
    private double[] extremeErrors(double discount) {
        double[] errors = new double[data.lemmaDatasets()];
        RandomStream own = stream.named("extreme");
        for (int d = 0; d < errors.length; d++) {
            int high = 0;
            for (int i = 0; i < data.lemmaTrajectories(); i++) {
                high += own.nextBoolean() ? 1 : 0;
            }
            errors[d] = RANGE / (1 - discount) * Math.abs((double) high / data.lemmaTrajectories() - 0.5);
        }
        Arrays.sort(errors);
        return errors;
    }

    /**
     * One decision (discount 0) in one of many states, all equally likely; the expert tosses a coin, which the reward 0
     * explains; the class is every reward in [0, 1], one parameter per state and action. The derivative of L^ in r(s,a)
     * is count(s,a)/N - pi(a|s)/states, positive wherever (s,a) was seen (N is less than the number of states) and
     * negative elsewhere: the maximiser pays 1 for what was seen and 0 for the rest, and L^ - L there is the share of
     * choices that were not seen.
     */
    private AtEstimate atEstimate() {
        int actions = 2;
        int n = Math.min(data.lemmaTrajectories(), MANY_STATES - 1);
        int parameters = MANY_STATES * actions;
        double bound = bound(0, actions, new Certificate.Pointwise(), n).value();
        Certificate.Ball ball = new Certificate.Ball(parameters, 0.5 * RANGE * Math.sqrt(parameters), 1); // of the cube
        Certificate.Bound uniform = bound(0, actions, ball, n);
        double[] errors = new double[data.lemmaDatasets()];
        RandomStream own = stream.named("at the estimate");
        for (int d = 0; d < errors.length; d++) {
            boolean[] seen = new boolean[parameters];
            int distinct = 0;
            for (int i = 0; i < n; i++) {
                int pair = own.nextInt(parameters);
                distinct += seen[pair] ? 0 : 1;
                seen[pair] = true;
            }
            errors[d] = RANGE * (1 - (double) distinct / parameters);
        }
        double mean = Vec.mean(errors);
        Arrays.sort(errors);
        double held = shareBelow(errors, bound);
        double largest = uniform.value();
        return new AtEstimate(
                MANY_STATES, actions, 0, n, bound, mean, held, largest, uniform.vacuous(), shareBelow(errors, largest));
    }

    private static double shareBelow(double[] sorted, double bound) {
        return (double) Arrays.stream(sorted).filter(error -> error <= bound).count() / sorted.length;
    }

    /** The smallest value that at least the given share of the sorted values does not exceed. */
    private static double quantile(double[] sorted, double probability) {
        int index = (int) Math.ceil(probability * sorted.length - 1e-9) - 1;
        return sorted[Math.clamp(index, 0, sorted.length - 1)];
    }
}
